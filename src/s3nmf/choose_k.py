"""How many clusters? Where the spectrum of the graph has its largest gap, and what the members say to it.

A graph of k clusters has k eigenvalues near 1, and then comes a gap: the k slowest modes of a random walk are those
between clusters, the next one is inside a cluster. On generated data this finds the number far more often than the
agreement or the stability of the members does, which both hang on how well a factorization happens to start;
docs/choosing-k.md has the figures. Those two are computed all the same: they say whether the members can find that many
clusters.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from s3nmf._memory import refuse_if_too_large
from s3nmf._messages import Message, Parameter, joined
from s3nmf._sklearn import Interval
from s3nmf._threads import one_thread
from s3nmf._types import Affinity, FloatArray
from s3nmf._validation import check_affinity, check_features, check_parameters
from s3nmf._warnings import DisconnectedGraphWarning, EmptyClusterWarning
from s3nmf._words import counted
from s3nmf.affinity import graph
from s3nmf.affinity.components import components_of
from s3nmf.affinity.given import prepare_affinity
from s3nmf.affinity.kernels import Kernel
from s3nmf.affinity.neighbors import NeighborCount, Search
from s3nmf.diagnostics import diagnose
from s3nmf.ensemble import rounds
from s3nmf.ensemble.rounds import self_supervised_nmf
from s3nmf.estimators.graph_clusterer import GRAPH_PARAMETERS
from s3nmf.judgement.thresholds import CLEAR_LEAD, FEWEST_POINTS
from s3nmf.spectral.eigenpairs import leading_eigenpairs

PARAMETERS: dict[str, list[Any]] = {
    **GRAPH_PARAMETERS,
    **{name: rounds.PARAMETERS[name] for name in ("n_members", "random_state", "callback")},
    "max_samples": [Interval(Integral, 2, None, closed="left"), None],
}

# Eigenvalues nearer to 1 than this share of the distance of the last one are as good as 1: whether two clusters hang
# together by one weak edge or by none is no gap.
NEGLIGIBLE = 0.01
# Where all eigenvalues are 1 but for rounding, no gap is any larger than another.
ROUNDING = 1e-8


@dataclass(frozen=True)
class Candidate:
    """What speaks for a number of clusters.

    Attributes
    ----------
    n_clusters : int
    gap : float
        How many times farther from 1 the next eigenvalue of the graph is than this number's; 1 is no gap, 100 the most.
    agreement : float
        ANMI of the members of round 1. It grows with the number of clusters: compare gaps, not agreements.
    stability : float
        Mean co-association of two points of one cluster, for the least stable cluster: 1 if no member of round 1 ever
        cut any cluster of the partition.
    """

    n_clusters: int
    gap: float
    agreement: float
    stability: float


@dataclass(frozen=True, eq=False)
class ClusterCount:
    """A recommended number of clusters, and why.

    Attributes
    ----------
    n_clusters : int
        The recommended number.
    clear : bool
        Whether its gap is at least twice the next largest. If not, take the recommendation for a guess.
    reason : str
    candidates : tuple of Candidate
        Every number that was tried, in increasing order.
    eigenvalues : array of shape (largest number tried + 1,)
        Of the graph, largest first, outliers left aside.
    n_outliers : int
        Points in groups of fewer than four, which were left aside for the eigenvalues.
    """

    n_clusters: int
    clear: bool
    reason: str
    candidates: tuple[Candidate, ...]
    eigenvalues: FloatArray
    n_outliers: int

    def column(self, name: Literal["n_clusters", "gap", "agreement", "stability"]) -> FloatArray:
        """One attribute of all candidates, to draw or to tabulate."""
        return np.array([getattr(candidate, name) for candidate in self.candidates])


def choose_n_clusters(
    X: Any,
    n_clusters: Iterable[int] = range(2, 13),
    *,
    affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
    n_neighbors: NeighborCount = "auto",
    kernel: Kernel = "mean-distance",
    metric: str = "euclidean",
    search: Search = "auto",
    max_samples: int | None = 2000,
    n_members: int = 10,
    random_state: Any = None,
    callback: Callable[[Candidate], None] | None = None,
) -> ClusterCount:
    """Recommend a number of clusters, from the gaps in the spectrum of one graph, with the members' opinion beside.

    Costs the graph, its leading eigenvalues, and one fit for each number.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or (n_samples, n_samples) if precomputed
        A precomputed affinity whose largest eigenvalue is not 1 is normalised for its spectrum.
    n_clusters : iterable of int, default=range(2, 13)
        The numbers to try. With 1 among them, 1 may be the answer.
    affinity, n_neighbors, kernel, metric, search
        The graph, as for `S3NMF`. The default kernel is the one whose recommendations were measured.
    max_samples : int or None, default=2000
        Of more rows than this, so many are drawn at random: to count clusters, not every point is needed. Those with
        less than about one point in a hundred can be missed. None takes all; of a precomputed affinity all are taken.
    n_members : int
        Of the fits.
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
    >>> choice = choose_n_clusters(X, range(2, 6), random_state=0)
    >>> choice.n_clusters, choice.clear
    (3, True)
    >>> print(choice.reason.split(" (")[0])
    3 clusters: the spectrum of the graph has its largest gap after eigenvalue 3
    """
    check_parameters(PARAMETERS, locals(), "choose_n_clusters")
    numbers = _numbers(n_clusters)
    random = check_random_state(random_state)
    if affinity == "precomputed":
        W = check_affinity(X)
    else:
        W = graph.affinity_of(_drawn(check_features(X), max_samples, random), n_neighbors, kernel, metric, search)
    if numbers[-1] >= W.shape[0]:
        raise ValueError(
            Message(
                "{numbers} goes up to {last}, but there are only {n} points. Try at most {most} clusters.",
                numbers=Parameter("n_clusters"),
                last=numbers[-1],
                n=W.shape[0],
                most=W.shape[0] - 1,
            )
        )
    with one_thread():
        eigenvalues, n_outliers = spectrum(W, numbers[-1] + 1)
    gaps = spectral_gaps(eigenvalues)
    candidates = []
    for number in numbers:
        with warnings.catch_warnings():
            # A graph in pieces and clusters that stay empty are what is being looked for.
            warnings.simplefilter("ignore", (DisconnectedGraphWarning, EmptyClusterWarning))
            result = self_supervised_nmf(W, number, n_members=n_members, random_state=random)
        within = diagnose(result).within
        stability = float(np.nanmin(within)) if np.isfinite(within).any() else np.nan
        found = Candidate(number, float(gaps[number - 1]), result.history[0].agreement, stability)
        candidates.append(found)
        if callback is not None:
            callback(found)
    return _recommendation(tuple(candidates), gaps, eigenvalues, n_outliers)


def spectrum(W: Affinity, count: int) -> tuple[FloatArray, int]:
    """The leading eigenvalues of the normalised graph without its outliers, and how many points those are.

    A few points far out form components, or nearly so, with an eigenvalue near 1 each. Their leverage, the squared norm
    of a point's row of the eigenvectors, gives them away: a group of m points shares an eigenvector, 1/m each.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisconnectedGraphWarning)
        W, scale, _ = prepare_affinity(W, count)
    if not sp.issparse(W):
        refuse_if_too_large(3.0 * 8 * W.shape[0] ** 2, "Pass a sparse affinity.")
    if scale != 1.0:
        W = graph.normalize_affinity(W)
    n = W.shape[0]
    report = components_of(W)
    W = _part(W, report.sizes[report.component_of] >= FEWEST_POINTS, count)
    eigenvalues, vectors = leading_eigenpairs(W, count)
    inner = _part(W, (vectors**2).sum(axis=1) < 1 / FEWEST_POINTS, count)
    if inner.shape[0] < W.shape[0]:
        W, eigenvalues = inner, leading_eigenpairs(inner, count)[0]
    return np.minimum(eigenvalues, 1.0), n - W.shape[0]


