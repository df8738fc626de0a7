"""Clusters as a visitor wants them: merged, split and named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf._words import listed
from s3nmf.desk.app.choices import Edit, Merge, Name, Split
from s3nmf.estimators import S3NMF
from s3nmf.partitions import NO_CLUSTER, indicator
from s3nmf.trust.diagnostics import diagnose

Halves = Callable[[IntArray], S3NMF]
"""From the rows of a cluster to a model of two clusters of them."""


class UndividedError(ValueError):
    """A cluster in which two were not found."""


@dataclass(frozen=True, eq=False)
class Partition:
    """Labels, the share of each cluster in each point, and the clusters' names; what has no name has an empty one."""

    labels: IntArray
    shares: FloatArray
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Edited:
    """A model of the clusters after all edits, their names, and a sentence for every edit."""

    model: S3NMF
    names: tuple[str, ...]
    notes: tuple[str, ...]


def edited(model: S3NMF, edits: Sequence[Edit], halves: Halves) -> Edited:
    """Apply the edits one after the other, each to what the ones before have left."""
    found = Partition(model.labels_, model.membership_, ("",) * int(model.labels_.max() + 1))
    notes = []
    for edit in edits:
        if isinstance(edit, Merge):
            notes.append(f"Merged clusters {listed(edit.clusters)} by hand, into cluster {edit.clusters[0]}.")
            found = _merged(found, edit.clusters)
        elif isinstance(edit, Split):
            notes.append(f"Split cluster {edit.cluster} by hand, into {edit.cluster} and {len(found.names)}.")
            rows = np.flatnonzero(found.labels == edit.cluster)
            found = _split(found, edit.cluster, rows, halves(rows), model)
        else:
            found = _named(found, edit)
    notes += [f"Cluster {k} is called “{name}”." for k, name in enumerate(found.names) if name]
    if any(not isinstance(edit, Name) for edit in edits):
        model = _of_partition(model, found)
    return Edited(model, found.names, tuple(notes))


def _merged(found: Partition, clusters: Sequence[int]) -> Partition:
    """The evidence for a merged cluster is that for all of its parts."""
    into, others = clusters[0], list(clusters[1:])
    number = np.arange(len(found.names))
    number[others] = into
    left = np.delete(np.arange(number.size), others)
    number = np.searchsorted(left, number)
    shares = np.zeros((found.labels.size, left.size))
    for before, now in enumerate(number):
        shares[:, now] += found.shares[:, before]
    first_name = next((found.names[k] for k in clusters if found.names[k]), "")
    names = [first_name if k == into else found.names[k] for k in left]
    labels = np.where(found.labels == NO_CLUSTER, NO_CLUSTER, number[found.labels])
    return Partition(labels, shares, tuple(names))


def _split(found: Partition, cluster: int, rows: IntArray, half: S3NMF, model: S3NMF) -> Partition:
    """The evidence for a cluster is divided: for its own points as the new model divides them, else by neighbours."""
    if half.membership_.shape[1] < 2:
        raise UndividedError(f"Cluster {cluster} does not fall into two parts.")
    part = np.zeros((found.labels.size, 2))
    part[rows] = indicator(half.labels_).toarray()
    divided = np.asarray(model.affinity_matrix_ @ part)
    divided[rows] = half.membership_
    totals = divided.sum(axis=1, keepdims=True)
    divided = np.divide(divided, totals, out=np.tile(part.sum(axis=0) / rows.size, (len(part), 1)), where=totals > 0)
    labels, shares = found.labels.copy(), np.column_stack([found.shares, found.shares[:, cluster] * divided[:, 1]])
    shares[:, cluster] *= divided[:, 0]
    labels[rows[half.labels_ == 1]] = len(found.names)
    return Partition(labels, shares, (*found.names, ""))


def _named(found: Partition, edit: Name) -> Partition:
    names = list(found.names)
    names[edit.cluster] = edit.name
    return replace(found, names=tuple(names))


def _of_partition(model: S3NMF, found: Partition) -> S3NMF:
    saved = model.to_saved()
    result = replace(saved.result, labels=found.labels, membership=found.shares)
    parameters = {**saved.parameters, "n_clusters": len(found.names)}
    edited = S3NMF.from_saved(replace(saved, parameters=parameters, result=result, diagnostics=diagnose(result)))
    # Whether the data have clusters does not change.
    edited.choice_, edited._judged, edited._column_names = model.choice_, model._judged, model._column_names
    return edited
