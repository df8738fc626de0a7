import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from s3nmf.desk.sources import opening
from s3nmf.sources import SourceError, read, table_of
from samples import NAMES

COLUMNS = {"name": ["x", "y", "z"], "a": [1, 2, 4], "b": [0.5, -1.0, 3.25], "c": [True, False, True]}
VALUES = [[1, 0.5, 1], [2, -1, 0], [4, 3.25, 1]]


def parquet(path, table, **options):
    pq.write_table(table, path, **options)
    return path


@pytest.mark.parametrize("frame", [pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS)])
def test_frames_and_their_files_are_read_alike(frame, tmp_path):
    write = frame.to_parquet if isinstance(frame, pd.DataFrame) else frame.write_parquet
    write(tmp_path / "f.parquet")
    for table in (
        table_of(frame, id="name", scale="none"),
        read(tmp_path / "f.parquet", id="name", scale="none"),
    ):
        assert list(table.ids) == ["x", "y", "z"]
        assert table.columns == ("a", "b", "c")
        assert table.values.tolist() == VALUES


def test_the_index_of_pandas_is_kept():
    frame = pd.DataFrame({"a": [1, 2, 4], "b": [3, 1, None]}, index=pd.Index([30, 10, 20], name="k"))
    assert table_of(frame[["a"]]).ids.equals(frame.index)
    assert table_of(frame, missing="drop").ids.tolist() == [30, 10]
    with pytest.raises(SourceError, match="first in row 20"):
        table_of(frame)
    levels = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])
    assert table_of(frame.set_index(levels), missing="drop").ids.tolist() == [("a", 1), ("a", 2)]


def test_the_index_of_pandas_survives_in_parquet(tmp_path):
    for name in (None, "who"):
        frame = pd.DataFrame({"a": [1, 2, 4]}, index=pd.Index(["007", "née", "🦊"], name=name))
        frame.to_parquet(tmp_path / "f.parquet")
        table = read(tmp_path / "f.parquet")
        assert list(table.ids) == ["007", "née", "🦊"]
        assert table.columns == ("a",)


@pytest.mark.parametrize(
    "values",
    [
        pd.array([1, None, 3], dtype="Int64"),
        pd.array([1.0, None, 3.0], dtype="Float32"),
        pd.array([True, None, False], dtype="boolean"),
        pd.array([1, None, 3], dtype="int64[pyarrow]"),
        pd.Series([Decimal(1), None, Decimal(3)], dtype=object),
        np.array([1.0, np.nan, 3.0]),
    ],
)
def test_missing_values_of_every_type_are_found(values):
    frame = pd.DataFrame({"a": values, "b": [1, 2, 3]})
    with pytest.raises(SourceError, match=r"missing 1 value in 1 row: 1 in 'a', first in row 1\."):
        table_of(frame)


def test_missing_values_of_polars_and_parquet_are_found(tmp_path):
    frame = pl.DataFrame({"a": [1, None, 3], "b": [1.0, float("nan"), 2.0], "c": [1, 2, 3]})
    frame.write_parquet(tmp_path / "f.parquet")
    for take in (lambda: table_of(frame), lambda: read(tmp_path / "f.parquet")):
        with pytest.raises(SourceError, match="missing 2 values in 1 row"):
            take()


@pytest.mark.parametrize(
    "values",
    [
        ["u", "v", "w"],
        pd.Categorical(["u", "v", "u"]),
        pd.to_timedelta([1, 2, 3], "D"),
        [[1], [2, 3], []],
        [1j, 2j, 3j],
    ],
)
def test_what_is_not_a_number_is_refused_by_name(values, tmp_path):
    frame = pd.DataFrame({"odd": values, "b": [1, 2, 4]})
    with pytest.raises(SourceError, match="Column holds text, not numbers: 'odd'"):
        table_of(frame)
    if not isinstance(values[0], complex):
        frame.to_parquet(tmp_path / "f.parquet")
        with pytest.raises(SourceError, match="Column holds text, not numbers: 'odd'"):
            read(tmp_path / "f.parquet")
        with pytest.raises(SourceError, match="Column holds text, not numbers: 'odd'"):
            table_of(pl.from_pandas(frame))


