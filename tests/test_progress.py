import itertools

import pytest
from sklearn.datasets import make_blobs, make_moons

from s3nmf import S3NMF
from s3nmf.progress import Clock

X, _ = make_blobs(200, centers=4, cluster_std=2.0, random_state=1)


@pytest.mark.parametrize("members", ["communities", "factorizations"])
def test_a_fit_tells_where_it_is(members):
    told = []
    model = S3NMF(4, members=members, random_state=0, callback=told.append).fit(X)
    assert told[0].round == 1
    assert 0 < told[0].share < 1
    assert told[-1].remaining == 0
    assert told[-1].share == 1
    assert told[-1].agreement == tuple(model.agreement_)
    assert told[-1].round == len(model.agreement_)
    begun_again = 0
    for before, after in itertools.pairwise(told):
        begun_again += (after.round, after.share) < (before.round, before.share)
        assert after.elapsed >= before.elapsed
    assert begun_again == (members == "communities"), "with the rounds of the second candidate"
    assert all(0 < progress.fraction <= 1 and progress.remaining >= 0 for progress in told)
    assert all(0 < progress.share <= 1 for progress in told)
    assert told[-1].fraction == 1


def test_a_fit_tells_when_rounds_after_the_first_begin_again():
    told = []
    uneven, _ = make_moons((600, 60), noise=0.06, random_state=0)
    model = S3NMF(2, random_state=0, callback=told.append).fit(uneven)
    assert model.result_.history[-1].similarity == "normalized"
    assert sum(after.round < before.round for before, after in itertools.pairwise(told)) == 1
    assert [progress.remaining for progress in told].count(0) == 1
    assert told[-1].agreement == tuple(model.agreement_)
    assert all(0 < progress.fraction <= 1 for progress in told)


def test_given_partitions_leave_only_whole_rounds_to_tell():
    told = []
    S3NMF(4, members=[[0, 1, 2, 3] * 50] * 2, random_state=0, callback=told.append).fit(X)
    assert [(progress.round, progress.share, progress.remaining) for progress in told] == [(1, 1.0, 0.0)]


@pytest.mark.parametrize(
    ("max_rounds", "collapsed", "remaining"), [(1, True, 18.0), (2, True, 20.0), (2, False, 38.0), (99, False, 98.0)]
)
def test_the_estimate_grows_with_the_work_to_do(monkeypatch, max_rounds, collapsed, remaining):
    """After a tenth of the only round, nine times the elapsed time remain; a later round that is collapsed adds one."""
    now = iter([0.0, 2.0])
    monkeypatch.setattr("s3nmf.progress.time.perf_counter", lambda: next(now))
    told = []
    Clock(told.append, max_rounds, collapsed, began=next(now)).part_over(0.1)
    assert told[0].remaining == pytest.approx(remaining)


def test_rounds_that_are_over_are_known(monkeypatch):
    now = iter([0.0, 1.0, 2.0, 3.0])
    monkeypatch.setattr("s3nmf.progress.time.perf_counter", lambda: next(now))
    told = []
    clock = Clock(told.append, 3, False, began=next(now))
    clock.rounds_over([0.5])
    clock.part_over(0.5)
    clock.rounds_over([0.5, 1.0], last=True)
    assert [(progress.round, progress.share) for progress in told] == [(1, 1.0), (2, 0.5), (2, 1.0)]
    assert [progress.agreement for progress in told] == [(0.5,), (0.5,), (0.5, 1.0)]
    assert [progress.remaining for progress in told] == pytest.approx([2.0, 2.0, 0.0])
