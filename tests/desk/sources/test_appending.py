"""A table comes back as it was, with columns behind its own."""

import csv
import gzip
import io
import json
import zipfile

import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s3nmf.desk.sources.delimited import append_delimited
from s3nmf.desk.sources.new_columns import NewColumns
from s3nmf.desk.sources.opening import opened
from s3nmf.desk.sources.options import Options
from s3nmf.sources import SourceError, append_columns, check_appending, read

NEW = {"cluster": [1, 0], "confidence": [0.5, 1.0]}
NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=9)


@pytest.fixture
def append(tmp_path):
    def append_to(data, name="t.csv", new=NEW, **options):
        (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
        append_columns(tmp_path / name, tmp_path / f"out-{name}", new, **options)
        return (tmp_path / f"out-{name}").read_bytes()

    return append_to


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a,b\n1,2\n3,4\n", "a,b,cluster,confidence\n1,2,1,0.5\n3,4,0,1.0\n"),
        ("a;b\r\n1;2\r\n3;4", "a;b;cluster;confidence\r\n1;2;1;0.5\r\n3;4;0;1.0"),
        ("\ufeffa\tb\n1\t2\n\n3\t4\n\n", "\ufeffa\tb\tcluster\tconfidence\n1\t2\t1\t0.5\n\n3\t4\t0\t1.0\n\n"),
        ("1,2\n3,4\n", "1,2,1,0.5\n3,4,0,1.0\n"),
        ("sep=;\na;b\n1;2\n3;4\n", "sep=;\na;b;cluster;confidence\n1;2;1;0.5\n3;4;0;1.0\n"),
        ('n,b\n"x\ny",2\n"""z""",4\n', 'n,b,cluster,confidence\n"x\ny",2,1,0.5\n"""z""",4,0,1.0\n'),
        ("a\tb\n1\t2\n\n\t\n\n", "a\tb\tcluster\tconfidence\n1\t2\t1\t0.5\n\n\t\t0\t1.0\n\n"),
        ('"a","b"\n"r1",1,2\n"r2",3,4\n', '"a","b",cluster,confidence\n"r1",1,2,1,0.5\n"r2",3,4,0,1.0\n'),
    ],
)
def test_a_text_is_the_same_but_for_its_line_ends(append, before, after):
    assert append(before) == after.encode()


@given(st.lists(NAMES, min_size=2, max_size=6), st.sampled_from(",;\t|"))
def test_every_cell_survives(names, delimiter):
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, lineterminator="\r\n").writerows(
        [["name", "a"], *([name, k] for k, name in enumerate(names))]
    )
    text = stream.getvalue().encode()
    new = NewColumns({"cluster": list(range(len(names)))})
    done = append_delimited(io.BufferedReader(io.BytesIO(text)), "t.csv", Options(), new, delimiter=delimiter)
    rows = list(csv.reader(io.StringIO(done.decode(), newline=""), delimiter=delimiter))
    assert rows == [["name", "a", "cluster"], *([name, str(k), str(k)] for k, name in enumerate(names))]


def test_decimals_are_written_as_those_of_the_file(append):
    assert append("a;b\n1,5;2\n3;4\n", decimal=",") == b"a;b;cluster;confidence\n1,5;2;1;0,5\n3;4;0;1,0\n"
    assert append('a,b\n"1,5",2\n3,4\n', decimal=",") == b'a,b,cluster,confidence\n"1,5",2,1,0.5\n3,4,0,1.0\n'


def test_rows_that_were_left_out_have_no_cluster(append):
    done = append("a,b\n1,2\n,9\n3,4\n", rows=[0, 2])
    assert done == b"a,b,cluster,confidence\n1,2,1,0.5\n,9,,\n3,4,0,1.0\n"
    done = append("a b\n1 2\n? 9\n3 4\n", "t.txt", rows=[0, 2])
    assert done == b"a b cluster confidence\n1 2 1 0.5\n? 9 NA NA\n3 4 0 1.0\n"


