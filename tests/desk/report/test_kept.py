import numpy as np
import pandas as pd
import polars as pl
import pytest

from s3nmf.desk.plots.style import COLORS, RAMP
from s3nmf.desk.report.kept import kept_columns


def kept(values):
    (column,), _ = kept_columns({"c": values}, len(values))
    return column


def test_groups_come_by_size_and_are_counted_in_each_cluster():
    column = kept(["b", "a", "b", None, "b", ""])
    assert column.groups == ("b", "missing", "a")
    np.testing.assert_array_equal(column.crossed_with(np.array([0, 0, 0, 1, 1, 1])), [[2, 1], [0, 2], [1, 0]])
    assert column.agreement_with(column.group_of) == 1.0


def test_few_numbers_are_groups_in_their_order():
    column = kept([10, 2, 10, 3, 10, None])
    assert column.groups == ("2", "3", "10", "missing")
    assert column.group_of.tolist() == [2, 0, 2, 1, 2, 3]
    assert not column.is_ordered


def test_many_numbers_are_fifths_of_their_range_text_or_not():
    numbers = np.random.default_rng(0).permutation(100) / 2
    column = kept([*numbers.astype(str), "NA"])
    assert column.is_ordered
    assert column.groups[:2] == ("0 to 9.9", "9.9 to 19.8")
    assert column.groups[-1] == "missing"
    np.testing.assert_array_equal(np.bincount(column.group_of), [20] * len(RAMP) + [1])
    assert (column.group_of[:-1] == np.minimum(numbers // 9.9, 4)).all()


def test_of_many_names_the_rare_ones_are_one_group():
    column = kept([f"name {k}" for k in range(100)] + ["often"] * 5)
    assert len(column.groups) == len(COLORS)
    assert (column.groups[0], column.groups[-1]) == ("often", "all others")
    assert np.bincount(column.group_of)[-1] == 100 - (len(COLORS) - 2)


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_columns_come_from_a_mapping_or_a_frame(frame):
    (first, second), _ = kept_columns(frame({"a": ["x", "y"], "b": [1, 2]}), 2)
    assert (first.name, first.groups, second.name, second.groups) == ("a", ("x", "y"), "b", ("1", "2"))


def test_a_column_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="The kept column 'a' has 3 values for 2 points"):
        kept_columns({"a": [1, 2, 3]}, 2)
    assert kept_columns(None, 2) == ((), None)
