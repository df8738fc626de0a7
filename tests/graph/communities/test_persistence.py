"""Over which range of resolutions there are k communities."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag

from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.graph.communities.groups import find_groups
from s3nmf.graph.communities.persistence import LOWEST, STEP, persistence


def groups_of(W):
    return find_groups(weighted_graph(sp.csr_array(W)), 50, 0)


def cliques(sizes, between):
    W = block_diag(*(np.ones((size, size)) for size in sizes)) + between
    np.fill_diagonal(W, 0.0)
    return W


@pytest.mark.parametrize(("sizes", "between"), [([20, 20], 0.1), ([10, 10, 10], 0.3), ([12] * 5, 0.05)])
def test_cliques_are_told_apart_from_where_their_links_are_fewer_than_by_chance(sizes, between):
    """Two communities are joined at resolutions below the links between them over those that chance would give."""
    W = cliques(sizes, between)
    found = persistence(groups_of(W), 8, 0)
    k = len(sizes)
    strength = W.sum(axis=1)
    size = sizes[0]
    expected = strength[:size].sum() * strength[size : 2 * size].sum() / strength.sum()
    joined_below = W[:size, size : 2 * size].sum() / expected
    assert found[0] == pytest.approx(joined_below / LOWEST, rel=0.2), "one community below"
    # A single point leaves its clique when its links to it are fewer than by chance.
    leaves = W[0, :size].sum() / (strength[0] * strength[1:size].sum() / strength.sum())
    assert found[k - 1] == pytest.approx(leaves / joined_below, rel=0.2)


def test_without_links_between_them_they_are_apart_from_the_lowest_on():
    found = persistence(groups_of(cliques([15, 15, 15], 0.0)), 6, 0)
    assert found[0] == found[1] == 1.0
    assert found[2] > 50


def test_outliers_are_no_communities():
    W = block_diag(np.ones((40, 40)), np.ones((40, 40)), np.ones((2, 2)))
    found = persistence(groups_of(W), 6, 0)
    assert found[1] > 20
    assert found[2] == 1.0


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(7, 15))
def test_a_larger_number_changes_nothing_about_the_others(seed, few, many):
    random = np.random.default_rng(seed)
    A = np.triu(random.random((40, 40)) * (random.random((40, 40)) < 0.3), 1)
    groups = groups_of(A + A.T + np.diag(np.ones(39), 1) + np.diag(np.ones(39), -1))
    found = persistence(groups, many, 0)
    np.testing.assert_array_equal(persistence(groups, few, 0), found[:few])
    assert (found >= 1.0).all()
    assert STEP > 1.0
