"""Workers that cannot do the work, as they are met: each in a process of its own."""

import logging
import os
import subprocess
import sys
import sysconfig
from contextlib import contextmanager

import numpy as np
import pytest

import distributed
import s3nmf
from s3nmf.distributed import WorkersError, cluster_parts, connected

pytestmark = pytest.mark.filterwarnings("ignore")


@contextmanager
def foreign_worker(*path):
    """The address of a scheduler whose only worker finds its packages along this path, before those of the tests.

    It is the Python outside of the virtual environment, so that what is installed there to be edited is not found.
    """
    with distributed.LocalCluster(
        n_workers=0, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL, host="127.0.0.1"
    ) as cluster:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([*path, sysconfig.get_path("purelib")])}
        command = [sys._base_executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address, "--no-nanny"]
        worker = subprocess.Popen(
            [*command, "--no-dashboard"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            with distributed.Client(cluster, set_as_default=False) as client:
                client.wait_for_workers(1, timeout=60)
            yield cluster.scheduler_address
        finally:
            worker.kill()
            worker.wait()


def test_a_scheduler_that_does_not_answer():
    message = r"No scheduler answers at tcp://127.0.0.1:1 within 0.5 s\. Check the address"
    with pytest.raises(WorkersError, match=message), connected("tcp://127.0.0.1:1", timeout=0.5):
        pass


@pytest.mark.parametrize("address", ["nonsense://x", "", "localhost", "tcp://[::1", 3, None.__class__])
def test_what_is_no_address_is_refused_before_anything_connects(address):
    """dask begins to connect, gives up, and waits for twenty seconds when the program ends."""
    with pytest.raises(WorkersError, match="is no address of a scheduler"), connected(address):
        pass


def test_no_workers():
    with (
        distributed.LocalCluster(
            n_workers=0, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL
        ) as cluster,
        pytest.raises(WorkersError, match=r"has no workers\. Start some \(dask worker\)\."),
        connected(cluster.scheduler_address),
    ):
        pass


def test_a_worker_without_the_package(tmp_path):
    """As an import there would end: where the tests run, it may be installed."""
    (tmp_path / "s3nmf.py").write_text("raise ModuleNotFoundError(\"No module named 's3nmf'\")\n")
    message = rf"The worker at tcp://\S+ has no s3nmf\. Install s3nmf\[distributed\] {s3nmf.__version__} where workers"
    with foreign_worker(str(tmp_path)) as address, pytest.raises(WorkersError, match=message), connected(address):
        pass


def test_a_worker_with_another_version(tmp_path):
    (tmp_path / "s3nmf").mkdir()
    (tmp_path / "s3nmf" / "__init__.py").write_text("__version__ = '0.0.1'\n")
    message = rf"The worker at tcp://\S+ has s3nmf 0\.0\.1, this program {s3nmf.__version__}\. Install the same"
    with foreign_worker(str(tmp_path)) as address, pytest.raises(WorkersError, match=message), connected(address):
        pass


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"Install it with pip install 's3nmf\[distributed\]'"), connected():
        pass


def test_an_address_is_no_client_and_neither_is_one_that_was_closed(tmp_path):
    np.savetxt(tmp_path / "t.csv", np.random.default_rng(0).normal(size=(200, 2)), delimiter=",")
    with pytest.raises(TypeError, match=r"client is the text 'tcp://10.0.0.1:8786'; it must be a .*Client, or None"):
        cluster_parts(tmp_path / "t.csv", 2, tmp_path / "out", client="tcp://10.0.0.1:8786")
    with pytest.raises(TypeError, match="client is a dict; it must be"):
        cluster_parts(tmp_path / "t.csv", 2, tmp_path / "out", client={})
    with connected() as client:
        pass
    with pytest.raises(WorkersError, match="client is closed; the work needs one that is running"):
        cluster_parts(tmp_path / "t.csv", 2, tmp_path / "out", client=client)
    assert not (tmp_path / "out").exists()
