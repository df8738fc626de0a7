import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from s3nmf.desk.sources.features import scaling_of
from s3nmf.distributed.form import Form
from s3nmf.distributed.moments import features_of, moments_of, together
from s3nmf.sources import SourceError

TABLES = arrays(float, (30, 2), elements=st.floats(-1e200, 1e200, allow_subnormal=False))


def form(*columns):
    return Form(columns, "row", None)


@given(TABLES, st.lists(st.integers(0, 30), max_size=4), st.sampled_from(["standard", "minmax"]))
def test_columns_are_scaled_as_if_the_parts_were_one_table(values, cuts, scale):
    values[:2] = [[0, 1], [1, 0]]
    values = np.where(np.abs(values) < 1e-3, 0.0, values)
    parts = [moments_of(part) for part in np.split(values, sorted(cuts))]
    features, _ = features_of(form("a", "b"), together(parts), values, scale)
    for scaling, column in zip(features.scalings, values.T, strict=True):
        np.testing.assert_allclose(scaling.apply(column), scaling_of(column, scale).apply(column), atol=1e-9)


def test_a_column_is_constant_only_if_it_is_in_all_parts():
    one, other = np.array([[1.0, 5.0], [2.0, 5.0]]), np.array([[3.0, 5.0]])
    both = together([moments_of(one), moments_of(other)])
    features, notes = features_of(form("a", "b"), both, np.vstack([one, other]), "standard")
    assert features.columns == ("a",)
    assert notes[0] == "Dropped 'b': the same value, or none, in every row."
    both = together([moments_of(one), moments_of(other + 1)])
    features, _ = features_of(form("a", "b"), both, np.vstack([one, other]), "standard")
    assert features.columns == ("a", "b")
    with pytest.raises(SourceError, match="No column tells the rows apart"):
        features_of(form("b"), moments_of(one[:, 1:]), one[:, 1:], "standard")


def test_gaps_are_left_out_and_filled_by_the_median_of_the_sample():
    values = np.array([[1.0], [np.nan], [5.0], [3.0]])
    features, _ = features_of(form("a"), together([moments_of(values[:2]), moments_of(values[2:])]), values, "none")
    assert features.medians == (3.0,)
    assert moments_of(values).count.tolist() == [3]


def test_a_column_that_no_sampled_row_has_a_value_of_cannot_be_filled():
    values = np.array([[1.0, np.nan], [2.0, 7.0], [3.0, 8.0]])
    message = r"'d': so few rows have a value that no sampled row has one.*Leave out such columns \(drop=\['d'\]\), or"
    with pytest.raises(SourceError, match=message):
        features_of(form("a", "d"), moments_of(values), values[:1], "none")
