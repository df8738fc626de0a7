"""The page within a notebook."""

from __future__ import annotations

from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from s3nmf.desk.report.writing import write_report
from s3nmf.estimators import S3NMF


class InlineReport:
    """A page that a notebook shows in a frame of its own, which can do nothing to the notebook.

    Attributes
    ----------
    page : str
        The HTML of it.
    height : int
        Of the frame, in pixels.
    """

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height

    def __repr__(self) -> str:
        return f"InlineReport of {len(self.page):,} characters: shown in a notebook, written by write_report"

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="Report" sandbox="allow-scripts allow-downloads" srcdoc="{escape(self.page)}" '
            f'style="width: 100%; height: {self.height}px; border: 1px solid #8888"></iframe>'
        )


def show_report(model: S3NMF, *, height: int = 800, **about: Any) -> InlineReport:
    """The page about a clustering, to look at in a notebook.

    Parameters
    ----------
    model : S3NMF
        Fitted.
    height : int
        Of the frame that shows it, in pixels.
    **about
        What else the page is to say: `ids`, `values`, `feature_names` and all others of `write_report`.

    Returns
    -------
    InlineReport

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> from s3nmf.report import show_report
    >>> X, y = make_blobs(120, centers=3, cluster_std=1.5, random_state=4)
    >>> shown = show_report(S3NMF(3, random_state=0).fit(X), feature_names=["length", "width"])
    >>> shown._repr_html_().startswith("<iframe")
    True
    """
    with TemporaryDirectory() as directory:
        path = Path(directory) / "report.html"
        write_report(model, path, **about)
        return InlineReport(path.read_text(encoding="utf-8"), height)
