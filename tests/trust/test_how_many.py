"""Which number is recommended, in which words."""

import pytest

from s3nmf.trust.evidence import Evidence
from s3nmf.trust.figures import Figures
from s3nmf.trust.how_many import near_ties, recommend


def evidence(score, n_clusters=3):
    return Evidence(score, Figures(0.02, 0.3), Figures(0.2, 0.05), 300, n_clusters)


def test_the_number_with_the_most_support_is_recommended_if_clusters_stand_out():
    found = recommend({1: 9.0, 2: 1.5, 3: 4.0}, (evidence(5.0),))
    assert found[:3] == (3, (), True)
    assert found.reason == "3 clusters: no other number fits as well (2 comes next, with 38% of the support)."
    assert len(found.sentences) == 1


def test_chance_decides_whether_there_is_one_cluster_only():
    nothing = (evidence(1.0), evidence(2.9, 2))
    assert recommend({1: 1.0, 2: 1.5, 3: 4.0}, nothing)[:3] == (1, (), True)
    guess = recommend({2: 1.5, 3: 4.0}, nothing)
    assert guess[:3] == (3, (), False)
    assert guess.reason.endswith("3 is a guess.")


def test_without_evidence_the_support_decides_that_too():
    assert recommend({1: 9.0, 2: 1.5}, ()).n_clusters == 1
    assert recommend({1: 1.0, 2: 1.5}, ()).n_clusters == 2


def test_if_two_clusters_stand_out_there_are_clusters_and_the_support_says_how_many():
    found = recommend({2: 1.0, 5: 4.0}, (evidence(1.0, 5), evidence(7.0, 2)))
    assert found[:3] == (5, (), True)
    (sentence,) = found.sentences
    assert sentence.startswith("Cut into 2,")


@pytest.mark.parametrize(
    ("support", "beginning"),
    [
        ({2: 1.0, 3: 0.9, 4: 0.1}, "2 or 3 clusters fit the data about as well; 2 fits best."),
        ({8: 0.1, 9: 1.0, 10: 0.2, 11: 0.8}, "9, 10 or 11 clusters fit the data about as well; 9 fits best."),
        (dict.fromkeys(range(2, 9), 1.0), "No number of clusters stands out: 2 fits best, and 3, 4, 5 and 3 more fit"),
    ],
)
def test_near_ties_are_named(support, beginning):
    found = recommend(support, (evidence(5.0),))
    assert found.reason.startswith(beginning)
    assert not found.clear


def test_one_cluster_is_no_tie():
    assert near_ties({1: 1.0, 2: 1.0, 3: 0.1}, 2) == ()


def test_more_pieces_than_numbers_are_told():
    found = recommend({2: 1.0, 3: 1.1}, (evidence(5.0),), pieces=4)
    assert found[:3] == (3, (), False)
    assert "at least 4 pieces, or nearly, more than were tried" in found.reason
