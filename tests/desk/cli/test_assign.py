import json

import numpy as np
import pytest

from s3nmf import S3NMF
from s3nmf.graph.neighbors import nearest_to
from s3nmf.metrics import accuracy

FLOWERS = ("--id", "flower", "--drop", "kind")


@pytest.fixture
def model(run, flowers, directory):
    assert run("cluster", flowers, "-k", 3, *FLOWERS, "--model", "m.s3nmf", "--out", "first.csv").exit_code == 0
    return directory / "m.s3nmf"


def test_rows_that_were_clustered_keep_their_clusters(run, model, flowers, directory):
    result = run("assign", model, flowers, "--out", "again.csv")
    assert result.exit_code == 0, result.output
    assert (directory / "again.csv").read_bytes() == (directory / "first.csv").read_bytes()
    assert "Put 150 new rows into clusters: " in result.stdout
    assert "- Left out 'kind': not clustered by." in result.stdout


def test_a_single_new_row_is_scaled_as_the_first_were(run, model, flowers, directory):
    line = flowers.read_text(encoding="utf-8").splitlines()[1].split(",")
    text = f"petal_width,petal_length,width,length,flower\n{','.join(reversed(line[:5]))}\n".replace("f000", "new")
    result = run("assign", model, "-", input=text)
    first = (directory / "first.csv").read_text(encoding="utf-8").splitlines()
    assert result.stdout.splitlines() == [first[0], first[1].replace("f000", "new")]


def test_neighbours_are_searched_for_once(run, model, flowers, monkeypatch):
    searches = []

    def search(X, queries, *options):
        searches.append(len(queries))
        return nearest_to(X, queries, *options)

    monkeypatch.setattr("s3nmf.estimators.assign.nearest_to", search)
    text = "length,width,petal_length,petal_width\n5.05,3.5,1.4,0.2\n7.01,3,5,2\n"
    assert run("assign", model, "-", input=text).exit_code == 0
    assert searches == [2, 150], "and how far the fitted rows are from each other"


def test_rows_are_read_from_standard_input_and_printed(run, model):
    result = run("assign", model, "-", "-q", input="length,width,petal_length,petal_width\n5,3.5,1.4,0.2\n")
    assert result.stdout.splitlines()[0] == "row,cluster,confidence,second_cluster"
    assert result.stderr == ""
    found = json.loads(
        run("assign", model, "-", "--json", input="length,width,petal_length,petal_width\n5,3.5,1.4,0.2\n").stdout
    )
    assert [row["row"] for row in found["labels"]] == ["0"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("length,width\n1,2\n", "lacks 2 columns of the 4 that were clustered by: 'petal_length', 'petal_width'"),
        ("length,width,petal_length,petal_width\n1,2,,1\n", "missing 1 value in 1 row"),
        ("length,width,petal_length,petal_width\n1,2,long,1\n", "The first rows had numbers there"),
        ("length,width,petal_length,petal_width\n1,1e300,2,1\n", "cannot be placed"),
    ],
)
def test_rows_that_do_not_fit_are_explained(run, model, text, says):
    result = run("assign", model, "-", input=text)
    assert result.exit_code == 1
    assert says in result.stderr
    assert "--drop" not in result.stderr


def test_new_nodes_go_where_their_edges_go(run, rings, directory, read_csv):
    assert run("cluster", rings, "-k", 2, "--model", "m.s3nmf", "--out", "l.csv").exit_code == 0
    edges = "new1 a1 1\nnew1 a2 1\nnew1 b5 1\nnew2 b3 2\nnew2 new1 9\nfar away 1\n"
    (directory / "new.edges").write_text(edges, encoding="utf-8")
    result = run("assign", "m.s3nmf", "new.edges", "--out", "new.csv")
    assert result.exit_code == 0, result.output
    cluster_of = {row["node"]: row["cluster"] for row in read_csv(directory / "l.csv")}
    new = {row["node"]: row for row in read_csv(directory / "new.csv")}
    assert list(new) == ["new1", "new2", "far", "away"]
    assert new["new1"]["cluster"] == cluster_of["a1"]
    assert new["new2"]["cluster"] == cluster_of["b3"]
    assert (new["far"]["confidence"], new["far"]["second_cluster"]) == ("0.0", "")
    assert "- 2 of them have no such edge" in result.stdout


@pytest.mark.parametrize(
    ("edges", "says"),
    [
        ("a0 a1\n", "All 2 nodes of e.edges are in the model already."),
        ("x y\ny z\n", "None of the 3 nodes of e.edges is in the model"),
    ],
)
def test_edges_that_place_nothing_are_explained(run, rings, directory, edges, says):
    assert run("cluster", rings, "-k", 2, "--model", "m.s3nmf", "--out", "l.csv").exit_code == 0
    (directory / "e.edges").write_text(edges, encoding="utf-8")
    result = run("assign", "m.s3nmf", "e.edges")
    assert result.exit_code == 1
    assert says in result.stderr


def test_a_table_does_not_fit_the_model_of_a_graph_nor_the_other_way_round(run, rings, blobs):
    for file, name in ((rings, "graph"), (blobs, "table")):
        assert run("cluster", file, "-k", 2, "--model", f"{name}.s3nmf", "--out", f"{name}.csv").exit_code == 0
    assert "blobs.csv is a table; " in run("assign", "graph.s3nmf", blobs).stderr
    assert "rings.edges is a graph; " in run("assign", "table.s3nmf", rings).stderr


def test_a_model_that_was_saved_in_python_places_rows_as_they_are(run, directory):
    X = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0], [3]], 20, axis=0)
    S3NMF(2, random_state=0).fit(X).save("python.s3nmf")
    np.save(directory / "new.npy", X[[0, 39]] + 0.01)
    result = run("assign", "python.s3nmf", "new.npy", "--json")
    assert result.exit_code == 0, result.output
    assert accuracy([0, 1], [row["cluster"] for row in json.loads(result.stdout)["labels"]]) == 1


def test_files_that_are_no_models_are_explained(run, model, flowers, directory):
    whole = model.read_bytes()
    (directory / "cut.s3nmf").write_bytes(whole[:-100])
    (directory / "changed.s3nmf").write_bytes(whole.replace(b'"f149"', b'"f1490'))
    np.savez(directory / "array.npz", X=np.eye(3))
    for name in ("cut.s3nmf", "changed.s3nmf", "array.npz", "flowers.csv"):
        result = run("assign", name, flowers)
        assert result.exit_code == 1
        assert f"Error: {name} cannot be read as a model." in result.stderr
        assert "s3nmf cluster --model" in result.stderr
    assert "nowhere.s3nmf does not exist. Check its name" in run("assign", "nowhere.s3nmf", flowers).stderr
