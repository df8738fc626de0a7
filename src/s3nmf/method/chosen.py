"""Which partition is handed out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.method.result import Round


def best_round(agreement: Sequence[float]) -> int:
    """The first round with the highest agreement.

    Of rounds whose members agree equally, the later ones cost more and gain nothing.

    Parameters
    ----------
    agreement : sequence of float
        Of the members of each round, in the order of the rounds.

    Returns
    -------
    int
        The number of the round, counted from 1.

    Examples
    --------
    >>> best_round([0.4, 0.9, 0.9, 0.8])
    2
    """
    return 1 + max(range(len(agreement)), key=lambda place: agreement[place])


def chosen_round(history: Sequence[Round]) -> Round:
    """The best of the rounds that factorized.

    Partitions that round 1 has from elsewhere, of any number of clusters each, are what is voted on; they are chosen
    from only where nothing was factorized.
    """
    candidates = [found for found in history if found.is_factorized] or list(history)
    return candidates[best_round([found.agreement for found in candidates]) - 1]


def final_partition(member_labels: IntArray, weights: FloatArray, n_clusters: int) -> IntArray:
    """The partition of the member with the largest weight, of those with as many clusters as were asked for, or nearly.

    Examples
    --------
    >>> final_partition(np.array([[0, 0, 0], [0, 0, 1]]), np.array([0.6, 0.4]), n_clusters=2)
    array([0, 0, 1])
    """
    away = np.abs(member_labels.max(axis=1).astype(np.intp) + 1 - n_clusters)
    return np.array(member_labels[np.argmax(np.where(away == away.min(), weights, -1.0))], dtype=np.intp)
