import json
import signal
import sys
import threading
import time

import numpy as np
import pytest

import s3nmf
from s3nmf.baselines.comparison import contestants, running
from s3nmf.baselines.comparison.contestants import Contestant
from s3nmf.baselines.comparison.names import TITLES
from s3nmf.desk.cli.compare import _methods
from s3nmf.desk.cli.time_limit import seconds_of
from s3nmf.metrics import accuracy


def by_sign(problem):
    return (problem.points[:, 0] > 0).astype(int)


@pytest.fixture
def take_part(monkeypatch):
    """Let functions from problems to labels take part, under names of methods, in the place of all methods."""

    def instead(**methods):
        made = {name: Contestant(name, labels_for) for name, labels_for in methods.items()}
        monkeypatch.setattr(contestants, "contestants", lambda: made)
        monkeypatch.setattr(running, "_warm_up", lambda method, tiny: None)

    return instead


def test_methods_are_compared_with_each_other_and_the_truth(run, flowers):
    """All of them: that is in the walkthrough of a table."""
    chosen = ("--method", "SNMF", "--method", "SC", "--method", "k-means")
    result = run("compare", flowers, "-k", 3, "--id", "flower", "--truth", "kind", "--json", *chosen)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {line["method"]: line["title"] for line in found["methods"]} == {
        "SNMF": "symmetric NMF",
        "SC": "spectral clustering",
        "KMeans": "k-means",
    }
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
    table, summary, _, files = result.stdout.split("\n\n")
    assert [line.split()[0] for line in table.splitlines()] == ["method", "SC", "S3NMF"]
    assert summary.startswith("2 methods looked for 2 clusters in 40 rows.\nThey agree to ")
    assert (directory / "l.csv").read_text(encoding="utf-8").startswith("row,SC,S3NMF\n0,")
    assert "accuracy" not in result.stdout
    assert files == "Wrote the labels to l.csv.\n"


def test_labels_can_be_printed(run, rings):
    result = run("compare", rings, "-k", 2, "--method", "SR", "--out", "-")
    assert result.stdout.startswith("node,SR\na0,")
    assert "\n1 method looked for 2 clusters in 20 nodes.\n" in result.stderr


def test_an_unknown_method_is_a_usage_error(run, blobs):
    result = run("compare", blobs, "-k", 2, "--method", "DBSCAN")
    assert result.exit_code == 2
    assert "There is no method 'DBSCAN'. Choose from default, KMeans," in " ".join(result.stderr.split())


def test_a_method_that_fails_is_noted_and_the_others_are_compared(run, blobs, take_part):
    def failing(problem):
        raise MemoryError("This fit needs 9 GB.")

    take_part(SSC=failing, SR=by_sign)
    result = run("compare", blobs, "-k", 2)
    assert result.exit_code == 0
    assert "\nSSC      sparse spectral             failed\n" in result.stdout
    assert "- sparse spectral failed: This fit needs 9 GB." in result.stdout
    alone = run("compare", blobs, "-k", 2, "--method", "SSC")
    assert alone.exit_code == 1
    assert "No method could be run. sparse spectral failed: This fit needs 9 GB." in alone.stderr


def test_what_takes_hours_is_left_out_and_named(run, blobs, monkeypatch):
    made = {"SR": Contestant("SR", by_sign), "SSC": Contestant("SSC", by_sign, slow_beyond=39)}
    monkeypatch.setattr(contestants, "contestants", lambda: made)
    said = run("compare", blobs, "-k", 2).stdout
    assert "- Left out sparse spectral, which is slow beyond 39 points (--method SSC)." in said
    assert "\nSSC  " in run("compare", blobs, "-k", 2, "--method", "SSC").stdout


def test_an_interrupted_comparison_shows_and_writes_what_is_done(run, blobs, take_part, directory):
    def interrupted(problem):
        signal.raise_signal(signal.SIGINT)

    take_part(SR=by_sign, SC=interrupted, SNMF=by_sign)
    result = run("compare", blobs, "-k", 2, "--out", "l.csv")
    assert result.exit_code == 130
    assert [line.split()[0] for line in result.stdout.split("\n\n")[0].splitlines()] == ["method", "SR"]
    assert "- Stopped: SC and SNMF did not run to the end." in result.stdout
    assert (directory / "l.csv").read_text(encoding="utf-8").startswith("row,SR\n")


