"""Levels on the command line: one column a level."""

import json

import numpy as np
import pytest

from s3nmf.desk.cli.labels import level_column


@pytest.fixture
def four(directory):
    centers = np.array([[0, 0], [4.5, 0], [0, 6], [4.5, 6]])[np.arange(240) % 4]
    values = np.random.default_rng(0).normal(size=(240, 2)) + centers
    np.savetxt(directory / "four.csv", values, delimiter=",", header="a,b", comments="")
    return "four.csv"


def test_one_column_a_level_nested_and_in_order(run, four, read_csv, directory):
    assert run("cluster", four, "-k", 4, "--levels", "--out", "l.csv").exit_code == 0
    rows = read_csv(directory / "l.csv")
    assert list(rows[0])[1:] == ["cluster", "confidence", "second_cluster", "level_2", "level_3", "level_4"]
    for number in (2, 3):
        assert {row[f"level_{number}"] for row in rows} == {str(cluster) for cluster in range(number)}
        parts = {(row[f"level_{number + 1}"], row[f"level_{number}"]) for row in rows}
        assert len(parts) == number + 1, "each cluster is in one of the coarser level"
    assert all(row["level_4"] == row["cluster"] for row in rows)


def test_levels_go_into_the_table_and_into_json(run, four, read_csv, directory):
    found = json.loads(run("cluster", four, "-k", 4, "--levels", "--append", "t.csv", "--json").stdout)
    assert list(read_csv(directory / "t.csv")[0])[-3:] == ["level_2", "level_3", "level_4"]
    assert [level["n_clusters"] for level in found["levels"]] == [4, 3, 2]
    assert found["levels"][0]["weakest"]["is_real"] == found["levels"][0]["all_real"]
    assert "levels" not in json.loads(run("cluster", four, "-k", 4, "--json").stdout)


def test_points_in_doubt_are_in_none_at_any_level(run, directory, read_csv):
    np.savetxt(directory / "noise.csv", np.random.default_rng(0).normal(size=(150, 3)), delimiter=",")
    run("cluster", "noise.csv", "-k", 5, "--levels", "--noise", "--out", "l.csv")
    for row in read_csv(directory / "l.csv"):
        assert (row["level_2"] == "-1") == (row["cluster"] == "-1")


def test_names_of_levels_sort_as_numbers_do():
    names = [level_column(number, 120) for number in (2, 13, 120)]
    assert names == sorted(names) == ["level_002", "level_013", "level_120"]


def test_one_cluster_has_no_levels(run, directory, read_csv):
    np.savetxt(directory / "noise.csv", np.random.default_rng(0).normal(size=(150, 3)), delimiter=",")
    assert run("cluster", "noise.csv", "--levels", "--out", "l.csv").exit_code == 0
    assert list(read_csv(directory / "l.csv")[0])[1:] == ["cluster", "confidence", "second_cluster"]


def test_a_table_in_parts_has_none(run, directory):
    (directory / "in").mkdir()
    result = run("cluster", "in", "--levels", "--out", "labels")
    assert result.exit_code == 2
    assert "--levels is for one file." in " ".join(result.stderr.split())
