import re

import numpy as np
import pytest

from s3nmf import Candidate, ClusterCount
from s3nmf.desk.report import charts


def corners(path):
    return np.array([[float(number) for number in pair.split()] for pair in re.split("[ML]", path.rstrip("Z"))[1:]])


def across(share):
    return charts.LEFT + share * (charts.WIDTH - charts.LEFT - charts.RIGHT)


def test_an_outline_holds_the_confidence_of_its_cluster_in_decreasing_order():
    labels, confidence = np.array([0, 1, 0, 0, 1]), np.array([0.2, 0.9, 0.8, 0.5, 0.3])
    chart = charts.confidence_chart(labels, confidence)
    first, second = (corners(outline) for outline in chart.outlines)
    np.testing.assert_allclose(first[1:-1:2, 0], [across(share) for share in (0.8, 0.5, 0.2)], atol=0.05)
    np.testing.assert_allclose(second[1:-1:2, 0], [across(share) for share in (0.9, 0.3)], atol=0.05)
    assert first[:, 1].max() < second[:, 1].min()
    assert np.ptp(first[:, 1]) == pytest.approx(1.5 * np.ptp(second[:, 1]), abs=0.2)
    assert [mark.text for mark in chart.names] == ["0", "1"]


@pytest.mark.parametrize(("n", "n_clusters"), [(2, 1), (30, 2), (10_000, 100)])
def test_a_chart_stays_inside_of_its_frame_and_small(n, n_clusters):
    labels = np.arange(n) % n_clusters
    chart = charts.confidence_chart(labels, np.random.default_rng(0).random(n))
    places = np.vstack([corners(outline) for outline in chart.outlines])
    assert places.min() >= 0
    assert places[:, 0].max() <= charts.WIDTH
    assert places[:, 1].max() <= chart.height
    assert sum(map(len, chart.outlines)) < 200_000
    assert len(chart.names) <= 20


def test_rounds_rise_with_agreement_and_the_chosen_one_is_marked():
    weights = [np.array([0.5, 0.25, 0.25]), np.array([1.0, 0.0, 0.0])]
    chart = charts.rounds_chart(np.array([0.0, 1.0]), weights, 2)
    (x1, y1), (x2, y2) = chart.places
    assert x1 < x2
    assert (y1, y2) == (chart.height - charts.BOTTOM, charts.TOP)
    assert chart.chosen == (x2, y2)
    assert len(chart.dots) == 6
    assert sorted(y for _, y in chart.dots[3:]) == [charts.TOP, y1, y1]
    assert chart.line == f"{x1:g},{y1:g} {x2:g},{y2:g}"


def test_many_members_are_not_all_drawn():
    chart = charts.rounds_chart(np.array([0.5]), [np.linspace(0.1, 1, 500)], 1)
    assert len(chart.dots) < 100


def test_bars_of_a_choice_are_its_support():
    candidates = (Candidate(2, 0.5, 0.8, 1), Candidate(3, 1.0, 0.6, 0), Candidate(4, np.inf, 0.0, 0))
    chart = charts.choice_chart(ClusterCount(3, (), (), True, "", (), candidates, (), 3))
    first, second, third = chart.bars
    assert second.height == pytest.approx(2 * first.height, abs=0.2)
    assert third.height == pytest.approx(2 * second.height, abs=0.2)
    assert second.y == chart.limit
    assert [bar.chosen for bar in chart.bars] == [False, True, False]
    assert first.title == "2 clusters: not all borders are real"
    assert second.title == "3 clusters: all borders are real"
