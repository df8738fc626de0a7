from dataclasses import replace

import numpy as np
import pytest

from s3nmf import Recipe, self_supervised_nmf


def first_round(W, recipe):
    result = self_supervised_nmf(W, 6, members="factorizations", max_rounds=1, recipe=recipe, random_state=0)
    return result.history[0]


def test_the_authors_stop_runs_301_sweeps_and_the_texts_stops_when_nothing_moves(blobs_affinity):
    assert first_round(blobs_affinity, Recipe.named("authors")).n_iter >= 301
    loose, tight = (first_round(blobs_affinity, replace(Recipe.named("text"), tol=tol)).n_iter for tol in (0.05, 0.005))
    assert loose < tight < 301


@pytest.mark.parametrize("tau", [1.5, 2.0, 4.0])
def test_the_authors_stop_waits_for_the_weighted_objective(blobs_affinity, tau):
    tol = 1e-5
    found = first_round(blobs_affinity, Recipe(tau=tau, tol=tol, max_iter=2000, inner_stop="authors"))
    h = found.objective
    alpha = h ** (1 / (1 - tau)) / np.sum(h ** (1 / (1 - tau)), axis=1, keepdims=True)
    steps = np.abs(np.diff(np.sum(alpha**tau * h, axis=1)))
    assert found.n_iter < 2000
    assert found.n_iter == 1 + np.flatnonzero((np.arange(len(steps)) >= 300) & (steps < tol))[0]