def test_interrupted_before_anything_is_done_it_stops_as_every_command(run, blobs, take_part, directory):
    take_part(SR=lambda problem: signal.raise_signal(signal.SIGINT))
    result = run("compare", blobs, "-k", 2, "--out", "l.csv")
    assert result.exit_code == 130
    assert result.stderr == "Stopped. Files are as they were, or complete.\n"
    assert not (directory / "l.csv").exists()


def test_when_the_time_is_over_what_is_done_is_the_result(run, blobs, take_part):
    take_part(SR=by_sign, SC=lambda problem: threading.Event().wait(60))
    result = run("compare", blobs, "-k", 2, "--budget", "1s")
    assert result.exit_code == 0, result.output
    assert "1 method looked for 2 clusters" in result.stdout
    assert "- The time is over: SC did not run to the end." in result.stdout


def test_the_time_is_kept_by_methods_that_hear_of_no_signal(run, blobs, take_part):
    """As compiled loops do: the work goes on, and nobody waits for it."""

    def deaf(problem):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        return threading.Event().wait(60)

    take_part(KMeans=by_sign, SSC=deaf, SC=by_sign)
    began = time.monotonic()
    result = run("compare", blobs, "-k", 2, "--budget", "2s")
    assert time.monotonic() - began < 10
    assert result.exit_code == 0, result.output
    assert "2 methods looked for 2 clusters" in result.stdout
    assert "- The time is over: SSC did not run to the end." in result.stdout


def test_with_little_time_what_is_fast_and_needs_no_graph_comes_first(run, blobs, take_part, monkeypatch):
    def builds_for_ever(*_, **__):
        threading.Event().wait(60)

    monkeypatch.setattr("s3nmf.graph.nearest_neighbor_affinity", builds_for_ever)
    take_part(SC=lambda problem: problem.affinity, KMeans=by_sign)
    result = run("compare", blobs, "-k", 2, "--budget", "2s")
    assert result.exit_code == 0, result.output
    assert "KMeans" in result.stdout
    assert "- The time is over: SC did not run to the end." in result.stdout


def test_every_method_has_its_place_among_the_fast_ones():
    every = list(contestants.contestants().values())
    assert len(contestants.fastest_first(every)) == len(every)
    assert {one.name for one in every} == set(contestants._BY_SPEED)


def test_a_time_that_is_none_is_refused(run, blobs):
    assert [seconds_of(text) for text in ("2m", "90 s", "0.5h", "7", "3 minutes")] == [120, 90, 1800, 7, 180]
    for text in ("soon", "0s", "-1m"):
        result = run("compare", blobs, "-k", 2, "--budget", text)
        assert result.exit_code == 2
        assert "is no time. Write 90s, 2m or 1.5h." in " ".join(result.stderr.replace("│", " ").split())


def test_rows_are_printed_before_the_next_method_begins(run, blobs, take_part):
    printed = []

    def look(problem):
        sys.stdout.flush()
        printed.append(sys.stdout.buffer.getvalue().decode())
        return by_sign(problem)

    take_part(SR=by_sign, SC=look)
    run("compare", blobs, "-k", 2)
    assert printed[0].splitlines()[-1].startswith("SR       spectral rotation ")


def test_a_row_has_room_on_a_narrow_terminal(run, flowers):
    result = run("compare", flowers, "-k", 3, "--id", "flower", "--truth", "kind", "--method", "SC")
    assert max(map(len, result.stdout.split("\n\n")[0].splitlines())) <= 80


def test_a_graph_has_no_columns_to_give_to_k_means(run, rings):
    result = run("compare", rings, "-k", 2, "--method", "k-means", "--method", "leiden")
    assert "\nLeiden   Leiden " in result.stdout
    assert "- Left out k-means, which needs columns: there is only a graph." in result.stdout


def test_the_shell_completes_methods_by_short_names_with_what_they_mean():
    assert ("GMM", "Gaussian mixture") in _methods()
    assert [name for name, _ in _methods()][-13:] == list(s3nmf.methods())
    assert set(TITLES) == set(contestants.contestants())


def test_a_truth_that_is_not_there_is_explained(run, flowers, rings):
    assert "has no column 'species'" in run("compare", flowers, "-k", 3, "--truth", "species").stderr
    assert "--truth does not apply to the format edges" in run("compare", rings, "-k", 2, "--truth", "ring").stderr