def test_a_name_that_there_is_already_gets_another(append):
    done = append("cluster,s3nmf_cluster\n1,2\n3,4\n", new={"cluster": [0, 1]})
    assert done == b"cluster,s3nmf_cluster,s3nmf_cluster_2\n1,2,0\n3,4,1\n"


def test_the_encoding_and_the_packing_stay(append):
    assert append("größe,b\n1,2\n3,4\n".encode("latin-1"), encoding="latin-1").startswith("größe,b,c".encode("latin-1"))
    done = append(gzip.compress(b"a,b\n1,2\n3,4\n"), "t.csv.gz")
    assert gzip.decompress(done) == b"a,b,cluster,confidence\n1,2,1,0.5\n3,4,0,1.0\n"


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.arrow"])
def test_columns_of_arrow_keep_their_types(append, name, tmp_path):
    frame = pd.DataFrame({"b": pd.Categorical(["x", "y"]), "a": pd.to_datetime(["2020-01-01", "2021-01-01"])})
    (frame.to_parquet if name.endswith("parquet") else frame.to_feather)(tmp_path / "first")
    append((tmp_path / "first").read_bytes(), name)
    back = (pd.read_parquet if name.endswith("parquet") else pd.read_feather)(tmp_path / f"out-{name}")
    pd.testing.assert_frame_equal(back[["b", "a"]], frame)
    assert list(back) == ["b", "a", "cluster", "confidence"]
    assert back.cluster.tolist() == [1, 0]


def test_a_stream_of_arrow_stays_one(append):
    table = pa.table({"a": [1, 2]})
    with io.BytesIO() as file:
        with pa.ipc.new_stream(file, table.schema) as writer:
            writer.write_table(table)
        done = append(file.getvalue(), "t.arrows")
    assert pa.ipc.open_stream(done).read_all().to_pydict() == {"a": [1, 2], **NEW}


def test_a_workbook_keeps_its_other_sheets_formulas_and_formats(append):
    book = openpyxl.Workbook()
    for row in (["Title"], [None, "a", "b"], [None, 1, 2], [], [None, 3, 4]):
        book.active.append(row)
    book.active["B3"].font = openpyxl.styles.Font(bold=True)
    book.create_sheet("Sums")["A1"] = "=SUM(Sheet!B3:B5)"
    with io.BytesIO() as file:
        book.save(file)
        done = openpyxl.load_workbook(io.BytesIO(append(file.getvalue(), "t.xlsx")))
    assert [[cell.value for cell in row] for row in done["Sheet"].iter_rows(min_row=2, min_col=2)] == [
        ["a", "b", "cluster", "confidence"], [1, 2, 1, 0.5], [None] * 4, [3, 4, 0, 1]
    ]  # fmt: skip
    assert done["Sheet"]["B3"].font.bold
    assert done["Sums"]["A1"].value == "=SUM(Sheet!B3:B5)"


