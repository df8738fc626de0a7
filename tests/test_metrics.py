from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import two_partitions
from s3nmf.method import agreement
from s3nmf.metrics import (
    Scores,
    accuracy,
    adjusted_rand_index,
    correct,
    evaluate,
    normalized_mutual_information,
    pairwise_f1,
    purity,
)


@given(two_partitions())
def test_accuracy_is_never_above_purity(pair):
    assert accuracy(*pair) <= purity(*pair) + 1e-15


@given(two_partitions(), st.permutations(range(5)), st.permutations(range(5)))
def test_names_of_clusters_do_not_matter(pair, class_names, cluster_names):
    y, labels = pair
    renamed = evaluate(np.array(class_names)[y], np.array(list("abcde"))[np.array(cluster_names)[labels]])
    assert renamed == pytest.approx(evaluate(y, labels))


@given(two_partitions())
def test_scores_lie_between_0_and_1_and_the_truth_gets_1(pair):
    y, labels = pair
    scores = evaluate(y, labels)
    assert all(-1e-12 <= score <= 1 + 1e-12 for score in scores._replace(ari=0))
    assert evaluate(y, y) == pytest.approx(Scores(1, 1, 1, 1, 1))


@given(two_partitions(max_n=12, max_clusters=4))
def test_accuracy_is_the_best_of_all_namings(pair):
    y, labels = pair
    best = max(np.mean(np.array(naming)[labels] == y) for naming in permutations(range(4)))
    assert accuracy(y, labels) == pytest.approx(best)
    assert correct(y, labels).mean() == pytest.approx(best)


@given(two_partitions(max_n=12))
def test_f1_counts_pairs(pair):
    y, labels = pair
    pairs = list(combinations(range(len(y)), 2))
    together = {(i, j) for i, j in pairs if labels[i] == labels[j]}
    truly = {(i, j) for i, j in pairs if y[i] == y[j]}
    both = len(together & truly)
    precision = both / len(together) if together else 1.0
    recall = both / len(truly) if truly else 1.0
    expected = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert pairwise_f1(y, labels) == pytest.approx(expected)


def test_more_clusters_than_classes_count_as_errors():
    y, labels = [0, 0, 0, 0], [0, 0, 1, 2]
    assert accuracy(y, labels) == 0.5
    assert purity(y, labels) == 1.0


def test_nmi_is_normalised_by_the_larger_entropy_as_in_the_tables_or_by_the_mean():
    y, labels = [0, 0, 1, 1], [0, 0, 1, 2]
    assert normalized_mutual_information(y, labels) == pytest.approx(1 / 1.5)
    assert normalized_mutual_information(y, labels, average="arithmetic") == pytest.approx(1 / 1.25)
    assert evaluate(y, labels, nmi_average="arithmetic").nmi == pytest.approx(1 / 1.25)


@pytest.mark.parametrize("labels", [[0, 0, 0], [0, 1, 2]])
def test_trivial_partitions_that_agree_are_perfect(labels):
    assert evaluate(labels, labels) == (1, 1, 1, 1, 1)


def test_a_hundred_thousand_points_do_not_overflow():
    """n^2 = 10^10 pairs do not fit 32 bits."""
    n = 100_000
    y = np.arange(n, dtype=np.int32) % 2
    labels = np.where(np.arange(n) < n // 100, 1 - y, y).astype(np.int32)
    right = 0.99
    together = right**2 + (1 - right) ** 2
    scores = evaluate(y, labels)
    assert scores.accuracy == pytest.approx(right)
    assert scores.purity == pytest.approx(right)
    assert scores.f1 == pytest.approx(together, abs=1e-4)
    assert scores.ari == pytest.approx(2 * together - 1, abs=1e-4)


@pytest.mark.parametrize("metric", [accuracy, purity, pairwise_f1, adjusted_rand_index, normalized_mutual_information])
def test_what_cannot_be_scored_is_refused(metric):
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        metric([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="empty"):
        metric([], [])
    with pytest.raises(ValueError, match="1d array"):
        metric([[0, 1], [1, 0]], [0, 1])


@pytest.mark.parametrize("labels", [["a", None, "b"], ["a", 1.5, 2]])
def test_labels_of_several_types_are_refused(labels):
    with pytest.raises(ValueError, match=r"y_pred holds labels of types .*, str\. Make all of them"):
        accuracy([0, 1, 1], np.array(labels, dtype=object))
    with pytest.raises(ValueError, match=r"member_labels holds labels of types"):
        agreement(np.array([labels, labels], dtype=object))


def test_labels_of_several_lengths_are_refused():
    with pytest.raises(ValueError, match="member_labels has rows of different lengths"):
        agreement([[0, 1], [0]])


def test_masked_labels_are_refused():
    with pytest.raises(ValueError, match="y_true has masked labels"):
        accuracy(np.ma.MaskedArray([0, 1], [True, False]), [0, 1])


def test_any_float_is_a_label():
    assert evaluate([1e160, 1e160, -0.5], [0, 0, 1]) == evaluate([0, 0, 1], [0, 0, 1])
