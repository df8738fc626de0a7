import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s3nmf.desk.sources.delimited import find_delimiter, has_header, read_delimited
from s3nmf.desk.sources.options import Options
from s3nmf.sources import SourceError

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=12)


def parse(text, delimiter=None, **options):
    data = text if isinstance(text, bytes) else text.encode()
    return read_delimited(io.BytesIO(data), "t.csv", Options(**{"scale": "none", **options}), delimiter=delimiter)


def test_a_table_keeps_ids_and_order():
    table = parse("name,b,a\n007,1,2\nx,3,4\n1e5,5,7\n", id="name")
    assert table.ids == ["007", "x", "1e5"]
    assert table.id_name == "name"
    assert table.columns == ("b", "a")
    assert table.values.tolist() == [[1, 2], [3, 4], [5, 7]]


@given(st.lists(NAMES, min_size=2, max_size=8, unique=True), st.sampled_from(",;\t|"))
def test_any_name_survives(names, delimiter):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(["name", "a", "b"])
    writer.writerows([name, k, 0.5 - k * k] for k, name in enumerate(names))
    assert parse(stream.getvalue(), id="name").ids == names


@given(st.lists(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=5), min_size=3, max_size=9))
def test_numbers_are_read_to_the_last_digit(rows):
    width = min(map(len, rows))
    rows = [[0.0, 1.0][:width] + [2.0] * (width - 2), *(row[:width] for row in rows)]
    text = "".join(",".join(map(repr, row)) + "\n" for row in rows)
    table = parse(text, header=False)
    for name, values in zip(table.columns, table.values.T, strict=True):
        assert values.tolist() == [row[int(name) - 1] for row in rows]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("header", ["", "first{}second{}third\n"])
def test_delimiter_and_header_are_found(delimiter, header):
    rows = [[1.5, 2, 3], [4, 5.25, 6], [7, 8, -9e3]]
    text = header.replace("{}", delimiter) + "".join(delimiter.join(map(str, row)) + "\n" for row in rows)
    table = parse(text)
    assert table.values.tolist() == rows
    assert table.columns == (("first", "second", "third") if header else ("1", "2", "3"))


def test_a_comma_can_be_the_decimal_point():
    table = parse("a;b\n1,5;2\n2,25;3,5\n-1,0e3;4\n")
    assert table.values.tolist() == [[1.5, 2], [2.25, 3.5], [-1000, 4]]
    assert "Read '-1,0e3' in 'a' as -1000, '3,5' in 'b' as 3.5." in table.notes


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["a", "b"], ["1", "2"]], True),
        ([["1", "2"], ["3", "4"]], False),
        ([["id", "2019", "2020"], ["7", "1", "2"]], True),
        ([["ann", "1", "2"], ["bob", "3", "4"]], False),
        ([["name", "city"], ["ann", "Rome"]], True),
        ([["", "a"], ["x", "1"]], True),
        ([["a", "b"], ["x", "1", "2"]], True),
        ([["NA", "1"], ["2", "3"]], False),
        ([["e", "x", "s"], ["p", "x", "y"], ["e", "b", "s"]], False),
        ([["a", "b"], ["1", "2"], ["a", "b"], ["3", "4"]], True),
        ([["cap", "odor", "none"], ["x", "none", "none"], ["b", "almond", "none"]], True),
    ],
)
def test_a_header_is_text_above_numbers_or_above_other_text(rows, expected):
    assert has_header(rows) is expected


def test_a_quoted_delimiter_does_not_mislead():
    assert find_delimiter(["name,a\n", '"x;y;z;w",1\n', '"u;v;w;x",2\n']) == ","
    assert find_delimiter(["a;b\n", "1,5;2,5\n", "2,5;3,5\n"]) == ";"
    assert find_delimiter(["a, b\n", "1, 2\n", "3, 5\n"]) == ","
    assert find_delimiter(["one column\n", "1\n"]) == ","


def test_files_of_weka_and_keel_are_named():
    with pytest.raises(SourceError, match=r"begins with '@relation'.*Remove all lines up to '@data'"):
        parse("@RELATION iris\n@attribute a real\n@data\n1,2\n3,4\n")


