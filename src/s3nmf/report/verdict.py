"""What was found and what to doubt about it, in plain words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from s3nmf._words import counted, listed, percent, two_digits
from s3nmf.affinity.components import ConnectivityReport
from s3nmf.diagnostics import Diagnostics, Dispute
from s3nmf.ensemble.rounds import S3NMFResult
from s3nmf.plots.style import TIE, is_doubtful

# Members that agree to less before they learn from each other have nothing in common: on two rings, which they cannot
# find, 0.04 was measured; on data whose clusters they do find, 0.39 and more.
NOTHING_IN_COMMON = 0.2
# Rounds that end with less have not come to agree.
AGREED = 0.9
# A cluster falls apart if its points are together by less than half of the weight of the members.
FALLS_APART = 0.5
# Two clusters are mixed up if members with a fifth of the weight put their points together.
MIXED_UP = 0.2
# Fewer points than this are outliers rather than a cluster, as for `choose_n_clusters`.
FEWEST_POINTS = 4
_NAMED = 5


@dataclass(frozen=True)
class Doubt:
    """Something to be careful about: in a few words, and in a few sentences."""

    what: str
    why: str


@dataclass(frozen=True)
class Verdict:
    """What a reader should know first.

    Attributes
    ----------
    count, judgement : str
        How many clusters, and how sure that is.
    sentences : tuple of str
    doubts : tuple of Doubt
        The most serious first; empty if nothing stands out.
    disputes : tuple of Dispute
        Pairs of clusters that members mix up most, at most five.
    n_doubtful : int
        Points with more of the evidence in other clusters than in their own.
    """

    count: str
    judgement: str
    sentences: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    disputes: tuple[Dispute, ...]
    n_doubtful: int


def verdict_of(result: S3NMFResult, found: Diagnostics, graph: ConnectivityReport, n_clusters: int) -> Verdict:
    """Judge a result by its diagnostics, its graph and the number of clusters that was asked for."""
    n_doubtful = int(is_doubtful(found.confidence).sum())
    disputes = tuple(pair for pair in found.disputes if pair.shared >= 0.05)[:_NAMED]
    return Verdict(
        count=f"{counted(found.sizes.size, 'cluster')}.",
        judgement=_judgement(result, found, n_doubtful),
        sentences=_sentences(result, found, n_doubtful),
        doubts=_doubts(result, found, graph, n_clusters),
        disputes=disputes,
        n_doubtful=n_doubtful,
    )


def _judgement(result: S3NMFResult, found: Diagnostics, n_doubtful: int) -> str:
    if found.sizes.size == 1:
        return "There is nothing to tell apart."
    if result.weights.size == 1:
        return "One member alone cannot say how sure that is."
    if found.agreement[0] < NOTHING_IN_COMMON:
        return "Do not rely on them."
    share = n_doubtful / found.confidence.size
    if share <= 0.05:
        return "Nearly every point has a clear place."
    if share <= 0.25:
        return "Most points have a clear place."
    return "Many points are in doubt." if share <= 0.5 else "Most points are in doubt."


def _sentences(result: S3NMFResult, found: Diagnostics, n_doubtful: int) -> tuple[str, ...]:
    n, n_members, chosen = found.confidence.size, result.weights.size, result.chosen_round
    if found.sizes.size == 1 or n_members == 1:
        return ()
    points = f"For each of the {n:,} points at least half of the evidence is for its own cluster."
    if n_doubtful:
        many = "All" if n_doubtful == n else f"{n_doubtful:,} of the"
        are, their = ("is", "its") if n_doubtful == 1 else ("are", "their")
        points = (
            f"{many} {n:,} points ({percent(n_doubtful, n)}) {are} in doubt: less than half of the evidence is for "
            f"{their} own cluster."
        )
    agreement = (
        f"Before they learned from each other, the {n_members} members agreed to {two_digits(found.agreement[0])}"
    )
    if chosen > 1:
        agreement += f"; in round {chosen}, which was chosen, to {two_digits(found.agreement[chosen - 1])}"
    agreement += " (1 is the same partition, 0 is nothing in common)."
    return (
        points,
        agreement,
        _least_stable(found),
        "To be sure of a point here means that factorizations from different starts put it in the same place. It does "
        "not mean that these are the clusters that you are looking for.",
    )


def _least_stable(found: Diagnostics) -> str:
    if not np.isfinite(found.within).any():
        return "Every cluster is a single point."
    least = int(np.nanargmin(found.within))
    text = f"The least stable cluster is {least}, with a stability of {two_digits(found.within[least])}"
    pairs = found.disputes
    if not pairs:
        return f"{text}; no member mixed any two clusters."
    mixed = pairs[0]
    return (
        f"{text}. Members mix clusters {mixed.first} and {mixed.second} most: two points of them are put together by "
        f"{percent(mixed.shared, 1)} of the members' weight."
    )


def _doubts(result: S3NMFResult, found: Diagnostics, graph: ConnectivityReport, n_clusters: int) -> tuple[Doubt, ...]:
    doubts = []
    first, highest = float(found.agreement[0]), float(found.agreement.max())
    if first < NOTHING_IN_COMMON and found.sizes.size > 1:
        doubts.append(
            Doubt(
                "The members had nothing in common",
                f"In round 1 they agreed to {two_digits(first)}. What later rounds agree on is then their own making. "
                "Try another number of clusters or of neighbours; for long, thin clusters a larger max_iter and a "
                "smaller tol.",
            )
        )
    if highest < AGREED:
        doubts.append(
            Doubt(
                "The members did not come to agree",
                f"The best round reached {two_digits(highest)} of 1. Raise max_rounds.",
            )
        )
    if not graph.is_connected:
        doubts.append(Doubt("The graph is in pieces", f"{graph} {graph.advice(n_clusters)}"))
    if found.sizes.size < n_clusters:
        doubts.append(
            Doubt(
                "Fewer clusters than asked for",
                f"Only {found.sizes.size} of n_clusters={n_clusters} have points. Ask for fewer.",
            )
        )
    return (*doubts, *_of_clusters(found))


def _of_clusters(found: Diagnostics) -> list[Doubt]:
    doubts = []
    apart = np.flatnonzero(found.within < FALLS_APART)
    if apart.size:
        doubts.append(
            Doubt(
                f"{_clusters(apart)} {'falls' if apart.size == 1 else 'fall'} apart",
                f"Two points of such a cluster are together by less than half of the members' weight "
                f"({_values(found.within[apart])}): it may be several clusters, or what was left over.",
            )
        )
    mixed = [pair for pair in found.disputes if pair.shared >= MIXED_UP]
    if mixed:
        pairs = [f"{pair.first} with {pair.second} ({two_digits(pair.shared)})" for pair in mixed[:_NAMED]]
        more = f", and {counted(len(mixed) - _NAMED, 'more pair')}" if len(mixed) > _NAMED else ""
        doubts.append(
            Doubt(
                "Clusters that run into each other", f"Members mix {', '.join(pairs)}{more}. They may be one cluster."
            )
        )
    rather = int((found.second_share > found.confidence + TIE).sum())
    if rather:
        doubts.append(
            Doubt(
                f"{counted(rather, 'point')} with more evidence for another cluster",
                "By the members of round 1, the second choice has a larger share than the cluster of the point.",
            )
        )
    small = np.flatnonzero(found.sizes < FEWEST_POINTS)
    if small.size:
        doubts.append(
            Doubt(
                f"{_clusters(small)} {'is' if small.size == 1 else 'are'} very small",
                f"Fewer than {FEWEST_POINTS} points are more likely outliers than a cluster.",
            )
        )
    return doubts


def _clusters(numbers: np.ndarray) -> str:
    if numbers.size == 1:
        return f"Cluster {numbers[0]}"
    shown = [str(cluster) for cluster in numbers[:_NAMED]]
    if numbers.size > _NAMED:
        shown.append(f"{numbers.size - _NAMED} more")
    return f"Clusters {listed(shown)}"


def _values(values: np.ndarray) -> str:
    shown = ", ".join(two_digits(value) for value in values[:_NAMED])
    return f"{shown}, ..." if values.size > _NAMED else shown
