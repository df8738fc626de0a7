import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from s3nmf.desk.sources.traps import traps_in
from s3nmf.sources import read


def table(tmp_path, columns, **reading):
    path = tmp_path / "t.csv"
    np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", header=",".join(columns), comments="")
    return read(path, **reading)


@pytest.fixture
def random():
    return np.random.default_rng(0)


def test_a_table_without_traps_has_none(tmp_path, random):
    assert traps_in(table(tmp_path, {"a": random.normal(size=50), "b": random.normal(size=50)})) == []


def test_a_column_that_looks_like_the_answer_is_named(tmp_path, random):
    data = table(tmp_path, {"a": random.normal(size=50), "Species": random.integers(3, size=50)})
    (said,) = traps_in(data)
    assert said.startswith("Column 'Species' looks like the answer")
    assert said.endswith("say drop=['Species'].")
    measured = table(tmp_path, {"a": random.normal(size=50), "class": random.normal(size=50)})
    assert traps_in(measured) == []


def test_copies_of_rows_are_counted(tmp_path, random):
    rows = np.repeat(random.normal(size=(40, 2)), 3, axis=0)
    (said,) = traps_in(table(tmp_path, {"a": rows[:, 0], "b": rows[:, 1]}))
    assert said.startswith("80 rows (67%) are copies of others.")
    few = np.vstack([rows[::3], rows[:1]])
    assert traps_in(table(tmp_path, {"a": few[:, 0], "b": few[:, 1]})) == []


def test_other_units_matter_only_where_nothing_is_scaled(tmp_path, random):
    columns = {"grams": 1000 * random.normal(size=50), "metres": random.normal(size=50)}
    (said,) = traps_in(table(tmp_path, columns, scale="none"))
    assert said.startswith("Column 'grams' is spread ")
    assert traps_in(table(tmp_path, columns)) == []


def test_distances_are_told_from_similarities(tmp_path, random):
    distances = cdist(*[random.normal(size=(30, 2))] * 2)
    similarities = np.exp(-(distances**2)) - np.eye(30)
    for values, expected in ((distances, 1), (similarities, 0)):
        path = tmp_path / "graph.npz"
        sp.save_npz(path, sp.csr_matrix(values))
        assert len(traps_in(read(path))) == expected