def spectral_gaps(eigenvalues: FloatArray) -> FloatArray:
    """For k = 1, 2, ...: (1 - lambda_(k+1)) / (1 - lambda_k), both raised by a share of the last 1 - lambda.

    Examples
    --------
    >>> spectral_gaps(np.array([1.0, 1.0, 0.5, 0.5])).round(1)
    array([  1., 101.,   1.])
    """
    distance = 1.0 - eigenvalues
    raised = distance + max(NEGLIGIBLE * float(distance[-1]), ROUNDING)
    return np.asarray(raised[1:] / raised[:-1])


def _numbers(n_clusters: Iterable[int]) -> list[int]:
    try:
        numbers = list(n_clusters)
    except TypeError:
        raise ValueError(f"n_clusters={n_clusters!r} must be several numbers to try, such as range(2, 13).") from None
    for number in numbers:
        if not isinstance(number, Integral) or number < 1:
            raise ValueError(f"n_clusters holds {number!r}; every number of clusters must be an integer >= 1.")
    if not numbers:
        raise ValueError(f"n_clusters={n_clusters!r} is empty; it must hold the numbers to try, such as range(2, 13).")
    return sorted({int(number) for number in numbers})


def _drawn(X: Any, max_samples: int | None, random: np.random.RandomState) -> Any:
    if max_samples is None or X.shape[0] <= max_samples:
        return X
    return X[np.sort(random.choice(X.shape[0], max_samples, replace=False))]


