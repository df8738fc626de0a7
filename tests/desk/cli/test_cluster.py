import html
import json
import re

import numpy as np
import pytest
import scipy.sparse as sp
from typer.testing import CliRunner

from s3nmf import S3NMF, choose_n_clusters
from s3nmf.desk.cli.commands import app
from s3nmf.desk.cli.model_file import load_clustering
from s3nmf.graph.operators import CoAssociation
from s3nmf.metrics import accuracy
from s3nmf.sources import read

FLOWERS = ("--id", "flower", "--drop", "kind")


def test_labels_are_those_of_the_estimator_on_the_standardised_table(run, flowers, read_csv, directory):
    result = run("cluster", flowers, "-k", 3, *FLOWERS, "--seed", 5, "--out", "labels.csv")
    assert result.exit_code == 0, result.output
    rows = read_csv(directory / "labels.csv")
    table = read(flowers, id="flower", drop=["kind"])
    model = S3NMF(3, random_state=5).fit(table.values)
    assert [row["flower"] for row in rows] == list(table.ids)
    assert [int(row["cluster"]) for row in rows] == model.labels_.tolist()
    np.testing.assert_allclose([float(row["confidence"]) for row in rows], model.confidence_, atol=1e-4)
    assert [row["second_cluster"] for row in rows] == [
        "" if second < 0 else str(second) for second in model.second_choice_
    ]


@pytest.mark.parametrize("members", ["communities", "factorizations"])
def test_what_votes_can_be_said(run, flowers, directory, members):
    found = run("cluster", flowers, "-k", 3, *FLOWERS, "--members", members, "--model", "m.s3nmf", "--out", "l.csv")
    assert found.exit_code == 0, found.output
    model = S3NMF.load(directory / "m.s3nmf")
    assert model.members == members
    assert model.result_.history[0].is_factorized == (members == "factorizations")
    expected = S3NMF(3, members=members, random_state=0).fit(read(flowers, id="flower", drop=["kind"]).values)
    np.testing.assert_array_equal(model.labels_, expected.labels_)


def test_clusters_of_very_unequal_sizes_can_be_expected(run, flowers, directory):
    found = run("cluster", flowers, "-k", 3, *FLOWERS, "--recipe", "unequal", "--model", "m.s3nmf", "--out", "l.csv")
    assert found.exit_code == 0, found.output
    model = S3NMF.load(directory / "m.s3nmf")
    assert model.recipe == "unequal"
    expected = S3NMF(3, recipe="unequal", random_state=0).fit(read(flowers, id="flower", drop=["kind"]).values)
    np.testing.assert_array_equal(model.labels_, expected.labels_)


def test_other_voters_are_refused_with_those_that_there_are(run, flowers):
    result = run("cluster", flowers, "-k", 3, *FLOWERS, "--members", "leiden")
    assert result.exit_code == 2
    assert "'communities', 'factorizations'" in result.stderr


def test_the_summary_says_what_was_found_how_sure_and_what_was_done(run, flowers):
    said = run("cluster", flowers, "-k", 3, *FLOWERS, "--out", "labels.csv").stdout
    assert re.match(r"Found 3 clusters in 150 rows, of \d+, \d+ and \d+\. \w.*\.\n\nWith 3 clusters, the weakest", said)
    assert re.search(r"\n(\d+ of the 150 points|No point is in doubt: for each of the 150,)", said)
    assert "\nThe 20 partitions that vote, called members, agree to 0." in said
    assert "- Left out 'kind', as asked.\n- Standardised 4 columns." in said
    assert said.endswith("Wrote the labels to labels.csv.\n")


def test_in_a_pipe_labels_are_printed_and_the_summary_is_not_among_them(run, blobs):
    result = run("cluster", blobs, "-k", 2)
    lines = result.stdout.splitlines()
    assert lines[0] == "row,cluster,confidence,second_cluster"
    assert len(lines) == 41
    assert "Found 2 clusters in 40 rows" in result.stderr
    assert run("cluster", blobs, "-k", 2, "--out", "-").stdout == result.stdout
    quiet = run("cluster", blobs, "-k", 2, "--quiet")
    assert (quiet.stdout, quiet.stderr) == (result.stdout, "")


