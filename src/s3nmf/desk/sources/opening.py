"""Files as streams of bytes and lines: found, unpacked, decoded, and never more of them than the memory holds."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NoReturn
from xml.parsers import expat

from s3nmf._memory import available_bytes
from s3nmf._messages import Message, Parameter
from s3nmf.desk.sources.errors import SourceError, foreign

STANDARD_STREAM = "-"

_GZIP = b"\x1f\x8b"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Numbers need up to four times the bytes of their text ("0,"), and arrays are copied once when they become a table.
_SHARE_OF_MEMORY = 4
_WHERE_MEMORY_IS_UNKNOWN = 2**33
_LONGEST_LINE = 2**26
_CHUNK = 2**24
# gzip packs real tables to a twentieth, tables of zeros to a hundredth, bombs to a thousandth. So many bytes of one are
# unpacked, and read as a table within a second or two, before that is said.
_BOMB_RATIO = 400
_BOMB_SIZE = 2**23


def name_of(source: str | os.PathLike[str]) -> str:
    """What messages call a source."""
    return "standard input" if source == STANDARD_STREAM else os.fspath(source)


def most_bytes() -> int:
    """The largest array or text that is read."""
    available = available_bytes()
    return _WHERE_MEMORY_IS_UNKNOWN if available is None else available // _SHARE_OF_MEMORY


def refuse_if_larger(needed: float, source: str, what: str) -> None:
    """Raise before so many bytes are allocated; `what` begins the sentence."""
    limit = most_bytes()
    if needed > limit:
        raise SourceError(
            f"{source}: {what} takes {needed / 1e9:,.1f} GB; with the memory that is free, {limit / 1e9:,.1f} GB can "
            "be read. If the file is what it should be, use a machine with more memory or a part of the data."
        )


@contextmanager
def opened(source: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """The bytes of a file or of standard input; those of a gzip file unpacked."""
    if source == STANDARD_STREAM:
        yield _unpacked(sys.stdin.buffer, name_of(source))
        return
    with open_file(source) as file:
        yield _unpacked(file, name_of(source))


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """A file as it is on the disk."""
    try:
        return Path(path).open("rb")
    except IsADirectoryError as error:
        raise SourceError(f"{path} is a directory. Give the file in it that holds the data.") from error
    except FileNotFoundError as error:
        raise SourceError(f"{path} does not exist. Check its name; relative ones start at {Path.cwd()}.") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        raise SourceError(f"{str(path)!r} cannot be opened: {getattr(error, 'strerror', None) or error}.") from error


def read_all(stream: BinaryIO, source: str) -> bytes:
    """The whole stream, for formats that are not read from front to back."""
    data, limit = bytearray(), most_bytes()
    while chunk := stream.read(_CHUNK):
        data += chunk
        if len(data) > limit:
            refuse_if_larger(len(data), source, "the file")
    return bytes(data)


def text_lines(stream: BinaryIO, source: str, encoding: str = "utf-8") -> Iterator[str]:
    """The lines of a text, ends kept. Bytes that are not text are refused with their place.

    Lines end at a line feed, so that a carriage return or a Unicode separator in a quoted name stays what it is. A text
    without any line feed has the line ends of old Macintosh programs, if it has some: carriage returns.
    """
    _check_encoding(encoding)
    limit, total = most_bytes(), 0
    for number, read in enumerate(_byte_lines(stream), 1):
        line = _without_mark(read, source) if number == 1 else read
        total += len(read)
        if total > limit:
            refuse_if_larger(total, source, f"the text up to line {number}")
        if len(read) == _LONGEST_LINE:
            raise SourceError(
                f"{source}: line {number} is longer than {_LONGEST_LINE // 2**20} MB. Is it a text file with line ends?"
            )
        if b"\0" in line:
            raise SourceError(
                f"{source}: line {number} holds a NUL byte (byte {line.index(0) + 1} of the line), so it is no text. "
                "Name the right format, or save the file as text in UTF-8."
            )
        try:
            yield line.decode(encoding)
        except UnicodeDecodeError as error:
            raise SourceError(
                Message(
                    "{source}: line {number} is not {encoding}: byte 0x{byte:02X} at position {position} of the line. "
                    "Save the file as UTF-8, or name its encoding, often {latin} or {windows}.",
                    source=source,
                    number=number,
                    encoding=encoding,
                    byte=line[error.start],
                    position=error.start + 1,
                    latin=Parameter("encoding", "latin-1"),
                    windows=Parameter("encoding", "cp1252"),
                )
            ) from error


def _byte_lines(stream: BinaryIO) -> Iterator[bytes]:
    first = stream.readline(_LONGEST_LINE)
    if b"\r" in first and not first.endswith(b"\n") and len(first) < _LONGEST_LINE:
        yield from first.splitlines(keepends=True)
    elif first:
        yield first
    yield from iter(lambda: stream.readline(_LONGEST_LINE), b"")


def refuse_document_type(data: bytes, source: str) -> None:
    """Parse the file once without building anything; expat knows every encoding that could hide a declaration."""

    def refuse(*_: Any) -> NoReturn:
        raise SourceError(
            f"{source} has a document type declaration, which can define entities. None is needed: remove it if you "
            "trust the file."
        )

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    with foreign("expat", source, "It is no XML: write it again."):
        parser.Parse(data, True)


def _without_mark(line: bytes, source: str) -> bytes:
    if line.startswith(_UTF16):
        raise SourceError(f"{source} is encoded in UTF-16. Save it as UTF-8 (in Excel: 'CSV UTF-8').")
    return line.removeprefix(codecs.BOM_UTF8)


def _check_encoding(encoding: str) -> None:
    try:
        splits_at_line_feeds = "a\n".encode(encoding) == b"a\n"
    except (LookupError, ValueError, TypeError) as error:
        raise SourceError(f"{encoding!r} is not the name of an encoding. Try utf-8, latin-1 or cp1252.") from error
    if not splits_at_line_feeds:
        raise SourceError(f"Files in {encoding!r} are not read. Save the file as UTF-8.")


def _unpacked(file: BinaryIO, source: str) -> BinaryIO:
    packed = _Watched(file, source)
    stream = io.BufferedReader(packed)
    if stream.peek(2)[:2] == _GZIP:
        stream = io.BufferedReader(_Watched(gzip.GzipFile(fileobj=stream), source, packed))
    if not stream.peek(1):
        raise SourceError(f"{source} is empty. Check that the program that wrote it came to its end.")
    return stream


class _Watched(io.RawIOBase):
    """A stream whose errors say which file they are of, and that stops a small file from becoming a huge one."""

    def __init__(self, inner: Any, source: str, packed: _Watched | None = None) -> None:
        self._inner, self._source, self._packed = inner, source, packed
        self.total = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            chunk = self._inner.read(len(buffer))
        except (OSError, EOFError, zlib.error) as error:
            broken = f"a gzip file that is cut off or damaged ({error})" if self._packed else f"unreadable ({error})"
            raise SourceError(f"{self._source} is {broken}. Get or write it again.") from error
        self.total += len(chunk)
        if self._packed is not None and self.total > max(_BOMB_SIZE, _BOMB_RATIO * self._packed.total):
            raise SourceError(
                f"{self._source} unpacks to more than {_BOMB_RATIO} times its size ({self.total / 1e6:.0f} MB so far), "
                "as files made to fill a memory do. If you trust it, unpack it yourself and read that."
            )
        buffer[: len(chunk)] = chunk
        return len(chunk)