def test_complex_numbers_of_numpy_are_no_numbers_either():
    for kind in (np.complex64, np.complex128):
        frame = pl.DataFrame({"odd": pl.Series([kind(k) for k in range(3)], dtype=pl.Object), "b": [1, 2, 4]})
        with pytest.raises(SourceError, match="Column holds text, not numbers: 'odd'"):
            table_of(frame)


def test_ids_of_a_frame_can_be_missing_or_repeated():
    for values, said in ((["x", None, "z"], "is missing"), (["x", "x", "z"], "more than once")):
        for frame in (pd.DataFrame({**COLUMNS, "name": values}), pl.DataFrame({**COLUMNS, "name": values})):
            with pytest.raises(SourceError, match=said):
                table_of(frame, id="name")
    with pytest.raises(SourceError, match="is missing"):
        table_of(pd.DataFrame({"k": pd.array([1, None, 2], dtype="Int64"), "a": [1, 2, 3]}), id="k")


def test_what_is_no_frame_is_refused():
    for thing in ([[1, 2]], np.zeros((2, 2)), pd.Series([1, 2]), pl.Series([1, 2])):
        with pytest.raises(TypeError, match="takes a DataFrame of pandas or polars"):
            table_of(thing)
    with pytest.raises(SourceError, match="no columns"):
        table_of(pd.DataFrame(index=[1, 2]))


def test_names_survive_parquet(tmp_path):
    path = parquet(tmp_path / "f.parquet", pa.table({"who": NAMES, "a": np.arange(len(NAMES))}))
    assert read(path, id="who").ids == NAMES


def test_integer_ids_are_exact(tmp_path):
    large = 2**62 + np.arange(3)
    path = parquet(tmp_path / "f.parquet", pa.table({"k": large, "a": [1, 2, 4]}))
    assert read(path, id="k").ids == [str(k) for k in large]


def test_a_table_of_more_rows_than_fit_is_refused(tmp_path, monkeypatch):
    """A million equal values take some hundred bytes."""
    path = parquet(tmp_path / "f.parquet", pa.table({"a": np.zeros(10**6)}))
    assert path.stat().st_size < 10**5
    monkeypatch.setattr(opening, "available_bytes", lambda: 10**7)
    with pytest.raises(SourceError, match="the table takes"):
        read(path)


def test_a_missing_library_names_its_extra(tmp_path, monkeypatch):
    path = parquet(tmp_path / "f.parquet", pa.table({"a": [1, 2]}))
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"Parquet needs pyarrow. .*s3nmf\[tables\]"):
        read(path)


def test_dates_are_said_to_be_no_features(tmp_path):
    frame = pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]), "b": [1, 2, 4]})
    frame.to_parquet(tmp_path / "f.parquet")
    for table in (table_of(frame), table_of(pl.from_pandas(frame)), read(tmp_path / "f.parquet")):
        assert table.columns == ("b",)
        assert table.notes[0].startswith("Left out 'day': dates and times are no features.")


def test_frames_take_the_options_of_files():
    frame = pd.DataFrame({"price": ["$1,000.50", "$20.00", "$3.00", "$4.00"], "kind": list("xyxy"), "b": [1, 2, 4, 5]})
    table = table_of(frame, columns=["price", "kind"], categories=True, scale="none")
    assert table.columns == ("price", "kind=x", "kind=y")
    assert table.values.tolist() == [[1000.5, 1, 0], [20, 0, 1], [3, 1, 0], [4, 0, 1]]
    assert table_of(frame, drop_text=True).columns == ("price", "b")
    commas = frame.assign(price=["1,000", "2,000", "3,500", "4,000"])
    assert table_of(commas, columns=["price"], decimal=",", scale="none").values[:, 0].tolist() == [1, 2, 3.5, 4]
