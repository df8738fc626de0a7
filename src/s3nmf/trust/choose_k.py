"""How many clusters? The number that the graph has over the widest range, and the members' opinion beside it.

Two things speak for a number k, both of them ratios. The spectrum of a graph of k clusters has a gap after eigenvalue
k; and its communities are k over a wide range of resolutions. Their geometric mean is the support of k. Whether there
are clusters at all is decided by data without any, see `s3nmf.trust`. docs/choosing-k.md has the figures.

Agreement and stability of the members are computed beside it: they say whether that many clusters can be found.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from s3nmf._messages import Message, Parameter
from s3nmf._notebook import html_table
from s3nmf._sklearn import Interval
from s3nmf._threads import one_thread
from s3nmf._types import FloatArray
from s3nmf._validation import check_affinity, check_features, check_parameters
from s3nmf._warnings import DisconnectedGraphWarning, EmptyClusterWarning
from s3nmf._words import two_digits
from s3nmf.graph import affinity as graph
from s3nmf.graph.affinity import GRAPH_PARAMETERS
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.graph.communities.groups import find_groups
from s3nmf.graph.communities.persistence import persistence
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search
from s3nmf.graph.spectrum.gaps import LATER, normalized, pieces_of, spectral_gaps, spectrum
from s3nmf.method import rounds
from s3nmf.method.rounds import self_supervised_nmf
from s3nmf.trust import weighed
from s3nmf.trust.diagnostics import diagnose
from s3nmf.trust.evidence import Evidence, evidence_in_features, evidence_in_graph
from s3nmf.trust.how_many import best_of, is_near_tie, recommend
from s3nmf.trust.thresholds import FEWEST_CLUSTERS, any_stand_out

PARAMETERS: dict[str, list[Any]] = {
    **GRAPH_PARAMETERS,
    **{name: rounds.PARAMETERS[name] for name in ("n_members", "random_state", "callback")},
    "max_samples": [Interval(Integral, 2, None, closed="left"), None],
    "against_chance": ["boolean"],
}
# Numbers that are tried if none are given go up to this.
USUAL = 12
# A large graph is searched by its groups; as many as so many clusters need.
_GROUPED_FOR = 50


@dataclass(frozen=True)
class Candidate:
    """What speaks for a number of clusters.

    Attributes
    ----------
    n_clusters : int
    support : float
        The geometric mean of gap and persistence. It does not depend on which other numbers are tried.
    gap : float
        How many times farther from 1 the next eigenvalue of the graph is than this number's; 1 is no gap, 100 the most.
    persistence : float
        How many times higher the highest resolution is that gives so many communities than the lowest that does; 1 if
        none does.
    agreement : float
        ANMI of the members of round 1. It grows with the number of clusters: compare support, not agreement.
    stability : float
        Mean co-association of two points of one cluster, for the least stable cluster: 1 if no member of round 1 ever
        cut any cluster of the partition.
    """

    n_clusters: int
    support: float
    gap: float
    persistence: float
    agreement: float
    stability: float


@dataclass(frozen=True, eq=False)
class ClusterCount:
    """A recommended number of clusters, and why; `print` says it in words, and a notebook shows it as a table.

    Attributes
    ----------
    n_clusters : int
        The recommended number.
    near_ties : tuple of int
        Other numbers that fit the data about as well, the best first. The recommendation is one of them all.
    clear : bool
        Whether there are no such numbers, and clusters stand out from chance; or, where 1 is recommended, do not.
    reason : str
        Why, in a sentence or two.
    sentences : tuple of str
        The evidence in words.
    candidates : tuple of Candidate
        Every number that was tried, in increasing order.
    evidence : tuple of Evidence
        What sets the best number of clusters apart from data without clusters; where that is too little, two clusters
        as well. Empty if it was not looked at, or says nothing.
    eigenvalues : array of shape (largest number tried + 1,)
        Of the graph, largest first, outliers left aside.
    n_outliers : int
        Points in groups of fewer than four, which were left aside for the eigenvalues.
    """

    n_clusters: int
    near_ties: tuple[int, ...]
    clear: bool
    reason: str
    sentences: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]
    eigenvalues: FloatArray
    n_outliers: int

    @property
    def has_clusters(self) -> bool | None:
        """Whether clusters stand out from what chance gives; None if there is no evidence."""
        return any_stand_out(self.evidence)

    def column(
        self, name: Literal["n_clusters", "support", "gap", "persistence", "agreement", "stability"]
    ) -> FloatArray:
        """One attribute of all candidates, to draw or to tabulate."""
        return np.array([getattr(candidate, name) for candidate in self.candidates])

    def table(self) -> list[tuple[str, ...]]:
        """The candidates as text, a header first. A recommendation has an arrow, unless it is a guess."""
        marks = {
            one.n_clusters: "fits about as well" if is_near_tie(one.support, self._support) else "lies between those"
            for one in self.candidates
            if one.n_clusters in self.near_ties
        }
        marks[self.n_clusters] = "<- recommended" if self.clear else "fits best" if self.near_ties else "a guess"
        rows = (
            (
                str(one.n_clusters),
                f"{one.support:.2f}",
                *map(two_digits, (one.agreement, one.stability)),
                marks.get(one.n_clusters, ""),
            )
            for one in self.candidates
        )
        return [("clusters", "support", "agreement", "stability", ""), *rows]

    @property
    def _support(self) -> float:
        """Of the recommended number."""
        return next(one.support for one in self.candidates if one.n_clusters == self.n_clusters)

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
    max_samples: int | None = 2000,
    n_members: int = 10,
    against_chance: bool = True,
    random_state: Any = None,
    callback: Callable[[Candidate], None] | None = None,
) -> ClusterCount:
    """Recommend a number of clusters, name those that fit about as well, and say if there are clusters at all.

    Costs the graph, its leading eigenvalues, a sweep over resolutions, one fit for each number, and some dozen searches
    on data without clusters.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or (n_samples, n_samples) if precomputed
        A precomputed affinity whose largest eigenvalue is not 1 is normalised to count its clusters.
    n_clusters : iterable of int or None
        The numbers to try; None for 1 to 12, if there are more points. With 1 among them, 1 is the answer where data
        without any clusters look the same.
    affinity, n_neighbors, kernel, metric, search
        The graph, as for `S3NMF`. The default kernel is the one whose recommendations were measured.
    max_samples : int or None, default=2000
        Of more rows than this, so many are drawn at random: to count clusters, not every point is needed. Those with
        less than about one point in a hundred can be missed. None takes all; of a precomputed affinity all are taken.
    n_members : int
        Of the fits.
    against_chance : bool
        Whether to compare with data without clusters.
    random_state : int, RandomState or None
    callback : callable or None
        Called with each `Candidate` when its fit is over.

    Returns
    -------
    ClusterCount

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> X, y = make_blobs(200, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)
    >>> choice = choose_n_clusters(X, random_state=0)
    >>> choice.n_clusters, choice.clear, choice.has_clusters
    (3, True, True)
    >>> print(choice.reason.split(" (")[0])
    3 clusters: no other number fits as well
    """
    check_parameters(PARAMETERS, locals(), "choose_n_clusters")
    asked = None if n_clusters is None else _numbers(n_clusters)
    random = check_random_state(random_state)
    given = affinity == "precomputed"
    if given:
        W = check_affinity(X)
    else:
        points = _drawn(check_features(X), max_samples, random)
        W = graph.affinity_of(points, n_neighbors, kernel, metric, search)
    numbers = asked or list(range(1, min(USUAL, W.shape[0] - 1) + 1))
    _refuse_more_than(W.shape[0] - 1, numbers)
    largest = numbers[-1]
    even = normalized(W)
    with one_thread():
        eigenvalues, n_outliers = spectrum(even, largest + 1 + LATER)
    gaps = spectral_gaps(eigenvalues)
    ranges = persistence(find_groups(weighted_graph(even), _GROUPED_FOR, 0), largest, 0)
    support = {k: float(np.sqrt(gaps[k - 1] * ranges[k - 1])) for k in numbers}
    seed = random.randint(2**31)
    candidates = []
    for k in numbers:
        # A stream of its own: what is said of a number does not depend on the others that are tried.
        opinion = _opinion_of_members(W, k, n_members, np.random.RandomState([seed, k]))
        candidates.append(Candidate(k, support[k], float(gaps[k - 1]), float(ranges[k - 1]), *opinion))
        if callback is not None:
            callback(candidates[-1])

    def evidence_for(k: int) -> Evidence | None:
        return evidence_in_graph(W, k) if given else evidence_in_features(points, k, metric)

    evidence = weighed(evidence_for, max(best_of(support), FEWEST_CLUSTERS)) if against_chance else ()
    return ClusterCount(
        **recommend(support, evidence, pieces=pieces_of(eigenvalues), given=given)._asdict(),
        candidates=tuple(candidates),
        evidence=evidence,
        eigenvalues=eigenvalues[: largest + 1],
        n_outliers=n_outliers,
    )


def _opinion_of_members(W: Any, k: int, n_members: int, random: np.random.RandomState) -> tuple[float, float]:
    """How far members agree on so many clusters, and the stability of the least stable one."""
    with warnings.catch_warnings():
        # A graph in pieces and clusters that stay empty are what is being looked for.
        warnings.simplefilter("ignore", (DisconnectedGraphWarning, EmptyClusterWarning))
        result = self_supervised_nmf(W, k, n_members=n_members, random_state=random)
    within = diagnose(result).within
    return result.history[0].agreement, float(np.nanmin(within)) if np.isfinite(within).any() else np.nan


def _numbers(n_clusters: Iterable[int]) -> list[int]:
    try:
        numbers = list(n_clusters)
    except TypeError:
        raise ValueError(f"n_clusters={n_clusters!r} must be several numbers to try, such as range(2, 13).") from None
    for k in numbers:
        if not isinstance(k, Integral) or k < 1:
            raise ValueError(f"n_clusters holds {k!r}; every number of clusters must be an integer >= 1.")
    if not numbers:
        raise ValueError(f"n_clusters={n_clusters!r} is empty; it must hold the numbers to try, such as range(2, 13).")
    return sorted({int(k) for k in numbers})


def _drawn(X: Any, max_samples: int | None, random: np.random.RandomState) -> Any:
    if max_samples is None or X.shape[0] <= max_samples:
        return X
    return X[np.sort(random.choice(X.shape[0], max_samples, replace=False))]


def _refuse_more_than(most: int, numbers: list[int]) -> None:
    if numbers[-1] > most:
        raise ValueError(
            Message(
                "{numbers} goes up to {last}, but there are only {n} points. Try at most {most} clusters.",
                numbers=Parameter("n_clusters"),
                last=numbers[-1],
                n=most + 1,
                most=most,
            )
        )
