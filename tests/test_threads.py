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

from s3nmf._threads import available_threads, on_threads_of_its_own, one_thread, team


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
    before, running = [pool["num_threads"] for pool in threadpool_info()], threading.enumerate()
    with team(3) as threads:
        threads.run(lambda first, last: None, 10, work=1e9)
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
    assert [pool["num_threads"] for pool in threadpool_info()] == before
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("s3nmf") and thread not in running]


def threads_of_blas():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_products_within_a_shared_search_have_one_thread_each():
    """Also after an earlier fit, by whatever thread: who once set the threads of BLAS may be the only one that can."""
    with team(2):
        pass
    with threadpool_limits(2):
        found = on_threads_of_its_own(threadpool_info, 2)
    assert {pool["num_threads"] for pool in found if pool["user_api"] == "blas"} == {1}
    assert {pool["num_threads"] for pool in found if pool["user_api"] == "openmp"} == {2}


@pytest.mark.parametrize("last", ["first", "second"])
def test_fits_that_overlap_give_blas_its_own_back_whichever_ends_last(last):
    before, entered, turns = threads_of_blas(), [], {"first": threading.Event(), "second": threading.Event()}

    def fit(name):
        with one_thread():
            entered.append(threads_of_blas())
            turns[name].wait(10)

    with threadpool_limits(2):
        held = threads_of_blas()
        fits = {}
        for name in turns:
            fits[name] = threading.Thread(target=fit, args=[name])
            fits[name].start()
            while len(entered) < len(fits):
                time.sleep(0.001)
        for name in sorted(turns, key=lambda name: name == last):
            turns[name].set()
            fits[name].join()
        assert entered == [{1}, {1}]
        assert threads_of_blas() == held
    assert threads_of_blas() == before


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


FORKED = """
import os, sys, warnings
import numpy as np
from joblib import Parallel, delayed, parallel_config
from s3nmf.affinity import nearest_neighbor_affinity

warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=(2100, 16))
found = nearest_neighbor_affinity(X, 5, search="exact")
nearly = nearest_neighbor_affinity(X, 5, search="approximate")

def again(X, search):
    return abs(nearest_neighbor_affinity(X, 5, search=search) - (found if search == "exact" else nearly)).max()

with parallel_config("multiprocessing"):
    print(*Parallel(2)(delayed(again)(X, "exact") for _ in range(2)), flush=True)
if os.fork() == 0:
    print("forked", again(X, "exact"), again(X, "approximate"), flush=True)
    os._exit(0)
os.wait()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_search_after_a_fork_ends():
    """Threads of the parent are not there in the child, which would wait for them for ever."""
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "0.0 0.0\nforked 0.0 0.0\n", done.stdout + done.stderr
