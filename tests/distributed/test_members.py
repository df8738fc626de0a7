import os
import signal
import time

import numpy as np
import pytest

from s3nmf import S3NMF
from s3nmf.distributed import WorkersError, communities_on_workers

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(center, 1.0, (100, 3)) for center in (0, 2, 5)])


@pytest.fixture(scope="module")
def alone(points):
    return S3NMF(3, random_state=0).fit(points)


def fit(points, **settings):
    return S3NMF(3, random_state=0, **settings).fit(points)


def test_workers_find_the_members_of_one_process_and_tell_of_each(two_workers, points, alone):
    told = []
    with two_workers.as_current():
        there = fit(points, members=communities_on_workers(), callback=told.append)
    np.testing.assert_array_equal(there.labels_, alone.labels_)
    np.testing.assert_array_equal(there.result_.history[0].member_labels, alone.result_.history[0].member_labels)
    assert len([at for at in told if at.round == 1 and at.share < 1]) >= 19


def test_a_worker_that_dies_costs_its_members_only_which_are_found_again(two_workers, victim, points, alone):
    def kill(at):
        if at.round == 1 and at.share > 0.1 and victim:
            os.kill(victim.pop(), signal.SIGKILL)

    with two_workers.as_current():
        there = fit(points, members=communities_on_workers(), callback=kill)
    assert not victim
    np.testing.assert_array_equal(there.labels_, alone.labels_)


def test_who_stops_a_fit_stops_the_tasks(two_workers, points):
    def stop(at):
        raise KeyboardInterrupt

    # What was raised is kept: it keeps the futures, which would be forgotten with it whether cancelled or not.
    with two_workers.as_current(), pytest.raises(KeyboardInterrupt) as kept:
        fit(points, members=communities_on_workers(), callback=stop)
    deadline = time.monotonic() + 30  # the scheduler is asked by another way than it is told to cancel
    while left := two_workers.run_on_scheduler(_members_known):
        assert time.monotonic() < deadline, left
        time.sleep(0.01)
    assert kept.type is KeyboardInterrupt


def _members_known(dask_scheduler):
    return [str(key) for key in dask_scheduler.tasks if "_member" in str(key)]


@pytest.mark.parametrize("settings", [{}, {"n_jobs": 2}, {"members": "on workers"}])
def test_a_fit_within_a_task_comes_to_its_end(two_workers, points, alone, settings):
    """Also where the task has the only thread of its worker, and asks for other workers."""

    def task(points):
        given = {**settings, "members": communities_on_workers()} if "members" in settings else settings
        return fit(points, **given).labels_

    futures = [two_workers.submit(task, points, pure=False) for _ in range(3)]
    for labels in two_workers.gather(futures):
        np.testing.assert_array_equal(labels, alone.labels_)


def test_without_a_client_it_says_so(points):
    with pytest.raises(WorkersError, match=r"There is no client of dask to find members by\. Make one"):
        fit(points, members=communities_on_workers())
