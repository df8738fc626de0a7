"""The paper's five scores of a partition against the truth. Names of clusters do not matter to any of them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix
from sklearn.utils import check_consistent_length, column_or_1d

from s3nmf._labels import labels_of
from s3nmf._types import IntArray


class Scores(NamedTuple):
    """ACC, NMI, purity, ARI and pairwise F1; 1 is perfect in each."""

    accuracy: float
    nmi: float
    purity: float
    ari: float
    f1: float


def evaluate(y_true: ArrayLike, y_pred: ArrayLike, *, nmi_average: Literal["max", "arithmetic"] = "max") -> Scores:
    """All five scores at once.

    Examples
    --------
    >>> evaluate([0, 0, 1, 1], ["b", "b", "a", "a"])
    Scores(accuracy=1.0, nmi=1.0, purity=1.0, ari=1.0, f1=1.0)
    """
    return Scores(
        accuracy=accuracy(y_true, y_pred),
        nmi=normalized_mutual_information(y_true, y_pred, average=nmi_average),
        purity=purity(y_true, y_pred),
        ari=adjusted_rand_index(y_true, y_pred),
        f1=pairwise_f1(y_true, y_pred),
    )


def correct(y_true: ArrayLike, y_pred: ArrayLike) -> NDArray[np.bool_]:
    """Which points are right under the best one-to-one naming of clusters by classes.

    A cluster without a class of its own is wrong, whatever is in it.

    Examples
    --------
    >>> correct([0, 0, 0, 1], [5, 5, 7, 7])
    array([ True,  True, False,  True])
    """
    truth, prediction = _labels(y_true, y_pred)
    _, classes = np.unique(truth, return_inverse=True)
    _, clusters = np.unique(prediction, return_inverse=True)
    table = contingency_matrix(classes, clusters, dtype=np.int64)
    rows, columns = linear_sum_assignment(table, maximize=True)
    class_of = np.full(table.shape[1], -1)
    class_of[columns] = rows
    return np.asarray(class_of[clusters] == classes)


def aligned(labels: IntArray, reference: IntArray) -> IntArray:
    """The same clusters under the numbers of those of a reference that they share most points with, one to one.

    So clusters keep their numbers from one fit to the next: the reference are earlier labels, -1 for points that are
    new. Clusters that are left over, or have no point in common with any of the reference, get the next free numbers,
    in their order. -1, which is no cluster, stays.

    Examples
    --------
    >>> aligned(np.array([0, 0, 1, 1, 2, -1]), np.array([1, 1, 0, 0, 0, 0]))
    array([ 1,  1,  0,  0,  2, -1])
    """
    placed = (labels >= 0) & (reference >= 0)
    n_names, n_known = int(labels.max()) + 1, int(reference.max()) + 1
    shared = np.zeros((n_names, n_known), dtype=np.int64)
    np.add.at(shared, (labels[placed], reference[placed]), 1)
    rows, columns = linear_sum_assignment(shared, maximize=True)
    named = np.full(n_names, -1)
    in_common = shared[rows, columns] > 0
    named[rows[in_common]] = columns[in_common]
    named[named < 0] = np.arange(n_known, n_known + int((named < 0).sum()))
    return np.append(named, -1)[labels]  # the last stands for -1


def accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Share of points that are `correct`.

    Examples
    --------
    >>> accuracy([0, 0, 0, 1], [5, 5, 7, 7])
    0.75
    """
    return float(correct(y_true, y_pred).mean())


def normalized_mutual_information(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: Literal["max", "arithmetic"] = "max"
) -> float:
    """Mutual information over the larger entropy ("max", as in the paper's tables) or their mean (as in its text).

    Examples
    --------
    >>> round(normalized_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.6667
    >>> round(normalized_mutual_information([0, 0, 1, 1], [0, 0, 1, 2], average="arithmetic"), 4)
    0.8
    """
    return float(normalized_mutual_info_score(*_labels(y_true, y_pred), average_method=average))


def purity(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Share of points in the largest class of their cluster; never below `accuracy`.

    Examples
    --------
    >>> purity([0, 0, 0, 1], [5, 5, 7, 8])
    1.0
    """
    table = contingency_matrix(*_labels(y_true, y_pred), dtype=np.int64)
    return float(table.max(axis=0).sum() / table.sum())


def adjusted_rand_index(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Agreement over pairs of points, corrected for chance (Hubert and Arabie); 0 is chance.

    Examples
    --------
    >>> adjusted_rand_index([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return float(adjusted_rand_score(*_labels(y_true, y_pred)))


def pairwise_f1(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """F1 of the pairs of points that are put together. Precision or recall over no pair at all is 1.

    Examples
    --------
    >>> pairwise_f1([0, 0, 1, 1], [0, 0, 0, 0])
    0.5
    """
    (_, only_pred), (only_true, both) = pair_confusion_matrix(*_labels(y_true, y_pred)).tolist()
    precision = both / (both + only_pred) if both + only_pred else 1.0
    recall = both / (both + only_true) if both + only_true else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _labels(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both by numbers 0, 1, ...: scikit-learn makes integers of labels, of which huge floats have none."""
    truth, prediction = (column_or_1d(labels_of(y, name)) for y, name in ((y_true, "y_true"), (y_pred, "y_pred")))
    check_consistent_length(truth, prediction)
    if truth.size == 0:
        raise ValueError("y_true and y_pred are empty; scores need at least one point.")
    return np.unique(truth, return_inverse=True)[1], np.unique(prediction, return_inverse=True)[1]
