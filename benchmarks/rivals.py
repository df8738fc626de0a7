"""The same sweeps as a careful NumPy user would write them: dense with BLAS, and sparse with SciPy.

Both stack the members side by side, so that one product serves all, and take the objective by its trace form.
"""

import time

import numpy as np


def stacked_sweep(S, V):
    """One sweep of all members, V (n, b, c), and their objective; S is an array or a sparse matrix."""
    n = V.shape[0]
    product = np.asarray(S @ V.reshape(n, -1)).reshape(V.shape)
    by_member = V.transpose(1, 0, 2)
    gram = by_member.transpose(0, 2, 1) @ by_member
    objective = -2 * np.einsum("nbc,nbc->b", V, product) + np.einsum("bij,bij->b", gram, gram)
    following = np.empty_like(V)
    np.matmul(by_member, gram, out=following.transpose(1, 0, 2))
    following += np.finfo(np.float64).eps
    np.divide(product, following, out=following)
    np.sqrt(following, out=following)
    np.sqrt(following, out=following)
    following *= V
    return following, objective


def seconds_a_sweep(S, n_members, n_clusters, repeats):
    """The least time of a sweep; the products decide it, so it is the same in every round of a dense fit."""
    V = np.random.default_rng(0).random((S.shape[0], n_members, n_clusters)).astype(S.dtype)
    best = np.inf
    for _ in range(repeats + 1):
        began = time.perf_counter()
        V, _ = stacked_sweep(S, V)
        best = min(best, time.perf_counter() - began)
    return best
