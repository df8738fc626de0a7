import json

import pandas as pd
import pytest

from s3nmf.sources import SourceError, read

FRAME = pd.DataFrame({"a": [1.5, 2, None], "b": [1, 2, 4], "n": [3, 5, 8]}, index=["x", "y", "z"])


@pytest.fixture
def write(tmp_path):
    def write_text(content, name="t.json"):
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write_text


@pytest.mark.parametrize("orient", ["records", "columns", "split", "lines"])
def test_what_pandas_writes_is_read(tmp_path, orient):
    path = tmp_path / ("t.jsonl" if orient == "lines" else "t.json")
    FRAME.to_json(path, **({"orient": "records", "lines": True} if orient == "lines" else {"orient": orient}))
    table = read(path, missing="median", scale="none")
    assert table.columns == ("a", "b", "n")
    assert table.values.tolist() == [[1.5, 1, 3], [2, 2, 5], [1.5, 4, 8]]
    assert table.ids == (["x", "y", "z"] if orient in ("columns", "split") else ["0", "1", "2"])


def test_rows_need_not_name_all_columns(write):
    path = write([{"a": 1, "b": 2}, {"b": 3}, {"a": 5, "b": 1}])
    with pytest.raises(SourceError, match="missing 1 value in 1 row: 1 in 'a', first in row 1"):
        read(path)
    assert read(path, missing="drop").ids == ["0", "2"]


def test_columns_may_be_lists(write):
    assert read(write({"a": [1, 2], "b": [3, 5]}), scale="none").values.tolist() == [[1, 3], [2, 5]]


def test_places_are_lines_where_rows_are_lines(write):
    with pytest.raises(SourceError, match=r"'many' in line 3 \(row 1\) of 'a'"):
        read(write('{"a": 1}\n\n{"a": "many"}\n{"a": 2}\n', "t.ndjson"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (5, "holds a single int. A table is a list of rows"),
        ([1, 2], "row 0 is 1, no object"),
        ({"a": [1, 2], "b": [1]}, "'a' is a list of 2, 'b' is a list of 1"),
        ({"a": 1}, "'a' is no list"),
        ([{"a": [1], "b": 1}, {"a": [2], "b": 2}], "1 column holds lists or objects: 'a'"),
        ({"nodes": [], "links": []}, "nodes and links of a graph. Write them as GraphML"),
        ("[", "json cannot read it"),
        ("[]", "no columns"),
        ("{}", "no columns"),
    ],
)
def test_what_is_no_table_is_explained(write, content, said):
    with pytest.raises(SourceError) as error:
        read(write(content))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"), [('{"a": 1}\n{"a":', "line 2: json"), ("[1]\n", "line 1 is no object"), ("\n", "blank")]
)
def test_lines_that_are_no_rows_are_explained(write, text, said):
    with pytest.raises(SourceError) as error:
        read(write(text, "t.jsonl"))
    assert said in str(error.value)