def test_programs_get_one_json_object(run, blobs):
    found = json.loads(run("cluster", blobs, "-k", 2, "--json").stdout)
    assert found["n_points"] == 40
    assert [cluster["size"] for cluster in found["clusters"]] == [20, 20]
    assert found["notes"] == ["Standardised 2 columns."]
    assert found["labels"][0].keys() == {"row", "cluster", "confidence", "second_cluster"}
    assert found["files"] == {}
    with_file = json.loads(run("cluster", blobs, "-k", 2, "--json", "--out", "l.tsv").stdout)
    assert with_file["files"] == {"labels": "l.tsv"}
    assert "labels" not in with_file


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "parquet"])
def test_the_ending_of_a_name_is_its_format(run, blobs, directory, ending):
    assert run("cluster", blobs, "-k", 2, "--out", f"labels.{ending}").exit_code == 0
    start = (directory / f"labels.{ending}").read_bytes()[:4]
    assert start == {"csv": b"row,", "tsv": b"row\t", "json": b'[\n{"', "parquet": b"PAR1"}[ending]


def test_scaling_can_be_chosen(run, blobs):
    assert "- Left 2 columns unscaled." in run("cluster", blobs, "-k", 2, "--scale", "none").stderr
    assert "to the range from 0 to 1" in run("cluster", blobs, "-k", 2, "--scale", "minmax").stderr


def test_missing_values_can_be_left_out_and_ids_stay_right(run, read_csv, directory):
    lines = [f"r{k},{k % 2 * 9 + k / 50},{'' if k == 3 else k % 2 * 9}" for k in range(30)]
    (directory / "gaps.csv").write_text("\n".join(["id,a,b", *lines]), encoding="utf-8")
    assert run("cluster", "gaps.csv", "-k", 2, "--missing", "drop", "--out", "l.csv").exit_code == 0
    assert [row["id"] for row in read_csv(directory / "l.csv")] == [f"r{k}" for k in range(30) if k != 3]


def test_a_graph_is_clustered_by_its_edges(run, rings, read_csv, directory):
    result = run("cluster", rings, "-k", 2, "--out", "l.csv")
    assert "Found 2 clusters in 20 nodes, of 10 and 10." in result.stdout
    rows = read_csv(directory / "l.csv")
    assert accuracy([row["node"][0] for row in rows], [row["cluster"] for row in rows]) == 1
    assert "the graph" not in result.stdout.split("Normalised")[0].lower()
    assert "the weakest border is between 0 and 1" in result.stdout


def test_what_is_to_be_doubted_is_said(run, directory):
    noise = np.random.default_rng(0).normal(size=(200, 10))
    np.savetxt(directory / "noise.csv", noise, delimiter=",")
    said = run("cluster", "noise.csv", "-k", 3).stderr
    assert "Do not rely on them" in said
    assert "What to doubt:\n- The data show no clear clusters. No division of the data has clearly fewer edges" in said


@pytest.mark.parametrize("apart", [0.0, 4.0, 9.0])
def test_the_command_line_the_page_json_and_python_say_the_same(run, directory, apart):
    centers = apart * np.eye(3, 10)
    values = np.random.default_rng(0).normal(size=(200, 10)) + centers[np.arange(200) % 3]
    np.savetxt(directory / "noise.csv", values, delimiter=",")
    result = run("cluster", "noise.csv", "-k", 3, "--report", "r.html", "--model", "m.s3nmf", "--json")
    found = json.loads(result.stdout)
    summary = run("report", "m.s3nmf", "--out", "s.html").stdout
    page = html.unescape((directory / "r.html").read_text(encoding="utf-8"))
    verdict = S3NMF(3, random_state=0).fit(read("noise.csv").values).judge()
    assert found["n_doubtful"] == verdict.n_doubtful
    assert found["has_clusters"] == verdict.has_clusters == (apart > 0)
    assert [doubt["what"] for doubt in found["doubts"]] == [doubt.what for doubt in verdict.doubts]
    assert bool(verdict.doubts) == (apart < 9)
    for sentence in (verdict.judgement, *verdict.sentences, *(doubt.what for doubt in verdict.doubts)):
        assert sentence in page
        assert sentence in summary
    assert [found["judgement"], *found["sentences"]] == [verdict.judgement, *verdict.sentences]


