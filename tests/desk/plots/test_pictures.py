"""What is drawn is what was found."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from s3nmf import Candidate, ClusterCount
from s3nmf.desk.plots.embedding import central
from s3nmf.desk.plots.style import color_of, legible, marker_of
from s3nmf.plots import ChoiceDisplay, ConfidenceDisplay, EmbeddingDisplay, RoundsDisplay
from s3nmf.trust.evidence import Evidence


def line_of(ax, label):
    return next(line for line in ax.get_lines() if line.get_label() == label)


def test_rounds_show_the_agreement_and_mark_the_chosen_one(model):
    ax = RoundsDisplay.from_estimator(model).ax_
    np.testing.assert_array_equal(line_of(ax, "agreement (ANMI)").get_ydata(), model.agreement_)
    chosen = line_of(ax, "chosen round")
    assert chosen.get_xdata() == [model.chosen_round_]
    assert chosen.get_ydata() == [model.agreement_.max()]


def test_rounds_show_every_weight_relative_to_the_largest():
    ax = RoundsDisplay(np.array([0.5, 0.9]), [np.array([0.5, 0.25, 0.25]), np.array([0.1, 0.9, 0.0])], 2).plot().ax_
    dots = [line.get_ydata() for line in ax.get_lines() if line.get_marker() == "."]
    np.testing.assert_allclose(dots, [[0.5, 0.5, 1.0], [0.0, 1 / 9, 1.0]])


def test_confidence_is_sorted_in_each_cluster_and_all_points_are_there():
    labels, confidence = np.array([0, 1, 0, 1, 0]), np.array([0.2, 0.9, 0.8, 0.3, 0.5])
    ax = ConfidenceDisplay(labels, confidence).plot().ax_
    drawn = [stairs.get_data().values for stairs in ax.patches]
    np.testing.assert_allclose(np.concatenate(drawn), [0.8, 0.5, 0.2, 0.9, 0.3])
    assert [text.get_text() for text in ax.get_yticklabels()] == ["0", "1"]


def test_points_to_doubt_are_open_and_counted():
    positions, labels = np.arange(8.0).reshape(4, 2), np.array([0, 0, 0, 1])
    ax = EmbeddingDisplay(positions, labels, np.array([0.9, 0.49, 0.5, 0.1])).plot().ax_
    drawn = [points for points in ax.collections if len(points.get_offsets())]
    opened = [points for points in drawn if (points.get_facecolor() == 1.0).all()]
    np.testing.assert_array_equal(np.vstack([points.get_offsets() for points in opened]), positions[[1, 3]])
    assert sum(len(points.get_offsets()) for points in drawn) == 4
    assert "2 points with a confidence below 0.5" in ax.get_xlabel()


def test_every_cluster_has_its_number_on_one_of_its_points(model):
    display = EmbeddingDisplay.from_estimator(model)
    for cluster, text in enumerate(display.ax_.texts):
        assert text.get_text() == str(cluster)
        own = display.positions[model.labels_ == cluster]
        assert (own == text.xy).all(axis=1).any()


def test_the_central_point_of_a_ring_is_on_the_ring():
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    assert np.linalg.norm(ring[central(ring)]) == pytest.approx(1)


def test_thirty_five_clusters_look_different_and_neighbours_differ_in_colour_and_in_shape():
    looks = [(color_of(cluster), marker_of(cluster)) for cluster in range(35)]
    assert len(set(looks)) == 35
    assert all(one[0] != two[0] and one[1] != two[1] for one, two in pairwise(looks))


@pytest.mark.parametrize(("n_clusters", "named"), [(1, 1), (20, 20), (21, 11), (100, 20), (101, 11)])
def test_no_more_clusters_are_named_than_there_is_room_for(n_clusters, named):
    assert len(legible(n_clusters, 20)) == named


def choice_of(support, chosen, near_ties=()):
    """A choice among numbers with this evidence for their weakest border."""
    candidates = tuple(Candidate(number, value, 0.5, int(value < 1)) for number, value in support.items())
    evidence = tuple(Evidence(chosen, (), (10,) * chosen) for _ in support)
    supported = chosen if support.get(chosen, 0.0) >= 1 else 1
    return ClusterCount(chosen, near_ties, (), not near_ties, "", (), candidates, evidence[:1], supported)


def test_the_bars_of_a_choice_are_its_support():
    """Twice what a real border has is all of the height: more evidence does not make a border more real."""
    ax = ChoiceDisplay.from_choice(choice_of({2: 1.5, 3: 6.0, 4: 0.6, 5: -0.3}, 3)).ax_
    heights = [bar.get_height() for bar in ax.patches]
    np.testing.assert_allclose(heights, [0.75, 1.0, 0.3, 0.0, 1.0])
    assert ax.patches[4].get_x() + ax.patches[4].get_width() / 2 == pytest.approx(3)
    assert ax.get_title(loc="left") == "3 clusters recommended"


@pytest.mark.parametrize(
    ("choice", "title"),
    [
        (choice_of({2: 0.2, 3: 0.1}, 1), "1: no clusters"),
        (choice_of({}, 1), "1: no clusters"),
        (choice_of({2: 2.0, 3: 0.9}, 2, (3,)), "2 clusters recommended, 3 nearly as good"),
        (choice_of({2: 0.3, 3: 0.1}, 2), "2 clusters: a guess"),
    ],
)
def test_a_choice_that_is_not_clear_says_so(choice, title):
    assert ChoiceDisplay(choice).plot().ax_.get_title(loc="left") == title


def test_a_display_only_stores_what_it_is_given():
    given = SimpleNamespace()
    assert ChoiceDisplay(given).choice is given
    assert not hasattr(ChoiceDisplay(given), "ax_")
