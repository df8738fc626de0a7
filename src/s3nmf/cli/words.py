"""A clustering in plain words: what was found, how sure it is, and what to look at first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from s3nmf._words import counted, listed, percent
from s3nmf.cli.clustering import Clustering
from s3nmf.cli.labels import Labels
from s3nmf.cli.terminal import table, visible
from s3nmf.partitions import NO_CLUSTER
from s3nmf.plots.style import DOUBTFUL

# Of random numbers without any clusters, members of round 1 agree to 0.3 to 0.45.
_AS_NOISE = 0.5
_MOST_SIZES = 12
_LONGEST_ID = 40
_SHOWN = 5


def summary(clustering: Clustering) -> list[str]:
    """Three sentences, a table of the points to look at first, and what was noted on the way."""
    parts = [f"{_found(clustering)}\n{_agreement(clustering)}\n{_doubts(clustering)}"]
    if (clustering.model.confidence_ < 1).any():
        parts.append(f"Look at these first:\n{least_certain(clustering)}")
    if clustering.notes:
        parts.append("\n".join(f"- {visible(note)}" for note in clustering.notes))
    return parts


def facts(clustering: Clustering) -> dict[str, Any]:
    """The same for programs."""
    model, found = clustering.model, clustering.model.diagnose()
    return {
        "source": clustering.source,
        "n_points": len(clustering.ids),
        "clusters": [
            {"cluster": k, "size": int(size), "within": float(within), "outside": float(outside)}
            for k, (size, within, outside) in enumerate(zip(found.sizes, found.within, found.outside, strict=True))
        ],
        "agreement": model.agreement_.tolist(),
        "chosen_round": model.chosen_round_,
        "n_doubtful": doubtful(clustering),
        "disputes": [dispute._asdict() for dispute in found.disputes],
        "notes": list(clustering.notes),
    }


def assigned(labels: Labels, thing: str, notes: Sequence[str]) -> list[str]:
    """Where new points went."""
    sizes = np.bincount(labels.clusters)
    into = listed([f"{size:,} into cluster {k}" for k, size in enumerate(sizes) if size])
    parts = [f"Put {counted(labels.clusters.size, f'new {thing}')} into clusters: {into}."]
    low = int((labels.confidence < DOUBTFUL).sum())
    parts[0] += f"\n{low:,} of them with a confidence under {DOUBTFUL}." if low else ""
    if notes:
        parts.append("\n".join(f"- {visible(note)}" for note in notes))
    return parts


def doubtful(clustering: Clustering) -> int:
    """How many points the members put into other clusters more than into their own."""
    return int((clustering.model.confidence_ < DOUBTFUL).sum())


def least_certain(clustering: Clustering) -> str:
    """A table of the least certain points."""
    model = clustering.model
    rows = []
    for row in np.argsort(model.confidence_, kind="stable")[:_SHOWN]:
        second = model.second_choice_[row]
        rows.append(
            (
                shown(clustering.ids[row]),
                str(model.labels_[row]),
                f"{model.confidence_[row]:.2f}",
                "none" if second == NO_CLUSTER else str(second),
            )
        )
    return table((shown(clustering.id_name), "cluster", "confidence", "second"), rows)


def shown(name: str) -> str:
    """A name of the user's as it can be printed."""
    text = visible(name)
    return text if len(text) <= _LONGEST_ID else f"{text[: _LONGEST_ID - 1]}…"


def _found(clustering: Clustering) -> str:
    sizes = np.bincount(clustering.model.labels_)
    n = counted(len(clustering.ids), clustering.thing)
    if sizes.size > _MOST_SIZES:
        return f"Found {sizes.size} clusters in {n}: the largest has {sizes.max():,}, the smallest {sizes.min():,}."
    return f"Found {counted(sizes.size, 'cluster')} in {n}, of {listed([f'{size:,}' for size in sizes])}."


def _agreement(clustering: Clustering) -> str:
    first = float(clustering.model.agreement_[0])
    members = clustering.model.n_members
    sentence = f"How sure: {members} runs from random starts agree to {first:.2f} (1 is the same clusters every time)."
    if first < _AS_NOISE:
        sentence += (
            " That is little: data without any clusters reach as much. Try another number (s3nmf choose-k) or other "
            "columns before you trust it."
        )
    return sentence


def _doubts(clustering: Clustering) -> str:
    n = doubtful(clustering)
    if n == 0:
        return f"No {clustering.thing} has a confidence under {DOUBTFUL}."
    share = percent(n, len(clustering.ids))
    sentence = f"To doubt: {counted(n, clustering.thing)} ({share}) with a confidence under {DOUBTFUL}"
    disputes = clustering.model.diagnose().disputes
    if disputes:
        sentence += f"; the clusters that are hardest to tell apart are {disputes[0].first} and {disputes[0].second}"
    return f"{sentence}."
