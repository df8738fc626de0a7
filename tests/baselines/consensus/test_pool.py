import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from graphs import member_partitions
from s3nmf.baselines.consensus.pool import check_partitions, cluster_pool
from s3nmf.partitions import by_decreasing_size


@given(member_partitions())
def test_the_pool_holds_every_cluster_of_every_partition_once(partitions):
    checked = check_partitions(partitions)
    pool = cluster_pool(checked)
    dense = np.hstack([np.eye(labels.max() + 1)[labels] for labels in checked])
    np.testing.assert_array_equal(pool.indicator.toarray()[pool.group_of], dense)
    np.testing.assert_array_equal(pool.sizes, dense.sum(axis=0))
    np.testing.assert_array_equal(pool.counts, np.bincount(pool.group_of))
    assert pool.n_groups == len({tuple(point) for point in partitions.T})
    assert (pool.n_clusters, pool.n_members) == (dense.shape[1], len(partitions))


@given(member_partitions())
def test_only_which_points_share_a_label_counts(partitions):
    checked = check_partitions(partitions)
    for names in (np.array([-1, 10**12, 7, -300]), np.array(["b", "", "a", "ü"]), np.array([True, False, True, True])):
        expected = [by_decreasing_size(names[labels]) for labels in partitions]
        np.testing.assert_array_equal(check_partitions(names[partitions]), expected)
        if np.unique(names).size == names.size:
            np.testing.assert_array_equal(expected, checked)


def test_columns_of_a_data_frame_are_partitions():
    frame = pd.DataFrame({"leiden": pd.Categorical(["1", "0", "1"]), "k-means": [2, 2, 0]})
    np.testing.assert_array_equal(check_partitions(frame.T), [[0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("partitions", "message"),
    [
        ([0, 1, 1], r"shape \(3,\); it must be \(n_members, n_samples\)"),
        (np.zeros((0, 5), dtype=int), r"shape \(0, 5\)"),
        ([[]], r"shape \(1, 0\)"),
        ([[0, 1], [0, 1, 1]], "different numbers of points"),
        ([[0.0, 1.0], [0.5, 1.0]], r"dtype float64; labels must be integers or texts.*astype\(int\)"),
        ([[0, None], [1, 1]], "dtype object; labels must be integers or texts"),
    ],
)
def test_what_is_not_a_table_of_labels_is_refused(partitions, message):
    with pytest.raises(ValueError, match=message):
        check_partitions(partitions)
