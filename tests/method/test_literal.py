"""The paper's algorithms, as they are written down."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import connected_affinity
from literal import algorithm_1
from s3nmf import Recipe, self_supervised_nmf
from s3nmf.partitions import by_decreasing_size

WEIGHTINGS = pytest.mark.parametrize("weighting", ["learned", "uniform"])
SIMILARITIES = pytest.mark.parametrize("similarity", ["literal", "soft"])


def assert_same_as_literal(W, starts, weighting, similarity, **settings):
    result = self_supervised_nmf(
        sp.csr_array(W),
        starts.shape[-1],
        members="factorizations",
        n_members=starts.shape[1],
        max_rounds=len(starts),
        recipe=replace(Recipe.named("text"), starts=starts, weighting=weighting, similarity=similarity, **settings),
    )
    history, levels = algorithm_1(W, starts, learned=weighting == "learned", soft=similarity == "soft", **settings)
    assert len(result.history) == len(history)
    for found, (labels, alpha), level in zip(result.history, history, levels, strict=True):
        np.testing.assert_array_equal(found.member_labels, [by_decreasing_size(member) for member in labels])
        if similarity == "literal" or found.number == 1:  # soft similarities are fitted down to rounding
            np.testing.assert_allclose(found.weights, alpha, rtol=1e-4, atol=1e-12)
        assert found.agreement == pytest.approx(level)
    assert result.chosen_round == int(np.argmax(np.round(levels, 9))) + 1


@WEIGHTINGS
@SIMILARITIES
@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_iris_is_clustered_as_by_the_literal_algorithms(iris_affinity, weighting, similarity):
    starts = np.random.default_rng(0).random((5, 10, 150, 3))
    assert_same_as_literal(iris_affinity.toarray(), starts, weighting, similarity)


@WEIGHTINGS
@SIMILARITIES
@settings(max_examples=15)
@given(n=st.integers(8, 24), n_clusters=st.integers(2, 4), seed=st.integers(0, 10_000))
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_random_graphs_are_clustered_as_by_the_literal_algorithms(weighting, similarity, n, n_clusters, seed):
    W = connected_affinity(seed, n)
    W /= np.linalg.eigvalsh(W)[-1]
    starts = np.random.default_rng(seed).random((4, 5, n, n_clusters))
    assert_same_as_literal(W, starts, weighting, similarity, max_iter=60)


def test_given_starts_and_the_objective_are_in_the_units_of_the_affinity():
    W = 40 * connected_affinity(0, 20)
    starts = np.random.default_rng(0).random((2, 3, 20, 2))
    before = starts.copy()
    recipe = Recipe(starts=starts)
    result = self_supervised_nmf(W, 2, members="factorizations", n_members=3, max_rounds=2, recipe=recipe)
    expected = [np.linalg.norm(W - V @ V.T) ** 2 for V in starts[0]]
    np.testing.assert_allclose(result.history[0].objective[0], expected)
    np.testing.assert_array_equal(starts, before)


def test_a_recipe_with_starts_for_every_point_lets_no_points_share_a_row():
    starts = np.random.default_rng(0).random((2, 3, 20, 2))
    settings = {"members": "factorizations", "n_members": 3, "max_rounds": 2}
    collapsed, literal = (
        self_supervised_nmf(
            connected_affinity(0, 20), 2, recipe=Recipe(starts=starts, similarity=similarity), **settings
        )
        for similarity in ("collapsed", "literal")
    )
    np.testing.assert_array_equal(collapsed.history[1].objective, literal.history[1].objective)
