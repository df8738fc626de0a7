import io
import json
import os
import stat
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from s3nmf.sources import SourceError, check_target, read, write_labels
from samples import NAMES

IDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=10)
LABELS = {"name": NAMES, "cluster": np.arange(len(NAMES)) % 3, "confidence": np.linspace(0, 1, len(NAMES))}


def files(directory):
    return sorted(path.name for path in directory.iterdir())


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet"])
@given(ids=st.lists(IDS, min_size=2, max_size=8, unique=True))
def test_what_is_written_can_be_read_back(tmp_path_factory, suffix, ids):
    path = tmp_path_factory.getbasetemp() / f"labels.{suffix}"
    confidence = np.random.default_rng(0).random(len(ids))
    write_labels(path, {"name": ids, "cluster": range(len(ids)), "confidence": confidence})
    table = read(path, id="name", scale="none")
    assert list(table.ids) == ids
    np.testing.assert_array_equal(table.values, np.column_stack([range(len(ids)), confidence]))


def test_ids_survive_from_file_to_file(tmp_path):
    write_labels(tmp_path / "one.csv", LABELS)
    table = read(tmp_path / "one.csv", id="name")
    write_labels(tmp_path / "two.csv", {**LABELS, table.id_name: table.ids})
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_other_programs_read_the_same(tmp_path):
    for suffix in ("csv", "tsv", "parquet", "json"):
        write_labels(tmp_path / f"l.{suffix}", LABELS)
    frames = [
        pd.read_csv(tmp_path / "l.csv", dtype={"name": str}, keep_default_na=False, float_precision="round_trip"),
        pd.read_csv(
            tmp_path / "l.tsv", sep="\t", dtype={"name": str}, keep_default_na=False, float_precision="round_trip"
        ),
        pd.read_parquet(tmp_path / "l.parquet"),
        pl.read_parquet(tmp_path / "l.parquet").to_pandas(),
        pd.DataFrame(json.loads((tmp_path / "l.json").read_text(encoding="utf-8"))),
    ]
    for frame in frames:
        assert frame["name"].tolist() == NAMES
        assert frame["cluster"].tolist() == LABELS["cluster"].tolist()
        assert frame["confidence"].tolist() == LABELS["confidence"].tolist()


def test_values_of_every_kind_are_written(tmp_path):
    columns = {
        "id": [1, "a", ("b", 2), None],
        "x": np.array([0.5, np.nan, np.inf, 1], np.float32),
        "y": [np.int64(1), None, 2, 3],
        "z": [True, False, True, True],
    }
    for suffix in ("csv", "json", "parquet"):
        write_labels(tmp_path / f"l.{suffix}", columns)
    assert (tmp_path / "l.csv").read_text().splitlines()[1:] == [
        "1,0.5,1,True",
        "a,,,False",
        "\"('b', 2)\",inf,2,True",
        ",1.0,3,True",
    ]
    assert json.loads((tmp_path / "l.json").read_text())[1:3] == [
        {"id": "a", "x": None, "y": None, "z": False},
        {"id": "('b', 2)", "x": "inf", "y": 2, "z": True},
    ]
    assert pl.read_parquet(tmp_path / "l.parquet")["id"].to_list() == ["1", "a", "('b', 2)", None]


def test_standard_output_is_csv_unless_it_is_asked_for_otherwise(monkeypatch):
    for form, expected in ((None, b"a\n1\n"), ("tsv", b"a\n1\n"), ("json", b'[\n{"a": 1}\n]\n')):
        stream = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(stream, encoding="ascii", write_through=True))
        write_labels("-", {"a": [1]}, format=form)
        assert stream.getvalue() == expected
    stream = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(stream, encoding="ascii"))
    write_labels("-", {"a": ["🦊"]})
    assert stream.getvalue() == "a\n🦊\n".encode(), "UTF-8 in every locale"


@pytest.mark.parametrize("broken", ["os.fsync", "pathlib.Path.replace", "pathlib.Path.chmod"])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, broken):
    path = tmp_path / "l.csv"
    write_labels(path, {"a": [1]})

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(broken, fail)
    with pytest.raises(SourceError, match=r"l\.csv cannot be written: No space left on device"):
        write_labels(path, {"a": [2]})
    monkeypatch.undo()
    assert path.read_text() == "a\n1\n"
    assert files(tmp_path) == ["l.csv"]


def test_an_interruption_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_labels(tmp_path / "l.csv", {"a": [2]})
    assert files(tmp_path) == []


def test_a_file_is_complete_before_it_has_its_name(tmp_path, monkeypatch):
    path, seen = tmp_path / "l.csv", []
    replace = type(path).replace

    def watched(self, target):
        seen.append((self.parent, self.read_text(), path.exists()))
        return replace(self, target)

    monkeypatch.setattr(type(path), "replace", watched)
    write_labels(path, {"a": [2]})
    assert seen == [(tmp_path, "a\n2\n", False)]
    assert files(tmp_path) == ["l.csv"]


def test_rights_and_links_stay(tmp_path):
    path, link = tmp_path / "l.csv", tmp_path / "link.csv"
    write_labels(path, {"a": [1]})
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    link.symlink_to(path)
    write_labels(link, {"a": [2]})
    assert link.is_symlink()
    assert path.read_text() == "a\n2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_device_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_labels(pipe, {"a": [1]})
    assert os.read(reader, 100) == b"a\n1\n"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert files(tmp_path) == ["pipe.csv"]


def test_what_cannot_be_written_is_said_before_anything_is(tmp_path, monkeypatch):
    (tmp_path / "d.csv").mkdir()
    for target, said in (
        (tmp_path / "l.xls", "does not say its format. Choose one of csv, tsv, parquet, json"),
        (tmp_path / "labels", "does not say its format"),
        (tmp_path / "d.csv", "is a directory"),
        (tmp_path / "none" / "l.csv", "does not exist. Make it first"),
    ):
        with pytest.raises(SourceError, match=said):
            check_target(target)
        with pytest.raises(SourceError, match=said):
            write_labels(target, {"a": [1]})
    with pytest.raises(SourceError, match="no output format 'xls'"):
        check_target("-", "xls")
    assert check_target("-") == "csv"
    assert check_target(tmp_path / "labels", "json") == "json"
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"s3nmf\[tables\]"):
        check_target(tmp_path / "l.parquet")


def test_columns_must_fit_together(tmp_path):
    with pytest.raises(SourceError, match=r"equal lengths; they have {'a': 1, 'b': 2}"):
        write_labels(tmp_path / "l.csv", {"a": [1], "b": [1, 2]})
    with pytest.raises(SourceError, match="no character of UTF-8"):
        write_labels(tmp_path / "l.csv", {"a": ["\ud800"]})
    assert files(tmp_path) == []


@pytest.mark.parametrize("column", [sp.coo_array(np.eye(2)), np.eye(2), 7])
def test_a_column_is_a_value_for_each_row(tmp_path, column):
    with pytest.raises(SourceError, match=r"Column 'cluster' is a .*; write one value for each row"):
        write_labels(tmp_path / "labels.csv", {"name": ["a", "b"], "cluster": column})
    assert not list(tmp_path.iterdir())
