"""A bar that shows how far something is: in a terminal by rich (extra `cli`), in a notebook by the browser's own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from importlib.util import find_spec
from typing import Any, Protocol

_MINUTE = 60


class ShowProgress(Protocol):
    """Shows what is being done, the share of the work that is over, and the seconds to go, where they are known."""

    def __call__(self, what: str, share: float | None = None, seconds: float | None = None) -> None: ...


@contextmanager
def bar() -> Iterator[ShowProgress | None]:
    """A bar that goes away when it is done; None where it would not be seen."""
    if _in_notebook():
        with _in_page() as show:
            yield show
    elif sys.stderr.isatty() and find_spec("rich") is not None:
        with _in_terminal() as show:
            yield show
    else:
        yield None


@contextmanager
def _in_terminal() -> Iterator[ShowProgress]:
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[left]}"))
    # What is printed meanwhile goes above the bar, if it goes to the same terminal.
    above = sys.stdout.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=above) as progress:
        task = progress.add_task("reading", total=None, left="")

        def show(what: str, share: float | None = None, seconds: float | None = None) -> None:
            left = "" if seconds is None else time_left(seconds)
            progress.update(task, description=what, total=None if share is None else 1.0, completed=share, left=left)

        yield show


@contextmanager
def _in_page() -> Iterator[ShowProgress]:
    from IPython.display import display  # noqa: PLC0415

    shown = display(_Bar(""), display_id=True)

    def show(what: str, share: float | None = None, seconds: float | None = None) -> None:
        shown.update(_Bar(what, share, seconds))

    try:
        yield show
    finally:
        shown.update(_Bar(None))


class _Bar:
    """The bar as a notebook shows it; nothing, once it is over."""

    def __init__(self, what: str | None, share: float | None = None, seconds: float | None = None) -> None:
        self.what, self.share, self.seconds = what, share, seconds

    def __repr__(self) -> str:
        return self.what or ""

    def _repr_html_(self) -> str:
        if self.what is None:
            return ""
        value = "" if self.share is None else f' value="{self.share:.3f}"'
        left = "" if self.seconds is None else time_left(self.seconds)
        return f"<div><progress{value}></progress> {escape(self.what)} {left}</div>"


def _in_notebook() -> bool:
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def time_left(seconds: float) -> str:
    """Roughly, as people say it.

    Examples
    --------
    >>> time_left(0.4), time_left(42.2), time_left(200.0)
    ('almost done', 'about 42 s left', 'about 3 min left')
    """
    if seconds < 1:
        return "almost done"
    return f"about {seconds:.0f} s left" if seconds < _MINUTE else f"about {seconds / _MINUTE:.0f} min left"