def test_the_hint_of_excel_is_taken():
    table = parse("sep=;\r\nname;a\r\nx,y;1\r\nz;2\r\n", id="name")
    assert table.ids == ["x,y", "z"]
    with pytest.raises(SourceError, match="line 4 has 1 value"):
        parse("sep=;\nname;a\nx;1\nz\n", id="name")


def test_row_names_of_pandas_and_r_are_ids():
    of_pandas, of_r = ",a,b\n10,1,2\n11,3,5\n", '"a","b"\n"10",1,2\n"11",3,5\n'
    for text in (of_pandas, of_r):
        table = parse(text)
        assert table.ids == ["10", "11"]
        assert table.columns == ("a", "b")
        assert "The first column, which has no name, names the rows; it is no feature." in table.notes


def test_a_column_called_id_is_no_feature():
    table = parse("a,ID\n1,10\n2,11\n")
    assert table.ids == ["10", "11"]
    assert table.columns == ("a",)
    assert parse("a,id\n1,10\n2,11\n", drop=["id"]).ids == ["0", "1"]


def test_columns_are_dropped_by_name():
    table = parse("a,city,b\n1,Rome,2\n3,Oslo,5\n", drop=["city"])
    assert table.columns == ("a", "b")
    assert "Left out 'city', as asked." in table.notes
    assert parse("a,city,b\n1,Rome,2\n3,Oslo,5\n", drop="city").columns == ("a", "b")


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("a,b\n1,2\n3,4\n", {"id": "B"}, "no column 'B'. Did you mean 'b'?"),
        ("a,b\n1,2\n3,4\n", {"drop": ["zzz"]}, "no column 'zzz'. Its columns are 'a', 'b'."),
        ("a,b\n1,2\n3,4\n", {"id": "a", "drop": ["a"]}, "cannot both name the rows and be dropped"),
        ("a,a\n1,2\n3,4\n", {}, "column 'a' comes 2 times"),
        ("a,b\n1,2\n3\n", {}, "line 3 has 1 value, the header has 2"),
        ("a,b\n1,2,3\n4,5\n", {}, "line 2 has 3 values, the header has 2"),
        ("1,2\n3,4\n5,6,7\n", {}, "line 3 has 3 values, the first row has 2"),
        ('a,b\n"x\ny",2\n3,4,5\n', {}, "line 4 has 3 values, the header has 2"),
        ("a,b\n", {}, "a header and no rows"),
        ("\n \n\n", {}, "only blank lines"),
        ('a,b\n1,2\n"x,3\n', {}, "the quote that opens in line 3 is never closed"),
        ('a,b\n1,2\n"x"y,3\n', {}, "in line 3, text follows a closing quote"),
        ("a,b\n1,2\r3,4\n", {}, "line 2 holds a bare carriage return"),
        ("a,b\n1,2\n3,1_000\n", {}, "'1_000' in line 3 (row 1) of 'b'"),
        ("a,b\n1,2\n3,1e999\n", {}, "column 'b' is infinite, or beyond 1.8e308, in 1 row, first in line 3"),
        ("a,b\n1,2\n\n3,NA\n5,?\n", {}, "missing 2 values in 2 rows: 2 in 'b', first in line 4 (row 1)."),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, options, said):
    with pytest.raises(SourceError) as error:
        parse(text, **options)
    assert said in str(error.value)


def test_truth_values_are_numbers():
    assert parse("a,b\nTrue,1\nfalse,2\n").values.tolist() == [[1, 1], [0, 2]]


def test_blank_lines_blanks_and_trailing_delimiters_are_taken():
    table = parse("a, b,\n 1, 2,\n\n3 ,5,\n")
    assert table.columns == ("a", "b")
    assert table.values.tolist() == [[1, 2], [3, 5]]
    assert "Dropped '3': no value in any row." in table.notes


def test_batches_join_up():
    """More rows than are read at once, text only far down."""
    rows = [f"{k},{k % 7}" for k in range(1000)]
    table = parse("a,b\n" + "\n".join(rows))
    np.testing.assert_array_equal(table.values, [[k, k % 7] for k in range(1000)])
    rows[900] = "x,1"
    with pytest.raises(SourceError, match=r"'x' in line 902 \(row 900\) of 'a'"):
        parse("a,b\n" + "\n".join(rows))
