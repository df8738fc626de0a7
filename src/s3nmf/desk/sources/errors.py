"""One kind of error for whatever is wrong with a user's data: what, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from s3nmf._words import shortened


class SourceError(ValueError):
    """Data that cannot be read or labels that cannot be written as asked; the message says why and what to do."""


@contextmanager
def foreign(reader: str, source: str, remedy: str) -> Iterator[None]:
    """Turn whatever another library raises over a broken file into a SourceError.

    Their parsers were not made for hostile bytes and raise anything, from KeyError to RecursionError.
    """
    try:
        yield
    except SourceError:
        raise
    except Exception as error:
        said = shortened(f"{type(error).__name__}: {' '.join(str(error).split())}")
        raise SourceError(f"{source}: {reader} cannot read it ({said}). {remedy}") from error


def optional(module: str, extra: str, purpose: str) -> Any:
    """Import a module that an extra of this package brings along."""
    try:
        return import_module(module)
    except ImportError as error:
        name = module.split(".", maxsplit=1)[0]
        raise ImportError(f"{purpose} needs {name}. Install it with pip install 's3nmf[{extra}]'.") from error
