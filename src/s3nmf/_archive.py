"""A file of plain arrays and a JSON header that runs nothing when it is read: an uncompressed zip of .npy files.

Nothing in such a file can become larger in memory than it is on disk, and every size is checked before anything is
allocated. The same contents give the same bytes.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from s3nmf._files import written_whole

AnyArray: TypeAlias = NDArray[Any]
Spec: TypeAlias = Mapping[str, tuple[frozenset[str], tuple[int | None, ...]]]
"""For each array, the dtypes it may have and its shape, None where a size may be any."""

HEADER = "header.json"

_AT_ONCE = 2**20
_MAGIC = b"\x93NUMPY\x01\x00"
_LONGEST_NPY_HEADER = 1024
_NPY_HEADER = re.compile(
    rb"\{'descr': '([<|][fiu][1248])', 'fortran_order': False, 'shape': \(((?:\d{1,18},? ?)*)\), \} *\n"
)
# What reading a damaged zip, or JSON that is not, may raise.
_DAMAGE = (
    zipfile.BadZipFile,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
)


class ModelFileError(ValueError):
    """The file is not a model that this version of the library can read: damaged, made up, or of another version."""


def write_archive(path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
    """Write all of it, or leave what was there: to a file beside it, which then takes its place."""
    with written_whole(path) as file:
        _write_zip(file, header, arrays)


def read_archive(
    path: str | os.PathLike[str], spec_of: Callable[[Any], Spec]
) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Return the header and the arrays, which must be those that `spec_of(header)` asks for, no more and no less."""
    _refuse_device(Path(path))
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        try:
            with zipfile.ZipFile(file) as archive:
                members = _members(archive, size)
                header = _header(archive, members)
                spec = spec_of(header)
                return header, _arrays(archive, members, spec)
        except ModelFileError:
            raise
        except _DAMAGE as error:
            raise ModelFileError(f"The file is damaged: {error}") from error


def _refuse_device(path: Path) -> None:
    """Before it is opened: a pipe without a writer would block, and some devices have no end."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # the system refuses a directory in its own words
        raise ModelFileError(f"{path} is a pipe or a device; a model is read from a file. Write it to one first.")


def _write_zip(file: IO[bytes], header: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        text = json.dumps(header, indent=1, sort_keys=True, allow_nan=False)
        archive.writestr(_entry(HEADER), text.encode("ascii"))
        for name, array in arrays.items():
            plain = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
            with archive.open(_entry(f"{name}.npy"), "w", force_zip64=plain.nbytes >= 2**31 - 2**16) as member:
                np.lib.format.write_array(member, plain, version=(1, 0), allow_pickle=False)


def _entry(name: str) -> zipfile.ZipInfo:
    """With nothing in it that differs from one day, or one system, to the next."""
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry


def _members(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    entries = archive.infolist()
    members = {entry.filename: entry for entry in entries}
    if len(members) < len(entries):
        raise ModelFileError("The file is damaged: it holds two arrays of one name.")
    for entry in entries:
        if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
            raise ModelFileError(f"{entry.filename} is compressed; model files are not.")
    total = sum(entry.file_size for entry in entries)
    if total > size:
        raise ModelFileError(f"The file has {size} bytes, but says that it holds {total}.")
    return members


def _header(archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo]) -> Any:
    if HEADER not in members:
        raise ModelFileError(f"The file has no {HEADER}: it is not a saved model.")
    with archive.open(members[HEADER]) as file:
        return json.loads(file.read(), parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> float:
    raise ModelFileError(f"The header holds {name}, which is not a number.")


def _arrays(archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], spec: Spec) -> dict[str, AnyArray]:
    expected = {f"{name}.npy" for name in spec} | {HEADER}
    for name in sorted(expected.symmetric_difference(members)):
        raise ModelFileError(f"{name} is {'missing' if name in expected else 'not part of a saved model'}.")
    arrays = {}
    for name, (dtypes, shape) in spec.items():
        entry = members[f"{name}.npy"]
        with archive.open(entry) as file:
            arrays[name] = _array(file, name, entry.file_size, dtypes, shape)
    return arrays


def _array(file: IO[bytes], name: str, size: int, dtypes: frozenset[str], shape: tuple[int | None, ...]) -> AnyArray:
    """Read one .npy file, after its dtype, shape and size have been found to be what they must be."""
    dtype, found, offset = _npy_header(file, name)
    if dtype not in dtypes:
        raise ModelFileError(f"{name} has dtype {dtype}; it must be {' or '.join(sorted(dtypes))}.")
    if len(found) != len(shape) or any(one not in (None, other) for one, other in zip(shape, found, strict=True)):
        wanted = ", ".join("any" if one is None else str(one) for one in shape)
        raise ModelFileError(f"{name} has shape {found}; it must be ({wanted}).")
    if offset + math.prod(found) * np.dtype(dtype).itemsize != size:
        raise ModelFileError(f"{name} has {size} bytes, which is not the size of a {dtype} array of shape {found}.")
    array = np.empty(found, dtype)
    at, whole = 0, array.reshape(-1).view(np.uint8)
    # To the end and beyond: only there zipfile compares the checksum.
    while part := file.read(_AT_ONCE):
        whole[at : at + len(part)] = np.frombuffer(part, np.uint8)
        at += len(part)
    if at != whole.size:
        raise ModelFileError(f"{name} ends after {at} of {whole.size} bytes.")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _npy_header(file: IO[bytes], name: str) -> tuple[str, tuple[int, ...], int]:
    """The dtype, the shape and where the data begin. Only what numpy writes for plain arrays is understood."""
    start = file.read(len(_MAGIC) + 2)
    if len(start) < len(_MAGIC) + 2 or not start.startswith(_MAGIC):
        raise ModelFileError(f"{name} is not an array in version 1.0 of numpy's format.")
    (length,) = struct.unpack("<H", start[-2:])
    text = _NPY_HEADER.fullmatch(file.read(length)) if length <= _LONGEST_NPY_HEADER else None
    if text is None:
        raise ModelFileError(f"{name} is not a plain array.")
    shape = tuple(int(size) for size in text[2].replace(b",", b" ").split())
    return text[1].decode("ascii"), shape, len(start) + length
