from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.ranks import Ranking, critical_difference, rank


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_is_that_of_demsars_table(k, q):
    assert critical_difference(k, 14) == pytest.approx(q * np.sqrt(k * (k + 1) / (6 * 14)), rel=1e-3)


def test_ranks_by_hand():
    scores = np.array([[0.9, 0.8, 0.7], [0.5, 0.6, 0.6], [0.3, 0.2, 0.1]])
    found = rank(["A", "B", "C"], scores)
    assert found.methods == ("A", "B", "C")
    assert found.ranks == pytest.approx((5 / 3, 5.5 / 3, 7.5 / 3))
    # By hand, with the correction for the tie: 12 / (3 * 3 * 4) (5^2 + 5.5^2 + 7.5^2) - 3 * 3 * 4 = 1.1667, divided by
    # 1 - 6 / (3 * 3 * 8) = 11 / 12: chi^2 = 1.2727 with two degrees of freedom, of which exp(-chi^2 / 2) is the tail.
    assert found.p_value == pytest.approx(np.exp(-1.2727 / 2), abs=1e-4)
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
    assert joined == (alike if found.p_value < 0.05 else {(i, j) for i in range(k) for j in range(i + 1, k)})


def test_where_friedman_finds_nothing_no_two_methods_differ():
    """Six methods, the first better on average, in an order that chance could have made."""
    found = Ranking(tuple("abcdef"), (1.0, 3.0, 3.5, 4.0, 4.5, 5.0), 3, p_value=0.2, critical_difference=3.0)
    assert found.alike("a") == list("bcdef")
    assert found.groups() == [(0, 5)]
    assert replace(found, p_value=0.01).alike("a") == list("bc")
