import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import normalized_mutual_info_score

from graphs import member_partitions
from s3nmf.method import agreement, pairwise_nmi

AVERAGES = pytest.mark.parametrize("average", ["arithmetic", "max"])


@AVERAGES
@given(member_labels=member_partitions())
def test_pairwise_nmi_is_scikit_learns(average, member_labels):
    expected = [
        [normalized_mutual_info_score(one, other, average_method=average) for one in member_labels]
        for other in member_labels
    ]
    np.testing.assert_allclose(pairwise_nmi(member_labels, average), expected, atol=1e-9)


@AVERAGES
@given(member_labels=member_partitions())
def test_agreement_is_the_mean_over_distinct_or_all_ordered_pairs(average, member_labels):
    b = len(member_labels)
    nmi = pairwise_nmi(member_labels, average)
    distinct = [nmi[i, j] for i in range(b) for j in range(i + 1, b)]
    if b > 1:
        assert agreement(member_labels, average) == pytest.approx(2 / (b * (b - 1)) * sum(distinct))
    assert agreement(member_labels, average, "all") == pytest.approx(nmi.sum() / b**2)


@given(member_partitions(), st.permutations(range(4)))
def test_agreement_is_1_exactly_when_all_partitions_are_the_same(member_labels, names):
    same = np.array([member_labels[0], np.array(names)[member_labels[0]]])
    assert agreement(same) == 1.0
    equal = all(
        np.array_equal(labels[:, None] == labels, member_labels[0][:, None] == member_labels[0])
        for labels in member_labels
    )
    assert (agreement(member_labels) == 1.0) == equal


def test_one_point_of_many_that_differs_is_not_full_agreement():
    labels = np.zeros((2, 1_000_000), dtype=int)
    labels[:, :400_000] = 1
    labels[1, 0] = 0
    assert 0.99 < agreement(labels) < 1.0


def test_any_names_of_clusters_will_do_noise_included():
    labels = np.random.default_rng(0).integers(-1, 3, (5, 300))
    assert agreement(labels) == pytest.approx(agreement(labels + 1))
    assert agreement(labels * 10**9) == pytest.approx(agreement(labels + 1))
    assert agreement([["x", "y"], ["y", "x"]]) == 1.0


@pytest.mark.parametrize("labels", [[0, 1, 1], [[]], [[[0, 1]]]])
def test_what_is_not_a_table_of_labels_is_refused(labels):
    with pytest.raises(ValueError, match=r"must be \(n_members, n_samples\)"):
        agreement(labels)


def test_single_clusters():
    one, two = np.zeros(6, dtype=int), np.array([0, 0, 0, 1, 1, 1])
    assert agreement(np.array([one, one])) == 1.0
    assert agreement(np.array([one, two])) == 0.0
    assert agreement(two[None]) == 1.0
