import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.preprocessing import scale

from s3nmf import S3NMF, choose_n_clusters
from s3nmf.trust.steps import category_groups, spread_over_steps, steps_of


def test_a_table_without_steps_is_the_same_object():
    X = np.random.default_rng(0).normal(size=(100, 3))
    assert spread_over_steps(X, 7) is X
    assert spread_over_steps(sp.csr_array(X.round()), 7).format == "csr"


def test_fine_rounding_is_left_alone_and_coarse_rounding_filled():
    X = np.random.default_rng(0).normal(size=(2000, 3))
    assert steps_of(X.round(2), 11) == {}
    assert set(steps_of(np.column_stack([X[:, :2], X[:, 2].round()]), 11)) == {2}


@given(st.integers(0, 2**32 - 1), st.floats(1e-100, 1e100), st.integers(2, 6))
def test_values_stay_within_half_a_step_and_other_columns_as_they_are(seed, unit, n_values):
    random = np.random.default_rng(seed)
    X = np.column_stack([random.normal(size=60), unit * random.integers(0, n_values, 60)])
    assume(np.unique(X[:, 1]).size > 1)
    spread = spread_over_steps(X, 6)
    np.testing.assert_array_equal(spread[:, 0], X[:, 0])
    step = np.median(np.diff(np.unique(X[:, 1])))
    assert (np.abs(spread[:, 1] - X[:, 1]) <= 0.5 * step * (1 + 1e-12)).all()
    np.testing.assert_array_equal(spread, spread_over_steps(X, 6))


def test_a_wide_gap_of_its_own_stays():
    X = np.random.default_rng(0).integers(0, 4, size=(200, 1)).astype(float)
    X[100:] += 50
    spread = spread_over_steps(np.column_stack([X, np.random.default_rng(1).normal(size=200)]), 8)[:, 0]
    assert np.diff(np.sort(spread)).max() > 40


def test_categories_of_one_variable_are_spread_together():
    codes = np.random.default_rng(0).integers(0, 3, 300)
    X = np.column_stack([np.eye(3)[codes], np.random.default_rng(1).normal(size=300)])
    assert category_groups(X) == [[0, 1, 2]]
    spread = spread_over_steps(X, 8)[:, :3]
    np.testing.assert_allclose(spread.sum(axis=1), 1)
    np.testing.assert_array_equal(spread.argmax(axis=1), codes)
    assert (spread.max(axis=1) < 0.4).any(), "some points of two categories are next to each other"


def test_yes_and_no_of_two_questions_are_no_categories():
    X = np.random.default_rng(0).integers(0, 2, size=(200, 2)).astype(float)
    assert category_groups(X) == []


KINDS = {
    "answers": lambda random: random.integers(1, 6, size=(400, 5)).astype(float),
    "yes or no": lambda random: (random.uniform(size=(400, 6)) < 0.5).astype(float),
    "rare": lambda random: (random.uniform(size=(400, 6)) < 0.1).astype(float),
    "rounded": lambda random: np.column_stack([random.normal(size=(400, 2)), random.normal(size=400).round()]),
    "categories": lambda random: scale(
        np.column_stack([random.normal(size=(400, 5)), np.eye(2)[random.integers(0, 2, 400)]])
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_values_of_a_column_are_no_clusters(kind):
    wrong = [choose_n_clusters(KINDS[kind](np.random.default_rng(seed))).n_clusters > 1 for seed in range(3)]
    assert sum(wrong) <= 1


def test_clusters_are_found_beside_a_column_that_has_nothing_to_do_with_them():
    X, y = make_blobs(300, centers=[[0, 0, 0], [8, 0, 0], [0, 8, 0]], random_state=0)
    table = scale(np.column_stack([X, np.random.default_rng(0).integers(0, 2, 300)]))
    model = S3NMF().fit(table)
    assert model.n_clusters_ == 3
    shared = np.zeros((3, 3))
    np.add.at(shared, (model.labels_, y), 1)
    assert shared.max(axis=1).sum() > 285
