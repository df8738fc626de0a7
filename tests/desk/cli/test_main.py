"""The program as it is started from a shell."""

import contextlib
import csv
import errno
import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import s3nmf
from s3nmf.desk.cli.commands import app
from s3nmf.desk.cli.main import main
from s3nmf.desk.cli.options import _formats
from s3nmf.sources import FORMATS

S3NMF = (sys.executable, "-m", "s3nmf.desk.cli.main")
NAMES = ["007", "🦠", "two\nlines", "<script>alert(1)</script>", 'say "hi"', "=1+1", "a,b", " padded ", "é", "NaN"]


def start(*arguments, **options):
    return subprocess.run([*S3NMF, *arguments], capture_output=True, timeout=120, check=False, **options)


def test_help_is_quick_and_loads_nothing_heavy(record_property):
    began = time.perf_counter()
    found = start("--help", text=True)
    seconds = time.perf_counter() - began
    record_property("seconds_of_help", seconds)
    print(f"s3nmf --help took {seconds:.2f} s")  # noqa: T201
    assert found.returncode == 0
    for command in ("cluster", "choose-k", "compare", "assign", "report", "demo"):
        assert f"\n  {command} " in found.stdout
    code = "import sys, s3nmf.desk.cli.commands; print(*({'numpy', 'scipy', 'sklearn', 'rich'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_without_its_extra_it_says_what_to_install():
    code = "import sys; sys.modules['typer'] = None; from s3nmf.desk.cli.main import main; main()"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert found.stderr == "The command s3nmf needs typer. Install it with pip install 's3nmf[cli]'.\n"


def test_ids_come_back_as_they_went_in():
    ids = [name + (str(k) if k else "") for k in range(3) for name in NAMES]
    text = io.StringIO()
    csv.writer(text).writerows([("id", "x"), *((name, k % 2 * 9 + k / 9) for k, name in enumerate(ids))])
    found = start("cluster", "-", "-k", "2", input=text.getvalue().encode())
    assert found.returncode == 0, found.stderr
    rows = list(csv.reader(io.StringIO(found.stdout.decode(), newline="")))
    assert [row[0] for row in rows] == ["id", *ids]
    assert found.stderr.startswith(b"Found 2 clusters in 30 rows, of 15 and 15.")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("--version",), 0), (("clutser",), 2), (("cluster", "t.csv", "-k", "1"), 2)],
)
def test_exit_codes(arguments, code):
    found = start(*arguments, text=True)
    assert found.returncode == code
    assert "Traceback" not in found.stderr


def test_a_reader_that_has_gone_away_is_no_fault(blobs):
    """And what was to be written into files is there."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    ours, theirs = os.pipe()
    os.close(ours)
    command = [*S3NMF, "cluster", str(blobs), "-k", "2", "--model", "m.s3nmf"]
    found = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, env=environment, timeout=120, check=False)
    os.close(theirs)
    assert (found.returncode, found.stderr) == (1, b"")
    assert (blobs.parent / "m.s3nmf").exists()


@pytest.fixture
def terminal():
    """Run a command with its output on a terminal, and give what it prints, as far as a pattern."""
    pty = pytest.importorskip("pty")
    processes = []

    def open_terminal(*arguments):
        ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "90", "LINES": "40"}
        process = subprocess.Popen([*S3NMF, *arguments], stdout=theirs, stderr=theirs, stdin=theirs, env=environment)
        os.close(theirs)
        processes.append(process)
        return process, lambda pattern=None: _read(ours, pattern)

    yield open_terminal
    for process in processes:
        process.kill()
        process.wait()


def _read(descriptor, pattern):
    text, end = "", time.monotonic() + 120  # to compile the loops, if nobody has, takes half a minute
    while time.monotonic() < end and not (pattern and re.search(pattern, text)):
        if select.select([descriptor], [], [], 0.5)[0]:
            with contextlib.suppress(OSError):  # the other end is closed
                text += (more := os.read(descriptor, 4096).decode(errors="replace"))
                if more:
                    continue
            return text
    return text


def test_on_a_terminal_there_is_a_summary_and_how_to_keep_the_labels(terminal, blobs):
    process, read = terminal("cluster", str(blobs), "-k", "2")
    said = read()
    assert process.wait(timeout=30) == 0
    assert "Found 2 clusters in 40 rows" in said
    assert "Labels were not kept: add --out labels.csv" in " ".join(said.split())
    assert "row,cluster" not in said


def test_a_run_that_is_interrupted_leaves_no_file(terminal, directory):
    np.savetxt(directory / "t.csv", np.random.default_rng(0).normal(size=(8000, 3)), delimiter=",")
    (directory / "labels.csv").write_text("as it was", encoding="utf-8")
    process, read = terminal(
        "cluster", "t.csv", "-k", "10", "--members", "factorizations", "--out", "labels.csv", "--model", "m.s3nmf"
    )
    assert re.search(r"round 1 .*about \d+ s left", read(r"round 1 .*about \d+ s left"))
    process.send_signal(signal.SIGINT)
    said = read()
    assert process.wait(timeout=30) == 130, said
    assert said.rstrip().endswith("Stopped. Files are as they were, or complete.")
    assert "Traceback" not in said
    assert sorted(path.name for path in directory.iterdir()) == ["labels.csv", "t.csv"]
    assert (directory / "labels.csv").read_text(encoding="utf-8") == "as it was"


def test_the_package_can_be_run_where_the_command_is_not_on_the_path():
    found = subprocess.run([sys.executable, "-m", "s3nmf", "--version"], capture_output=True, text=True, check=True)
    assert found.stdout == f"s3nmf {s3nmf.__version__}\n"


def test_a_run_that_is_terminated_in_the_middle_of_writing_leaves_no_file(blobs, directory, monkeypatch):
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("sys.warnoptions", ["error"])
    monkeypatch.setattr("os.fsync", lambda descriptor: signal.raise_signal(signal.SIGTERM))
    monkeypatch.setattr("sys.argv", ["s3nmf", "cluster", str(blobs), "-k", "2", "--out", "labels.csv"])
    try:
        with pytest.raises(SystemExit) as stopped:
            main()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert stopped.value.code == 143
    assert [path.name for path in directory.iterdir()] == ["blobs.csv"]


def test_the_help_names_an_ending_of_every_format(run):
    """As a table, as a graph or, if it may be either, somewhere."""
    shown = " ".join(re.sub(r"[^\w.,()]", " ", run("cluster", "--help").stdout).split())
    tables, graphs = re.search(r"A table \((.*?)\), a graph \((.*?)\)", shown).groups()
    for known in FORMATS.values():
        where = {"table": tables, "graph": graphs, "either": shown}[known.kind]
        assert not known.endings or known.endings[0] in where


def test_the_shell_completes_formats():
    assert _formats() == sorted(FORMATS)


def test_every_command_has_help(run):
    for command in app.registered_commands:
        found = run(command.name or command.callback.__name__, "--help")
        assert found.exit_code == 0
        assert "Usage: " in found.stdout


LOADED = """
import sys
from s3nmf.desk.cli.main import main
try:
    main()
