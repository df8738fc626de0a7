import pytest
from hypothesis import given
from hypothesis import strategies as st

from s3nmf.ensemble.chosen import best_round


@pytest.mark.parametrize(("agreement", "number"), [([0.4], 1), ([0.4, 0.9, 0.8], 2), ([0.4, 0.4, 0.3], 1)])
def test_the_first_of_the_rounds_with_the_highest_agreement_is_chosen(agreement, number):
    assert best_round(agreement) == number


@given(st.lists(st.sampled_from([0.1, 0.5, 0.5 + 1e-16, 1.0]), min_size=1))
def test_no_round_agrees_more_and_none_before_as_much(agreement):
    chosen = agreement[best_round(agreement) - 1]
    assert chosen == max(agreement)
    assert chosen not in agreement[: best_round(agreement) - 1]
