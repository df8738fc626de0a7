"""Fits beside fits: in threads, in processes forked or spawned after a fit or during one, under joblib and dask.

Each of them ends, and with the answer that it gives alone.
"""

import json
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from joblib import Parallel, delayed, parallel_config

from campaign.outcomes import FINE, TRACEBACK, WRONG, Outcome, place_of
from campaign.processes import judged, program
from s3nmf import S3NMF


def answer(seed):
    """The labels and confidence of a fit that is large enough for threads."""
    rng = np.random.default_rng([seed, 6])
    X = rng.normal(size=(2200, 16)) + 3.0 * rng.integers(0, 4, size=(2200, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = S3NMF(4, n_members=4, max_rounds=2, random_state=0).fit(X)
    return model.labels_.tobytes(), model.confidence_.tobytes()


def four_threads(seed):
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(answer, [seed] * 4))


def started(method, during, seed):
    """By processes that begin after a fit, or while another thread is in the middle of one.

    Modules are loaded before: a process that is forked while another thread loads one has half of it for ever.
    """
    answer(seed)
    if not during:
        with multiprocessing.get_context(method).Pool(2) as pool:
            return pool.map(answer, [seed] * 2)
    with ThreadPoolExecutor(1) as threads:
        here = threads.submit(answer, seed)
        time.sleep(random.Random(seed).uniform(0.0, 0.6))
        with multiprocessing.get_context(method).Pool(2) as pool:
            return [*pool.map(answer, [seed] * 2), here.result()]


def nested(seed):
    """joblib in joblib."""
    with parallel_config("loky"):
        found = Parallel(2)(delayed(_two)(seed) for _ in range(2))
    return [one for pair in found for one in pair]


def forked_workers(seed):
    answer(seed)
    with parallel_config("multiprocessing"):
        return Parallel(2)(delayed(answer)(seed) for _ in range(2))


def killed_worker(seed):
    """Four fits on two workers of dask, one of which is killed."""
    from distributed import Client, LocalCluster  # noqa: PLC0415

    how = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(**how) as cluster, Client(cluster) as client:
        futures = [client.submit(answer, seed, pure=False) for _ in range(4)]
        time.sleep(random.Random(seed).uniform(0.1, 2.0))
        victim = next(iter(cluster.workers.values())).pid
        os.kill(victim, signal.SIGKILL)
        return client.gather(futures)


def _two(seed):
    return Parallel(2)(delayed(answer)(seed) for _ in range(2))


WAYS = {
    "four threads": four_threads,
    **{f"{method} {'during' if during else 'after'} a fit": (lambda seed, m=method, d=during: started(m, d, seed))
       for method in ("fork", "spawn", "forkserver") for during in (False, True)},
    "joblib in joblib": nested,
    "joblib with forked workers": forked_workers,
    "a dask worker killed": killed_worker,
}  # fmt: skip


def trial(seed):
    """One way after the other."""
    way = list(WAYS)[seed % len(WAYS)]
    ended = program("campaign.company", way, str(seed), within=300.0)
    if ended.hung or ended.code != 0:
        return judged(ended, seed, way)
    return Outcome(**json.loads(ended.stdout.splitlines()[-1]))


def main(way, seed):
    threading.excepthook = lambda hook: None  # what a thread raises is raised again where it is waited for
    try:
        found = set(WAYS[way](int(seed))) | {answer(int(seed))}
        outcome = Outcome(FINE if len(found) == 1 else WRONG, int(seed), way)
    except Exception as error:
        outcome = Outcome(TRACEBACK, int(seed), way, place_of(error))
    sys.stdout.write(json.dumps(outcome._asdict()) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
