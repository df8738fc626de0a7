"""What `verbose` asks for: a bar where somebody sees one, else lines of the log."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from s3nmf._bar import ShowProgress, bar
from s3nmf.progress import Callback, Progress

logger = logging.getLogger("s3nmf")


@contextmanager
def reported(verbose: bool | int, callback: Callback | None) -> Iterator[Callback | None]:
    """The callback to call, which shows the progress, too, if `verbose` asks for it."""
    with bar() if verbose else nullcontext() as show, _lines() if verbose and show is None else nullcontext():
        if show is None:
            yield callback
            return
        show("building the graph")
        yield _both(show, callback)


def _both(show: ShowProgress, callback: Callback | None) -> Callback:
    def tell(at: Progress) -> None:
        show(f"round {at.round}", at.fraction, at.remaining)
        if callback is not None:
            callback(at)

    return tell


@contextmanager
def _lines() -> Iterator[None]:
    """Lines of the log on standard error, unless the program shows them already."""
    if logger.isEnabledFor(logging.INFO) and logger.hasHandlers():
        yield
        return
    handler, level = logging.StreamHandler(sys.stderr), logger.level
    handler.setFormatter(logging.Formatter("s3nmf: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