def test_the_number_of_clusters_can_be_chosen(run, directory):
    values = np.random.default_rng(0).normal(size=(150, 2)) + 9 * np.array([[0, 0], [1, 0], [0, 1]])[np.arange(150) % 3]
    np.savetxt(directory / "three.csv", values, delimiter=",")
    choice = choose_n_clusters(read("three.csv").values, random_state=0)
    result = run("cluster", "three.csv", "-k", "auto", "--json", "--report", "r.html")
    found = json.loads(result.stdout)
    assert len(found["clusters"]) == found["choice"]["n_clusters"] == choice.n_clusters == 3
    assert found["choice"]["reason"] == choice.reason
    assert choice.reason in html.unescape((directory / "r.html").read_text(encoding="utf-8"))
    assert run("report", "three.csv", "-k", "auto").stdout.startswith(f"{choice.reason}\n\nFound 3 clusters")
    assert json.loads(run("cluster", "three.csv", "-k", 3, "--json").stdout)["choice"] is None


def test_where_there_are_no_clusters_one_is_chosen(run, directory):
    np.savetxt(directory / "noise.csv", np.random.default_rng(0).normal(size=(150, 3)), delimiter=",")
    result = run("cluster", "noise.csv", "-k", "auto", "--out", "labels.csv", "--report", "r.html")
    assert result.exit_code == 0, result.output
    assert "Best: 1 cluster." in result.stdout
    assert {line.split(",")[1] for line in (directory / "labels.csv").read_text().splitlines()[1:]} == {"0"}


def test_the_verdict_is_in_the_words_of_the_command_line(run, directory):
    far = np.vstack([np.random.default_rng(k).normal(size=(20, 2)) + 1e6 * k for k in range(4)])
    np.savetxt(directory / "far.csv", far, delimiter=",")
    said = run("cluster", "far.csv", "-k", 2, "--neighbors", 3).stderr
    assert "- The graph is in pieces. The graph has 4 components" in said
    assert "That is more than -k 2" in said
    assert "a larger --neighbors" in said
    assert "n_clusters" not in said


def test_a_column_of_ids_called_as_one_of_ours_is_renamed(run, directory):
    (directory / "t.csv").write_text("cluster,a\n" + "".join(f"r{k},{k % 2 * 9 + k / 50}\n" for k in range(20)))
    assert run("cluster", "t.csv", "-k", 2, "--id", "cluster").stdout.startswith("id,cluster,confidence,")


def test_names_cannot_write_to_the_terminal(run, directory):
    rows = "".join(f"\x1b[31m{k},{k % 2 * 9 + k % 7},{k % 3}\n" for k in range(40))
    (directory / "t.csv").write_text("name,a,b\n" + rows, encoding="utf-8")
    result = run("cluster", "t.csv", "-k", 3, "--id", "name", "--out", "l.csv")
    assert "\x1b" not in result.stdout
    assert r"\x1b[31m" in result.stdout
    assert r"\x1b[31m0," in (directory / "l.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--out", "flowers.csv"), "flowers.csv is the file that is read and would be overwritten."),
        (("--out", "l.csv", "--model", "l.csv"), "l.csv is given for the labels, too, and would be overwritten."),
        (("--out", "labels.xlsx"), "labels.xlsx does not say its format: let it end in .csv, .tsv, .parquet, .json."),
        (("--out", "."), ". is a directory."),
        (("--model", "nowhere/m.s3nmf"), "nowhere does not exist. Make it first"),
        (("--model", "/dev/null"), "/dev/null is not a file."),
        (("--out", "-", "--json"), "both go to standard output"),
        (("-k", "1"), "'-k'"),
        (("-k", "three"), "'-k'"),
        (("--scale", "log"), "'--scale': 'log' is not one of 'standard', 'minmax', 'none'."),
        (("--color",), "No such option"),
    ],
)
def test_wrong_options_are_told_before_any_work(run, flowers, directory, arguments, says):
    before = flowers.read_bytes()
    result = run("cluster", flowers, "-k", 3, *FLOWERS, *arguments)
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())
    assert flowers.read_bytes() == before
    assert [path.name for path in directory.iterdir()] == ["flowers.csv"]


