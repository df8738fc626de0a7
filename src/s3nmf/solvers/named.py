"""The solvers by name: those that the files of this folder declare."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from s3nmf import solvers
from s3nmf.solvers.declared import SOLVERS

__all__ = ["SOLVERS", "discover"]


def discover() -> None:
    """Import every file of the folder, so that its solvers declare themselves."""
    for module in iter_modules(solvers.__path__):
        import_module(f"{solvers.__name__}.{module.name}")


discover()
