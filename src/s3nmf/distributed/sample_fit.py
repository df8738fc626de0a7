"""From parts to the model of a sample: all are looked at once, those that cannot be taken named, the sample fitted."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from s3nmf._messages import Message, Parameter, joined
from s3nmf._types import FloatArray
from s3nmf._words import counted
from s3nmf.desk.sources import SourceError
from s3nmf.distributed.form import Form, common_form
from s3nmf.distributed.members import communities_on_workers
from s3nmf.distributed.memory import memory_need, refuse_if_too_little
from s3nmf.distributed.moments import features_of, scaled_rows, together
from s3nmf.distributed.output import Sampled
from s3nmf.distributed.parts import Part, why_bad
from s3nmf.distributed.sample import Scan, Scanning, Unusable, room_for, scan, shares
from s3nmf.distributed.tasks import do_by_workers
from s3nmf.distributed.workers import memory_of_workers
from s3nmf.estimators import S3NMF
from s3nmf.graph.neighbors import resolve_n_neighbors
from s3nmf.trust.settings import NUMBER_SEARCH

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
    room = room_for(run.settings["sample"], len(run.parts))
    scans, form, skipped = _usable(run, room)
    notes = _notes(run, scans)
    sizes = [scans[number].n_rows if number in scans else 0 for number in range(len(run.parts))]
    counts = shares(sizes, run.settings["sample"])
    larger = [number for number, found in scans.items() if counts[number] > len(found.rows)]
    if larger:
        scans |= _with_more_room(run, larger, max(counts[number] for number in larger), form, sizes)
    values, ids = [], []
    for number in sorted(scans):
        some, names = scans[number].sampled(counts[number])
        values.append(some)
        ids += names
    moments = together([scans[number].moments for number in sorted(scans)])
    scans.clear()
    raw = np.concatenate(values)
    features, more = features_of(form, moments, raw, run.settings["scale"])
    X = scaled_rows(raw, form, features)
    k = resolve_n_neighbors(run.settings["n_neighbors"], len(X))
    need = memory_need(len(X), X.shape[1], _most_clusters(run), k, largest_part=max(sizes))
    refuse_if_too_little(need, memory_of_workers(run.client), run.is_within)
    notes += [*more, f"Memory, as estimated before: {need}."]
    return Sampled(_fitted(run, X), form, features, ids, sizes, counts, skipped, notes)


def _most_clusters(run: Run) -> int:
    """How many clusters memory is needed for: a few, where the number is yet to be found."""
    asked = run.settings["n_clusters"]
    return NUMBER_SEARCH.voted if asked == "auto" else max(np.atleast_1d(asked).tolist())


def _scans(run: Run, numbers: Sequence[int], most: int, form: Form | None = None) -> dict[int, Scan | Unusable]:
    """What is found in some parts, each read alone, or all in one form."""
    how = Scanning({**run.reading, **(form.reading() if form else {})}, run.settings["random_state"], most)
    items = {number: (run.parts[number], number) for number in numbers}
    found: dict[int, Scan | Unusable] = {}

    def take(number: int, one: Scan | Unusable) -> None:
        found[number] = one
        what = "looking at some parts again" if form else "looking at all parts"
        run.watch(what, len(found) / len(items))

    do_by_workers(run.client, scan, how, items, take)
    return found


def _usable(run: Run, room: int) -> tuple[dict[int, Scan], Form, dict[str, str]]:
    """The parts that can be read in a form that most of them have, that form, and why others cannot."""
    found = _scans(run, range(len(run.parts)), room)
    alone = {number: one.found for number, one in sorted(found.items()) if isinstance(one, Scan)}
    if alone:  # or all of them are refused
        form = common_form(list(alone.values()))
        unlike = {number: one.why_not(form) for number, one in alone.items()}
        found |= {number: Unusable(why) for number, why in unlike.items() if why is not None}
        again = [number for number, one in alone.items() if unlike[number] is None and not one.fits(form)]
        found |= _scans(run, again, room, form)
    usable = {number: one for number, one in sorted(found.items()) if isinstance(one, Scan)}
    bad = {run.parts[number].name: one.why for number, one in sorted(found.items()) if isinstance(one, Unusable)}
    if bad and (run.settings["bad_parts"] == "refuse" or not usable):
        raise SourceError(joined(_refusal(bad, len(run.parts), can_skip=bool(usable))))
    return usable, form, bad


def _with_more_room(run: Run, numbers: Sequence[int], most: int, form: Form, sizes: Sequence[int]) -> dict[int, Scan]:
    """Larger reservoirs of parts that have been counted, and must not have changed since."""
    scans = {}
    for number, one in _scans(run, numbers, most, form).items():
        name = run.parts[number].name
        if isinstance(one, Unusable):
            raise SourceError(joined([f"{name} could be read at first, and cannot any more.", why_bad(name, one.why)]))
        if one.n_rows != sizes[number]:
            raise SourceError(
                f"{name} has changed while it was read: it had {sizes[number]:,} rows, then {one.n_rows:,}."
            )
        scans[number] = one
    return scans


def _notes(run: Run, scans: Mapping[int, Scan]) -> list[str]:
    """What was done while parts were read: to all of them, and with the name of one what was done to some."""
    parts: dict[str, list[str]] = {}
    for number in sorted(scans):
        for note in scans[number].notes:
            parts.setdefault(note, []).append(run.parts[number].name)
    of_all = [note for note, names in parts.items() if len(names) == len(scans)]
    of_some = [
        Message("{}{}: {}", names[0], f" and {len(names) - 1:,} more" if len(names) > 1 else "", note)
        for note, names in parts.items()
        if len(names) < len(scans)
    ]
    more = [f"And {counted(len(of_some) - _SHOWN, 'note')} on other parts."] if len(of_some) > _SHOWN else []
    return [*of_all, *of_some[:_SHOWN], *more]


def _refusal(bad: Mapping[str, str], n_parts: int, can_skip: bool) -> list[str]:
    said: list[str] = [f"{len(bad)} of {n_parts} parts cannot be clustered."]
    said += [why_bad(*one) for one in list(bad.items())[:_SHOWN]]
    if len(bad) > _SHOWN:
        said.append(f"And {len(bad) - _SHOWN} more.")
    if can_skip:
        said.append(Message("Correct or remove them, or leave them out ({skip}).", skip=Parameter("bad_parts", "skip")))
    return said


def _fitted(run: Run, X: FloatArray) -> S3NMF:
    model = S3NMF(
        run.settings["n_clusters"],
        members="communities" if run.is_within else communities_on_workers(),
        n_neighbors=run.settings["n_neighbors"],
        recipe=run.settings["recipe"],
        random_state=run.settings["random_state"],
        callback=lambda at: run.watch(f"fitting {len(X):,} rows, round {at.round}", at.fraction),
    )
    run.watch(f"fitting {len(X):,} rows", 0.0)
    with run.client.as_current(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the verdict says what there is to mind
        model.fit(X)
    model.set_params(members="communities", callback=None)
    return model
