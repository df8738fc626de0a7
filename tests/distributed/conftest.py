"""A table in parts, and real workers: processes on the loopback interface."""

import logging
import os
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs

distributed = pytest.importorskip("distributed")


@contextmanager
def workers(count):
    """A client of so many processes with a thread each."""
    with (
        distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            host="127.0.0.1",
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def start_workers():
    return workers


@pytest.fixture(scope="module")
def two_workers():
    """For the tests of a file: workers with nothing to do take a twentieth of a core each."""
    with workers(2) as client:
        yield client


@pytest.fixture
def victim(two_workers):
    """A list with the process of one of the workers, which another one takes the place of in time."""
    two_workers.wait_for_workers(2, timeout=120)
    return list(two_workers.run(os.getpid).values())[:1]


@pytest.fixture(scope="session")
def frame():
    X, _ = make_blobs(640, centers=4, n_features=3, cluster_std=1.5, random_state=0)
    frame = pd.DataFrame(X * [1, 100, 0.01] + [0, 1e6, 0], columns=["a", "b", "c"])
    frame.insert(0, "id", [f"r{row:03}" for row in range(len(frame))])
    return frame


@pytest.fixture
def parts(frame, tmp_path):
    """A folder of eight files of different sizes."""
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, rows in enumerate(np.split(np.arange(640), [10, 60, 150, 250, 350, 500, 600])):
        frame.iloc[rows].to_parquet(folder / f"part-{number}.parquet", index=False)
    return folder
