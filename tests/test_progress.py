import itertools

import pytest
from sklearn.datasets import make_blobs

from s3nmf import S3NMF
from s3nmf.progress import Clock

X, _ = make_blobs(200, centers=4, cluster_std=2.0, random_state=1)


def test_a_fit_tells_where_it_is():
    told = []
    model = S3NMF(4, random_state=0, callback=told.append).fit(X)
    assert told[0].round == 1
    assert told[0].sweep == 1
    assert told[-1].remaining == 0
    assert told[-1].agreement == tuple(model.agreement_)
    assert told[-1].round == len(model.agreement_)
    for before, after in itertools.pairwise(told):
        assert (after.round, after.sweep) >= (before.round, before.sweep)
        assert after.elapsed >= before.elapsed
    assert all(0 < progress.fraction <= 1 and progress.remaining >= 0 for progress in told)
    assert told[-1].fraction == 1


def test_the_estimate_grows_with_the_work_to_do(monkeypatch):
    """After 10 of 100 sweeps of the only round, nine times the elapsed time remain."""
    now = iter([0.0, 2.0])
    monkeypatch.setattr("s3nmf.progress.time.perf_counter", lambda: next(now))
    told = []
    Clock(told.append, max_iter=100, max_rounds=1, collapse=True, began=next(now)).sweep_over(10)
    assert told[0].remaining == pytest.approx(18.0)
