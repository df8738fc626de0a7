"""Every example of the gallery runs, and draws something."""

import runpy
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from experiments.datasets import VARIABLE

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.fixture(autouse=True)
def no_window(monkeypatch):
    mpl.use("agg")
    monkeypatch.delenv(VARIABLE, raising=False)  # the examples say what they do without large data


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # of scanpy, where there is one
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_draws(example):
    runpy.run_path(str(example))
    assert plt.get_fignums()
