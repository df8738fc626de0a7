"""Whatever is wrong with a file, a user reads one line that says what, where, and what to do."""

import gzip
import json
from email.message import Message

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from s3nmf._memory import TooLargeError
from s3nmf.desk.cli import clustering
from s3nmf.desk.cli.commands import app

GOOD = "a,b\n" + "".join(f"{k % 2 * 9},{k}\n" for k in range(20))

BOMB = gzip.compress(b"0,0\n" * 5_000_000)

KINDS = {
    "a missing file": ("t.csv", None, "does not exist. Check its name"),
    "an empty file": ("t.csv", b"", "is empty"),
    "blank lines": ("t.csv", b"\n\n\n", "has no rows"),
    "a header alone": ("t.csv", b"a,b\n", "a header and no rows"),
    "a single row": ("t.csv", b"a,b\n1,2\n", "has 1 row of data"),
    "a column of text": ("t.csv", b"a,city\n1,Rome\n2,Oslo\n3,Rome\n", "--drop city"),
    "a column of different texts": ("t.csv", b"a,who\n1,Ann\n2,Bob\n3,Eve\n", "--id who"),
    "missing values": ("t.csv", b"a,b\n1,2\n2,\n3,4\n", "1 in 'b', first in line 3 (row 1)."),
    "duplicate ids": ("t.csv", b"id,a\nx,1\ny,2\nx,3\n", "first 'x' in line 2 and line 4"),
    "constant columns": ("t.csv", b"a,b\n1,2\n1,2\n1,2\n", "no column tells the rows apart (Dropped 'a', 'b'"),
    "infinity": ("t.csv", b"a,b\n1,2\ninf,3\n3,4\n", "column 'a' is infinite"),
    "columns of one name": ("t.csv", b"a,a\n1,2\n2,3\n", "column 'a' comes 2 times"),
    "a short row": ("t.csv", b"a,b\n1,2\n3\n4,5\n", "line 3 has 1 value"),
    "an open quote": ("t.csv", b'a,b\n1,"2\n3,4\n', "is never closed"),
    "UTF-16": ("t.csv", GOOD.encode("utf-16"), "UTF-16"),
    "latin-1": ("t.csv", "größe,b\n1,2\n2,3\n".encode("latin-1"), "--encoding latin-1"),
    "a NUL byte": ("t.csv", b"a,b\n1,\x002\n2,3\n", "NUL byte"),
    "a gzip file that unpacks to everything": ("t.csv.gz", BOMB, "unpacks to more than 400 times its size"),
    "a gzip file cut off": ("t.csv.gz", gzip.compress(GOOD.encode())[:-12], "cut off or damaged"),
    "no ending": ("table", GOOD.encode(), "Say it with --format"),
    "a damaged spreadsheet": ("t.xlsx", b"PK\x03\x04", "openpyxl cannot read it"),
    "a file of Stata": ("t.dta", b"", "pandas.read_stata('t.dta').to_csv('table.csv', index=False)"),
    "an archive": ("t.zip", b"PK\x03\x04", "Unpack it, and give the file in it"),
    "edges in a table": ("t.csv", b"source,target\na,b\nb,c\n", "--format edges reads it as a graph"),
    "a directory": ("d", "directory", "is a directory. Give the file in it that holds the data."),
    "a damaged array": ("t.npy", b"\x93NUMPY\x01\x00v\x00{'descr'", "numpy"),
    "a damaged Parquet file": ("t.parquet", b"PAR1 nothing PAR1", "pyarrow cannot read it"),
    "a damaged .h5ad file": ("t.h5ad", b"\x89HDF\r\n\x1a\n and then nothing", "h5py cannot read it"),
    "an edge of three nodes": ("t.edges", b"a b c d\nb c d e\n", "has 4 columns"),
    "a negative weight": ("t.edges", b"a b 1\nb c -1\n", "the weight '-1' in line 2"),
    "a graph without edges": ("t.edges", b"a a\nb b\n", "no edge between two nodes"),
    "GraphML with entities": ("t.graphml", b'<!DOCTYPE g [<!ENTITY x "y">]><graphml/>', "document type declaration"),
    "nonsense for GML": ("t.gml", b"graph [ node [", "networkx cannot read it"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", [("cluster", "-k", 2), ("choose-k",), ("compare", "-k", 2)], ids=lambda it: it[0])
def test_bad_files_are_explained_in_one_line(run, directory, command, kind):
    name, content, says = KINDS[kind]
    if content == "directory":
        (directory / name).mkdir()
        if command[0] == "cluster":
            says = "is a table in parts, whose labels go into a folder"
    elif content is not None:
        (directory / name).write_bytes(content)
    before = sorted(directory.iterdir())
    result = run(command[0], name, *command[1:])
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {name}")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr
    assert "Traceback" not in result.output
    assert "fault in s3nmf" not in result.output
    assert sorted(directory.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("-k", 20), "-k 20 is too many: good.csv has 20 rows. Ask for at most 19."),
        (("-k", 2, "--neighbors", 20), "--neighbors 20 is too many"),
        (("-k", 2, "--id", "A"), "has no column 'A'. Did you mean 'a'?"),
        (("-k", 2, "--drop", "a, b"), "has no column 'a, b'. It has 'a', 'b': name one column at a time."),
        (("-k", 2, "--drop", "c"), "has no column 'c'."),
        (("-k", 2, "--drop", "a", "--drop", "b"), "no column of features left"),
        (("-k", 2, "--encoding", "klingon"), "'klingon' is not the name of an encoding"),
        (("-k", 2, "--format", "npy"), "numpy cannot read it"),
        (("-k", 2, "--format", "edges", "--scale", "none"), "Leave out --scale"),
        (("-k", 2, "--format", "edges", "--neighbors", 3), "Leave out --neighbors"),
    ],
)
def test_options_that_do_not_fit_the_file_are_explained(run, directory, arguments, says):
    (directory / "good.csv").write_text(GOOD, encoding="utf-8")
    result = run("cluster", "good.csv", *arguments)
    assert result.exit_code == 1
    assert says in result.stderr
    assert "Traceback" not in result.output


