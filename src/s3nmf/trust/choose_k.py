"""How many clusters? As many as have a real border to every other one.

`s3nmf.trust.number` finds partitions into many numbers of clusters with one search, and judges each by its weakest
border. docs/choosing-k.md says how often that is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, Literal

import numpy as np

from s3nmf._messages import Message, Parameter
from s3nmf._notebook import html_table
from s3nmf._sklearn import Interval
from s3nmf._threads import Team, team
from s3nmf._types import FloatArray, IntArray
from s3nmf._validation import check_affinity, check_features, check_parameters
from s3nmf._words import counted, listed, percent
from s3nmf.graph.affinity import GRAPH_PARAMETERS
from s3nmf.graph.components import components_of
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust import number
from s3nmf.trust.doubts import NO_CLEAR_BORDERS
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.judged import JudgedGraph, judged_graph
from s3nmf.trust.sentences import weakest_border
from s3nmf.trust.settings import BORDERS, NUMBER_SEARCH

PARAMETERS: dict[str, list[Any]] = {
    **GRAPH_PARAMETERS,
    "max_samples": [Interval(Integral, 2, None, closed="left"), None],
    "random_state": ["random_state"],
    "callback": [callable, None],
}
# Other numbers that are named in a sentence, and numbers that are always shown.
_NAMED = 3
_SHOWN = 12


@dataclass(frozen=True)
class Candidate:
    """What speaks for a number of clusters.

    Attributes
    ----------
    n_clusters : int
    support : float
        The evidence for the weakest border of its partition: 1 or more where that is real, infinite where no edge joins
        two clusters. It does not depend on which other numbers are tried.
    valley : float
        The edges that cross that border, as a share of those that cross inside the clusters on its sides.
    n_unclear : int
        Borders that are not real: pairs of clusters that may be one.
    """

    n_clusters: int
    support: float
    valley: float
    n_unclear: int

    @property
    def is_supported(self) -> bool:
        """Whether every border is real."""
        return self.n_unclear == 0

    @property
    def height(self) -> float:
        """The evidence for the weakest border as the height of a bar from 0 to 1; .5 is what a real border has."""
        real = min(self.support, 2.0) / 2
        return max(0.0, real if self.is_supported else min(real, 0.49))

    def as_numbers(self) -> dict[str, float | int | None]:
        """The same for JSON, which knows no infinity: null where no edge joins two clusters."""
        return {
            "n_clusters": self.n_clusters,
            "support": self.support if np.isfinite(self.support) else None,
            "valley": self.valley if np.isfinite(self.valley) else None,
            "n_unclear": self.n_unclear,
        }


@dataclass(frozen=True, eq=False)
class ClusterCount:
    """A recommended number of clusters, and why; `print` says it in words, and a notebook shows it as a table.

    Attributes
    ----------
    n_clusters : int
        The recommended number.
    near_ties : tuple of int
        Larger numbers whose weakest border is nearly real: nearly as good, the best first.
    coarser : tuple of int
        Smaller numbers at which every border is real, the largest first: coarser levels of the same data.
    clear : bool
        Whether every border is real, or 1 is recommended, and no other number is nearly as good.
    reason : str
        Why, in a sentence or two.
    sentences : tuple of str
        The evidence in words.
    candidates : tuple of Candidate
        The numbers that were looked at, in increasing order.
    evidence : tuple of Evidence
        The borders of the best partition; where only 1 has support, of the one that comes closest to it. Empty if there
        are too few points to look at any.
    n_supported : int
        The number that the borders speak for: 1 if there are no clusters, even where 1 is not among the numbers tried.
    labels : array of shape (n_judged,) or None
        The partition that the evidence is about, of the points that were judged; -1 for points without an edge.
    """

    n_clusters: int
    near_ties: tuple[int, ...]
    coarser: tuple[int, ...]
    clear: bool
    reason: str
    sentences: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]
    n_supported: int = 1
    labels: IntArray | None = field(default=None, repr=False)

    @property
    def has_clusters(self) -> bool | None:
        """Whether any partition has clear borders only; None if none was looked at."""
        return self.n_supported > 1 if self.evidence else None

    def column(self, name: Literal["n_clusters", "support", "valley", "n_unclear"]) -> FloatArray:
        """One attribute of all candidates, to draw or to tabulate."""
        return np.array([getattr(candidate, name) for candidate in self.candidates])

    @property
    def shown(self) -> tuple[Candidate, ...]:
        """The candidates that are worth a row of a table or a bar: up to twice the recommended number."""
        most = max(_SHOWN, 2 * self.n_clusters)
        return tuple(one for one in self.candidates if one.n_clusters <= most) or self.candidates

    def table(self) -> list[tuple[str, ...]]:
        """The candidates as text, a header first. A recommendation has an arrow, unless it is a guess."""
        marks = dict.fromkeys(self.near_ties, "nearly as good") | dict.fromkeys(self.coarser, "a coarser level")
        marks[self.n_clusters] = "<- recommended" if self.has_clusters is not False else "a guess"
        rows = (
            (
                str(one.n_clusters),
                f"{one.support:.1f}" if np.isfinite(one.support) else "apart",
                "none cross" if one.valley == 0 else percent(one.valley, 1) if np.isfinite(one.valley) else "",
                str(one.n_unclear),
                marks.get(one.n_clusters, ""),
            )
            for one in self.shown
        )
        return [("clusters", "evidence", "weakest border", "unclear borders", ""), *rows]

    def __str__(self) -> str:
        return "\n".join([self.reason, *self.sentences])

    def _repr_html_(self) -> str:
        header, *rows = self.table()
        return html_table([self.reason, *self.sentences], header, rows)


def choose_n_clusters(
    X: Any,
    n_clusters: Iterable[int] | None = None,
    *,
    affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
    n_neighbors: NeighborCount = "auto",
    kernel: Kernel = "mean-distance",
    metric: str = "euclidean",
    search: Search = "auto",
    max_samples: int | None = NUMBER_SEARCH.most_points,
    random_state: Any = None,
    callback: Callable[[Candidate], None] | None = None,
) -> ClusterCount:
    """Recommend a number of clusters, name those that are nearly as good, and say if there are clusters at all.

    Costs the graph, one search over resolutions, and a walk over the edges between clusters for each partition.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or (n_samples, n_samples) if precomputed
    n_clusters : iterable of int or None
        The numbers to try; None for all that the graph suggests, up to hundreds. With 1 among them, 1 is the answer
        where no partition has real borders only.
    affinity, n_neighbors, kernel, metric, search
        The graph, as for `S3NMF`. The default kernel is the one whose recommendations were measured.
    max_samples : int or None, default=5000
        Of more rows than this, so many are drawn, always the same: to count clusters, not every point is needed. None
        takes all; of a precomputed affinity all are taken.
    random_state : int, RandomState or None
        Has no effect: the same data have the same answer.
    callback : callable or None
        Called with each `Candidate` when it has been judged.

    Returns
    -------
    ClusterCount

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> X, y = make_blobs(200, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)
    >>> choice = choose_n_clusters(X)
    >>> choice.n_clusters, choice.has_clusters
    (3, True)
    >>> print(choice.reason.split(".")[0])
    Best: 3 clusters
    """
    check_parameters(PARAMETERS, locals(), "choose_n_clusters")
    asked = None if n_clusters is None else numbers_asked(n_clusters)
    if asked == [1]:
        raise ValueError("n_clusters=[1] leaves nothing to choose. Give several numbers, such as range(1, 13).")
    if affinity == "precomputed":
        judged = JudgedGraph(check_affinity(X), is_given=True)
    else:
        judged = judged_graph(
            check_features(X),
            None,
            max_samples,
            n_neighbors=n_neighbors,
            kernel=kernel,
            metric=metric,
            search=search,
        )
    refuse_more_than(judged.affinity.shape[0] - 1, asked)

    def tell(candidate: number.Candidate) -> None:
        if callback is not None:
            callback(_candidate(candidate.evidence))

    with team() as threads:
        return count_clusters(judged, asked, threads, tell)


def count_clusters(
    judged: JudgedGraph,
    numbers: Sequence[int] | None,
    threads: Team,
    callback: Callable[[number.Candidate], None] | None = None,
) -> ClusterCount:
    """The recommendation for a graph that has been checked. Points without an edge do not count."""
    n, isolated = judged.affinity.shape[0], components_of(judged.affinity).isolated
    rest = np.setdiff1d(np.arange(n), isolated, assume_unique=True)
    found = number.candidates(judged.without(isolated), numbers, threads, callback) if rest.size > 2 else []
    best = number.number_of(found)
    closest = max(
        found,
        key=lambda one: (one.n_clusters == best, one.evidence.score),
        default=None,
    )
    evidence = None if closest is None else closest.evidence
    labels = None
    if closest is not None:
        labels = np.full(n, NO_CLUSTER, dtype=np.intp)
        labels[rest] = closest.labels
    supported = best
    looked_at = tuple(_candidate(one.evidence) for one in found)
    allowed = numbers or [1]
    if best == 1 and 1 not in allowed:
        best = evidence.n_clusters if evidence is not None else allowed[0]
    near, coarser = _others(looked_at, best)
    return ClusterCount(
        n_clusters=best,
        near_ties=near,
        coarser=coarser,
        clear=not near and (evidence is None or best == 1 or (supported == best and evidence.stands_out)),
        reason=_reason(best, supported, near, coarser, evidence)
        if supported > 1 or numbers is None or 2 in numbers
        else f"{best} is a guess: at none of these numbers is every border real.",
        sentences=() if evidence is None else (weakest_border(evidence),),
        candidates=looked_at,
        evidence=() if evidence is None else (evidence,),
        n_supported=supported,
        labels=labels,
    )


def recounted(choice: ClusterCount, found: Sequence[number.Candidate]) -> ClusterCount:
    """The recommendation after partitions of all points were judged, where that of a sample came first."""
    best = max(found, key=lambda one: one.evidence.worth)
    looked_at = {one.n_clusters: one for one in (*choice.candidates, *(_candidate(one.evidence) for one in found))}
    candidates = tuple(looked_at[k] for k in sorted(looked_at))
    near, coarser = _others(candidates, best.n_clusters)
    return replace(
        choice,
        n_clusters=best.n_clusters,
        near_ties=near,
        coarser=coarser,
        clear=not near and best.evidence.stands_out,
        reason=_reason(best.n_clusters, best.n_clusters, near, coarser, best.evidence),
        sentences=(weakest_border(best.evidence),),
        candidates=candidates,
        evidence=(best.evidence,),
        n_supported=best.n_clusters,
        labels=best.labels,
    )


def _candidate(evidence: Evidence) -> Candidate:
    weakest = evidence.weakest
    return Candidate(
        n_clusters=evidence.n_clusters,
        support=evidence.score,
        valley=0.0 if weakest is None else weakest.valley,
        n_unclear=len(evidence.unclear),
    )


def _others(candidates: Sequence[Candidate], best: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Larger numbers that are nearly as good, the best first; smaller ones with real borders, the largest first."""
    near = sorted(
        (one for one in candidates if one.n_clusters > best and one.support >= BORDERS.nearly),
        key=lambda one: -one.support,
    )
    coarser = [one.n_clusters for one in candidates if one.is_supported and one.n_clusters < best]
    if best == 1:
        return (), ()
    return tuple(one.n_clusters for one in near), tuple(coarser[::-1])


