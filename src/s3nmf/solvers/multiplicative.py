"""The multiplicative update of the paper: V <- V * (S V / V V'V)^(1/4)."""

from __future__ import annotations

import numpy as np

from s3nmf._types import FloatArray
from s3nmf.operators import SymmetricOperator
from s3nmf.solvers.base import Iterate

# Keeps 0 / 0 = 0 where a row of V has vanished, as that of a point without neighbours does.
EPSILON = float(np.finfo(np.float64).eps)


def multiplicative_sweep(operator: SymmetricOperator, iterate: Iterate) -> FloatArray:
    """One update of every entry of every member: O(n c^2) a member beside the product S V.

    It minimises an auxiliary function that touches the objective at V and lies above it elsewhere, so the objective
    never increases. Scaling S or V scales the next V, and no label changes.
    """
    V = iterate.factors
    # One array holds V V'V, then the ratio, its root and the new V: fresh ones cost more than the arithmetic.
    following = np.empty_like(V)
    np.matmul(V.transpose(1, 0, 2), iterate.gram, out=following.transpose(1, 0, 2))
    following += EPSILON
    np.divide(iterate.product, following, out=following)
    np.sqrt(following, out=following)
    np.sqrt(following, out=following)
    following *= V
    return following
