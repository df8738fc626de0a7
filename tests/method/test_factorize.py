import numpy as np
import pytest

from ensembles import planted_ensemble
from s3nmf import DisconnectedGraphWarning, Recipe, self_supervised_nmf
from s3nmf._threads import ALONE
from s3nmf.graph.operators import collapsed_co_association
from s3nmf.method.factorize import most_promising
from s3nmf.method.members import equal_members
from s3nmf.solvers.base import StepBelow
from s3nmf.solvers.multiplicative import multiplicative
from s3nmf.solvers.starts import start_source


@pytest.mark.parametrize("n_members", [1, 3, 7])
def test_trials_keep_the_starts_that_fit_best_of_all_in_their_order(n_members):
    _, partitions = planted_ensemble(0, 200, 5)
    operator, _ = collapsed_co_association(partitions, np.full(20, 0.05))
    starts = start_source("uniform", n_members, 5, 0)(2, operator)
    kept = most_promising(operator, starts, 4, sweeps=50, solver=multiplicative, threads=ALONE)
    one_by_one = [
        multiplicative(operator, starts.times(4)[m : m + 1], max_iter=50, stop=StepBelow(0.0))
        for m in range(4 * n_members)
    ]
    best = np.sort(np.argsort([float(run.residuals[0]) for run in one_by_one])[:n_members])
    assert len(kept) == n_members
    for V, member in zip(kept, best, strict=True):
        np.testing.assert_allclose(V, one_by_one[member].factors[0], rtol=1e-6)


@pytest.mark.parametrize("members", ["communities", "factorizations"])
def test_trying_more_starts_leaves_the_first_round_and_improves_the_fit_of_later_ones(blobs_affinity, members):
    means = []
    for seed in range(4):
        one, four = (
            self_supervised_nmf(
                blobs_affinity,
                6,
                members=members,
                random_state=seed,
                max_rounds=2,
                recipe=Recipe(starts="uniform", trials=trials),
            )
            for trials in (1, 4)
        )
        np.testing.assert_array_equal(one.history[0].member_labels, four.history[0].member_labels)
        means.append([run.history[1].objective[-1].mean() for run in (one, four)])
    assert (np.diff(means, axis=1) <= 1e-6).all()
    assert np.mean(means, axis=0)[1] < 0.95 * np.mean(means, axis=0)[0]


def test_partitions_from_elsewhere_weigh_the_same_and_have_no_sweeps():
    members = equal_members(np.array([[0, 0, 1], [0, 1, 2], [0, 0, 0]]))
    np.testing.assert_allclose(members.weights, 1 / 3)
    assert members.objective.shape == (0, 3)
    assert members.n_iter == 0
    assert members.converged


@pytest.mark.parametrize("n_clusters", [300, 70_000])
def test_labels_of_many_clusters_keep_their_numbers(n_clusters):
    labels = np.arange(n_clusters)[None, :]
    np.testing.assert_array_equal(equal_members(labels).labels, labels)


@pytest.mark.parametrize("members", ["communities", "factorizations"])
def test_uniform_weights_are_uniform_and_learned_ones_differ(blobs_affinity, members):
    settings = {"members": members, "max_rounds": 2, "random_state": 0}
    uniform = self_supervised_nmf(blobs_affinity, 6, recipe=Recipe(weighting="uniform"), **settings)
    for found in uniform.history:
        np.testing.assert_allclose(found.weights, 1 / 20)
    learned = self_supervised_nmf(blobs_affinity, 6, **settings)
    for found in learned.history:
        assert found.weights.sum() == pytest.approx(1)
        assert (found.weights.std() > 1e-6) == found.is_factorized


def test_spectral_and_frobenius_weights_differ_a_little(blobs_affinity):
    runs = [
        self_supervised_nmf(
            blobs_affinity,
            6,
            members="factorizations",
            max_rounds=1,
            recipe=Recipe(residual_norm=norm, max_iter=20),
            random_state=0,
        )
        for norm in ("frobenius", "spectral")
    ]
    np.testing.assert_array_equal(runs[0].member_labels, runs[1].member_labels)
    difference = np.abs(runs[0].weights - runs[1].weights).max()
    assert 1e-6 < difference < 0.05


def test_perfect_fits_weigh_the_same():
    """Rounding must not pick a winner among members that all fit perfectly."""
    cliques = np.kron(np.eye(3), np.ones((60, 60)))
    starts = np.random.default_rng(0).uniform(1, 1.01, (1, 6, 3, 3)) * np.eye(3)
    recipe = Recipe(starts=np.repeat(starts, 60, axis=2), tol=1e-12)
    with pytest.warns(DisconnectedGraphWarning):
        result = self_supervised_nmf(cliques, 3, members="factorizations", n_members=6, max_rounds=1, recipe=recipe)
    np.testing.assert_allclose(result.weights, 1 / 6)


def test_kuang_starts_change_the_scale_and_not_the_first_labels(blobs_affinity):
    runs = [
        self_supervised_nmf(
            blobs_affinity,
            6,
            members="factorizations",
            max_rounds=1,
            recipe=Recipe(starts=starts, tol=0, max_iter=25),
            random_state=0,
        )
        for starts in ("uniform", "kuang")
    ]
    np.testing.assert_array_equal(runs[0].member_labels, runs[1].member_labels)
    assert runs[0].history[0].objective[0, 0] > 10 * runs[1].history[0].objective[0, 0]