def test_values_without_distances_are_explained(run, directory):
    (directory / "t.csv").write_text("a,b\n1e200,1\n2e200,5\n3e200,2\n", encoding="utf-8")
    result = run("cluster", "t.csv", "-k", 2, "--scale", "none")
    assert result.exit_code == 1
    assert "t.csv cannot be clustered: The largest value of X is 3e+200" in result.stderr


def test_matrices_that_are_no_graphs_are_explained(run, directory):
    scipy.io.mmwrite(directory / "t.mtx", sp.coo_array(np.ones((3, 4))))
    assert "a graph is a square matrix" in run("cluster", "t.mtx", "-k", 2).stderr
    np.savez(directory / "t.npz", y=[1, 2, 3])
    assert "Save the features as 'X'" in run("cluster", "t.npz", "-k", 2).stderr
    np.save(directory / "t.npy", np.array([{}], dtype=object), allow_pickle=True)
    assert "never loaded" in run("cluster", "t.npy", "-k", 2).stderr


@given(st.binary(max_size=200), st.sampled_from(["t.csv", "t.tsv", "t.edges", "t.npy", "t.mtx", "t.s3nmf"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_random_bytes_are_never_a_fault_of_the_program(directory, content, name):
    (directory / name).write_bytes(content)
    arguments = ["assign", name, "-"] if name.endswith("s3nmf") else ["cluster", name, "-k", "2", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code in (0, 1)
    assert "fault in s3nmf" not in result.output
    assert "Traceback" not in result.output


def test_an_error_is_json_for_programs(run):
    result = run("cluster", "t.csv", "-k", 2, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"].startswith("t.csv does not exist.")
    assert result.stderr.startswith("Error: t.csv does not exist.")


def test_what_nobody_foresaw_is_one_line_and_how_to_report_it(run, blobs, monkeypatch):
    def fail(*arguments, **options):
        raise KeyError("V\n\x1b[2J")

    monkeypatch.setattr(clustering, "S3NMF", fail)
    result = run("cluster", blobs, "-k", 2)
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("Error: unexpected KeyError: ")
    assert "please report it to its developers, with the command and what it prints with --debug." in result.stderr
    assert "\x1b" not in result.stderr
    debugged = run("cluster", blobs, "-k", 2, "--debug")
    assert debugged.exit_code == 1
    assert debugged.stderr.startswith("Traceback")
    assert "the command and the lines above" in debugged.stderr


def test_a_fault_is_reported_to_the_address_of_the_package(run, blobs, monkeypatch):
    given = Message()
    given["Project-URL"] = "Issues, https://example.org/issues"
    monkeypatch.setattr("importlib.metadata.metadata", lambda name: given)
    monkeypatch.setattr(clustering, "S3NMF", None)
    assert "please report it to https://example.org/issues, with the command" in run("cluster", blobs, "-k", 2).stderr


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (MemoryError(), "Error: The memory is not large enough."),
        (MemoryError("Allocation failed"), "Error: The memory is not large enough. Use a machine with more"),
        (TooLargeError("This fit needs 9 GB."), "Error: This fit needs 9 GB."),
        (OSError(28, "No space left on device", "/disk/x"), "Error: /disk/x: No space left on device."),
        (ImportError("Parquet needs pyarrow. Install it with pip install 's3nmf[tables]'."), "Error: Parquet needs"),
    ],
)
def test_what_the_machine_lacks_is_said(run, blobs, monkeypatch, error, says):
    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr(clustering, "S3NMF", fail)
    result = run("cluster", blobs, "-k", 2)
    assert result.exit_code == 1
    assert result.stderr.startswith(says)
    assert "fault" not in result.stderr


def test_a_file_with_nearly_the_name_is_suggested(run, directory):
    (directory / "plants.csv").write_text("a,b\n1,2\n3,4\n5,7\n", encoding="utf-8")
    assert "plnats.csv does not exist. Did you mean plants.csv?" in run("cluster", "plnats.csv", "-k", 2).stderr
    said = run("cluster", "../nowhere/plants.csv", "-k", 2).stderr
    assert "does not exist. Check its name; it was looked for in" in " ".join(said.split())


@pytest.mark.parametrize("option", ["--out", "--model", "--report"])
def test_a_circle_of_links_is_no_place_for_a_file(run, directory, blobs, option):
    for one, other in (("a.csv", "b.csv"), ("b.csv", "a.csv")):
        (directory / one).symlink_to(directory / other)
    result = run("cluster", blobs, "-k", 2, option, "a.csv")
    assert result.exit_code == 2, result.output
    assert "a.csv: Too many levels of symbolic links" in " ".join(result.output.replace("│", " ").split())
    result = run("cluster", "a.csv", "-k", 2)
    assert result.exit_code != 0
    assert "Too many levels of symbolic links" in " ".join(result.output.replace("│", " ").split())
    assert "fault in s3nmf" not in result.output


@pytest.mark.parametrize("header", ["", "sep=,"])
def test_line_ends_of_old_programs_are_line_ends(run, directory, header, read_csv):
    text = "".join(f"{line}\n" for line in [header] if line) + GOOD
    for name, end in (("unix.csv", b"\n"), ("old.csv", b"\r")):
        (directory / name).write_bytes(text.encode().replace(b"\n", end))
        result = run("cluster", name, "-k", 2, "--out", f"of-{name}")
        assert result.exit_code == 0, result.output
    assert read_csv(directory / "of-old.csv") == read_csv(directory / "of-unix.csv")
    run("cluster", "old.csv", "-k", 2, "--append", "appended.csv")
    assert (directory / "appended.csv").read_bytes().count(b"\r") == text.count("\n")
