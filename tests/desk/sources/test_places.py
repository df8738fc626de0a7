"""A line is counted from 1 with the header, a row from 0 without: everywhere."""

import json

import numpy as np
import openpyxl
import pandas as pd
import pytest

from s3nmf.sources import SourceError, read

COLUMNS = {"a": [1, 2, None, 4], "b": [1, 2, 3, 5]}
ROWS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


def write_book(path):
    book = openpyxl.Workbook()
    for row in (list(COLUMNS), *zip(*COLUMNS.values(), strict=True)):
        book.active.append(row)
    book.save(path)


FILES = {
    "t.csv": (lambda path: path.write_text("a,b\n1,1\n2,2\n,3\n4,5\n"), "line 4 (row 2)"),
    "headless.csv": (lambda path: path.write_text("1,1\n2,2\n,3\n4,5\n"), "line 3 (row 2)"),
    "t.xlsx": (write_book, "line 4 (row 2)"),
    "t.jsonl": (lambda path: path.write_text("\n".join(map(json.dumps, ROWS))), "line 3 (row 2)"),
    "t.json": (lambda path: path.write_text(json.dumps(ROWS)), "row 2"),
    "t.parquet": (lambda path: pd.DataFrame(COLUMNS).to_parquet(path), "row 2"),
    "t.feather": (lambda path: pd.DataFrame(COLUMNS).to_feather(path), "row 2"),
    "t.npy": (lambda path: np.save(path, pd.DataFrame(COLUMNS).to_numpy()), "row 2"),
}


@pytest.mark.parametrize("name", FILES)
def test_messages_and_labels_count_rows_alike(name, tmp_path):
    write, place = FILES[name]
    write(tmp_path / name)
    with pytest.raises(SourceError) as error:
        read(tmp_path / name)
    assert f", first in {place}." in str(error.value)
    left = read(tmp_path / name, missing="drop")
    assert left.ids == ["0", "1", "3"], "row 2 was left out"
    assert left.rows == [0, 1, 3]
