"""Files as users have them, and the command line to run on them."""

import csv

import numpy as np
import pytest
from sklearn.datasets import load_iris
from typer.testing import CliRunner

from s3nmf.desk.cli.commands import app


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch):
    """An empty directory of one's own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run():
    return lambda *arguments, **options: CliRunner().invoke(app, list(map(str, arguments)), **options)


@pytest.fixture
def flowers(directory):
    """A table with names, four features and the truth."""
    iris = load_iris()
    rows = [
        (f"f{row:03}", *values, iris.target_names[kind])
        for row, (values, kind) in enumerate(zip(iris.data.tolist(), iris.target, strict=True))
    ]
    with (directory / "flowers.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("flower", "length", "width", "petal_length", "petal_width", "kind"), *rows])
    return directory / "flowers.csv"


@pytest.fixture
def rings(directory):
    """A graph of two rings of ten nodes and one edge between them, by names."""
    edges = [(f"{ring}{k}", f"{ring}{(k + step) % 10}") for ring in "ab" for k in range(10) for step in (1, 2)]
    text = "\n".join(f"{one} {other} 1" for one, other in [*edges, ("a0", "b0")])
    (directory / "rings.edges").write_text(text, encoding="utf-8")
    return directory / "rings.edges"


@pytest.fixture
def read_csv():
    def rows_of(path):
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    return rows_of


@pytest.fixture
def blobs(directory):
    """A table of 40 rows around two points, without names."""
    values = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0, 0], [3, 3]], 20, axis=0)
    np.savetxt(directory / "blobs.csv", values, delimiter=",", header="x,y", comments="")
    return directory / "blobs.csv"
