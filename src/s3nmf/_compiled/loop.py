"""How loops are compiled, and kept on disk where there is a place for them.

Machine code on disk saves seconds, and nothing else hangs on it: without a directory that can be written to, on a full
disk, or where a file of it is damaged, loops are compiled anew in every program.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache

from s3nmf._compiling import CLOCK

logger = logging.getLogger("s3nmf")
_said: set[str] = set()


def loop(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function when it is first called, to run outside the interpreter's lock; options are those of numba."""

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher = njit(nogil=True, **options)(function)
        if dispatcher is function:  # numba is told not to compile
            return function
        try:
            dispatcher._cache = _Kept(function)
        except RuntimeError as error:  # what numba raises where it finds no directory
            _say(error)
        return dispatcher

    return compiled


class _Watch(event.Listener):  # type: ignore[misc]
    """Starts and stops the clock of compiling; loops that are read from the disk are not compiled."""

    def on_start(self, event: Any) -> None:
        if _is_ours(event):
            CLOCK.begin()

    def on_end(self, event: Any) -> None:
        if _is_ours(event):
            CLOCK.end()


def _is_ours(event: Any) -> bool:
    return str(event.data["dispatcher"].py_func.__module__).startswith("s3nmf.")


event.register("numba:compile", _Watch())


def directory_of(compiled: Any) -> Path | None:
    """Where its machine code is kept; None where it is not."""
    path = compiled.stats.cache_path if hasattr(compiled, "stats") else None
    return None if path is None else Path(path)


class _Kept(FunctionCache):
    """numba's files of machine code; a fit does not fail for one that cannot be read or written."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
            # Two programs that compile at once can exchange files of two signatures under one name.
            return found if found is None or tuple(found.signature.args) == tuple(sig) else None
        except Exception as error:
            _say(error)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception as error:
            _say(error)


def _say(error: Exception) -> None:
    """Once in a program: every loop meets the same disk."""
    if not _said:
        _said.add(str(error))
        logger.warning(
            "compiled loops cannot be kept on disk (%s), so that every program compiles them again, for some seconds. "
            "Set NUMBA_CACHE_DIR to a directory that can be written to.",
            error,
        )
