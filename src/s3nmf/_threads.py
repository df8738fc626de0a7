"""One thread for the sums inside a fit: over several they round differently, and a label can hang on the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from threadpoolctl import threadpool_limits

_lock = Lock()
_depth = 0
_limit: threadpool_limits | None = None


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold the pools of BLAS and OpenMP at one thread.

    Their limit belongs to the process. When fits overlap in several Python threads, the first one sets it and the last
    one gives it back.
    """
    global _depth, _limit  # noqa: PLW0603
    with _lock:
        if _depth == 0:
            _limit = threadpool_limits(limits=1)
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0 and _limit is not None:
                _limit.restore_original_limits()
                _limit = None
