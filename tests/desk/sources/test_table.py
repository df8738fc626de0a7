import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from s3nmf.desk.sources.columns import Column
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.table import build_table, scaled
from s3nmf.sources import SourceError, read

ANY_FINITE = st.floats(allow_nan=False, allow_infinity=False)


def build(columns, ids=None, **options):
    filled = []
    for name, values in columns.items():
        filled.append(Column(name))
        filled[-1].extend_objects(values)
    return build_table(
        filled, ids, id_column="name", place=lambda row: f"line {row + 2}", source="t.csv", options=Options(**options)
    )


@given(arrays(float, st.integers(2, 30), elements=st.floats(-1e6, 1e6, width=32)))
def test_scaling_is_that_of_scikit_learn(values):
    assume(np.ptp(values) >= 1e-3)
    for scale, scaler in (("standard", StandardScaler()), ("minmax", MinMaxScaler())):
        np.testing.assert_allclose(scaled(values, scale), scaler.fit_transform(values[:, None])[:, 0], atol=1e-9)
    assert scaled(values, "none") is values


@given(st.lists(st.lists(ANY_FINITE, min_size=3, max_size=3), min_size=2, max_size=12))
def test_any_finite_numbers_can_be_scaled(rows):
    """Beyond what a sum or a square can hold, too."""
    columns = dict(zip("abc", zip(*rows, strict=True), strict=True))
    assume(any(len(set(values)) > 1 for values in columns.values()))
    for scale in ("standard", "minmax"):
        try:
            table = build(columns, scale=scale)
        except SourceError:  # they differ by rounding only
            continue
        assert np.isfinite(table.values).all()
        assert abs(table.values).max() <= np.sqrt(len(rows)) * (1 + 1e-9)


