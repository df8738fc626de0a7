"""A table in parts, from the shell."""

import json
import signal
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest

from s3nmf.distributed import connected

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def parts(directory):
    """Twelve files of 30 rows around three points."""
    (directory / "in").mkdir()
    rng = np.random.default_rng(0)
    for number in range(12):
        values = rng.normal(size=(30, 2)) + np.repeat([[0, 0], [4, 4], [9, 0]], 10, axis=0)
        lines = [f"r{number}-{row},{x},{y}" for row, (x, y) in enumerate(values)]
        text = "\n".join(["id,x,y", *lines])
        (directory / "in" / f"part-{number:02}.csv").write_text(text + "\n", encoding="utf-8")
    return directory / "in"


@pytest.mark.usefixtures("parts")
def test_a_pattern_is_clustered_into_a_folder(run, directory, read_csv):
    result = run("cluster", "in/part-*.csv", "-k", 3, "--out", "labels", "--sample", 120)
    assert result.exit_code == 0, result.output
    assert "Found 3 clusters in 360 rows, of 120, 120, 120 rows, by a sample of 120." in result.output
    assert "far from every sampled row" in result.output
    assert "Wrote labels of 12 parts to labels, and the model to labels/model.s3nmf." in result.output
    rows = read_csv(directory / "labels" / "part-07.csv")
    assert [row["id"] for row in rows] == [f"r7-{row}" for row in range(30)]
    assert list(rows[0]) == ["id", "cluster", "confidence", "second_cluster", "far"]
    assert run("assign", "labels/model.s3nmf", "in/part-03.csv", "--out", "again.csv").exit_code == 0
    again = read_csv(directory / "again.csv")
    assert [row["cluster"] for row in again] == [row["cluster"] for row in read_csv(directory / "labels/part-03.csv")]


@pytest.mark.usefixtures("parts")
def test_a_folder_is_clustered_and_told_of_as_json(run):
    result = run("cluster", "in", "-k", 3, "--out", "labels", "--sample", 120, "--json")
    found = json.loads(result.stdout)
    assert (found["n_rows"], found["n_sampled"], found["skipped"]) == (360, 120, {})
    assert len(found["files"]["labels"]) == 12


@pytest.mark.usefixtures("parts")
def test_the_command_goes_on_after_it_was_killed(run, directory):
    options = ("-k", "3", "--sample", "120", "--quiet", "--out")
    assert run("cluster", "in", *options, "whole").exit_code == 0
    process = subprocess.Popen([sys.executable, "-m", "s3nmf", "cluster", "in", *options, "labels"])
    while process.poll() is None and not list(directory.glob("labels/part-*")):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert run("cluster", "in", *options, "labels").exit_code == 0
    for path in sorted(directory.glob("whole/part-*")):
        assert (directory / "labels" / path.name).read_bytes() == path.read_bytes()
    assert not list(directory.glob("labels/.*"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-k", "3"), "Name it: --out labels/"),
        (
            ("-k", "300", "--out", "labels", "--sample", "120"),
            "in cannot be clustered: -k 300 is more than n_samples=120",
        ),
        (("-k", "3", "--out", "in"), "in holds the files to cluster. Let labels go into another folder."),
    ],
)
@pytest.mark.usefixtures("parts")
def test_what_cannot_be_done_is_said_in_a_sentence(run, options, message):
    result = run("cluster", "in", *options)
    assert result.exit_code == 1
    assert message in result.stderr.replace("\n", " ")


@pytest.mark.usefixtures("parts")
def test_a_scheduler_that_does_not_answer_is_said_in_a_sentence(run, monkeypatch):
    monkeypatch.setattr("s3nmf.distributed.connected", partial(connected, timeout=0.5))
    result = run("cluster", "in", "-k", 3, "--out", "labels", "--scheduler", "127.0.0.1:1")
    assert result.exit_code == 1
    assert "No scheduler answers at 127.0.0.1:1 within 0.5 s." in result.stderr.replace("\n", " ")


def test_bad_parts_are_named_with_the_option_that_leaves_them_out(run, parts):
    (parts / "part-04.csv").write_text("", encoding="utf-8")
    (parts / "part-05.csv").write_text("id,x,y\na,1,much\n", encoding="utf-8")
    result = run("cluster", "in", "-k", 3, "--out", "labels", "--sample", 120)
    said = result.stderr.replace("\n", " ")
    assert "2 of 12 parts cannot be clustered." in said
    assert "part-04.csv is empty." in said
    assert "leave them out (--bad-parts skip)" in said
    result = run("cluster", "in", "-k", 3, "--out", "labels", "--sample", 120, "--bad-parts", "skip")
    assert result.exit_code == 0
    assert "part-04.csv is empty." in result.output


def test_decimals_are_read_as_the_option_says_that_a_note_names(run, directory):
    (directory / "in").mkdir()
    rng = np.random.default_rng(0)
    for number in range(2):
        values = 2 + rng.random(size=(90, 2)) + np.repeat([[0, 0], [3, 3], [6, 0]], 30, axis=0)
        lines = [f"{x:.3f}\t{y:.3f}".replace(".", ",") for x, y in values]
        (directory / "in" / f"{number}.tsv").write_text("\n".join(["x\ty", *lines]) + "\n", encoding="utf-8")
    result = run("cluster", "in", "-k", 3, "--out", "guessed")
    assert "--decimal , reads it as" in result.output.replace("\n", " ")
    result = run("cluster", "in", "-k", 3, "--out", "labels", "--decimal", ",")
    assert result.exit_code == 0, result.output
    assert "nothing in the file decides" not in result.output.replace("\n", " ")


@pytest.mark.usefixtures("parts")
def test_options_of_parts_are_for_parts_only(run):
    result = run("cluster", "in/part-01.csv", "-k", 3, "--sample", 120)
    assert result.exit_code == 2
    for option in (("--report", "page.html"), ("--categories",)):
        result = run("cluster", "in", "-k", 3, "--out", "labels", *option)
        assert result.exit_code == 2
        assert f"{option[0]} is for one file" in " ".join(result.stderr.split())


@pytest.mark.usefixtures("parts")
def test_columns_of_parts_are_chosen_as_those_of_one_file(run):
    result = run("cluster", "in", "-k", 3, "--out", "labels", "--columns", "x", "--drop-text")
    assert result.exit_code == 0, result.output
    assert "Took 'x' of" in " ".join(result.output.split())