def _part(W: Affinity, keep: Any, count: int) -> Affinity:
    """The graph of the points to keep; all of them, where what goes would be no exception, or leave too few."""
    if keep.all() or keep.sum() <= max(count, keep.size / 2):
        return W
    rows = np.flatnonzero(keep)
    return sp.csr_array(W)[rows][:, rows] if sp.issparse(W) else W[np.ix_(rows, rows)]


def _recommendation(
    candidates: tuple[Candidate, ...], gaps: FloatArray, eigenvalues: FloatArray, n_outliers: int
) -> ClusterCount:
    best = max(candidates, key=lambda candidate: candidate.gap)
    # A gap after the first eigenvalue means a single cluster, whether or not that was to be tried.
    rivals = {1: float(gaps[0]), **{other.n_clusters: other.gap for other in candidates}}
    del rivals[best.n_clusters]
    runner_up = max(rivals, key=rivals.__getitem__, default=1)
    next_gap = rivals.get(runner_up, 1.0)
    clear = best.gap >= CLEAR_LEAD * next_gap
    return ClusterCount(
        n_clusters=best.n_clusters,
        clear=clear,
        reason=_reason(best, runner_up, next_gap, clear, eigenvalues),
        candidates=candidates,
        eigenvalues=eigenvalues,
        n_outliers=n_outliers,
    )


def _reason(best: Candidate, runner_up: int, next_gap: float, clear: bool, eigenvalues: FloatArray) -> str:
    k = counted(best.n_clusters, "cluster")
    why: str
    if clear:
        why = (
            f"{k}: the spectrum of the graph has its largest gap after eigenvalue {best.n_clusters} ({best.gap:.3g}; "
            f"the next largest, after {runner_up}, is {next_gap:.3g})."
        )
    elif 1.0 - eigenvalues[-1] < ROUNDING:
        why = Message(
            "{k} is a guess: the graph falls into at least {pieces} pieces, more than were tried. Try larger numbers, "
            "or join the pieces by more edges (a larger {neighbors}).",
            k=k,
            pieces=eigenvalues.size,
            neighbors=Parameter("n_neighbors"),
        )
    elif runner_up == 1 and next_gap > best.gap:
        why = (
            f"{k} is a guess: the graph looks like one cluster (the gap after its first eigenvalue is {next_gap:.3g}, "
            f"after {best.n_clusters} it is {best.gap:.3g})."
        )
    else:
        why = (
            f"{k}, but no number stands out: the gap after eigenvalue {best.n_clusters} is {best.gap:.3g}, after "
            f"{runner_up} it is {next_gap:.3g}. Look at both."
        )
    members = (
        f"With {k} the members of the first round agree to {best.agreement:.2f}, and the least stable cluster has a "
        f"stability of {best.stability:.2f}."
    )
    return joined([why, members])
