import json
import re

import numpy as np
import pytest

from s3nmf import choose_n_clusters
from s3nmf.desk.cli.options import numbers_of
from s3nmf.sources import read


def test_the_recommendation_is_that_of_the_library(run, blobs):
    found = choose_n_clusters(read(blobs).values, range(2, 5), random_state=0)
    result = run("choose-k", blobs, "--k", "2:4")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(found.reason)
    mark = next(row[-1] for row in found.table() if row[0] == str(found.n_clusters))
    assert re.search(rf"^{found.n_clusters} .* {mark}$", result.stdout, re.MULTILINE)
    for sentence in found.sentences:
        assert sentence in result.stdout
    assert "- Standardised 2 columns." in result.stdout
    told = json.loads(run("choose-k", blobs, "--k", "2:4", "--json").stdout)
    assert (told["n_clusters"], told["clear"]) == (found.n_clusters, found.clear)
    assert [one["n_clusters"] for one in told["candidates"]] == [2, 3, 4]


def test_a_guess_has_no_arrow(run, directory):
    np.savetxt(directory / "noise.csv", np.random.default_rng(0).normal(size=(150, 3)), delimiter=",")
    said = run("choose-k", "noise.csv", "-k", "2:4").stdout
    assert "<-" not in said
    assert len(re.findall(" a guess$", said, re.MULTILINE)) == 1


def test_noise_has_no_clusters(run, directory):
    np.savetxt(directory / "noise.csv", np.random.default_rng(0).normal(size=(150, 3)), delimiter=",")
    said = run("choose-k", "noise.csv").stdout
    assert said.startswith("Best: 1 cluster. No division of the data has clearly fewer edges across its borders")
    told = json.loads(run("choose-k", "noise.csv", "--json").stdout)
    assert (told["n_clusters"], told["has_clusters"]) == (1, False)


def test_two_rings_are_two_clusters(run, rings):
    assert run("choose-k", rings, "-k", "2:5").stdout.startswith("Best: 2 clusters")


def test_a_part_of_a_large_table_is_said_to_be_one(run, directory):
    X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0], [9], [18]], 30, axis=0)
    np.savetxt(directory / "t.csv", X, delimiter=",")
    said = run("choose-k", "t.csv", "-k", "2:4", "--sample", 60).stdout
    assert "- Looked at 60 of 90 rows to count clusters, drawn at random (choose-k --sample 0 looks at all)." in said
    assert "Looked at" not in run("choose-k", "t.csv", "-k", "2:4", "--sample", 0).stdout


@pytest.mark.parametrize("text", ["", "two", "3:2", "0:4", "2:3:4", "2,,3", "-1"])
def test_what_is_no_range_is_a_usage_error(run, blobs, text):
    result = run("choose-k", blobs, f"--k={text}")
    assert result.exit_code == 2
    assert "Write 2:12, or 2,4,8." in result.stderr


def test_more_clusters_than_rows_are_explained(run, blobs):
    result = run("choose-k", blobs, "--k", "2:40")
    assert result.exit_code == 1
    assert "--k goes up to 40" in result.stderr
    assert "Try at most 39." in result.stderr


@pytest.mark.parametrize("command", ["choose-k", "cluster", "report"])
@pytest.mark.parametrize("text", ["5:2", "1", "0", "-3", "2.5", "auto2", "1:1", ""])
def test_what_holds_no_number_is_said_before_the_work(run, blobs, command, text):
    result = run(command, blobs, f"-k={text}" if command == "report" else f"-k{text}")
    assert result.exit_code == 2
    assert result.stdout == ""


def test_single_numbers_and_ranges_can_be_mixed():
    assert numbers_of("9,2:4,3") == [2, 3, 4, 9]
