import io
import re
import sys

import numpy as np
import pytest

from s3nmf import S3NMF
from s3nmf._discovery import import_files_of
from s3nmf.desk import sources
from s3nmf.desk.sources.formats import file_format
from s3nmf.sources import FORMATS, Graph, SourceError, Table, read
from samples import NAMED, NAMES, table, valid_files


@pytest.mark.parametrize("name", valid_files())
def test_the_format_is_that_of_the_name(name, tmp_path):
    (tmp_path / name).write_bytes(valid_files()[name])
    text = name in NAMED
    found = read(tmp_path / name, **({"id": "name"} if text else {}))
    assert len(found.ids) == len(NAMES)
    assert found.source == str(tmp_path / name)
    if text:
        assert found.ids == NAMES
    if isinstance(found, Table) and not name.startswith("features"):
        np.testing.assert_allclose(found.values, (table() - table().mean(axis=0)) / table().std(axis=0))
    if isinstance(found, Graph):
        assert found.affinity.shape == (12, 12)
        assert found.affinity.nnz == 24


def test_the_format_can_be_given(tmp_path):
    (tmp_path / "data.txt").write_text("a b\nb c\nc a\n")
    with pytest.raises(SourceError, match="format='edges' reads it as a graph, format='csv' as a table"):
        read(tmp_path / "data.txt")
    assert isinstance(read(tmp_path / "data.txt", format="edges"), Graph)
    (tmp_path / "data.xyz").write_text("a,b\n1,2\n2,4\n")
    with pytest.raises(SourceError, match=r"ends in '\.xyz', from which its format is not known. Say it with format,"):
        read(tmp_path / "data.xyz")
    (tmp_path / "data").write_text("a,b\n1,2\n2,4\n")
    with pytest.raises(SourceError, match="has no ending"):
        read(tmp_path / "data")
    assert isinstance(read(tmp_path / "data", format="csv"), Table)
    (tmp_path / "UPPER.CSV").write_text("a,b\n1,2\n2,4\n")
    assert isinstance(read(str(tmp_path / "UPPER.CSV")), Table)
    with pytest.raises(SourceError, match=r"no format 'xls'. Choose one of affinity, .*csv, edges"):
        read(tmp_path / "data", format="xls")


def test_a_file_with_the_wrong_name_is_explained(tmp_path):
    files = valid_files()
    for wrong in ("x.csv", "x.npy", "x.npz", "x.parquet", "x.mtx", "x.graphml", "x.gml", "x.edges", "x.xlsx", "x.json"):
        for name, data in files.items():
            kin = {"csv": "gz", "gz": "csv"}
            if name.split(".")[-1] in (wrong[2:], kin.get(wrong[2:])) or name == "numbers.tsv":
                continue
            (tmp_path / wrong).write_bytes(data)
            try:
                read(tmp_path / wrong)
            except SourceError as error:
                assert "x." in str(error)  # noqa: PT017


def test_standard_input_is_text(monkeypatch):
    def piped(text, **options):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return read("-", **options)

    assert piped("a,b\n1,2\n2,4\n").source == "standard input"
    assert piped("a\tb\n1\t2\n2\t4\n", format="tsv").columns == ("a", "b")
    assert piped("a b\nb c\n", format="edges").ids == ["a", "b", "c"]
    with pytest.raises(SourceError, match=r"Standard input can be .*csv or edges or .*, not npy"):
        piped("", format="npy")
    with pytest.raises(SourceError, match="standard input: line 3 has 1 value"):
        piped("a,b\n1,2\n3\n")


def test_options_that_do_not_apply_are_refused(tmp_path):
    (tmp_path / "g.edges").write_text("a b\nb c\n")
    with pytest.raises(SourceError, match=": id does not apply to the format edges"):
        read(tmp_path / "g.edges", id="a")
    with pytest.raises(SourceError, match=": drop does not apply to the format edges"):
        read(tmp_path / "g.edges", drop=["a"])


def test_a_tsv_is_cut_at_tabs_only(tmp_path):
    (tmp_path / "t.tsv").write_text("name\ta\nx,y,z\t1\nu,v,w\t2\n")
    assert read(tmp_path / "t.tsv", id="name").ids == ["x,y,z", "u,v,w"]


NEW_FORMAT = """
from s3nmf.desk.sources.delimited import read_delimited
from s3nmf.desk.sources.formats import file_format

@file_format("colons", ".colons", kind="table", has_ids=True, is_stream=True)
def read_colons(stream, source, options):
    return read_delimited(stream, source, options, delimiter=":")
"""


def test_adding_a_format_is_adding_a_file(tmp_path, monkeypatch):
    (tmp_path / "colons.py").write_text(NEW_FORMAT)
    (tmp_path / "t.colons").write_text("name:a\nx:1\ny:2\n")
    with pytest.raises(SourceError, match=r"ends in '\.colons', from which its format is not known"):
        read(tmp_path / "t.colons")
    for name, known in FORMATS.items():
        monkeypatch.setitem(FORMATS, name, known)
    monkeypatch.setattr(sources, "__path__", [*sources.__path__, str(tmp_path)])
    try:
        import_files_of(sources)
        assert read(tmp_path / "t.colons", id="name").ids == ["x", "y"]
        with pytest.raises(SourceError, match="drop does not apply to the format colons"):
            read(tmp_path / "t.colons", drop=["a"])
        with pytest.raises(SourceError, match=r"Choose one of affinity, .*colons, csv"):
            read(tmp_path / "t.colons", format="xls")
        with pytest.raises(SourceError, match=r"Standard input can be .*colons or csv or edges or .*, not npy"):
            read("-", format="npy")
        with pytest.raises(ValueError, match=r"\.csv: there is a format 'csv' already"):
            file_format("another", ".csv", kind="table")(lambda stream, source, options: None)
    finally:
        FORMATS.pop("colons", None)
        sys.modules.pop("s3nmf.desk.sources.colons", None)


def test_the_docstring_names_every_format():
    named = re.search(r"format : .*?\{(.*?)\}", read.__doc__, re.DOTALL)[1]
    assert set(re.findall(r'"(\w+)"', named)) == set(FORMATS)


def test_what_is_read_can_be_clustered(tmp_path):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 4]) * [1, 1000]
    lines = [f"p{k:03},{x!r},{y!r}" for k, (x, y) in enumerate(X.tolist())]
    (tmp_path / "t.csv").write_text("name,x,y\n" + "\n".join(lines))
    found = read(tmp_path / "t.csv", id="name")
    labels = S3NMF(2, random_state=0).fit_predict(found.values)
    assert np.mean(labels[:40] == labels[0]) > 0.9
    assert np.mean(labels[40:] != labels[0]) > 0.9
