import re

import pytest
from typer.testing import CliRunner

import s3nmf
import tiny_suite
from experiments.commands import app, seconds_of
from experiments.results import Results


@pytest.fixture
def command(tmp_path, monkeypatch):
    """The command with the tiny methods, without data but IRIS, which comes with scikit-learn."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("S3NMF_DATA", raising=False)
    monkeypatch.setenv("S3NMF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(s3nmf, "methods", tiny_suite.methods)
    return lambda *arguments: CliRunner().invoke(app, arguments)


def test_runs_are_done_once_and_drawn(command, tmp_path):
    first = command("run", "--only", "IRIS,SR,SNMF", "--repetitions", "2")
    assert first.exit_code == 0, first.output
    assert "0 of 4 runs are in paper-runs." in first.output
    assert "4 runs done, 0 failed, 0 left" in first.output
    second = command("run", "--only", "IRIS,SR,SNMF", "--repetitions", "3")
    assert "4 of 6 runs are in paper-runs." in second.output
    assert "2 runs done, 0 failed, 0 left" in second.output
    assert len(Results("paper-runs").outcomes()) == 6

    assert command("tables").exit_code == 0
    assert "| SNMF |" in (tmp_path / "paper-tables" / "tables.md").read_text(encoding="utf-8")
    assert command("figures").exit_code == 0
    assert command("page").exit_code == 0
    (tmp_path / "paper-runs").rename(tmp_path / "gone")
    before = (tmp_path / "reproduction.md").read_bytes()
    assert command("page", "--runs", "reproduction.parquet").exit_code == 0
    assert (tmp_path / "reproduction.md").read_bytes() == before


def test_a_method_that_the_paper_does_not_have_runs_and_has_empty_cells_beside_ours(command, monkeypatch, tmp_path):
    fourteenth = {**tiny_suite.methods(), "Leiden": tiny_suite.Slow(seconds=0.0)}
    monkeypatch.setattr(s3nmf, "methods", lambda: fourteenth)
    found = command("run", "--only", "IRIS,SC,SR,S3NMF,Leiden", "--repetitions", "2", "--sweep-repetitions", "0")
    assert "8 runs done, 0 failed, 0 left" in found.output
    for name in ("tables", "figures", "page"):
        assert command(name).exit_code == 0
    for path in (tmp_path / "paper-tables" / "tables.md", tmp_path / "reproduction-tables.md"):
        lines = path.read_text(encoding="utf-8").splitlines()
        (row,) = [line for line in lines if line.startswith("| Leiden |") and "±" in line]
        assert re.fullmatch(r"\| Leiden \|( \S*\d\.\d{3} ± \d\.\d{3}\S* \| - \|){5}", row)
    page = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    said = next(line for line in page.splitlines() if line.startswith("**Compared methods, fixed.**"))
    assert re.search(r"in \d of 2 cells", said), "SC and SR alone can be compared with the paper"


def test_a_run_goes_on_from_the_file_of_another(command):
    """Which has two of the three repetitions."""
    command("run", "--only", "IRIS,SR", "--repetitions", "2")
    assert command("page").exit_code == 0
    arguments = ("--only", "IRIS,SR", "--repetitions", "3", "--store", "elsewhere", "--adopt", "reproduction.parquet")
    found = command("run", *arguments)
    assert "2 runs of reproduction.parquet were new to elsewhere." in found.output
    assert "2 of 3 runs are in elsewhere." in found.output
    assert "1 runs done, 0 failed, 0 left" in found.output


def test_data_sets_that_are_not_there_are_left_out_with_what_to_do(command):
    found = command("run", "--only", "IRIS,PALM,SR", "--repetitions", "1")
    assert "left out: PALM: there is no palm.npz in" in found.output.replace("\n", " ")
    assert "1 runs done, 0 failed, 0 left" in found.output


def test_a_failed_run_is_named_and_the_command_fails(command, monkeypatch):
    methods = {**tiny_suite.methods(), "SR": tiny_suite.Failing()}
    monkeypatch.setattr(s3nmf, "methods", lambda: methods)
    found = command("run", "--only", "IRIS,SR", "--repetitions", "1")
    assert found.exit_code == 1
    assert "SR on IRIS, seed 0 failed. FloatingPointError: the factor overflowed" in found.output.replace("\n", " ")


def test_nothing_begins_when_the_budget_is_gone(command):
    found = command("run", "--only", "IRIS,SR", "--repetitions", "3", "--budget", "0s")
    assert found.exit_code == 0
    assert "0 runs done, 0 failed, 3 left" in found.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("run", "--only", "IRISS"), "There is nothing called IRISS to run"),
        (("run", "--budget", "soon"), "'soon' is not a duration. Write 90s, 30m or 1h30m."),
        (("run", "--adopt", "nowhere.parquet"), "There are no runs in nowhere.parquet."),
        (("tables", "--runs", "nowhere"), "There are no runs in nowhere."),
        (("golden",), "set the environment variable S3NMF_DATA"),
        (("defaults", "--runs", "nowhere"), "There are no runs in nowhere."),
    ],
)
def test_mistakes_are_explained_without_a_traceback(arguments, says, command):
    found = command(*arguments)
    assert found.exit_code == 2
    assert says in " ".join(found.output.replace("│", " ").split())


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("30m", 1800), ("1h30m", 5400), ("0.5h", 1800), ("", None)])
def test_durations(text, seconds):
    assert seconds_of(text) == seconds