def test_the_values_of_formulas_and_all_parts_of_a_workbook_stay(append):
    """As Excel stores them: with hints of size, a prefix before all tags, and a part that openpyxl does not know."""
    sheet = (
        b'<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:dimension ref="A1:B3"/>'
        b'<x:sheetData><x:row r="1" spans="1:2"><x:c r="A1" t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c>'
        b'<x:c r="B1" t="inlineStr"><x:is><x:t>b</x:t></x:is></x:c></x:row><x:row><x:c><x:v>1</x:v></x:c>'
        b'<x:c r="B2"><x:f>A2*2</x:f><x:v>2</x:v></x:c></x:row><x:row r="3" spans="1:2"><x:c r="A3"><x:v>3</x:v></x:c>'
        b'<x:c r="B3"><x:f>A3*2</x:f><x:v>6</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    )
    with io.BytesIO() as file, io.BytesIO() as other:
        openpyxl.Workbook().save(file)
        with zipfile.ZipFile(file) as book, zipfile.ZipFile(other, "w") as changed:
            before = {name: book.read(name) for name in book.namelist()}
            before |= {"xl/worksheets/sheet1.xml": sheet, "xl/drawings/drawing9.xml": b"<picture/>"}
            for name, content in before.items():
                changed.writestr(name, content)
        done = append(other.getvalue(), "t.xlsx", {"é <&>": [None, "x"], "confidence": [0.5, 1]})
    with zipfile.ZipFile(io.BytesIO(done)) as book:
        after = {name: book.read(name) for name in book.namelist()}
    changed = after.pop("xl/worksheets/sheet1.xml")
    assert after == {name: content for name, content in before.items() if name != "xl/worksheets/sheet1.xml"}
    assert b"spans" not in changed
    assert b'ref="A1:D3"' in changed
    rows = openpyxl.load_workbook(io.BytesIO(done), data_only=True).active.iter_rows(values_only=True)
    assert list(rows) == [("a", "b", "é <&>", "confidence"), (1, 2, None, 0.5), (3, 6, "x", 1)]
    assert openpyxl.load_workbook(io.BytesIO(done)).active["B3"].value == "=A3*2"


@pytest.mark.parametrize("orient", ["records", "columns", "split"])
def test_json_keeps_its_form(append, orient):
    frame = pd.DataFrame({"b": ["x", "y"], "a": [1.5, 2]})
    done = append(frame.to_json(orient=orient), "t.json")
    assert json.loads(done) == json.loads(frame.assign(**NEW).to_json(orient=orient))


def test_json_columns_need_not_have_all_rows(append):
    columns = {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 5, "z": 2}}
    done = append(json.dumps(columns), "t.json", {"cluster": [0, 1, 1]})
    assert json.loads(done) == columns | {"cluster": {"x": 0, "y": 1, "z": 1}}


def test_lines_of_json_stay_lines(append):
    assert append('{"é": 1}\n{"é": 2, "b": null}\n', "t.jsonl").decode() == (
        '{"é": 1, "cluster": 1, "confidence": 0.5}\n{"é": 2, "b": null, "cluster": 0, "confidence": 1.0}\n'
    )


def test_what_comes_back_can_be_read_again(append, tmp_path):
    append("name,a,b\nx,1,2\ny,,4\nz,3,5\n", new={"cluster": [0, 1]}, rows=read_kept(tmp_path))
    assert read(tmp_path / "out-t.csv", id="name", missing="drop").columns == ("a", "b", "cluster")


def read_kept(tmp_path):
    (tmp_path / "k.csv").write_text("name,a,b\nx,1,2\ny,,4\nz,3,5\n")
    return read(tmp_path / "k.csv", id="name", missing="drop").rows


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("-", "t.csv", "Standard input cannot be read again"),
        (
            "t.npy",
            "o.npy",
            "no column can be added to the format npy, but to arrow, csv, h5ad, json, jsonl, parquet, tsv or xlsx",
        ),
        ("t.csv", "o.xlsx", "o.xlsx gets the format of t.csv: let its name end in .csv, too."),
        ("t.xlsx", "o.xlsm", "o.xlsm gets the format of t.xlsx: let its name end in .xlsx, too."),
        ("t.dta", "o.dta", "is a file of Stata"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is(source, target, said):
    with pytest.raises(SourceError) as error:
        check_appending(source, target)
    assert said in str(error.value)


def test_a_file_that_has_changed_is_refused(append, tmp_path):
    for rows in (None, [0, 3]):
        with pytest.raises(SourceError, match="has changed: it has 3 rows now"):
            append("a,b\n1,2\n3,4\n5,6\n", rows=rows)
    assert not (tmp_path / "out-t.csv").exists()


def test_streams_can_be_looked_into(tmp_path):
    """As adding to a text needs it."""
    (tmp_path / "t.csv").write_bytes(b"a")
    with opened(tmp_path / "t.csv") as stream:
        assert stream.peek(1)
