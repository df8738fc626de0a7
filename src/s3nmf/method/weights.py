"""How much each member counts: alpha, from how well its factor fits."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh
from scipy.special import softmax

from s3nmf._types import FloatArray
from s3nmf.graph.operators import SymmetricOperator
from s3nmf.solvers.base import Iterate


def learned_weights(residuals: FloatArray, tau: float, floor: float = 0.0) -> FloatArray:
    """The minimiser of sum_m alpha_m^tau h_m over the simplex: alpha_m = h_m^(1/(1-tau)) / sum.

    Parameters
    ----------
    residuals : array of shape (n_members,)
        h_m >= 0, the misfit of each member.
    tau : float > 1
        Near 1 the best member takes all, towards infinity all count the same.
    floor : float
        A misfit below this is rounding: members under it fit perfectly and share the weight, which stays finite.

    Examples
    --------
    >>> import numpy as np
    >>> learned_weights(np.array([1.0, 2.0, 4.0]), tau=2.0).round(3)
    array([0.571, 0.286, 0.143])
    """
    misfit = np.maximum(residuals, max(floor, np.finfo(np.float64).tiny))
    return np.asarray(softmax(np.log(misfit) / (1.0 - tau)))


def spectral_residuals(operator: SymmetricOperator, iterate: Iterate) -> FloatArray:
    """||S - V V'||_2^2 of each member, by Lanczos on products: what the authors' code takes for h.

    The paper's text takes the Frobenius norm, which every `Iterate` carries already.
    """
    residuals = np.zeros_like(iterate.objective)
    n = operator.shape[0]
    start = np.random.default_rng(0).random(n)
    for member in np.flatnonzero(iterate.objective > rounding_level(operator)):
        V = iterate.factors[int(member)]
        difference = LinearOperator((n, n), matvec=lambda x, V=V: operator @ x - V @ (V.T @ x), dtype=np.float64)
        residuals[member] = eigsh(difference, k=1, which="LM", v0=start, return_eigenvectors=False)[0] ** 2
    return residuals


def rounding_level(operator: SymmetricOperator) -> float:
    """The misfit that the trace form of the objective cannot tell from zero; measured, with room to spare."""
    return float(100 * np.finfo(operator.precision).eps * operator.squared_norm)
