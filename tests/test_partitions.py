import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import member_partitions, partitions
from s3nmf.partitions import by_decreasing_size, distinct_tuples, one_hot, partition


@given(partitions())
def test_clusters_are_numbered_by_decreasing_size(labels):
    renamed = by_decreasing_size(labels)
    sizes = np.bincount(renamed)
    assert (sizes > 0).all()
    assert (np.diff(sizes) <= 0).all()


@given(partitions())
def test_clusters_of_equal_size_are_numbered_by_their_first_point(labels):
    renamed = by_decreasing_size(labels)
    sizes = np.bincount(renamed)
    first = [np.flatnonzero(renamed == k)[0] for k in range(sizes.size)]
    for k in range(sizes.size - 1):
        assert sizes[k] > sizes[k + 1] or first[k] < first[k + 1]


@given(partitions(), st.permutations(range(5)))
def test_equal_partitions_get_equal_labels(labels, names):
    renamed = np.array(names)[labels]
    assert np.array_equal(by_decreasing_size(labels), by_decreasing_size(renamed))
    assert np.array_equal(labels[:, None] == labels, by_decreasing_size(labels)[:, None] == by_decreasing_size(labels))


def test_ties_go_to_the_first_column():
    assert partition(np.array([[0.5, 0.5, 0.1], [0.0, 0.0, 0.0]])).tolist() == [0, 0]


@given(member_partitions())
def test_one_hot_has_a_block_of_columns_for_each_member(member_labels):
    B = one_hot(member_labels).toarray()
    n_clusters = B.shape[1] // len(member_labels)
    for m, labels in enumerate(member_labels):
        block = B[:, m * n_clusters : (m + 1) * n_clusters]
        assert np.array_equal(block, np.eye(n_clusters)[labels])


def test_one_hot_refuses_negative_labels():
    with pytest.raises(ValueError, match="Labels start at 0; there is -1"):
        one_hot(np.array([[0, -1, 1]]))


@given(member_partitions())
def test_tuples_and_their_counts_describe_every_point(member_labels):
    tuples, tuple_of, counts = distinct_tuples(member_labels)
    assert np.array_equal(tuples[:, tuple_of], member_labels)
    assert np.array_equal(np.bincount(tuple_of), counts)
    assert len({tuple(column) for column in tuples.T}) == counts.size


def test_tuples_of_more_members_than_an_integer_can_hold_are_told_apart():
    member_labels = np.random.default_rng(0).integers(0, 100, (30, 50)).repeat(2, axis=1)
    tuples, tuple_of, counts = distinct_tuples(member_labels)
    assert counts.tolist() == [2] * 50
    np.testing.assert_array_equal(tuples[:, tuple_of], member_labels)
    np.testing.assert_array_equal(tuples, np.unique(member_labels, axis=1))