def test_notes_say_what_was_done():
    table = build({"a": [1, 2, 3], "b": [5, 5, 5], "c": [None, None, None], "d": [0, 1, 0]})
    assert table.columns == ("a", "d")
    assert table.notes == (
        "Dropped 'c': no value in any row.",
        "Dropped 'b': the same value in every row.",
        "Standardised 2 columns.",
    )
    np.testing.assert_allclose(table.values.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(table.values.std(axis=0), 1)
    assert table.ids == ["0", "1", "2"]


def test_a_value_computed_twice_is_constant():
    assert build({"a": [1, 2], "b": [0.1 + 0.2, 0.3]}).columns == ("a",)


def test_text_is_refused_by_name_with_a_remedy():
    with pytest.raises(SourceError) as error:
        build({"city": ["Rome", "Oslo", "Rome"], "a": [1, 2, 3], "who": ["ann", "bob", "eve"]})
    said = str(error.value)
    assert "'city', 'who'" in said
    assert "'Rome' in line 2 of 'city', which has text in 3 of 3 rows" in said
    assert "'who' is different in every row: use it as the id (id='who')" in said
    assert "Leave out what is not a feature (drop=['city']; drop_text=True for all text)" in said


def test_a_second_id_is_not_suggested():
    with pytest.raises(SourceError) as error:
        build({"a": [1, 2, 3], "price": ["low", 2, 3]}, ids=list("xyz"))
    assert "use it as the id" not in str(error.value)
    assert "'low' in line 2 of 'price', which has text in 1 of 3 rows" in str(error.value)
    assert "drop=['price']" in str(error.value)


def test_ids_that_look_partly_like_numbers_are_recognised():
    with pytest.raises(SourceError, match="'k' is different in every row: use it as the id"):
        build({"k": [1, 2, "A3"], "a": [1, 2, 3]})
    with pytest.raises(SourceError) as error:
        build({"k": [1, 1, "A3"], "a": [1, 2, 3]})
    assert "use it as the id" not in str(error.value)


def test_a_text_column_with_gaps_is_no_id():
    with pytest.raises(SourceError) as error:
        build({"k": ["a", "b", None], "a": [1, 2, 3]})
    assert "use it as the id" not in str(error.value)


def test_a_mean_that_is_large_beside_the_differences_is_taken_off_to_the_last_digit():
    values = scaled(1e12 + np.arange(5.0), "standard")
    np.testing.assert_allclose(values, (np.arange(5.0) - 2) / np.sqrt(2), rtol=0, atol=1e-15)
    values = scaled(1e12 + np.random.default_rng(0).random(101), "standard")
    assert abs(values.mean()) < 1e-12
    assert abs(values.std() - 1) < 1e-12


def test_missing_values_are_counted_by_column():
    columns = {"a": [1, None, 3, 4], "b": [1.0, np.nan, np.nan, 2], "c": [1, 2, 3, 4]}
    with pytest.raises(SourceError) as error:
        build(columns)
    said = str(error.value)
    assert "missing 3 values in 2 rows: 1 in 'a', first in line 3; 2 in 'b', first in line 3." in said
    for remedy in ("missing='drop'", "missing='median'", "drop=['a', 'b']"):
        assert remedy in said


def test_rows_with_missing_values_can_be_left_out():
    table = build({"a": [1, None, 3, 4], "c": [1, 2, 3, 5]}, ids=list("wxyz"), missing="drop")
    assert list(table.ids) == ["w", "y", "z"]
    assert table.values.shape == (3, 2)
    assert "Left out 1 row with missing values in 'a'." in table.notes
    with pytest.raises(SourceError, match="only 1 row would be left"):
        build({"a": [1, None, 3], "c": [None, 2, 3]}, missing="drop")


def test_missing_values_can_be_filled_with_the_median():
    table = build({"a": [1, None, 3, 4], "c": [1, 2, 3, 5]}, missing="median", scale="none")
    assert table.values[:, 0].tolist() == [1, 3, 3, 4]
    assert "Filled 1 value in 1 row with the median, or commonest category, of their columns: 'a'." in table.notes


def test_infinite_values_are_refused_with_their_place():
    with pytest.raises(SourceError, match=r"column 'a' is infinite.* in 1 row, first in line 3"):
        build({"a": [1, np.inf, 2]})


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (["x", "y", "x"], "1 id comes more than once in 'name', first 'x' in line 2 and line 4"),
        (["x", "y", ""], "the id in line 4 of 'name' is missing"),
        (["x", "x", "x"], "first 'x' in line 2 and line 3"),
    ],
)
def test_ids_tell_rows_apart(ids, said):
    with pytest.raises(SourceError) as error:
        build({"a": [1, 2, 3]}, ids=ids)
    assert said in str(error.value)
    assert "drop=['name']" in str(error.value)


def test_a_table_says_which_column_names_its_rows(tmp_path):
    path = tmp_path / "t.csv"
    texts = {"Id,a\n1,2\n2,3\n": ("Id", "Id"), ",a\nx,2\ny,3\n": ("id", ""), "a\n2\n3\n": ("row", None)}
    for text, called in texts.items():
        path.write_text(text)
        assert (read(path).id_name, read(path).id_column) == called
    path.write_text(",a\nx,2\nx,3\n")
    with pytest.raises(SourceError, match=r"leave the column out \(drop=\[''\]\)"):
        read(path)
    assert read(path, drop=[""]).ids == ["0", "1"]


def test_clustering_needs_two_rows_and_a_feature():
    with pytest.raises(SourceError, match="has 1 row of data"):
        build({"a": [1]})
    with pytest.raises(SourceError, match="no column of features left"):
        build({})
    with pytest.raises(SourceError, match="no column tells the rows apart"):
        build({"a": [1, 1], "b": [2, 2]})


def test_unknown_options_are_refused():
    with pytest.raises(ValueError, match="scale"):
        build({"a": [1, 2]}, scale="log")
    with pytest.raises(ValueError, match="missing"):
        build({"a": [1, 2]}, missing="ignore")
