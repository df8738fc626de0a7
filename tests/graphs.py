"""Random affinities for property tests: sparse or dense, with isolated points, duplicates and several components."""

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st


def random_affinity(seed, n, density):
    rng = np.random.default_rng(seed)
    A = rng.random((n, n)) * (rng.random((n, n)) < density)
    A = np.triu(A, 1)
    A[0, 1] = 0.5
    return A + A.T


@st.composite
def affinities(draw, min_n=3, max_n=20):
    n = draw(st.integers(min_n, max_n))
    W = random_affinity(draw(st.integers(0, 2**32 - 1)), n, draw(st.sampled_from([0.1, 0.3, 0.7, 1.0])))
    if draw(st.booleans()) and n > 4:
        W[:, -1] = W[-1, :] = 0.0  # an isolated point
    if draw(st.booleans()) and n > 5:
        W[:, 2], W[2, :] = W[:, 3], W[3, :]  # a duplicate
        W = np.maximum(W, W.T)
        np.fill_diagonal(W, 0.0)
    return W


def connected_affinity(seed, n):
    """All points similar, so that no row of a factor vanishes."""
    W = random_affinity(seed, n, 1.0) + 0.1
    np.fill_diagonal(W, 0.0)
    return W


def partitions(max_n=30, max_clusters=5):
    return st.integers(2, max_n).flatmap(
        lambda n: st.lists(st.integers(0, max_clusters - 1), min_size=n, max_size=n).map(np.array)
    )


def two_partitions(max_n=30, max_clusters=5):
    return st.integers(1, max_n).flatmap(
        lambda n: st.tuples(
            *[st.lists(st.integers(0, max_clusters - 1), min_size=n, max_size=n).map(np.array) for _ in range(2)]
        )
    )


def member_partitions(max_members=6, max_n=25, max_clusters=4):
    return st.tuples(st.integers(1, max_members), st.integers(2, max_n), st.integers(0, 2**32 - 1)).map(
        lambda shape: np.random.default_rng(shape[2]).integers(0, max_clusters, shape[:2])
    )


def planted_blocks(n, n_blocks, within=12, across=1, seed=0):
    """A sparse graph with n points in equal blocks: so many random edges a point within its block and across."""
    rng = np.random.default_rng(seed)
    block_of = np.repeat(np.arange(n_blocks), -(-n // n_blocks))[:n]
    first = np.repeat(np.arange(n), within)
    last = n // n_blocks * block_of[first] + rng.integers(0, n // n_blocks, first.size)
    rows = np.concatenate([first, np.repeat(np.arange(n), across)])
    columns = np.concatenate([last, rng.integers(0, n, across * n)])
    A = sp.csr_array((np.ones(rows.size), (rows, columns)), shape=(n, n))
    return sp.csr_array(A + A.T), block_of
