"""A message names a parameter once, and each caller spells it: n_neighbors=5 in Python, --neighbors 5 to a shell."""

import pickle
import re

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from typer.testing import CliRunner

from s3nmf import S3NMF, DisconnectedGraphWarning
from s3nmf._messages import Message, Parameter, joined, spelled
from s3nmf.desk.cli.commands import app
from s3nmf.desk.cli.spelling import as_option
from s3nmf.sources import SourceError, check_target, read

OPTION = re.compile(r"(?<![\w-])--?[a-z]")


@given(st.text(), st.text())
def test_a_message_keeps_what_users_call_their_things(name, value):
    message = Message("{source}: leave out {drop}.", source=name, drop=Parameter("drop", [value]))
    assert message.startswith(f"{name}: leave out drop=[")
    assert message.spelled(lambda parameter: "it") == f"{name}: leave out it."


def test_messages_in_messages_are_spelled_too():
    inner = Message("raise {}", Parameter("max_iter"))
    outer = joined(["Too few {sweeps}.", Message("Now {remedy}.", remedy=inner)])
    assert outer == "Too few {sweeps}. Now raise max_iter."
    assert outer.spelled(as_option) == "Too few {sweeps}. Now raise max_iter (in Python)."


def test_what_an_error_names_survives_a_trip_to_another_process():
    error = pickle.loads(pickle.dumps(ValueError(Message("{} {{x}}", Parameter("n_neighbors", 5)))))
    assert str(error) == "n_neighbors=5 {x}"
    assert spelled(error, as_option) == "--neighbors 5 {x}"


def test_errors_without_parameters_say_what_they_say():
    assert spelled(ValueError("{id}"), as_option) == "{id}"
    assert spelled(KeyError("id"), as_option) == "'id'"
    assert spelled(OSError(2, "No such file", "x"), as_option) == "[Errno 2] No such file: 'x'"


def test_of_many_columns_some_are_named():
    drop = Parameter("drop", list("abcdefg"))
    assert str(drop) == "drop=['a', 'b', 'c', 'd', 'e', ...]"
    assert as_option(drop) == "--drop a --drop b --drop c --drop d --drop e ..."


