import numpy as np
import pytest

from ensembles import planted_ensemble
from s3nmf._threads import ALONE
from s3nmf.ensemble.members import most_promising
from s3nmf.operators import collapsed_co_association
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
