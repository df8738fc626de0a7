import logging

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import affinities
from s3nmf.graph.operators import AffinityOperator
from s3nmf.solvers.base import StepBelow
from s3nmf.solvers.newton import newton


@settings(max_examples=30)
@given(affinities(), st.integers(1, 3), st.integers(0, 1000))
def test_the_objective_never_increases_and_is_the_misfit(W, n_clusters, seed):
    starts = np.random.default_rng(seed).random((2, len(W), n_clusters))
    run = newton(AffinityOperator(sp.csr_array(W)), starts, max_iter=40, stop=StepBelow(0.0))
    assert (np.diff(run.objective, axis=0) <= 1e-10 * run.objective[0]).all()
    for V, objective in zip(run.factors, run.objective[-1], strict=True):
        assert objective == pytest.approx(np.linalg.norm(W - V @ V.T) ** 2, abs=1e-9)


def test_it_ends_at_a_stationary_point_in_tens_of_steps(iris_affinity):
    """Every entry is at zero with a gradient that points out of the problem, or has no gradient."""
    starts = np.random.default_rng(0).random((3, 150, 3))
    run = newton(AffinityOperator(iris_affinity), starts, max_iter=100, stop=StepBelow(1e-9))
    assert run.converged.all()
    for V in run.factors:
        gradient = 4 * (V @ (V.T @ V) - iris_affinity @ V)
        assert np.abs(gradient[V > 0]).max() < 1e-6
        assert gradient[V == 0].min() > -1e-6


def test_it_says_how_many_bytes_it_takes(iris_affinity, caplog):
    starts = np.random.default_rng(0).random((1, 150, 3))
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        newton(AffinityOperator(iris_affinity), starts, max_iter=1, stop=StepBelow(0.0))
    assert "150 points, 5.4e+05 bytes" in caplog.text


def test_too_many_points_are_refused():
    W = sp.csr_array(sp.random_array((300_000, 300_000), density=1e-8, rng=0))
    with pytest.raises(MemoryError, match="solver='newton' works on a dense matrix"):
        newton(AffinityOperator(W), np.ones((1, 300_000, 2)), max_iter=1, stop=StepBelow(0.0))
