import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from s3nmf.desk.report import features
from s3nmf.desk.report.features import check_values, profiles_of


def traits_of(values, labels, names, most=3):
    found = profiles_of(values, labels, names)
    return tuple(found.traits(cluster, most) for cluster in range(labels.max() + 1))


def literal(values, labels, cluster, j):
    """Cohen's d of one cluster and one feature, with the textbook's formulas."""
    inside, outside = values[labels == cluster, j], values[labels != cluster, j]
    inside, outside = inside[np.isfinite(inside)], outside[np.isfinite(outside)]
    squares = ((inside - inside.mean()) ** 2).sum() + ((outside - outside.mean()) ** 2).sum()
    deviation = np.sqrt(squares / (inside.size + outside.size))
    return (inside.mean() - outside.mean()) / deviation, inside.mean(), outside.mean()


@pytest.mark.parametrize("block", [4_000_000, 60])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_differences_are_those_of_the_textbook(monkeypatch, block, offset):
    monkeypatch.setattr(features, "_BLOCK", block)
    rng = np.random.default_rng(0)
    labels = np.arange(30) % 3
    values = rng.normal(size=(30, 7)) + offset + 3 * (labels == 1)[:, None]
    values[rng.random(values.shape) < 0.1] = np.nan
    names = [f"f{j}" for j in range(7)]
    for cluster, traits in enumerate(traits_of(values, labels, names, most=7)):
        expected = {names[j]: literal(values, labels, cluster, j) for j in range(7)}
        strong = {name for name, (difference, *_) in expected.items() if abs(difference) >= 0.5}
        assert {trait.feature for trait in traits} == strong
        for trait in traits:
            found = (trait.difference, trait.inside, trait.outside)
            np.testing.assert_allclose(found, expected[trait.feature], rtol=1e-6)


def test_the_largest_differences_come_first_whatever_their_sign():
    labels = np.repeat([0, 1], 50)
    noise = np.random.default_rng(0).normal(size=(100, 4))
    values = noise + np.outer(labels, [1.0, -9.0, 4.0, 0.0])
    first, second = traits_of(values, labels, ["weak", "down", "up", "nothing"], most=2)
    assert [trait.feature for trait in first] == [trait.feature for trait in second] == ["down", "up"]
    assert first[0].difference > 0 > second[0].difference


def test_a_sparse_table_says_the_same():
    rng = np.random.default_rng(1)
    values = rng.random((40, 9)) * (rng.random((40, 9)) < 0.4)
    labels, names = np.arange(40) % 4, list("abcdefghi")
    dense, sparse = (traits_of(table, labels, names) for table in (values, sp.csr_array(values)))
    for one, other in zip(dense, sparse, strict=True):
        assert [trait.feature for trait in one] == [trait.feature for trait in other]
        for name in ("difference", "inside", "outside"):
            assert [getattr(trait, name) for trait in one] == pytest.approx([getattr(trait, name) for trait in other])


def test_a_feature_that_is_constant_on_both_sides_differs_infinitely_or_not_at_all():
    labels = np.array([0, 0, 0, 1, 1])
    values = np.column_stack([0.1 * np.ones(5), np.where(labels == 0, 0.1, 0.3)])
    (first,), (second,) = traits_of(values, labels, ["same", "apart"])
    assert (first.feature, first.difference, second.difference) == ("apart", -np.inf, np.inf)
    assert (first.inside, first.outside) == pytest.approx((0.1, 0.3))


@given(
    hnp.arrays(float, (8, 3), elements=st.floats(allow_nan=True, allow_infinity=True)),
    st.lists(st.integers(0, 2), min_size=8, max_size=8),
)
def test_any_table_is_taken_without_a_warning(values, labels):
    labels = np.unique(labels, return_inverse=True)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for traits in traits_of(values, labels, list("abc")):
            assert not any(np.isnan(trait.difference) for trait in traits)


def test_one_cluster_has_nothing_to_differ_from():
    assert traits_of(np.ones((3, 2)), np.zeros(3, dtype=int), ["a", "b"]) == ((),)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_of_a_frame_are_the_names(frame):
    values, names = check_values(frame({"length": [1, 2], "width": [True, False]}), 2, None)
    assert names == ["length", "width"]
    np.testing.assert_array_equal(values, [[1.0, 1.0], [2.0, 0.0]])


def test_features_without_names_are_numbered():
    assert check_values(np.ones((2, 3)), 2, None)[1] == ["feature 0", "feature 1", "feature 2"]
    assert check_values(pd.DataFrame(np.ones((2, 2))), 2, None)[1] == ["column 0", "column 1"]


def test_values_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"shape \(3, 2\), and the model was fitted to 4 points"):
        check_values(np.ones((3, 2)), 4, None)
    with pytest.raises(ValueError, match="1 feature_names for 2 columns"):
        check_values(np.ones((3, 2)), 3, ["a"])
    with pytest.raises(ValueError, match="Column 'colour' of values holds text"):
        check_values(pd.DataFrame({"size": [1, 2], "colour": ["red", "blue"]}), 2, None)
    with pytest.raises(ValueError, match="Column 1 of values holds text"):
        check_values([[1, "red"], [2, "blue"]], 2, None)


def test_standardised_means_are_in_deviations_of_all_points():
    rng = np.random.default_rng(0)
    labels, values = np.arange(60) % 3, rng.normal(size=(60, 4)) * [1, 10, 100, 0.1] + 5
    found = profiles_of(values, labels, list("abcd"))
    expected = [(values[labels == k].mean(axis=0) - values.mean(axis=0)) / values.std(axis=0) for k in range(3)]
    np.testing.assert_allclose(found.standardised, expected)


def test_the_most_telling_features_are_those_that_clusters_explain():
    labels = np.repeat([0, 1, 2], 20)
    values = np.random.default_rng(0).normal(size=(60, 5))
    values[:, 3] += 4 * labels
    values[:, 1] += 9 * (labels == 2)
    found = profiles_of(values, labels, list("abcde"))
    assert found.telling(np.bincount(labels), 2).tolist() == [1, 3]


def test_a_mean_that_is_nothing_but_rounding_is_zero():
    values = np.array([[1.0, 0.1], [-1.0, 0.2], [1.0 + 1e-17, -0.3], [-1.0, 0.7]]) * 1e3
    found = profiles_of(values, np.array([0, 0, 1, 1]), ["a", "b"])
    assert found.inside[0, 0] == found.inside[1, 0] == 0.0
    assert found.inside[0, 1] == pytest.approx(150.0)
