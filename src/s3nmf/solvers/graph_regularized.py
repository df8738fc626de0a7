"""Graph regularisation (Gao, Guan, Su 2018): min ||W - V V'||^2 + strength tr(V'L V), V >= 0, with L = D - W.

The regularizer asks neighbours to have similar rows of V. Since tr(V'L V) = sum_i D_ii ||V_i||^2 - <V, W V>, its second
part joins W and its first part is a penalty on rows: the update is the multiplicative one, for an operator that knows
both, V <- V * ((1 + strength / 2) W V / (V V'V + (strength / 2) D V))^(1/4). It is monotone, by the same proof.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s3nmf._types import Affinity
from s3nmf.graph.operators import AffinityOperator


def graph_regularized(W: Affinity, strength: float, precision: Any = np.float64) -> AffinityOperator:
    """The operator of W whose factorization is regularised by its own graph; with strength 0 that of W."""
    plain = AffinityOperator(W, precision=precision)
    if strength == 0.0:
        return plain
    operator = AffinityOperator(W * (1.0 + strength / 2.0), precision=precision)
    operator.squared_norm = plain.squared_norm
    operator.row_penalty = np.asarray(W.sum(axis=1), dtype=np.float64).ravel() * (strength / 2.0)
    return operator
