"""Real data where S3NMF_DATA names it; quick, repeatable hypothesis."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from browser import axe_core, chromium
from experiments.datasets import VARIABLE
from s3nmf.affinity import nearest_neighbor_affinity
from saved_models import FITS, contents_of

settings.register_profile(
    "s3nmf", deadline=None, max_examples=40, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("s3nmf")


@pytest.fixture(autouse=True)
def closed_figures():
    """No test sees the figures of another, nor those of an example in a docstring, which ran in the same process."""
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture(scope="session")
def new_context():
    """Contexts of the one browser that a process of tests may drive."""
    with chromium() as new_context:
        yield new_context


@pytest.fixture(scope="session")
def axe(request):
    """The text of axe-core, fetched once and kept in pytest's cache."""
    return axe_core(request.config.cache.mkdir("axe"))


@pytest.fixture(scope="session")
def data_directory() -> Path:
    directory = os.environ.get(VARIABLE)
    if not directory or not Path(directory).is_dir():
        pytest.skip(f"needs the real data sets: set {VARIABLE} to their directory")
    return Path(directory)


@pytest.fixture(scope="session")
def seeds(data_directory):
    with np.load(data_directory / "seeds.npz") as file:
        return file["X"], file["y"]


@pytest.fixture(scope="session")
def iris_affinity():
    from sklearn.datasets import load_iris  # noqa: PLC0415

    return nearest_neighbor_affinity(load_iris().data)


@pytest.fixture
def saved(tmp_path):
    """The file of a model that was fitted to a frame."""
    path = tmp_path / "model.s3nmf"
    FITS["frame"]().save(path)
    return path


@pytest.fixture
def contents(saved):
    """What is in that file, by name."""
    return contents_of(saved)