def test_without_a_number_of_clusters_one_is_found(run, flowers):
    """As choose-k finds it."""
    found = json.loads(run("cluster", flowers, *FLOWERS, "--json").stdout)
    chosen = json.loads(run("choose-k", flowers, *FLOWERS, "--json").stdout)
    assert len(found["clusters"]) == found["choice"]["n_clusters"] == chosen["n_clusters"]
    assert found["choice"]["reason"] == chosen["reason"]


def test_a_link_is_written_through(run, blobs, directory):
    for name in ("labels.csv", "m.s3nmf"):
        (directory / f"real-{name}").touch()
        (directory / name).symlink_to(directory / f"real-{name}")
    assert run("cluster", blobs, "-k", 2, "--out", "labels.csv", "--model", "m.s3nmf").exit_code == 0
    for name in ("labels.csv", "m.s3nmf"):
        assert (directory / name).is_symlink()
        assert (directory / f"real-{name}").stat().st_size > 0


def test_a_directory_that_cannot_be_written_to_is_told_before_any_work(run, blobs, directory, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    result = run("cluster", blobs, "-k", 2, "--out", "l.csv")
    assert result.exit_code == 2
    assert "cannot be written to" in " ".join(result.stderr.split())


@pytest.mark.parametrize("output", ["--out", "--model"])
def test_an_interrupted_write_leaves_nothing_behind(blobs, directory, monkeypatch, output):
    target = directory / {"--out": "l.csv", "--model": "m.s3nmf"}[output]
    target.write_text("as it was", encoding="utf-8")

    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    result = CliRunner().invoke(app, ["cluster", str(blobs), "-k", "2", output, target.name])
    assert result.exit_code == 130
    assert result.stderr == "Stopped. Files are as they were, or complete.\n"
    assert target.read_text(encoding="utf-8") == "as it was"
    assert sorted(path.name for path in directory.iterdir()) == ["blobs.csv", target.name]


def test_cells_keep_their_names(run, directory):
    h5py = pytest.importorskip("h5py")
    anndata = pytest.importorskip("anndata")
    assert h5py
    values = np.random.default_rng(0).normal(size=(40, 3)) + np.repeat([[0.0], [9.0]], 20, axis=0)
    cells = anndata.AnnData(sp.csr_matrix(np.ones((40, 2), dtype=np.float32)))
    cells.obs_names = [f"AAAC-{k}" for k in range(40)]
    cells.obsm["X_pca"] = values
    cells.write_h5ad("cells.h5ad")
    result = run("cluster", "cells.h5ad", "-k", 2)
    assert result.stdout.splitlines()[:2][0] == "cell,cluster,confidence,second_cluster"
    assert result.stdout.splitlines()[1].startswith("AAAC-0,")
    assert "Found 2 clusters in 40 cells, of 20 and 20." in result.stderr
    assert "- Took obsm['X_pca'] as the features." in result.stderr


def test_a_clustering_is_read_as_it_was_saved(run, flowers):
    assert run("cluster", flowers, "-k", 3, *FLOWERS, "--model", "m.s3nmf", "--out", "l.csv").exit_code == 0
    found = load_clustering("m.s3nmf")
    assert found.features.columns == ("length", "width", "petal_length", "petal_width")
    assert (found.source, found.id_name, found.ids[:2]) == (str(flowers), "flower", ["f000", "f001"])
    assert found.model.predict(found.model.X_fit_).tolist() == found.model.labels_.tolist()


def test_a_column_that_counts_the_rows_is_pointed_out(run, directory):
    rows = "".join(f"{k:03},{k % 2 * 9 + k % 7},{k * k}\n" for k in range(1, 40))
    (directory / "t.csv").write_text("wine no,a,b\n" + rows, encoding="utf-8")
    hint = "- Column 'wine no' counts the rows. If it names them, say --id 'wine no'."
    result = run("cluster", "t.csv", "-k", 2)
    assert hint in result.stderr
    assert result.stderr.count("counts the rows") == 1
    assert hint not in run("cluster", "t.csv", "-k", 2, "--id", "wine no").stderr


@pytest.mark.parametrize("told", [("--json",), ()])
def test_the_co_association_of_round_1_is_built_once_to_cluster_and_once_to_judge(run, blobs, monkeypatch, told):
    built = []
    make = CoAssociation.__init__

    def count(operator, member_labels, weights):
        built.append(member_labels.shape)
        make(operator, member_labels, weights)

    monkeypatch.setattr(CoAssociation, "__init__", count)
    result = run("cluster", blobs, "-k", 2, "--report", "r.html", "--model", "m.s3nmf", "--out", "l.csv", *told)
    assert result.exit_code == 0, result.output
    assert len(built) <= 2


def test_noise_is_put_into_no_cluster_on_request(run, directory, read_csv):
    random = np.random.default_rng(0)
    values = random.normal(size=(200, 2)) + np.repeat([[0, 0], [9, 9]], 100, axis=0)
    values = np.vstack([values, random.uniform(-12, 21, size=(40, 2))])
    np.savetxt(directory / "t.csv", values, delimiter=",", header="x,y", comments="")
    result = run("cluster", "t.csv", "-k", 2, "--noise", "--out", "l.csv", "--model", "m.s3nmf", "--report", "p.html")
    assert result.exit_code == 0, result.output
    rows = read_csv(directory / "l.csv")
    noise = [row for row in rows if row["cluster"] == "-1"]
    assert 25 < len(noise) <= 40
    assert not any(float(row["confidence"]) for row in noise)
    assert f"{len(noise)} rows are noise: in no cluster (-1)." in result.stdout
    assert "without any edge" not in result.stdout
    assert json.loads(run("cluster", "t.csv", "-k", 2, "--noise", "--json").stdout)["n_noise"] == len(noise)
    again = run("assign", "m.s3nmf", "t.csv", "--out", "a.csv")
    assert [row["cluster"] for row in read_csv(directory / "a.csv")] == [row["cluster"] for row in rows]
    assert f"and {len(noise)} into none (-1).\n" in again.stdout
    run("cluster", "t.csv", "-k", 2, "--model", "m.s3nmf")
    (directory / "far.csv").write_text("x,y\n900,900\n", encoding="utf-8")
    assert "(-1)" not in run("assign", "m.s3nmf", "far.csv", "--out", "a.csv").stdout
    assert "(-1)" in run("assign", "m.s3nmf", "far.csv", "--noise", "--out", "a.csv").stdout


def test_clusters_that_are_smaller_than_asked_join_another_or_none(run, directory, read_csv):
    values = np.random.default_rng(0).normal(size=(86, 2)) + np.repeat([[0, 0], [4, 0], [90, 90]], [40, 40, 6], axis=0)
    np.savetxt(directory / "t.csv", values, delimiter=",", header="x,y", comments="")
    how = ("--min-cluster-size", 10, "--neighbors", 4, "--scale", "none")
    result = run("cluster", "t.csv", "-k", 3, *how, "--out", "l.csv", "--report", "p.html")
    assert result.exit_code == 0, result.output
    assert "6 rows in parts of the graph of fewer than 10 are in no cluster (-1)." in result.stdout
    assert {row["cluster"] for row in read_csv(directory / "l.csv")[-6:]} == {"-1"}
    assert "min_cluster_size" in (directory / "p.html").read_text(encoding="utf-8")


def test_a_kept_text_names_topics_and_subtopics(run, directory):
    random = np.random.default_rng(0)
    kinds = np.repeat([0, 1, 2], 40)
    directions = np.array([[1, 0, 0, 0], [0.6, 0.8, 0, 0], [0, 0, 1, 0]])[kinds] + 0.15 * random.normal(size=(120, 4))
    vectors = directions * random.uniform(1, 5, (120, 1))
    topic = np.array(["the cat is an animal", "the dog is an animal", "the bond has a market"])[kinds]
    rows = zip(vectors.round(4).tolist(), topic, strict=True)
    lines = [f'{",".join(map(str, row))},"{text}, number {k}"' for k, (row, text) in enumerate(rows)]
    (directory / "t.csv").write_text("\n".join(["a,b,c,d,text", *lines]), encoding="utf-8")
    how = ("--metric", "cosine", "--scale", "none", "--keep", "text", "--out", "l.csv", "--report", "p.html")
    result = run("cluster", "t.csv", "-k", 3, *how)
    assert result.exit_code == 0, result.output
    page = (directory / "p.html").read_text(encoding="utf-8")
    assert "Topics and subtopics" in page
    assert "bond" in page.partition("Topics and subtopics")[2]
    assert '<th scope="col">Words</th>' in page
    assert "cosine" in page
