"""A limit on the time that something takes: when it is over, the program is interrupted as by Ctrl-C."""

from __future__ import annotations

import _thread
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import typer

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


class Timer:
    """Whether the time is over."""

    over = False

    def interrupt(self) -> None:
        self.over = True
        if hasattr(signal, "pthread_kill"):  # it wakes the main thread, too, where that waits for another one
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()


@contextmanager
def time_limit(seconds: float | None) -> Iterator[Timer]:
    """Raise a KeyboardInterrupt in what is done here once so many seconds have passed; None for no limit."""
    timer = Timer()
    if seconds is None:
        yield timer
        return
    thread = threading.Timer(seconds, timer.interrupt)
    thread.daemon = True
    thread.start()
    try:
        yield timer
    finally:
        thread.cancel()
