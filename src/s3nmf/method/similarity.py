"""What the members of a round make of the data: the similarity that the next round factorizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from s3nmf._types import IntArray
from s3nmf.graph.operators import CoAssociation, Problem, collapsed_co_association, soft_co_association
from s3nmf.method.members import Members

# A cluster with this part of an equal share weighs a quarter of a large one. Measured: from .02 on outliers are not
# taken for clusters; from .1 on, clusters of a fifth of an equal share are joined more often.
_FEW = 0.05

Rebuild: TypeAlias = Callable[[Members, int, Any, IntArray | None], Problem]
"""From members, the number of clusters, the precision of the factors to come, and the place of each point in an order
that is not that of the data, to the next similarity."""


def collapsed(members: Members, n_clusters: int, precision: Any, place: IntArray | None) -> Problem:
    """S = sum_m alpha_m M_m M_m' with one row for all points that no member tells apart, which so stay together."""
    return collapsed_co_association(members.labels, members.weights, precision, place=place)


def normalized(members: Members, n_clusters: int, precision: Any, place: IntArray | None) -> Problem:
    """The same as D^-1/2 S D^-1/2, D the row sums of S and a little more: clusters weigh alike, outliers do not.

    Without the little more, any few points that all members keep apart would be a cluster.
    """
    few = _FEW * members.labels.shape[1] / n_clusters
    return collapsed_co_association(members.labels, members.weights, precision, few=few, place=place)


def literal(members: Members, n_clusters: int, precision: Any, place: IntArray | None) -> Problem:
    """The same with a row for each point, in double precision: the paper to the letter."""
    return Problem(CoAssociation(members.labels, members.weights), np.arange(members.labels.shape[1]))


def soft(members: Members, n_clusters: int, precision: Any, place: IntArray | None) -> Problem:
    """S = sum_m alpha_m V_m V_m' of the factors, whose rows are those of the round before."""
    return Problem(soft_co_association(members.factors, members.weights, precision), members.row_of)


SIMILARITIES: dict[str, Rebuild] = {
    "collapsed": collapsed,
    "normalized": normalized,
    "literal": literal,
    "soft": soft,
}
