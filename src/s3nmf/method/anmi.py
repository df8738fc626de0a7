"""How well the members agree: the average normalised mutual information (ANMI) of their partitions."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from s3nmf._labels import labels_of
from s3nmf._types import FloatArray, IntArray
from s3nmf.partitions import by_decreasing_size, distinct_tuples, one_hot

NMIAverage: TypeAlias = Literal["arithmetic", "max"]
Pairs: TypeAlias = Literal["distinct", "all"]


def pairwise_nmi(member_labels: ArrayLike, average: NMIAverage = "arithmetic") -> FloatArray:
    """NMI of every two members, (b, b), from one sparse product over the u different tuples of labels: O(n b + u b^2).

    Two partitions into a single cluster agree (1); a single cluster says nothing about any other partition (0).
    """
    tuples, _, counts = distinct_tuples(_renamed(member_labels))
    return _nmi_of_pairs(tuples, counts, average)


def agreement(member_labels: ArrayLike, average: NMIAverage = "arithmetic", pairs: Pairs = "distinct") -> float:
    """ANMI of the members; exactly 1 if and only if all partitions are the same (or there is only one).

    Parameters
    ----------
    member_labels : array of shape (n_members, n_samples)
    average : {"arithmetic", "max"}
        What mutual information is divided by: the mean of the two entropies, or the larger one.
    pairs : {"distinct", "all"}
        The mean over pairs of different members, or, as in the authors' code, over all ordered pairs, a member with
        itself included.

    Examples
    --------
    >>> import numpy as np
    >>> agreement(np.array([[0, 0, 1, 1], [1, 1, 0, 0]]))
    1.0
    >>> agreement([["a", "a", "b", "b"], ["a", "b", "a", "b"]])
    0.0
    """
    return agreement_of_named(_renamed(member_labels), average, pairs)


def agreement_of_named(member_labels: IntArray, average: NMIAverage, pairs: Pairs) -> float:
    """The same for labels by decreasing size, by which equal partitions have equal names."""
    tuples, _, counts = distinct_tuples(member_labels)
    if (tuples == tuples[0]).all():
        return 1.0
    nmi = _nmi_of_pairs(tuples, counts, average)
    if pairs == "distinct":
        nmi = nmi[np.triu_indices_from(nmi, k=1)]
    return min(float(nmi.mean()), float(np.nextafter(1.0, 0.0)))


def _nmi_of_pairs(tuples: IntArray, counts: IntArray, average: NMIAverage) -> FloatArray:
    n_members, n = len(tuples), counts.sum()
    B = one_hot(tuples)
    tables = (B.T @ B.multiply(counts[:, None])).tocoo()
    member_of = np.arange(B.shape[1]) // (B.shape[1] // n_members)
    pair = member_of[tables.row] * n_members + member_of[tables.col]
    joint = np.bincount(pair, weights=entr(tables.data / n), minlength=n_members**2).reshape(n_members, n_members)
    entropy = np.diag(joint)
    information = entropy[:, None] + entropy - joint
    scale = np.maximum(entropy[:, None], entropy) if average == "max" else (entropy[:, None] + entropy) / 2
    nmi: FloatArray = np.divide(information, scale, out=np.ones_like(scale), where=scale > 0)
    return np.clip(nmi, 0.0, 1.0)


def _renamed(member_labels: ArrayLike) -> IntArray:
    labels = labels_of(member_labels, "member_labels")
    if labels.ndim != 2 or labels.size == 0:
        raise ValueError(f"member_labels has shape {labels.shape}; it must be (n_members, n_samples).")
    return np.array([by_decreasing_size(member) for member in labels])