FACES = {
    "ids of an edge list": ("t.edges", "a b\n", {"id": "a"}, ": id does not apply", "--id does not apply"),
    "columns of an edge list": ("t.edges", "a b\n", {"drop": ["a"]}, ": drop does not apply", "--drop does not apply"),
    "groups of an edge list": ("t.edges", "a b\n", {"truth": "a"}, ": truth does not apply", "--truth does not apply"),
    "a name without a format": ("table", "a,b\n", {}, "Say it with format,", "Say it with --format,"),
    "ids of an array": ("t.npy", np.eye(3)[:2], {"id": "0"}, "Leave out id.", "Leave out --id."),
    "ids of a matrix": ("t.npz", sp.csr_array(np.ones((3, 3))), {"id": "0"}, "Leave out id.", "Leave out --id."),
    "columns of a matrix": ("t.npz", sp.csr_array(np.ones((3, 3))), {"drop": ["0"]}, "out drop.", "out --drop."),
    "a matrix that may be a graph": (
        "t.npy", np.ones((3, 3)), {}, "format='affinity' takes it as a graph, format='npy' or format='npz' as a table.",
        "--format affinity takes it as a graph, --format npy or --format npz as a table.",
    ),
    "another encoding": (
        "t.csv", "größe,b\n1,2\n".encode("latin-1"), {}, "often encoding='latin-1' or encoding='cp1252'.",
        "often --encoding latin-1 or --encoding cp1252.",
    ),
    "ids that come twice": ("t.csv", "id,a\nx,1\nx,2\n", {}, "out (drop=['id'])", "out (--drop id)"),
    "ids that are missing": ("t.csv", "id,a\nx,1\n,2\n", {}, "out (drop=['id'])", "out (--drop id)"),
    "text that names the rows": ("t.csv", "a,who\n1,Ann B\n2,Eve\n", {}, "the id (id='who')", "the id (--id who)"),
    "text that is no feature": (
        "t.csv", "a,my city\n1,Rome\n2,Rome\n", {}, "(drop=['my city']; drop_text=True for all text)",
        "(--drop 'my city'; --drop-text for all text)",
    ),
    "edges in a table": (
        "t.csv", "source,target\na,b\nb,c\n", {}, "format='edges' reads it as a graph, format='csv' as a table.",
        "--format edges reads it as a graph, --format csv as a table.",
    ),
    "categories": ("t.csv", "a,b\n1,x\n2,y\n3,x\n4,y\n", {}, "categories=True makes", "--categories makes"),
    "infinity": ("t.csv", "a,b\n1,2\ninf,3\n", {}, "out (drop=['a'])", "out (--drop a)"),
    "missing values": (
        "t.csv", "a,b\n1,2\n2,\n", {}, "(missing='drop'), or fill in the median (missing='median'), or leave out "
        "columns (drop=['b']).", "(--missing drop), or fill in the median (--missing median), or leave out columns "
        "(--drop b).",
    ),
    "too many missing values": (
        "t.csv", "a,b\n1,\n2,\n3,1\n", {"missing": "drop"}, "(drop=['b']), or fill them (missing='median').",
        "(--drop b), or fill them (--missing median).",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FACES)
def test_errors_of_files_are_in_the_words_of_their_caller(kind, tmp_path, monkeypatch):
    name, content, options, python, shell = FACES[kind]
    monkeypatch.chdir(tmp_path)
    if sp.issparse(content):
        sp.save_npz(name, content)
    elif isinstance(content, np.ndarray):
        np.save(name, content)
    else:
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(SourceError) as error:
        read(name, **options)
    assert python in str(error.value)
    assert not OPTION.search(str(error.value))
    given = [text for key, value in options.items() for text in (f"--{key}", value[0] if key == "drop" else value)]
    result = CliRunner().invoke(app, ["compare", name, "-k", "2", *given])
    assert result.exit_code == 1
    assert shell in result.stderr
    assert python not in result.stderr


def test_notes_on_files_are_in_the_words_of_their_caller(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f'"{k},{k * 37 % 900 + 100}",{k % 3}\n' for k in range(1, 21)))
    assert any("; decimal=',' reads it as 1.137." in note for note in read(tmp_path / "t.csv").notes)
    result = CliRunner().invoke(app, ["cluster", str(tmp_path / "t.csv"), "-k", "2", "--out", str(tmp_path / "l.csv")])
    assert "; --decimal , reads it as 1.137." in result.stdout


def test_labels_are_not_written_in_the_words_of_another_caller(tmp_path):
    with pytest.raises(SourceError, match=r"by the ending of the name or format\.$"):
        check_target(tmp_path / "labels.xlsx")


def test_a_graph_in_pieces_is_told_in_the_words_of_its_caller():
    far = np.vstack([make_blobs(20, centers=1, random_state=k)[0] + 1e6 * k for k in range(4)])
    with pytest.warns(DisconnectedGraphWarning) as caught:
        S3NMF(2, n_neighbors=3, n_members=4, random_state=0).fit(far)
    assert "more than n_clusters=2, so" in str(caught[0].message)
    assert "(a larger n_neighbors)" in str(caught[0].message)
    said = spelled(caught[0].message, as_option)
    assert "more than -k 2, so" in said
    assert "(a larger --neighbors)" in said


@pytest.mark.parametrize(
    ("parameters", "python", "shell"),
    [
        ({"n_clusters": 9}, "n_clusters=9 is more than n_samples=5.", "-k 9 is more than n_samples=5."),
        ({"n_neighbors": 5}, "n_neighbors=5 must be between 1 and 4", "--neighbors 5 must be between 1 and 4"),
    ],
)
def test_a_model_that_cannot_be_fitted_says_so_in_the_words_of_its_caller(parameters, python, shell):
    with pytest.raises(ValueError, match=python) as error:
        S3NMF(**{"n_clusters": 2, **parameters}).fit(np.arange(10.0).reshape(5, 2))
    assert shell in spelled(error.value, as_option)
