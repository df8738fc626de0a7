import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from s3nmf._threads import available_threads, team


@given(st.integers(1, 5), st.integers(1, 40), st.sampled_from([0.0, 1e6, 1e9]))
def test_every_block_is_done_once_by_any_number_of_threads(n_threads, n_blocks, work):
    done = np.zeros(n_blocks, dtype=int)

    def task(first, last):
        done[first:last] += 1

    with team(n_threads) as threads:
        threads.run(task, n_blocks, work)
    assert (done == 1).all()


def test_small_work_stays_with_the_caller():
    seen = set()
    with team(3) as threads:
        threads.run(lambda first, last: seen.add(threading.current_thread()), 100, work=1000)
    assert seen == {threading.current_thread()}


@pytest.mark.parametrize("bad", [0, 9])
def test_an_error_in_any_share_is_raised(bad):
    def task(first, last):
        if first <= bad < last:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), team(2) as threads:
        threads.run(task, 10, work=1e9)


def test_a_team_leaves_no_threads_and_gives_blas_its_own_back():
    before = [pool["num_threads"] for pool in threadpool_info()]
    with team(3) as threads:
        threads.run(lambda first, last: None, 10, work=1e9)
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
    assert [pool["num_threads"] for pool in threadpool_info()] == before
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("s3nmf")]


def test_a_limit_of_the_user_is_respected():
    with threadpool_limits(limits=1):
        assert available_threads() == 1


INTERRUPTED = """
import threading
from sklearn.datasets import make_blobs
from s3nmf import S3NMF, Recipe

def tell(progress):
    if progress.share == 3 / 100_000:
        print("sweeping", flush=True)

X, _ = make_blobs(20_000, n_features=5, centers=8, cluster_std=3.0, random_state=0)
try:
    recipe = Recipe(max_iter=100_000, tol=0.0)
    S3NMF(8, members="factorizations", recipe=recipe, callback=tell, random_state=0).fit(X)
except KeyboardInterrupt:
    print("threads", threading.active_count(), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interrupted_fit_ends_at_once_and_leaves_no_threads():
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "sweeping\n"
        began = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "threads 1\n"
        assert time.perf_counter() - began < 20  # a fit would take hours
    assert process.returncode == 0
