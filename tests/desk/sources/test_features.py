"""New rows are read as the table that they follow was."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from s3nmf.desk.sources.features import scaling_of
from s3nmf.sources import SourceError, read


@pytest.fixture
def first(tmp_path):
    path = tmp_path / "first.csv"
    path.write_text("name,a,b,same,text\nx,1,10,5,p\ny,2,30,5,q\nz,3,20,5,q\n", encoding="utf-8")
    return read(path, id="name", drop=["text"])


@pytest.fixture
def new(tmp_path, first):
    def read_new(text, **options):
        path = tmp_path / "new.csv"
        path.write_text(text, encoding="utf-8")
        return read(path, like=first.features, **options)

    return read_new


def test_the_same_rows_get_the_same_values_in_any_order_of_columns_and_rows(new, first):
    table = new("b,extra,a,name\n20,?,3,z\n10,k,1,x\n")
    assert table.ids == ["z", "x"]
    assert table.id_name == "name"
    assert table.columns == ("a", "b")
    np.testing.assert_array_equal(table.values, first.values[[2, 0]])
    assert table.notes == ("Left out 'extra': not clustered by.",)


def test_a_single_row_and_equal_rows_are_enough(new, first):
    assert new("a,b\n1,10\n").values.tolist() == [first.values[0].tolist()]
    assert new("a,b\n1,10\n1,10\n").ids == ["0", "1"]


def test_columns_that_are_lacking_are_named(new):
    with pytest.raises(SourceError, match=r"lacks 1 column of the 2 that were clustered by: 'b'\. It has 'a', 'B'\."):
        new("a,B\n1,10\n")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("row,a\n1,10\n1,30\n7,20\n", {}),
        (",id,a\nx,1,10\ny,1,30\nz,7,20\n", {}),
        ("id,a\n1,10\n1,30\n7,20\n", {"columns": ["id", "a"]}),
    ],
    ids=["row", "id beside names", "id as asked"],
)
def test_what_was_clustered_by_names_no_rows_whatever_it_is_called(tmp_path, text, options):
    (tmp_path / "t.csv").write_text(text)
    first = read(tmp_path / "t.csv", **options)
    again = read(tmp_path / "t.csv", like=first.features)
    assert (again.ids, again.columns) == (first.ids, first.columns)
    np.testing.assert_array_equal(again.values, first.values)


def test_gaps_are_filled_with_the_first_rows_median(new, first):
    table = new("a,b\n,10\n3,30\n", missing="median")
    assert table.values[0, 0] == first.values[1, 0]
    with pytest.raises(SourceError, match="missing 1 value in 1 row"):
        new("a,b\n,10\n3,30\n")
    assert new("a,b\n,10\n3,30\n", missing="drop").ids == ["1"]


def test_text_in_a_column_of_numbers_is_refused(new):
    with pytest.raises(SourceError, match="Column holds text, not numbers: 'a'") as error:
        new("a,b\nmany,10\n2,10\n")
    assert "drop" not in str(error.value)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=9, unique=True),
    st.sampled_from(["standard", "minmax", "none"]),
)
def test_a_value_is_scaled_the_same_alone_and_among_others(values, scale):
    values = np.array(values)
    scaling = scaling_of(values, scale)
    assume(scaling.spread != 0)
    together = scaling.apply(values)
    assert [scaling.apply(values[k : k + 1])[0] for k in range(values.size)] == together.tolist()


@pytest.mark.parametrize("scale", ["standard", "minmax", "none"])
def test_scaling_can_be_undone(tmp_path, scale):
    values = np.random.default_rng(0).normal(size=(9, 3)) * [1e-12, 1.0, 1e12] + [0, 5, 1e13]
    np.save(tmp_path / "t.npy", values)
    table = read(tmp_path / "t.npy", scale=scale)
    np.testing.assert_allclose(table.features.unscaled(table.values), values, rtol=1e-14, atol=1e-26)


def test_a_part_of_a_table_keeps_its_columns_as_they_are(tmp_path):
    """What is constant here may not be in the next part; all are scaled together, later."""
    (tmp_path / "part.csv").write_text("id,a,b,c\nx,1,5,\n", encoding="utf-8")
    part = read(tmp_path / "part.csv", is_part=True, missing="median")
    assert (part.ids, part.columns) == (["x"], ("a", "b", "c"))
    np.testing.assert_array_equal(part.values, [[1.0, 5.0, np.nan]])
    with pytest.raises(SourceError, match="missing 1 value in 1 row"):
        read(tmp_path / "part.csv", is_part=True)
    (tmp_path / "part.csv").write_text("id,a,b,c\nx,1,5,much\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"Leave out what is not a feature \(drop=\['c'\];"):
        read(tmp_path / "part.csv", is_part=True)
