import csv

import pytest
from sklearn.datasets import load_wine


def test_the_wines_are_written_as_they_are(run, directory):
    result = run("demo-data", "wine")
    assert result.exit_code == 0
    with (directory / "wine.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    wine = load_wine()
    assert header == ["wine", *wine.feature_names, "cultivar"]
    assert [[float(value) for value in row[1:-1]] for row in rows] == wine.data.tolist()
    assert [row[-1] for row in rows] == ["ABC"[label] for label in wine.target]
    assert rows[6][0] == "007"


@pytest.mark.parametrize("name", ["wine", "iris", "breast_cancer"])
def test_the_command_that_is_named_next_runs(name, run, directory):
    *_, command = run("demo-data", name).stdout.splitlines()
    assert command.startswith(f"s3nmf cluster {name}.csv")
    result = run(*command.split()[1:])
    assert result.exit_code == 0, result.stderr
    assert "Found" in result.stderr + result.stdout


def test_a_file_of_that_name_stays(run, directory):
    (directory / "iris.csv").write_text("mine", encoding="utf-8")
    result = run("demo-data", "iris")
    assert result.exit_code == 1
    assert "iris.csv is here already" in result.stderr
    assert (directory / "iris.csv").read_text(encoding="utf-8") == "mine"
