"""Many tasks that share one large thing, over workers that may die: each done, and each answer given once.

dask does a task again whose worker has died. What was scattered to workers it cannot make again: where the last of them
that holds it dies, it cancels all tasks that need it. Then the thing is sent once more, and those tasks with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from importlib import import_module
from typing import Any

from s3nmf.distributed.workers import WorkersError, dask_distributed

# Times in a row that the shared thing may be lost without a single task done in between.
_FRUITLESS = 10
# Seconds without any worker after which nobody is taken to come back, and between two looks at that.
_PATIENCE = 300.0
_LOOK = 5.0
_MOMENT = 0.05


def do_by_workers(
    client: Any,
    function: Callable[..., Any],
    shared: Any,
    items: Mapping[int, tuple[Any, ...]],
    take: Callable[[int, Any], None],
) -> None:
    """Have function(shared, *item) of each item done, and take each answer with its number, as they come.

    An item may hold what dask has yet to compute. If anything is raised here, an interrupt too, the tasks are
    cancelled; one that has begun comes to its end on its worker, and its answer is dropped.

    Parameters
    ----------
    client : distributed.Client
    function : callable
    shared : object
        Sent once to every worker.
    items : mapping of int to tuple
    take : callable
    """
    waiting, fruitless = dict(items), 0

    def take_once(number: int, answer: Any) -> None:
        take(number, answer)
        del waiting[number]

    while waiting:
        before = len(waiting)
        _attempt(client, function, shared, dict(waiting), take_once)
        fruitless = 0 if len(waiting) < before else fruitless + 1
        if fruitless == _FRUITLESS:
            raise WorkersError(
                f"Workers died {fruitless} times in a row before they had done anything. They may need more memory: "
                "see their logs."
            )


def _attempt(
    client: Any,
    function: Callable[..., Any],
    shared: Any,
    items: Mapping[int, tuple[Any, ...]],
    take: Callable[[int, Any], None],
) -> None:
    """Take the answers to those of the items whose tasks are not lost with what they share."""
    distributed, dask = dask_distributed(), import_module("dask")
    _wait_for_workers(client)
    try:
        (sent,) = client.scatter([shared], broadcast=True, hash=False)
    except (OSError, KeyError, CancelledError):  # a worker died while it was sent
        return
    call = dask.delayed(function, pure=False)
    futures = dict(zip(client.compute([call(sent, *item) for item in items.values()]), items, strict=True))
    try:
        for future in _as_completed(client, futures):
            try:
                answer = future.result()
            except CancelledError:
                continue
            except distributed.KilledWorker as error:
                raise WorkersError(
                    f"{error.allowed_failures + 1} workers died over the same task. They may need more memory: see "
                    "their logs."
                ) from error
            take(futures[future], answer)
            future.release()
    finally:
        client.cancel(list(futures), force=True)


def _as_completed(client: Any, futures: Mapping[Any, int]) -> Iterator[Any]:
    """The futures as they are done; from time to time it is made sure that there is somebody to do them."""
    completed = dask_distributed().as_completed(futures, loop=client.loop)
    looked = time.monotonic()
    while not completed.is_empty():
        if completed.has_ready():
            yield next(completed)
            looked = time.monotonic()
        elif time.monotonic() - looked > _LOOK:
            _wait_for_workers(client)
            looked = time.monotonic()
        else:
            time.sleep(_MOMENT)


def _wait_for_workers(client: Any) -> None:
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except OSError as error:  # which a timeout is, too
        raise WorkersError(
            f"No worker at {client.scheduler.address} has been free for {_PATIENCE:g} s: none is there, or none has "
            "memory left. What is done is kept: start workers, and the same command goes on."
        ) from error
