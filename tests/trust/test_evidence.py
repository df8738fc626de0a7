"""What a partition's borders say together, at the edges of what can be."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from s3nmf._threads import ALONE
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.borders import Border
from s3nmf.trust.evidence import Evidence, evidence_of

REAL, NONE = (0.0, 100.0, 1000.0, 5.0), (100.0, 100.0, 1000.0, 5.0)


def test_one_cluster_has_no_border_that_stands_out():
    one = Evidence(1, (), (100,))
    assert (one.score, one.stands_out, one.n_real, one.is_clear) == (0.0, False, 1, False)


def test_clusters_that_no_edge_joins_are_apart():
    two = Evidence(2, (), (50, 50))
    assert (two.score, two.stands_out, two.n_real, two.is_clear) == (np.inf, True, 2, True)
    assert not Evidence(2, (), (96, 4)).is_clear, "one of them is a few outliers"
    assert not Evidence(2, (Border(0, 1, *NONE),), (50, 50)).is_clear


def test_the_score_is_the_evidence_for_the_weakest_border():
    found = Evidence(3, (Border(0, 1, *NONE), Border(1, 2, *REAL)), (40, 40, 40))
    assert found.score == found.borders[0].evidence < 1 < found.borders[1].evidence
    assert found.unclear == found.borders[:1]
    assert found.n_real == 2


def test_points_in_no_cluster_are_not_counted_and_clusters_without_points_are():
    W = np.kron(np.eye(2), np.ones((4, 4))) + 0.1
    labels = np.array([0, 0, 0, NO_CLUSTER, 1, 1, NO_CLUSTER, 1])
    found = evidence_of(weighted_graph(W), labels, ALONE, n_clusters=3)
    assert (found.n_clusters, found.sizes) == (3, (3, 3, 0))


def test_clusters_are_named_as_those_they_share_most_points_with_whatever_is_in_none():
    found = Evidence(3, (Border(0, 1, *NONE), Border(1, 2, *REAL)), (4, 4, 4))
    own = np.repeat([0, 1, 2], 4)
    other = np.array([2, 2, 2, 0, 1, 1, 1, 1, 0, 0, NO_CLUSTER, NO_CLUSTER])
    assert [border[:2] for border in found.renumbered(own, other).borders] == [(1, 2), (0, 1)]
    assert [border[:2] for border in found.renumbered(own, own).borders] == [(0, 1), (1, 2)]
    fewer = np.repeat([0, 1], [4, 8])
    names = [border[:2] for border in found.renumbered(own, fewer).borders]
    assert names[0] in {(0, 1), (0, 2)}


def test_evidence_does_not_change():
    with pytest.raises(FrozenInstanceError):
        Evidence(1, (), (3,)).n_clusters = 2
