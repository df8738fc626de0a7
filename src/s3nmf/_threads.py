"""The threads of a fit. A label can depend on the last bit, so no sum may depend on how many threads there are.

BLAS and OpenMP, which cut sums up by threads, are held at one. A `Team` takes their place: it hands out blocks of rows
that are the same for every number of threads to compiled loops, which run outside the interpreter's lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

import threadpoolctl
from threadpoolctl import threadpool_limits

from s3nmf._sklearn import effective_n_threads

_lock = Lock()
_depth = 0
_limit: threadpool_limits | None = None
_Result = TypeVar("_Result")

# OpenBLAS has one pool of threads, and threadpoolctl (3.8 on) lets one Python thread at a time set its size: others are
# not heard until that one lets go. Here it is a matter of all fits, whichever thread begins and whichever ends them.
_let_go: Callable[..., None] = getattr(
    getattr(threadpoolctl, "OpenBLASController", None), "clear_controlling_thread", lambda force: None
)

if hasattr(os, "register_at_fork"):  # a fork while another thread has the lock would leave it locked for ever
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


class Team:
    """Threads that share the blocks of a loop. The calling thread is one of them."""

    def __init__(self, n_threads: int = 1, pool: ThreadPoolExecutor | None = None) -> None:
        self.n_threads = n_threads
        self._pool = pool

    def run(self, task: Callable[[int, int], None], n_blocks: int, work: float) -> None:
        """Call task(first, last) for ranges that cover the blocks; `work` is the number of multiplications in all."""
        n_shares = int(max(1, min(self.n_threads, n_blocks, work / _WORTH_A_THREAD)))
        if self._pool is None or n_shares == 1:
            task(0, n_blocks)
            return
        bounds = [n_blocks * share // n_shares for share in range(n_shares + 1)]
        others = [self._pool.submit(task, *bounds[share : share + 2]) for share in range(1, n_shares)]
        task(0, bounds[1])
        for other in others:
            other.result()


# Multiplications that take some 0.2 ms: for less, waking a thread is not taken to be worth it.
_WORTH_A_THREAD = 2e6
ALONE = Team()


def available_threads() -> int:
    """As many as scikit-learn would use: cores, OMP_NUM_THREADS, and what joblib leaves to a worker."""
    return effective_n_threads()


@contextmanager
def team(n_threads: int | None = None) -> Iterator[Team]:
    """A team of all available threads, or of so many; BLAS and OpenMP have one thread meanwhile."""
    n_threads = n_threads or available_threads()
    with one_thread():
        if n_threads == 1:
            yield ALONE
            return
        with ThreadPoolExecutor(n_threads - 1, thread_name_prefix="s3nmf") as pool:
            yield Team(n_threads, pool)


def on_threads_of_its_own(task: Callable[[], _Result], n_threads: int) -> _Result:
    """What a task returns that shares its work out by OpenMP.

    OpenMP keeps threads for each thread that ever asked for some. Those of a process are not there in one that is
    forked from it, and whoever asks for them there waits for ever. A new thread has none to wait for. BLAS, which each
    of them calls, has one thread: with several, a fork in the middle of a product would leave its lock locked for ever.
    """
    if n_threads == 1:
        with one_thread():
            return task()

    def limited() -> _Result:
        with threadpool_limits(n_threads, user_api="openmp"):  # a matter of each thread
            return task()

    with one_thread(), ThreadPoolExecutor(1, thread_name_prefix="s3nmf") as pool:
        return pool.submit(limited).result()


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold the pools of BLAS and OpenMP at one thread.

    Their limit belongs to the process. When fits overlap in several Python threads, the first one sets it and the last
    one gives it back.
    """
    global _depth, _limit  # noqa: PLW0603
    with _lock:
        if _depth == 0:
            with _heard():
                _limit = threadpool_limits(limits=1)
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0 and _limit is not None:
                with _heard():
                    _limit.restore_original_limits()
                _limit = None


@contextmanager
def _heard() -> Iterator[None]:
    """Set the threads of OpenBLAS, whoever has set them before; others may set them again after."""
    _let_go(force=True)
    try:
        yield
    finally:
        _let_go(force=True)
