"""What a file format declares: its name, the endings of its files, and which options apply to it.

A reader declares it in its own file; `s3nmf.desk.sources.files` finds it there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

from s3nmf.desk.sources.graph import Graph
from s3nmf.desk.sources.table import Table

Kind: TypeAlias = Literal["table", "graph", "either"]

_Reader = TypeVar("_Reader", bound=Callable[..., Any])


@dataclass(frozen=True)
class Format:
    """A format that can be read."""

    name: str
    kind: Kind
    """What comes out: a table, a graph, or one of them, by what is in the file."""
    endings: tuple[str, ...]
    read: Callable[..., Table | Graph]
    """(stream, name of the source, options) -> Table or Graph; of a path instead, if `by_path`."""
    has_ids: bool
    """Whether a column, array or attribute can be chosen as ids."""
    has_columns: bool
    """Whether columns can be left out."""
    has_truth: bool
    """Whether a column, array or attribute can hold known groups."""
    is_stream: bool
    """Whether it is read from front to back as text, and so from standard input."""
    by_path: bool
    """Whether it is not read from front to back at all."""
    takes: tuple[str, ...]
    """Options of its own."""
    append: Callable[..., bytes] | None = None
    """(stream, name of the source, options, NewColumns) -> the file with these columns behind its own."""


FORMATS: dict[str, Format] = {}
"""The formats by name. `s3nmf.desk.sources.files` fills it with those of this folder."""


def file_format(
    name: str,
    *endings: str,
    kind: Kind,
    has_ids: bool = False,
    has_columns: bool = False,
    has_truth: bool = False,
    is_stream: bool = False,
    by_path: bool = False,
    takes: tuple[str, ...] = (),
) -> Callable[[_Reader], _Reader]:
    """Declare a function to be the reader of a format, whose files end so."""

    def declare(reader: _Reader) -> _Reader:
        for other in FORMATS.values():
            shared = {other.name, *other.endings} & {name, *endings}
            if shared and getattr(other.read, "__module__", None) != reader.__module__:
                raise ValueError(f"{', '.join(sorted(shared))}: there is a format {other.name!r} already.")
        FORMATS[name] = Format(name, kind, endings, reader, has_ids, has_columns, has_truth, is_stream, by_path, takes)
        return reader

    return declare


def appends_to(name: str) -> Callable[[_Reader], _Reader]:
    """Declare a function to be what adds columns to files of a format."""

    def declare(appender: _Reader) -> _Reader:
        FORMATS[name] = replace(FORMATS[name], append=appender)
        return appender

    return declare
