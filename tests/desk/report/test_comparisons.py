from base64 import b64decode

import numpy as np
import pytest
import scipy.sparse as sp

from s3nmf.desk.report.comparisons import MOST_FEATURES, compared
from s3nmf.desk.report.features import profiles_of
from s3nmf.partitions import NO_CLUSTER

LABELS = np.repeat([0, 1, 2], 10)


def of(values, shown=None):
    profiles = profiles_of(values, LABELS, [f"f{j}" for j in range(values.shape[1])])
    return compared(values, profiles, np.bincount(LABELS), np.arange(30) if shown is None else shown)


def test_the_features_that_tell_the_two_clusters_apart_come_first():
    values = np.random.default_rng(0).normal(size=(30, 4)) * 0.1
    values[:, 0] += LABELS == 2
    values[:, 2] += LABELS == 1
    values[:, 3] += 0.5 * (LABELS == 1)
    first, second, _ = of(values).of(3, 0, 1)
    assert (first.feature, second.feature) == ("f2", "f3")
    assert first.value == values[3, 2]
    assert (first.own, first.other) == pytest.approx((values[:10, 2].mean(), values[10:20, 2].mean()))
    assert of(values).of(3, 0, 2)[0].feature == "f0"


def test_without_a_second_choice_a_point_is_compared_with_its_cluster_alone():
    values = np.random.default_rng(0).normal(size=(30, 2)) + np.outer(LABELS == 0, [0, 5])
    (first, _) = of(values).of(0, 0, NO_CLUSTER)
    assert (first.feature, first.other) == ("f1", None)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_the_script_gets_the_values_of_the_points_shown(form):
    values = np.random.default_rng(0).normal(size=(30, 20)) * np.arange(1, 21)
    shown = np.array([4, 29])
    found = of(form(values), shown)
    told = found.for_script()
    columns = [int(name[1:]) for name in told["names"]]
    assert len(columns) == MOST_FEATURES
    sent = np.frombuffer(b64decode(told["values"]), "<f4").reshape(2, -1)
    np.testing.assert_allclose(sent, values[np.ix_(shown, columns)], rtol=1e-6)


def test_values_that_are_nothing_but_rounding_are_zero_and_missing_ones_stay_missing():
    values = np.random.default_rng(0).normal(size=(30, 1))
    values[0], values[1], values[2] = 1.7e-18, np.nan, np.inf
    found = of(values)
    assert found.values[0, 0] == 0.0
    assert np.isnan(found.values[1, 0])
    assert found.for_script()["typical"][0][0] == pytest.approx(values[3:10].sum() / 8, rel=1e-5)
