"""Write the report of a fitted model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from s3nmf._files import written_whole
from s3nmf.desk.markers import Markers
from s3nmf.desk.report.page import page_of
from s3nmf.estimators import S3NMF

if TYPE_CHECKING:
    from s3nmf.trust.choose_k import ClusterCount


def write_report(
    model: S3NMF,
    path: str | os.PathLike[str],
    *,
    ids: Sequence[Any] | None = None,
    id_name: str | None = None,
    thing: str | None = None,
    values: Any = None,
    feature_names: Sequence[Any] | None = None,
    kept: Any = None,
    image: tuple[int, int] | None = None,
    markers: Markers | None = None,
    places: Any = None,
    title: str | None = None,
    source: str | None = None,
    notes: Iterable[str] = (),
    command: str | None = None,
    choice: ClusterCount | None = None,
) -> None:
    """Write a page about a clustering: what was found, how sure it is, what to doubt, and how it was run.

    The page is one HTML file that needs nothing else, no network either. The file that was there before is replaced in
    one step, or kept if anything goes wrong.

    Parameters
    ----------
    model : S3NMF
        Fitted.
    path : str or path
        Where to write it, such as "report.html".
    ids : sequence of length n_samples, or None
        What the points are called; by default the index of `values`, if that is a data frame, or their rows, counted
        from 0.
    id_name : str or None
        What the ids are called in the file of labels that the page offers; by default the name of that index, or
        `thing`.
    thing : str or None
        What a point is: a "row", a "node", a "cell", ... By default a row of X, or a point of a given affinity.
    values : array-like or sparse matrix of shape (n_samples, n_features), or None
        Features to tell clusters apart by, in units that mean something to the reader: the table before it was scaled,
        say, or columns that were not used. Missing values are left out. By default those that were fitted.
    feature_names : sequence of length n_features, or None
        By default the columns of `values`, where it has any.
    kept : mapping of str to sequences of length n_samples, data frame, or None
        Columns that were not clustered by, such as known species: the page shows them, counts them in each cluster,
        and colours the map by them.
    image : tuple of int, or None
        (height, width) of the images that the rows of `values` are. The page shows them as such.
    markers : Markers or None
        The genes that set clusters of cells apart, by `s3nmf.single_cell.markers`: named and drawn as dots.
    places : array of shape (n_samples, 2), or None
        Where points are drawn, such as a UMAP of one's own; by default where the graph of the model has them.
    title : str or None
    source : str or None
        Where the data are from, such as the name of a file.
    notes : iterable of str
        What was done to the data before they were clustered, in sentences.
    command : str or None
        The command that made the page.
    choice : ClusterCount or None
        What `choose_n_clusters` said to the number of clusters.

    Raises
    ------
    ImportError
        jinja2 is not installed; s3nmf[report] brings it along.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> from s3nmf.report import write_report
    >>> X, y = make_blobs(120, centers=3, cluster_std=1.5, random_state=4)
    >>> model = S3NMF(3, random_state=0).fit(X)
    >>> with TemporaryDirectory() as directory:
    ...     write_report(model, Path(directory) / "report.html", feature_names=["length", "width"])
    ...     "<h1>Clusters</h1>" in (Path(directory) / "report.html").read_text(encoding="utf-8")
    True
    """
    if not isinstance(model, S3NMF):
        raise TypeError(f"A report is about a fitted S3NMF; there is a {type(model).__name__}. Fit an S3NMF instead.")
    check_is_fitted(model)
    page = page_of(
        model,
        ids=ids,
        id_name=id_name,
        thing=thing,
        values=values,
        feature_names=feature_names,
        kept=kept,
        image=image,
        markers=markers,
        places=places,
        title=title,
        source=source,
        notes=notes,
        command=command,
        choice=choice,
    )
    with written_whole(path) as file:
        file.write(page.encode("utf-8"))
