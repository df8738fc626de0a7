"""Compare methods on the same data: how far they agree, with each other and with what is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import check_consistent_length, check_random_state

from s3nmf._messages import Message
from s3nmf._notebook import html_table
from s3nmf._sklearn import Interval, StrOptions
from s3nmf._types import FloatArray
from s3nmf._validation import check_affinity, check_features, check_n_clusters, check_parameters
from s3nmf._words import counted, listed, two_digits
from s3nmf.baselines.comparison.contestants import Problem, chosen
from s3nmf.baselines.comparison.names import TITLES, name_of
from s3nmf.baselines.comparison.running import Failure, MethodFit, run_each
from s3nmf.graph import affinity as graph
from s3nmf.graph import nearest_neighbor_affinity
from s3nmf.graph.neighbors import NeighborCount
from s3nmf.metrics import normalized_mutual_information

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 2, None, closed="left")],
    "affinity": [StrOptions({"nearest_neighbors", "precomputed"})],
    "n_neighbors": graph.PARAMETERS["n_neighbors"],
    "random_state": ["random_state"],
}


@dataclass(frozen=True, eq=False)
class Comparison:
    """What several methods found in the same data; a notebook shows it as a table.

    Attributes
    ----------
    fits : tuple of MethodFit
        In the order in which they were run.
    notes : tuple of str
        Which methods were left out or failed, and why; and how many points were left in no cluster.
    """

    fits: tuple[MethodFit, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, runs: Iterable[MethodFit | Failure], notes: Iterable[str] = ()) -> Self:
        """Of what was run, and what is to be said of what was not."""
        done = list(runs)
        fits = tuple(run for run in done if isinstance(run, MethodFit))
        failed = [_failed(run) for run in done if isinstance(run, Failure)]
        noise = [f"{fit.title} left {counted(fit.n_noise, 'point')} in no cluster." for fit in fits if fit.n_noise]
        return cls(fits, (*notes, *failed, *noise))

    @property
    def agreement(self) -> FloatArray:
        """Normalised mutual information of what every two methods found, (n_methods, n_methods)."""
        values = np.eye(len(self.fits))
        for one, other in zip(*np.triu_indices(len(self.fits), k=1), strict=True):
            value = normalized_mutual_information(self.fits[one].labels, self.fits[other].labels, average="arithmetic")
            values[one, other] = values[other, one] = value
        return values

    @property
    def sentences(self) -> tuple[str, ...]:
        """How far the methods agree, and which of them comes closest: to known groups, or to the others."""
        if len(self.fits) == 1:
            return ()
        agreement = self.agreement
        others = (agreement.sum(axis=0) - 1) / (len(self.fits) - 1)
        said = f"They agree to {two_digits(others.mean())} in the mean of all pairs (NMI; 1 is the same clusters)."
        right = np.array([fit.scores.accuracy for fit in self.fits if fit.scores is not None])
        if right.size:
            return said, f"Closest to the known groups: {self._best(right)} (accuracy)."
        return said, f"Closest to all others: {self._best(others)}."

    def table(self) -> list[tuple[str, ...]]:
        """The methods as text, a header first."""
        return [header(known=self.fits[0].scores is not None), *map(cells, self.fits)]

    def __str__(self) -> str:
        return "\n".join([*self.sentences, *self.notes])

    def _repr_html_(self) -> str:
        first, *rows = self.table()
        return html_table([*self.sentences, *self.notes], first, rows)

    def _best(self, values: FloatArray) -> str:
        """The methods with the highest value, as far as it is shown."""
        best = two_digits(values.max())
        names = [fit.name for fit, value in zip(self.fits, values, strict=True) if two_digits(value) == best]
        return f"{listed(names)}, {best}"


def header(*, known: bool) -> tuple[str, ...]:
    """Names of the columns of a comparison, with known groups or without: as many as 80 characters have room for."""
    scores = ("accuracy", "NMI") if known else ()
    return "method", "in words", *scores, "clusters", "agreement", "seconds"


def cells(fit: MethodFit) -> tuple[str, ...]:
    """A row of a comparison; the agreement is that with the first method."""
    scores = () if fit.scores is None else (fit.scores.accuracy, fit.scores.nmi)
    values = (*map(two_digits, scores), str(fit.n_clusters), two_digits(fit.with_first), f"{fit.seconds:.2f}")
    return fit.name, fit.title, *values


def compare_methods(
    X: Any,
    n_clusters: int,
    *,
    methods: Sequence[str] | None = None,
    truth: Any = None,
    affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
    n_neighbors: NeighborCount = "auto",
    random_state: Any = None,
) -> Comparison:
    """Run many methods on the same data, and see how far they agree.

    S3NMF by default, k-means, a Gaussian mixture, HDBSCAN, Leiden where igraph is installed (extra `leiden`), and the
    thirteen methods of `s3nmf.methods`, which are all given the same graph. HDBSCAN counts the clusters itself, Leiden
    is given the resolution that makes about so many.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or (n_samples, n_samples) if precomputed
    n_clusters : int
    methods : sequence of str or None
        Which ones, by their short names or in words; all by default, but for those that would take hours.
    truth : sequence of length n_samples, or None
        Known groups to score by.
    affinity, n_neighbors
        The graph, as for `S3NMF`.
    random_state : int, RandomState or None

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import compare_methods
    >>> X, y = make_blobs(120, centers=[[0, 0], [8, 0], [4, 7]], random_state=0)
    >>> found = compare_methods(X, 3, methods=["default", "k-means"], truth=y, random_state=0)
    >>> for sentence in found.sentences:
    ...     print(sentence)
    They agree to 1.00 in the mean of all pairs (NMI; 1 is the same clusters).
    Closest to the known groups: default and KMeans, 1.00 (accuracy).
    """
    check_parameters(PARAMETERS, locals(), "compare_methods")
    asked = None if methods is None else [_known(name) for name in methods]
    drawn = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    seed = int(random_state if isinstance(random_state, Integral) else drawn)
    points = None if affinity == "precomputed" else check_features(X)
    W = check_affinity(X) if points is None else nearest_neighbor_affinity(points, n_neighbors)
    check_n_clusters(n_clusters, W.shape[0])
    known = None if truth is None else numbered(truth)
    check_consistent_length(known, W)
    running, notes = chosen(asked, W.shape[0], has_points=points is not None)
    found = Comparison.of(run_each(running, Problem(points, W, n_clusters, seed, n_neighbors), known), notes)
    if not found.fits:
        raise ValueError(" ".join(["No method could be run.", *found.notes]))
    return found


def numbered(groups: Any) -> Any:
    """Known groups of any kind as numbers from 0."""
    return np.unique(np.array([str(group) for group in groups]), return_inverse=True)[1]


def _known(text: str) -> str:
    name = name_of(text)
    if name is None:
        raise ValueError(f"methods holds {text!r}, which is none. Choose from {', '.join(TITLES)}.")
    return name


def _failed(run: Failure) -> str:
    said = run.error.args[0] if run.error.args else type(run.error).__name__
    return Message("{} failed: {}", run.title, said)
