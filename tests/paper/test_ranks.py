import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare

from s3nmf.paper.ranks import critical_difference, rank


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_is_that_of_demsars_table(k, q):
    assert critical_difference(k, 14) == pytest.approx(q * np.sqrt(k * (k + 1) / (6 * 14)), rel=1e-3)


def test_ranks_by_hand():
    scores = np.array([[0.9, 0.8, 0.7], [0.5, 0.6, 0.6], [0.3, 0.2, 0.1]])
    found = rank(["A", "B", "C"], scores)
    assert found.methods == ("A", "B", "C")
    assert found.ranks == pytest.approx((5 / 3, 5.5 / 3, 7.5 / 3))
    assert found.p_value == pytest.approx(friedmanchisquare(*scores.T).pvalue)
    assert found.n_datasets == 3
    assert found.alike("A") == ["B", "C"]
    assert found.groups() == [(0, 2)]


def test_methods_that_always_differ_are_told_apart():
    rng = np.random.default_rng(0)
    scores = np.arange(6)[::-1] + 0.1 * rng.random((40, 6))
    found = rank(list("abcdef"), scores)
    assert found.methods == tuple("abcdef")
    assert found.ranks == (1, 2, 3, 4, 5, 6)
    assert found.p_value < 1e-10
    assert found.alike("a") == ["b"]
    assert found.groups() == [(j, j + 1) for j in range(5)]


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(3, 8))
def test_groups_hold_all_pairs_that_are_alike_and_no_other(seed, n, k):
    scores = np.random.default_rng(seed).random((n, k)) + np.linspace(0, 2, k)
    found = rank([f"m{j}" for j in range(k)], scores)
    assert sum(found.ranks) == pytest.approx(k * (k + 1) / 2)
    joined = {(i, j) for first, last in found.groups() for i in range(first, last + 1) for j in range(i + 1, last + 1)}
    alike = {
        (i, j) for i in range(k) for j in range(i + 1, k) if found.ranks[j] - found.ranks[i] < found.critical_difference
    }
    assert joined == alike
