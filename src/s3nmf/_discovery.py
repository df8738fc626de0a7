"""Files of a folder that declare what they add: adding one is adding a file."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def import_files_of(package: ModuleType) -> None:
    """Import every file of a package, so that what is declared in them is known; but those that begin with `_`."""
    for module in iter_modules(package.__path__):
        if not module.name.startswith("_"):
            import_module(f"{package.__name__}.{module.name}")
