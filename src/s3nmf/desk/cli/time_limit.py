"""A limit on the time that something takes."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import typer

T = TypeVar("T")

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def seconds_of(text: str) -> float:
    """The seconds that a text such as 90s, 2m or 1.5h stands for; without a unit they are seconds.

    Examples
    --------
    >>> seconds_of("90"), seconds_of("2m"), seconds_of("1.5h")
    (90.0, 120.0, 5400.0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?) *(s|m|h)?[a-z]*", text.strip().casefold())
    if found is None or float(found[1]) == 0:
        raise typer.BadParameter(f"{text!r} is no time. Write 90s, 2m or 1.5h.", param_hint="'--budget'")
    return float(found[1]) * _SECONDS[found[2] or "s"]


def until(deadline: float, items: Iterator[T]) -> Iterator[T]:
    """The items as they come, and a TimeoutError at that time of the monotonic clock.

    They are made in another thread, for compiled code hears of no signal until it has come to its end. What is under
    way when the time is over ends with the program.
    """
    made: SimpleQueue[tuple[str, Any]] = SimpleQueue()

    def make() -> None:
        try:
            for item in items:
                made.put(("item", item))
        except BaseException as error:
            made.put(("error", error))
        made.put(("end", None))

    threading.Thread(target=copy_context().run, args=(make,), name="s3nmf-until", daemon=True).start()
    while True:
        try:
            what, value = made.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            raise TimeoutError from None
        if what == "error":
            raise value
        if what == "end":
            return
        yield value
