"""Speaking to a person at a terminal: paragraphs, tables, and a bar with the time left."""

from __future__ import annotations

import io
import json
import math
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import typer

from s3nmf._bar import ShowProgress
from s3nmf._bar import bar as shown_progress

_WIDEST = 100
_BULLET = "- "
_NARROWEST = len(">0.99")


def say(text: str, *, err: bool = False) -> None:
    """Print a paragraph, wrapped for a terminal and in one line for a file."""
    width = line_width(sys.stderr if err else sys.stdout)
    typer.echo(text if width is None else "\n".join(_wrapped(line, width) for line in text.split("\n")), err=err)


def leads_nowhere(stream: TextIO) -> bool:
    """Whether a standard stream was closed by the shell, and has nothing behind it."""
    return getattr(stream, "name", None) == os.devnull


def line_width(stream: TextIO) -> int | None:
    """How long lines may be on a terminal; None in a file."""
    return min(shutil.get_terminal_size().columns, _WIDEST) if stream.isatty() else None


def _wrapped(line: str, width: int) -> str:
    indent = _BULLET if line.startswith(_BULLET) else ""
    return textwrap.fill(
        line, width, break_long_words=False, break_on_hyphens=False, subsequent_indent=" " * len(indent)
    )


def print_json(facts: Mapping[str, Any]) -> None:
    """Print one JSON object; what is not a number is null."""
    typer.echo(json.dumps(_finite(facts), allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def visible(text: str) -> str:
    r"""Text that cannot move the cursor or colour the terminal: control characters are spelled out.

    Examples
    --------
    >>> print(visible("cell\x1b[31m 1\nb"))
    cell\x1b[31m 1\nb
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns of text, to the left the first and remarks, which have no name, and the others to the right."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for k, name in enumerate(header):
        grid.add_column(Text(name), justify="right" if k and name else "left", no_wrap=True)
    for row in rows:
        grid.add_row(*map(Text, row))
    stream = io.StringIO()
    Console(file=stream, width=10_000, color_system=None).print(grid)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


class GrowingTable:
    """A table whose rows are printed as they come; columns of words to the left, those of numbers to the right."""

    def __init__(self, header: Sequence[str], words: Mapping[str, int], *, err: bool = False) -> None:
        self.header, self.words, self.err = header, words, err
        self._begun = False

    def add(self, row: Sequence[str]) -> None:
        """Print a row, below the header if it is the first."""
        for cells in [row] if self._begun else [self.header, row]:
            aligned = [
                cell.ljust(self.words[name]) if name in self.words else cell.rjust(max(_NARROWEST, len(name)))
                for name, cell in zip(self.header, cells, strict=False)
            ]
            typer.echo("  ".join(aligned).rstrip(), err=self.err)
        self._begun = True


@contextmanager
def bar(*, quiet: bool = False) -> Iterator[ShowProgress | None]:
    """A bar that goes away when it is done; None where it would not be seen."""
    if quiet:
        yield None
        return
    with shown_progress() as show:
        yield show
