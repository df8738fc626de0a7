"""A clustering in plain words: what was found, how sure it is, and what to look at first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from s3nmf._messages import spelled
from s3nmf._words import counted, listed
from s3nmf.desk.cli import choosing
from s3nmf.desk.cli.clustering import Clustering
from s3nmf.desk.cli.labels import Labels
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.cli.terminal import table, visible
from s3nmf.partitions import NO_CLUSTER, sizes_of
from s3nmf.trust import Verdict
from s3nmf.trust.borders import Border
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.sentences import points_in_doubt
from s3nmf.trust.thresholds import is_doubtful

_MOST_SIZES = 12
_LONGEST_ID = 40
_SHOWN = 5


def summary(clustering: Clustering) -> list[str]:
    """The verdict, a table of the points to look at first, and what was noted on the way."""
    verdict, result = clustering.model.judge(), clustering.model.result_
    parts = [] if clustering.choice is None else [spelled(clustering.choice.reason, as_option)]
    parts += [f"{_found(clustering)} {verdict.judgement}", "\n".join(verdict.sentences)]
    n_outside, n_isolated = int((result.labels == NO_CLUSTER).sum()), result.isolated.size
    is_noise = clustering.model.noise and clustering.features is not None  # what has no edge
    if n_isolated and not is_noise:
        parts.append(without_edges(n_isolated, clustering.thing))
    if n_outside > n_isolated:
        parts.append(in_small_parts(n_outside - n_isolated, clustering.thing, clustering.model.min_cluster_size))
    if clustering.model.noise:
        n_noise = n_isolated if is_noise else clustering.model.n_noise_ - n_outside
        parts.append(in_no_cluster(n_noise, clustering.thing))
    if verdict.doubts:
        parts.append(
            "\n".join(["What to doubt:", *(f"- {doubt['what']}. {doubt['why']}" for doubt in _doubts(verdict))])
        )
    if clustering.model.n_clusters_ > 1 and (clustering.model.confidence_ < 1).any():
        parts.append(f"Look at these first:\n{least_certain(clustering)}")
    if clustering.notes:
        parts.append("\n".join(f"- {visible(note)}" for note in clustering.notes))
    return list(filter(None, parts))


def facts(clustering: Clustering) -> dict[str, Any]:
    """The same for programs."""
    model, found, verdict = clustering.model, clustering.model.diagnose(), clustering.model.judge()
    return {
        "source": clustering.source,
        "n_points": len(clustering.ids),
        "clusters": [
            {"cluster": k, "size": int(size), "within": float(within), "outside": float(outside)}
            for k, (size, within, outside) in enumerate(zip(found.sizes, found.within, found.outside, strict=True))
        ],
        "choice": None if clustering.choice is None else choosing.facts(clustering.choice),
        "agreement": model.agreement_.tolist(),
        "chosen_round": model.chosen_round_,
        "judgement": verdict.judgement,
        "has_clusters": verdict.has_clusters,
        "has_so_many": verdict.has_so_many,
        "evidence": [_evidence(one) for one in verdict.evidence],
        "sentences": list(verdict.sentences),
        "doubts": _doubts(verdict),
        "n_doubtful": verdict.n_doubtful,
        "n_noise": model.n_noise_,
        "disputes": [dispute._asdict() for dispute in found.disputes],
        "notes": list(clustering.notes),
    }


def levels(clustering: Clustering) -> list[dict[str, Any]]:
    """The coarser levels and their weakest borders, for programs; null where no edge joins two clusters."""
    return [
        {
            "n_clusters": level.n_clusters,
            "all_real": level.is_supported,
            "weakest": None if level.border is None else _border(level.border),
        }
        for level in clustering.model.levels_
    ]


def assigned(labels: Labels, thing: str, notes: Sequence[str]) -> list[str]:
    """Where new points went."""
    sizes = np.bincount(labels.clusters[labels.clusters != NO_CLUSTER])
    n_noise = labels.clusters.size - int(sizes.sum())
    into = [f"{size:,} into cluster {k}" for k, size in enumerate(sizes) if size]
    into += [f"{n_noise:,} into none (-1)"] if n_noise else []
    parts = [f"Put {counted(labels.clusters.size, f'new {thing}')} into clusters: {listed(into)}."]
    parts[0] += f"\n{points_in_doubt(int(is_doubtful(labels.confidence).sum()), labels.clusters.size)}"
    if notes:
        parts.append("\n".join(f"- {visible(note)}" for note in notes))
    return parts


def without_edges(n_isolated: int, thing: str) -> str:
    """How many are in no cluster because nothing is known about them.

    Examples
    --------
    >>> without_edges(50, "node")
    '50 nodes without any edge are in no cluster (-1).'
    """
    return f"{counted(n_isolated, thing)} without any edge {'is' if n_isolated == 1 else 'are'} in no cluster (-1)."


def in_small_parts(n_points: int, thing: str, fewest: int) -> str:
    """How many are in no cluster because they are too few to be one, and no edge leads to another.

    Examples
    --------
    >>> in_small_parts(3, "row", 5)
    '3 rows in parts of the graph of fewer than 5 are in no cluster (-1).'
    """
    verb = "is" if n_points == 1 else "are"
    return f"{counted(n_points, thing)} in parts of the graph of fewer than {fewest} {verb} in no cluster (-1)."


def in_no_cluster(n_noise: int, thing: str) -> str:
    """How many were put into none.

    Examples
    --------
    >>> in_no_cluster(3, "row")
    '3 rows are noise: in no cluster (-1).'
    """
    if not n_noise:
        return f"No {thing} is noise."
    return f"{counted(n_noise, thing)} {'is' if n_noise == 1 else 'are'} noise: in no cluster (-1)."


def least_certain(clustering: Clustering) -> str:
    """A table of the least certain points."""
    model = clustering.model
    rows = []
    for row in np.argsort(model.confidence_, kind="stable")[:_SHOWN]:
        second = model.second_choice_[row]
        rows.append(
            (
                shown(clustering.ids[row]),
                str(model.result_.labels[row]),
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
    sizes = sizes_of(clustering.model.result_.labels)
    n = counted(len(clustering.ids), clustering.thing)
    if sizes.size > _MOST_SIZES:
        return f"Found {sizes.size} clusters in {n}: the largest has {sizes.max():,}, the smallest {sizes.min():,}."
    return f"Found {counted(sizes.size, 'cluster')} in {n}, of {listed([f'{size:,}' for size in sizes])}."


def _doubts(verdict: Verdict) -> list[dict[str, str]]:
    return [{"what": doubt.what, "why": spelled(doubt.why, as_option)} for doubt in verdict.doubts]


def _evidence(evidence: Evidence) -> dict[str, Any]:
    """Numbers that are not finite as null, which JSON knows."""
    return {
        "n_clusters": evidence.n_clusters,
        "stands_out": evidence.stands_out,
        "score": evidence.score if np.isfinite(evidence.score) else None,
        "borders": [_border(border) for border in evidence.borders],
    }


def _border(border: Border) -> dict[str, Any]:
    return border._asdict() | {"is_real": border.is_real}
