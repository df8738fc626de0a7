"""From parts to the model of a sample: all are looked at once, those that cannot be taken named, the sample fitted."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from s3nmf._messages import Message, Parameter, joined
from s3nmf._types import FloatArray
from s3nmf.affinity.neighbors import resolve_n_neighbors
from s3nmf.distributed.members import communities_on_workers
from s3nmf.distributed.memory import memory_need, refuse_if_too_little
from s3nmf.distributed.moments import features_of, together
from s3nmf.distributed.output import Sampled
from s3nmf.distributed.parts import Part, why_bad
from s3nmf.distributed.sample import Scan, Scanning, Unusable, room_for, scan, shares
from s3nmf.distributed.tasks import do_by_workers
from s3nmf.distributed.workers import memory_of_workers
from s3nmf.estimators import S3NMF
from s3nmf.sources import SourceError
from s3nmf.sources.features import Features

Watch: TypeAlias = Callable[[str, float], None]
"""Told what is being done, and the share of it that is over."""

_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Run:
    """What a run works with.

    Attributes
    ----------
    client : distributed.Client
    is_within : bool
        Whether the only worker is this process.
    parts : sequence of Part
    settings : mapping
        What labels depend on, beside the parts.
    reading : mapping
        Those of them that readers take.
    watch : callable
    """

    client: Any
    is_within: bool
    parts: Sequence[Part]
    settings: Mapping[str, Any]
    reading: Mapping[str, Any]
    watch: Watch


def fit_sample(run: Run) -> Sampled:
    """Scan all parts, draw the sample, and fit it."""
    scans, skipped = _usable(run, _scans(run, range(len(run.parts)), room_for(run.settings["sample"], len(run.parts))))
    sizes = [scans[number].n_rows if number in scans else 0 for number in range(len(run.parts))]
    counts = shares(sizes, run.settings["sample"])
    larger = [number for number, found in scans.items() if counts[number] > len(found.rows)]
    if larger:
        scans |= _usable(run, _scans(run, larger, max(counts[number] for number in larger)))[0]
    first, values, ids = scans[min(scans)], [], []
    for number in sorted(scans):
        some, names = scans[number].sampled(counts[number])
        values.append(some)
        ids += names
    moments = together([scans[number].moments for number in sorted(scans)])
    raw = np.concatenate(values)
    features, notes = features_of(first.columns, moments, raw, run.settings["scale"], first.id_name)
    scans.clear()
    X = _scaled(raw, first.columns, features)
    k = resolve_n_neighbors(run.settings["n_neighbors"], len(X))
    need = memory_need(len(X), X.shape[1], run.settings["n_clusters"], k, largest_part=max(sizes))
    refuse_if_too_little(need, memory_of_workers(run.client), run.is_within)
    notes.append(f"Memory, as estimated before: {need}.")
    return Sampled(_fitted(run, X), features, ids, sizes, counts, skipped, notes)


def _scans(run: Run, numbers: Sequence[int], most: int) -> dict[int, Scan | Unusable]:
    how = Scanning(run.reading, run.settings["random_state"], most)
    items = {number: (run.parts[number], number) for number in numbers}
    found: dict[int, Scan | Unusable] = {}

    def take(number: int, one: Scan | Unusable) -> None:
        found[number] = one
        run.watch("looking at all parts", len(found) / len(items))

    do_by_workers(run.client, scan, how, items, take)
    return found


def _usable(run: Run, found: Mapping[int, Scan | Unusable]) -> tuple[dict[int, Scan], dict[str, str]]:
    """The parts that fit together with the first that can be read, and why others do not."""
    readable = {number: one for number, one in sorted(found.items()) if isinstance(one, Scan)}
    usable: dict[int, Scan] = {}
    bad = {run.parts[number].name: one.why for number, one in sorted(found.items()) if isinstance(one, Unusable)}
    for number, one in readable.items():
        try:
            usable[number] = one.like(readable[min(readable)])
        except SourceError as error:
            bad[run.parts[number].name] = str(error)
    if bad and (run.settings["bad_parts"] == "refuse" or not usable):
        raise SourceError(joined(_refusal(bad, len(run.parts), can_skip=bool(usable))))
    return usable, bad


def _refusal(bad: Mapping[str, str], n_parts: int, can_skip: bool) -> list[str]:
    said: list[str] = [f"{len(bad)} of {n_parts} parts cannot be clustered."]
    said += [why_bad(*one) for one in list(bad.items())[:_SHOWN]]
    if len(bad) > _SHOWN:
        said.append(f"And {len(bad) - _SHOWN} more.")
    if can_skip:
        said.append(Message("Correct or remove them, or leave them out ({skip}).", skip=Parameter("bad_parts", "skip")))
    return said


def _scaled(raw: FloatArray, columns: Sequence[str], features: Features) -> FloatArray:
    """The sample as its rows are read in their parts: gaps filled, columns scaled."""
    made = []
    for name, scaling, median in zip(features.columns, features.scalings, features.medians, strict=True):
        values = raw[:, columns.index(name)]
        made.append(scaling.apply(np.where(np.isnan(values), median, values)))
    return np.column_stack(made)


def _fitted(run: Run, X: FloatArray) -> S3NMF:
    model = S3NMF(
        run.settings["n_clusters"],
        members="communities" if run.is_within else communities_on_workers(),
        n_neighbors=run.settings["n_neighbors"],
        random_state=run.settings["random_state"],
        callback=lambda at: run.watch(f"fitting {len(X):,} rows, round {at.round}", at.fraction),
    )
    with run.client.as_current(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the verdict says what there is to mind
        model.fit(X)
    model.set_params(members="communities", callback=None)
    return model
