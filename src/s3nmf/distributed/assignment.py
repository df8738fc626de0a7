"""Labels of a part: by the sampled points around each row, in an index that is built once and sent to every worker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import gen_batches

from s3nmf._types import FloatArray, IntArray
from s3nmf._words import counted
from s3nmf.desk.sources import SourceError, write_labels
from s3nmf.desk.sources.features import Features
from s3nmf.distributed.form import Form
from s3nmf.distributed.moments import scaled_rows
from s3nmf.distributed.parts import Part, table_of_part
from s3nmf.distributed.sample import reservoir
from s3nmf.estimators import S3NMF
from s3nmf.estimators.assign import assign, limit_of, times_beyond, votes_of
from s3nmf.graph.neighbors import NeighborIndex, neighbor_index, resolve_n_neighbors
from s3nmf.trust.thresholds import is_doubtful

_ASKED_FOR_THE_LIMIT = 50_000
_ROWS_AT_ONCE = 20_000
_DIGITS = 4
_OWN_NAMES = ("cluster", "confidence", "second_cluster", "far")


@dataclass(frozen=True, eq=False)
class Placing:
    """What a worker needs to place rows.

    Attributes
    ----------
    index : NeighborIndex
        Of the sampled points.
    labels : array of shape (n_sampled,)
    membership : array of shape (n_sampled, n_clusters)
    limit : float
        Beyond it from every sampled point, a row is far.
    form : Form
        How parts are read, as they were before.
    features : Features
        How they are scaled.
    reading : mapping
        Further options of the reader.
    folder : str
        Where labels go.
    seed : int
        By which rows were sampled.
    """

    index: NeighborIndex
    labels: IntArray
    membership: FloatArray
    limit: float
    form: Form
    features: Features
    reading: Mapping[str, Any]
    folder: str
    seed: int


class Share(NamedTuple):
    """What the sample has of a part."""

    number: int
    """Of the part."""
    n_rows: int
    """That it had when it was looked at."""
    n_sampled: int
    """How many of them were sampled: they keep the labels that they were fitted with."""
    before: int
    """How many rows of the parts before it were."""


@dataclass(frozen=True)
class Placed:
    """What became of the rows of a part."""

    n_rows: int
    sizes: list[int]
    n_far: int
    n_doubtful: int


def index_for(model: S3NMF, n_rows: int) -> NeighborIndex:
    """An index of the points of a model, for so many rows to place."""
    k = resolve_n_neighbors(model.n_neighbors, len(model.X_fit_))
    return neighbor_index(model.X_fit_, n_rows, k, model.metric, model.search)


def limit_in(index: NeighborIndex) -> float:
    """The distance to the nearest different sampled point that one in a thousand exceeds.

    So many rows are expected to be farther from all sampled points, if the sample has missed nothing.
    """
    X = index.X[:: -(-len(index.X) // _ASKED_FOR_THE_LIMIT)]
    if index.n_neighbors < 2:  # where each point finds itself, and nobody else
        return float("inf")
    return limit_of(index.nearest(X).distances)


def place(placing: Placing, part: Part, share: Share) -> Placed:
    """Write the labels of a part, all of them or none."""
    try:
        table = table_of_part(part, {**placing.reading, **placing.form.reading()})
    except SourceError as error:
        raise SourceError(f"{part.name} cannot be read any more, though it could before: {error}") from error
    n = len(table.values)
    if n != share.n_rows:
        raise SourceError(
            f"{part.name} has changed: it has {counted(n, 'row')} to cluster, and had {share.n_rows:,} when the sample "
            "was drawn. Put back what it was, or begin anew in another folder."
        )
    sampled = np.full(n, -1, dtype=np.intp)
    fitted = np.sort(reservoir(n, share.n_sampled, placing.seed, share.number))
    sampled[fitted] = share.before + np.arange(share.n_sampled)
    clusters, second = np.empty(n, np.intp), np.empty(n, np.intp)
    confidence, far = np.empty(n), np.empty(n, dtype=bool)
    for rows, found, is_far in _placed(placing, table.values, sampled):
        clusters[rows], confidence[rows], second[rows] = found.labels, found.confidence, found.second_choice
        far[rows] = is_far
    id_name = next(own for own in (placing.features.id_name, "id", "name") if own not in _OWN_NAMES)
    columns: dict[str, Any] = {
        id_name: [str(one) for one in table.ids],
        "cluster": clusters,
        "confidence": np.round(confidence, _DIGITS),
        "second_cluster": second,
        "far": far.astype(np.int8),
    }
    write_labels(Path(placing.folder) / part.labels, columns)
    sizes = np.bincount(clusters, minlength=placing.membership.shape[1])
    return Placed(n, sizes.tolist(), int(far.sum()), int(is_doubtful(confidence).sum()))


def _placed(placing: Placing, values: FloatArray, sampled: IntArray) -> Iterator[tuple[slice, Any, Any]]:
    """Batches of rows, so that the memory does not grow with neighbours and clusters of all of them."""
    for rows in gen_batches(len(values), _ROWS_AT_ONCE):
        X = np.ascontiguousarray(scaled_rows(values[rows], placing.form, placing.features))
        neighbors = placing.index.nearest(X)
        votes = votes_of(neighbors, placing.index.X, X)
        matches = np.where(sampled[rows] >= 0, sampled[rows], votes.matches)
        beyond = times_beyond(votes.distances, placing.limit)
        found = assign(votes.weights, matches, placing.labels, placing.membership, beyond)
        yield rows, found, (beyond > 1) & (matches < 0)