except SystemExit as end:
    print(end.code, *({"sklearn", "scipy", "numpy"} & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("cluster", "nowhere.csv", "-k", "3"), 1),
        (("cluster", ".", "-k", "3", "--out", "labels.csv"), 1),
        (("cluster", __file__, "-k", "0"), 2),
        (("cluster", __file__, "-k", "3", "--out", "nowhere/l.csv"), 2),
        (("choose-k", "nowhere.csv"), 1),
        (("compare", "nowhere.csv", "-k", "3"), 1),
        (("assign", "nowhere.s3nmf", __file__), 1),
        (("report", "nowhere.s3nmf"), 1),
    ],
)
def test_what_cannot_succeed_fails_before_anything_large_is_loaded(arguments, code):
    done = subprocess.run([sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(code)]


@pytest.mark.skipif(os.name != "posix", reason="a shell as on Unix")
@pytest.mark.parametrize("arguments", [[], ["--json"], ["--out", "-"]], ids=str)
def test_labels_for_a_closed_standard_output_are_refused(tmp_path, arguments):
    table(tmp_path)
    command = subprocess.list2cmdline([*S3NMF, "cluster", "t.csv", "-k", "2", *arguments])
    ended = subprocess.run(
        ["sh", "-c", f"{command} >&-"], cwd=tmp_path, stderr=subprocess.PIPE, timeout=120, check=False
    )
    said = ended.stderr.decode()
    assert ended.returncode == 1
    assert "Standard output is closed, so" in said
    assert "Name a file with --out." in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["cluster", "t.csv", "-k", "2", "--json"], ["choose-k", "t.csv"]], ids=str
)
def test_a_standard_output_that_takes_nothing_is_explained(tmp_path, arguments):
    table(tmp_path)
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [*S3NMF, *arguments], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False
        )
    assert ended.returncode == 1
    assert ended.stderr.decode() == f"Error: Standard input or output: {os.strerror(errno.ENOSPC)}.\n"


@pytest.mark.skipif(os.name != "posix", reason="a shell as on Unix")
def test_files_are_written_whatever_streams_are_closed(tmp_path):
    table(tmp_path)
    command = subprocess.list2cmdline([*S3NMF, "cluster", "t.csv", "-k", "2", "--out", "l.csv"])
    ended = subprocess.run(["sh", "-c", f"{command} <&- >&- 2>&-"], cwd=tmp_path, timeout=120, check=False)
    assert ended.returncode == 0
    lines = (tmp_path / "l.csv").read_text().splitlines()
    assert len(lines) == 31
    assert lines[0].startswith("row,cluster")


def table(directory):
    values = np.random.default_rng(0).normal(size=(30, 2))
    np.savetxt(directory / "t.csv", values, delimiter=",", header="a,b", comments="")