def _reason(
    best: int, supported: int, near: tuple[int, ...], coarser: tuple[int, ...], evidence: Evidence | None
) -> str:
    if evidence is None:
        return f"{counted(best, 'cluster')}: there are too few points to look for more."
    others = f" Nearly as good: {_named(near)}." if near else ""
    if supported == 1:
        if best == 1:
            return f"Best: 1 cluster. {NO_CLEAR_BORDERS}{others}"
        return f"The data show no clear clusters. {NO_CLEAR_BORDERS} {best} is a guess."
    borders = "every border" if evidence.stands_out else "nearly all borders"
    elsewhere = "would by chance" if evidence.n_blocks else "cross the clusters themselves"
    why = f"Best: {counted(best, 'cluster')}. Fewer edges cross {borders} than {elsewhere}.{others}"
    return f"{why} Coarser levels: {_named(coarser)}." if coarser else why


def _named(numbers: tuple[int, ...]) -> str:
    named = [str(k) for k in numbers[:_NAMED]]
    if len(numbers) > _NAMED:
        named.append(counted(len(numbers) - _NAMED, "other"))
    return listed(named)


def numbers_asked(n_clusters: Iterable[int]) -> list[int]:
    """The numbers to try, in increasing order."""
    try:
        numbers = list(n_clusters)
    except TypeError:
        raise ValueError(f"n_clusters={n_clusters!r} must be several numbers to try, such as range(2, 13).") from None
    for k in numbers:
        if not isinstance(k, Integral) or isinstance(k, bool) or k < 1:
            raise ValueError(f"n_clusters holds {k!r}; every number of clusters must be an integer >= 1.")
    if not numbers:
        raise ValueError(f"n_clusters={n_clusters!r} is empty; it must hold the numbers to try, such as range(2, 13).")
    return sorted({int(k) for k in numbers})


def refuse_more_than(most: int, numbers: Sequence[int] | None) -> None:
    """Refuse numbers of clusters that so few points cannot have."""
    if numbers is not None and numbers[-1] > most:
        raise ValueError(
            Message(
                "{numbers} goes up to {last}, but there are only {n} points. Try at most {most} clusters.",
                numbers=Parameter("n_clusters"),
                last=numbers[-1],
                n=most + 1,
                most=most,
            )
        )
