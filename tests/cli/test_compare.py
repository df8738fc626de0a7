import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import s3nmf
from s3nmf.cli import compare
from s3nmf.metrics import accuracy


def test_methods_are_compared_with_each_other_and_the_truth(run, flowers):
    """All of them: that is in the walkthrough of a table."""
    chosen = ("--method", "SNMF", "--method", "SC", "--method", "S3NMF")
    result = run("compare", flowers, "-k", 3, "--id", "flower", "--truth", "kind", "--json", *chosen)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {line["method"] for line in found["methods"]} == {"SNMF", "SC", "S3NMF"}
    kinds = [line.rsplit(",", 1)[1] for line in flowers.read_text(encoding="utf-8").splitlines()[1:]]
    for line in found["methods"]:
        others = found["agreement"][line["method"]]
        assert line["agreement"] == pytest.approx(np.mean(list(others.values())))
        assert others[line["closest"]] == max(others.values())
        assert line["accuracy"] == accuracy(kinds, [row[line["method"]] for row in found["labels"]])
    scores = [line["accuracy"] for line in found["methods"]]
    assert scores == sorted(scores, reverse=True)


def test_methods_can_be_chosen_by_name_in_any_case(run, blobs, directory):
    result = run("compare", blobs, "-k", 2, "--method", "sc", "--method", "S3NMF", "--out", "l.csv")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("2 methods looked for 2 clusters in 40 rows. They agree to ")
    assert (directory / "l.csv").read_text(encoding="utf-8").startswith("row,SC,S3NMF\n0,")
    assert "accuracy" not in result.stdout
    assert result.stdout.endswith("Wrote the labels to l.csv.\n")


def test_labels_can_be_printed(run, rings):
    result = run("compare", rings, "-k", 2, "--method", "SR", "--out", "-")
    assert result.stdout.startswith("node,SR\na0,")
    assert result.stderr.startswith("1 method looked for 2 clusters in 20 nodes.\n")


def test_an_unknown_method_is_a_usage_error(run, blobs):
    result = run("compare", blobs, "-k", 2, "--method", "kmeans")
    assert result.exit_code == 2
    assert "There is no method 'kmeans'. Choose from sBSUM, vBSUM," in " ".join(result.stderr.split())


def test_a_method_that_fails_is_noted_and_the_others_are_compared(run, blobs, monkeypatch):
    class Failing(BaseEstimator):
        def __init__(self, n_clusters=2, affinity="", random_state=None):
            self.n_clusters, self.affinity, self.random_state = n_clusters, affinity, random_state

        def fit(self, W):
            raise MemoryError("This fit needs 9 GB.")

    monkeypatch.setattr(s3nmf, "methods", lambda: {"SR": s3nmf.SpectralRotation(), "SSC": Failing()}, raising=False)
    result = run("compare", blobs, "-k", 2)
    assert result.exit_code == 0
    assert "- SSC failed: This fit needs 9 GB." in result.stdout
    alone = run("compare", blobs, "-k", 2, "--method", "SSC")
    assert alone.exit_code == 1
    assert "No method could be run. SSC failed: This fit needs 9 GB." in alone.stderr


def test_what_takes_hours_is_left_out_and_named(run, blobs, monkeypatch):
    monkeypatch.setattr(compare, "_SLOW_BEYOND", {"SSC": 39})
    monkeypatch.setattr(
        s3nmf,
        "methods",
        lambda: {"SR": s3nmf.SpectralRotation(), "SSC": s3nmf.SparseSpectralClustering()},
        raising=False,
    )
    said = run("compare", blobs, "-k", 2).stdout
    assert "- Left out SSC, which is slow beyond 39 points (--method SSC)." in said
    assert "SSC  " in run("compare", blobs, "-k", 2, "--method", "SSC").stdout


def test_a_truth_that_is_not_there_is_explained(run, flowers, rings):
    assert "has no column 'species'" in run("compare", flowers, "-k", 3, "--truth", "species").stderr
    assert "--truth does not apply to the format edges" in run("compare", rings, "-k", 2, "--truth", "ring").stderr
