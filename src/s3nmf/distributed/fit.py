"""Clustering a table in parts: one pass to scale and sample, a fit of the sample, a pass to place every row."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import accumulate
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from s3nmf._messages import Message, Parameter
from s3nmf._sklearn import Interval, StrOptions
from s3nmf._validation import check_parameters
from s3nmf.desk.sources.numbers import Decimal
from s3nmf.desk.sources.options import PARAMETERS as OF_READERS
from s3nmf.desk.sources.options import Missing, Scale
from s3nmf.distributed.assignment import Placed, Placing, Share, index_for, limit_in, place
from s3nmf.distributed.output import Folder, Sampled, folder_of
from s3nmf.distributed.parts import OF_FILES, parts_of
from s3nmf.distributed.sample_fit import Run, Watch, fit_sample
from s3nmf.distributed.tasks import do_by_workers
from s3nmf.distributed.workers import check_client, connected
from s3nmf.estimators import S3NMF
from s3nmf.estimators.assign import FAR_BY_CHANCE
from s3nmf.graph.neighbors import NeighborCount
from s3nmf.trust.choose_k import numbers_asked

BadParts: TypeAlias = Literal["refuse", "skip"]

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"}), "array-like"],
    "sample": [Interval(Integral, 2, None, closed="left")],
    "n_neighbors": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
    "recipe": [StrOptions({"default", "unequal"})],
    "scale": [StrOptions({"standard", "minmax", "none"})],
    "bad_parts": [StrOptions({"refuse", "skip"})],
    "random_state": [Interval(Integral, 0, None, closed="left")],
    **{name: OF_READERS[name] for name in ("id", "drop_text", "missing", "decimal", "header", "encoding")},
    "format": [str, None],
}


@dataclass(frozen=True, eq=False)
class PartedClustering:
    """What was found in a table in parts.

    Attributes
    ----------
    model : S3NMF
        Fitted to the sample.
    files : list of Path
        Labels, a file for each part, with its ids in its order.
    n_rows, n_sampled : int
    sizes : list of int
        Rows of each cluster.
    n_doubtful : int
        Rows whose cluster is in doubt.
    n_far : int
        Rows that are farther from every sampled point than 999 of 1,000 sampled points are from the others.
    skipped : dict of str to str
        Parts that were left out, and why.
    notes : list of str
        What was done to the data on the way.
    """

    model: S3NMF
    files: list[Path]
    n_rows: int
    n_sampled: int
    sizes: list[int]
    n_doubtful: int
    n_far: int
    skipped: dict[str, str]
    notes: list[str]

    @property
    def far_by_chance(self) -> float:
        """How many rows would be far if the sample had missed nothing."""
        return max(FAR_BY_CHANCE, 1 / (self.n_sampled + 1)) * self.n_rows


def cluster_parts(
    data: Any,
    n_clusters: int | Literal["auto"] | Iterable[int],
    out: str | os.PathLike[str],
    *,
    client: Any = None,
    sample: int = 1_000_000,
    n_neighbors: NeighborCount = "auto",
    recipe: Literal["default", "unequal"] = "default",
    scale: Scale = "standard",
    id: str | None = None,  # noqa: A002
    drop: Iterable[str] = (),
    columns: Iterable[str] = (),
    drop_text: bool = False,
    missing: Missing = "refuse",
    decimal: Decimal | None = None,
    format: str | None = None,  # noqa: A002
    header: bool | None = None,
    encoding: str = "utf-8",
    bad_parts: BadParts = "refuse",
    random_state: int = 0,
    watch: Watch | None = None,
) -> PartedClustering:
    """Cluster a table that is larger than the memory, and write a file of labels for each of its parts.

    The same call goes on where an earlier one was stopped, by whatever: labels come out as if it had not been. They do
    not depend on the number of workers either.

    Parameters
    ----------
    data : dask DataFrame or array, or str
        Or a folder, or a pattern, of CSV or Parquet files that all workers can read.
    n_clusters : int, "auto" or iterable of int
        How many clusters, or numbers to choose from; "auto" finds the number on the sample.
    out : path
        A folder of its own, that all workers can write to.
    client : distributed.Client or None
        Whose workers do the work; by default this process does it, one part at a time.
    sample : int
        Rows to fit, each part's share of them.
    n_neighbors : int or "auto"
    recipe : {"default", "unequal"}
        See `S3NMF`.
    scale : {"standard", "minmax", "none"}
    id, drop, columns, drop_text, missing
        See `s3nmf.sources.read`. Gaps are filled with the median of the sample.
    decimal : {".", ","} or None
        What stands before decimals in numbers that are text; by default what the parts that decide it have.
    format, header, encoding
        Of files: see `s3nmf.sources.read`.
    bad_parts : {"refuse", "skip"}
        Parts that cannot be read, are empty or lack a column stop the work before it begins, or are left out.
    random_state : int
    watch : callable or None
        Called with what is being done and the share of it that is over.

    Returns
    -------
    PartedClustering

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import dask.array as da
    >>> from sklearn.datasets import make_blobs
    >>> X, y = make_blobs(600, centers=3, random_state=0)
    >>> with TemporaryDirectory() as directory:
    ...     found = cluster_parts(da.from_array(X, chunks=(200, 2)), 3, directory, sample=300)
    >>> found.n_rows, found.n_sampled, len(found.sizes), len(found.files)
    (600, 300, 3, 3)
    """
    check_parameters(PARAMETERS, locals(), "cluster_parts")
    of_files = {"format": format, "header": header, "encoding": encoding}
    how = {
        "id": id,
        "drop": _names(drop),
        "columns": _names(columns),
        "drop_text": drop_text,
        "missing": missing,
        "decimal": decimal,
    }
    settings = {
        "n_clusters": _numbers(n_clusters),
        "sample": int(sample),
        "n_neighbors": n_neighbors if isinstance(n_neighbors, str) else int(n_neighbors),
        "recipe": recipe,
        "scale": scale,
        "bad_parts": bad_parts,
        "random_state": int(random_state),
        **how,
        **of_files,
    }
    parts = parts_of(data)
    is_files = isinstance(data, str | os.PathLike)
    if not is_files:
        _refuse_of_files(of_files)
    if client is not None:
        check_client(client)
    with (
        folder_of(out, parts, settings) as folder,
        connected() if client is None else nullcontext(client) as workers,
    ):
        run = Run(workers, client is None, parts, settings, how | of_files, watch or (lambda *_: None))
        sampled = folder.kept()
        if sampled is None:
            sampled = fit_sample(run)
            folder.keep(sampled, str(data) if is_files else "a dask collection")
        done = _place_all(run, sampled, folder)
        result = _added_up(sampled, done)
        folder.finish(result, done)
    files = folder.files(sampled.skipped)
    return PartedClustering(sampled.model, files, skipped=sampled.skipped, notes=sampled.notes, **result)


def _numbers(n_clusters: Any) -> int | str | list[int]:
    """As a file holds it."""
    if isinstance(n_clusters, str):
        return n_clusters
    return int(n_clusters) if isinstance(n_clusters, Integral) else numbers_asked(n_clusters)


def _names(given: Iterable[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _refuse_of_files(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if value != OF_FILES[name]:
            raise ValueError(
                Message(
                    "{given} is for files, and says nothing of a dask collection. Leave it out.",
                    given=Parameter(name, value),
                )
            )


def _place_all(run: Run, sampled: Sampled, folder: Folder) -> dict[int, Placed]:
    """Write the labels of all parts that have none yet."""
    done = folder.done()
    taken = [number for number, size in enumerate(sampled.sizes) if size]
    to_do = [number for number in taken if number not in done]
    if to_do:
        run.watch("building the index", 0.0)
        model, index = sampled.model, index_for(sampled.model, sum(sampled.sizes))
        placing = Placing(
            index=index,
            labels=model.labels_,
            membership=model.membership_,
            limit=limit_in(index),
            form=sampled.form,
            features=sampled.features,
            reading=run.reading,
            folder=str(folder.path.resolve()),
            seed=run.settings["random_state"],
        )
        before = list(accumulate(sampled.shares, initial=0))
        of_part = list(map(Share, range(len(before)), sampled.sizes, sampled.shares, before))
        items = {number: (run.parts[number], of_part[number]) for number in to_do}

        def take(number: int, placed: Placed) -> None:
            folder.note(number, placed)
            done[number] = placed
            run.watch("writing labels", len(done) / len(taken))

        do_by_workers(run.client, place, placing, items, take)
    return done


def _added_up(sampled: Sampled, done: Mapping[int, Placed]) -> dict[str, Any]:
    """What became of all rows."""
    return {
        "n_rows": sum(one.n_rows for one in done.values()),
        "n_sampled": len(sampled.ids),
        "sizes": np.sum([one.sizes for one in done.values()], axis=0).tolist(),
        "n_doubtful": sum(one.n_doubtful for one in done.values()),
        "n_far": sum(one.n_far for one in done.values()),
    }
