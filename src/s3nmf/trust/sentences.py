"""What was found and how sure it is, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s3nmf._words import percent, two_digits
from s3nmf.trust import thresholds
from s3nmf.trust.diagnostics import Diagnostics
from s3nmf.trust.evidence import Evidence

_CAVEAT = (
    "To be sure of a point here means that runs from different starts put it in the same place. It does not mean "
    "that these are the clusters that you are looking for."
)


def judgement(found: Diagnostics, n_doubtful: int, evidence: Sequence[Evidence], *, other_sizes: bool) -> str:
    """Whether there are clusters at all, or how sure the partition is, in one sentence."""
    if found.sizes.size == 1:
        return "There is nothing to tell apart."
    if found.weights[0].size == 1:
        return "One run alone cannot say how sure that is."
    if evidence and not thresholds.stand_out(evidence[0]):
        if thresholds.stand_out(evidence[-1]):
            return "There are clusters, but so many do not stand out."
        return "Do not rely on them: data without any clusters look the same."
    if other_sizes:
        return "Some of them may be cut, and others joined."
    share = n_doubtful / found.labels.size
    return next(words for most, words in thresholds.WORDS_FOR_SHARES if share <= most)


def sentences(found: Diagnostics, n_doubtful: int, evidence: Sequence[Evidence], *, given: bool) -> tuple[str, ...]:
    """The evidence, the points, the members, the clusters, and what all of that does not mean."""
    if found.sizes.size == 1 or found.weights[0].size == 1:
        return ()
    points = points_in_doubt(n_doubtful, found.labels.size)
    beyond_chance = (beside_chance(one, given=given) for one in evidence)
    return *beyond_chance, points, _agreement(found), _least_stable(found), _CAVEAT


def beside_chance(evidence: Evidence, *, given: bool = False) -> str:
    """What sets the clusters apart, beside the same for data without clusters, or for graphs if one was given.

    Examples
    --------
    >>> from s3nmf.trust.evidence import Evidence
    >>> from s3nmf.trust.figures import Figures
    >>> print(beside_chance(Evidence(9.0, Figures(0.02, 0.34), Figures(0.21, 0.05), 300, 4)))  # doctest: +ELLIPSIS
    Cut into 4, the data are 1.4 times as sparse between clusters as elsewhere, and 2% of ... 1.1 times and 21%.
    """
    found, chance = evidence.found, evidence.by_chance
    links, by_chance = (percent(one.crossing, 1) if one.crossing else "none" for one in (found, chance))
    if np.isfinite(found.sparseness) and np.isfinite(chance.sparseness):
        sparser, usual = (f"{np.exp(one.sparseness):.1f} times" for one in (found, chance))
        return (
            f"Cut into {evidence.n_clusters}, the data are {sparser} as sparse between clusters as elsewhere, and "
            f"{links} of the links between neighbours lead from one cluster to another. Without any clusters, data of "
            f"the same spread have {usual} and {by_chance}."
        )
    like = "graphs with the same degrees" if given else "data of the same spread"
    cut = f"Cut into {evidence.n_clusters}, {links} of the links lead from one cluster to another."
    return f"{cut} Without any clusters, {like} have {by_chance}."


def points_in_doubt(n_doubtful: int, n: int) -> str:
    """How many of n points are in doubt.

    Examples
    --------
    >>> print(points_in_doubt(1, 40))
    1 of the 40 points (2%) is in doubt: less than half of the evidence is for its own cluster.
    """
    if not n_doubtful:
        return f"For each of the {n:,} points at least half of the evidence is for its own cluster."
    many = "All" if n_doubtful == n else f"{n_doubtful:,} of the"
    are, their = ("is", "its") if n_doubtful == 1 else ("are", "their")
    return (
        f"{many} {n:,} points ({percent(n_doubtful, n)}) {are} in doubt: less than half of the evidence is for {their} "
        "own cluster."
    )


def _agreement(found: Diagnostics) -> str:
    chosen = found.chosen_round
    text = (
        f"{found.weights[0].size} runs from different starts, which know nothing of each other, agree to "
        f"{two_digits(found.agreement[0])} (1 is the same clusters every time, 0 is nothing in common)"
    )
    later = f"; after learning from each other, to {two_digits(found.agreement[chosen - 1])}" if chosen > 1 else ""
    return f"{text}{later}."


def _least_stable(found: Diagnostics) -> str:
    if not np.isfinite(found.within).any():
        return "Every cluster is a single point."
    least = int(np.nanargmin(found.within))
    text = f"The least stable cluster is {least}, with a stability of {two_digits(found.within[least])}"
    pairs = found.disputes
    if not pairs:
        return f"{text}; no run mixed any two clusters."
    mixed = pairs[0]
    return (
        f"{text}. Runs mix clusters {mixed.first} and {mixed.second} most: two points of them are put together by "
        f"{percent(mixed.shared, 1)} of the runs."
    )
