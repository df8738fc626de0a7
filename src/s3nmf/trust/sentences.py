"""What was found and how sure it is, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from s3nmf._words import counted, percent, two_digits
from s3nmf.trust.diagnostics import Diagnostics
from s3nmf.trust.doubts import TableFacts
from s3nmf.trust.evidence import Evidence

_NO_CLUSTERS = (
    "If you expected groups, check that the columns are on one scale and leave out columns of noise. A number of "
    "clusters that you give is taken all the same."
)
_CAVEAT = (
    "A high confidence means that the members agree on the cluster of a point. It does not mean that the cluster is "
    "what you are looking for: check the least certain points, and compare the clusters with what you know of the data."
)


def judgement(
    n_clusters: int, has_clusters: bool | None, evidence: Sequence[Evidence], table: TableFacts | None
) -> str:
    """Whether there are clusters at all, and whether these are clusters, in one sentence: what the borders say."""
    if has_clusters is None:
        return "The borders between clusters were not judged."
    if n_clusters == 1:
        return "The data have more than one cluster." if has_clusters else "No border divides the data."
    column = None if table is None else table.column_of_values
    if column is not None:
        return f"They are the values of {column}." if has_clusters else f"They are only the values of {column}."
    return (
        _of_borders(n_clusters, evidence) if has_clusters else "Do not rely on them: the data show no clear clusters."
    )


def _of_borders(n_clusters: int, evidence: Sequence[Evidence]) -> str:
    """Whether all borders are real, where there are clusters."""
    own, best = evidence[0], evidence[-1]
    if own.stands_out:
        return "The border between them is real." if n_clusters == 2 else "Every border between them is real."
    if best.n_clusters != n_clusters:
        return "The data have clusters, but some of these have no real border."
    if best.stands_out:
        return "The number of clusters is supported, but some borders may lie elsewhere."
    return "Some of their borders are not real."


def sentences(
    found: Diagnostics,
    n_doubtful: int,
    evidence: Sequence[Evidence],
    has_clusters: bool | None,
    table: TableFacts | None,
) -> tuple[str, ...]:
    """The evidence, the points, the members, the clusters, and what all of that does not mean.

    Of one cluster nothing is said that needs two.
    """
    if found.sizes.size == 1:
        return (_NO_CLUSTERS,) if has_clusters is False else ()
    numbers = {one.n_clusters: one for one in reversed(evidence)}
    borders = (*map(weakest_border, reversed(numbers.values())), *_one_column(table))
    if found.weights[0].size == 1:
        return *borders, "There is only one member, so that the confidence of single points is unknown."
    points = points_in_doubt(n_doubtful, found.labels.size)
    return *borders, points, _agreement(found), _least_stable(found), _CAVEAT


def _one_column(table: TableFacts | None) -> Iterator[str]:
    telling = None if table is None else table.telling
    if table is not None and telling is not None and not telling.has_values:
        name, share = telling.name(table.names), percent(telling.share, 1)
        yield f"{name} alone puts {share} of the points into their cluster."


def weakest_border(evidence: Evidence) -> str:
    """How many edges cross the weakest border, beside those that cross inside the clusters on its sides.

    Examples
    --------
    >>> from s3nmf.trust.borders import Border
    >>> from s3nmf.trust.evidence import Evidence
    >>> print(weakest_border(Evidence(4, (Border(0, 2, 12.0, 96.0, 400.0, 5.0),), (20,) * 4)))
    With 4 clusters, the weakest border is between 0 and 2: 12 edges cross it, and 96 the middle of either cluster.
    """
    weakest = evidence.weakest
    if weakest is None:
        return f"With {evidence.n_clusters} clusters, no edge joins two of them."
    crossing, level = round(weakest.crossing), round(weakest.level)
    elsewhere = "would by chance" if evidence.n_blocks else "the middle of either cluster"
    return (
        f"With {evidence.n_clusters} clusters, the weakest border is between {weakest.first} and {weakest.second}: "
        f"{counted(crossing, 'edge')} {'crosses' if crossing == 1 else 'cross'} it, and {level:,} {elsewhere}."
    )


def points_in_doubt(n_doubtful: int, n: int) -> str:
    """How many of n points are in doubt.

    Examples
    --------
    >>> print(points_in_doubt(1, 40))
    1 of the 40 points (2%) is in doubt: less than half of the evidence supports its cluster.
    """
    if not n_doubtful:
        return f"No point is in doubt: for each of the {n:,}, at least half of the evidence supports its cluster."
    many = "All" if n_doubtful == n else f"{n_doubtful:,} of the"
    are, their = ("is", "its") if n_doubtful == 1 else ("are", "their")
    return (
        f"{many} {n:,} points ({percent(n_doubtful, n)}) {are} in doubt: less than half of the evidence supports "
        f"{their} cluster."
    )


def _agreement(found: Diagnostics) -> str:
    chosen = found.chosen_round
    text = (
        f"The {found.weights[0].size} partitions that vote, called members, agree to {two_digits(found.agreement[0])} "
        "(1: identical, 0: unrelated)"
    )
    later = f", and to {two_digits(found.agreement[chosen - 1])} in round {chosen}" if chosen > 1 else ""
    return f"{text}{later}."


def _least_stable(found: Diagnostics) -> str:
    if not np.isfinite(found.within).any():
        return "Every cluster is a single point."
    least = int(np.nanargmin(found.within))
    text = f"The least stable cluster is {least} (stability {two_digits(found.within[least])})"
    pairs = found.disputes
    if not pairs:
        return f"{text}; no member mixes two clusters."
    mixed = pairs[0]
    return (
        f"{text}. Members mix clusters {mixed.first} and {mixed.second} most: {percent(mixed.shared, 1)} of them, on "
        "average, put a point of one together with a point of the other."
    )
