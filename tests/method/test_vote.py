import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s3nmf import Recipe
from s3nmf.method import Round
from s3nmf.method.vote import Voting, best_round, chosen_round, final_partition


@pytest.mark.parametrize(("agreement", "number"), [([0.4], 1), ([0.4, 0.9, 0.8], 2), ([0.4, 0.4, 0.3], 1)])
def test_the_first_of_the_rounds_with_the_highest_agreement_is_chosen(agreement, number):
    assert best_round(agreement) == number


@given(st.lists(st.sampled_from([0.1, 0.5, 0.5 + 1e-16, 1.0]), min_size=1))
def test_no_round_agrees_more_and_none_before_as_much(agreement):
    chosen = agreement[best_round(agreement) - 1]
    assert chosen == max(agreement)
    assert chosen not in agreement[: best_round(agreement) - 1]


def rounds(agreement, *, factorized):
    """Rounds that agree so well, the first of which factorized or has its partitions from elsewhere."""
    labels, weights = np.zeros((2, 5), dtype=np.uint8), np.full(2, 0.5)
    return [
        Round(number, labels, weights, level, np.zeros((2 if factorized or number > 1 else 0, 2)), 1, True, 0.0)
        for number, level in enumerate(agreement, start=1)
    ]


@pytest.mark.parametrize(
    ("agreement", "factorized", "number"),
    [
        ([0.9, 0.8, 0.7], True, 1),
        ([0.9, 0.8, 0.7], False, 2),
        ([1.0, 0.5, 0.8, 0.8], False, 3),
        ([0.9], True, 1),
        ([0.9], False, 1),
    ],
)
def test_the_best_round_that_factorized_is_chosen_or_the_only_one(agreement, factorized, number):
    assert chosen_round(rounds(agreement, factorized=factorized)).number == number


MEMBERS = np.array([[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 3]], dtype=np.uint8)


@pytest.mark.parametrize(
    ("weights", "n_clusters", "member"),
    [
        ([0.7, 0.1, 0.15, 0.05], 2, 0),
        ([0.7, 0.1, 0.15, 0.05], 3, 2),
        ([0.7, 0.15, 0.15, 0.0], 3, 1),
        ([0.7, 0.1, 0.15, 0.05], 4, 3),
        ([0.7, 0.1, 0.15, 0.05], 9, 3),
        ([0.1, 0.1, 0.1, 0.7], 1, 0),
        ([1.0, 0.0, 0.0, 0.0], 4, 3),
    ],
)
def test_the_heaviest_of_the_members_with_the_asked_or_the_nearest_number_of_clusters_is_returned(
    weights, n_clusters, member
):
    labels = final_partition(MEMBERS, np.array(weights), n_clusters)
    np.testing.assert_array_equal(labels, MEMBERS[member])
    assert labels.dtype == np.intp
    assert not np.shares_memory(labels, MEMBERS)


def test_numbers_of_clusters_are_compared_beyond_what_a_byte_can_count():
    members = np.array([np.zeros(300), np.arange(300) % 256, np.arange(300)]).astype(np.uint16)
    labels = final_partition(members[:2].astype(np.uint8), np.array([0.5, 0.5]), 257)
    assert labels.max() == 255
    assert final_partition(members, np.full(3, 1 / 3), 300).max() == 299


@pytest.mark.parametrize(
    ("agreement", "factorized", "stop", "n_clusters", "over"),
    [
        ([0.4], True, "drop", 1, False),
        ([1.0], True, "drop", 1, True),
        ([1.0], False, "drop", 1, True),
        ([1.0], False, "drop", 2, False),  # all agree on too few clusters: they go on to vote
        ([0.9, 0.8], True, "drop", 1, True),
        ([0.9, 0.8], False, "drop", 1, False),  # what did not factorize is not compared
        ([0.9, 0.8, 0.7], False, "drop", 1, True),
        ([0.9, 0.8, 0.8], False, "drop", 1, False),
        ([0.9, 0.7, 0.8], False, "drop", 1, False),
        ([0.9, 0.9, 0.8, 1.0], True, "drop", 1, True),
        ([0.9, 0.8, 0.7, 1.0], False, "never", 1, False),
        ([0.9, 0.8, 0.7, 1.0, 0.1], False, "never", 1, True),
        ([0.1, 0.2, 0.3, 0.4, 0.5], False, "drop", 1, True),
    ],
)
def test_rounds_end_when_members_agree_or_agree_less(agreement, factorized, stop, n_clusters, over):
    voting = Voting(Recipe(outer_stop=stop), ("collapsed",), n_clusters, 5, None, None)
    assert voting.is_over(rounds(agreement, factorized=factorized)) == over
