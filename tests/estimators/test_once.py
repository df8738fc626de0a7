"""A fit does once what it has to do once: data are checked, the graph is built and looked at, memory is asked about."""

import sys
from collections import Counter
from contextlib import contextmanager

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from s3nmf import S3NMF

ONCE = (
    "graph/given.reported_affinity",
    "graph/components.components_of",
    "method/too_large.refuse_large_fit",
    "method/confidence.membership",
    "trust/diagnostics.diagnose",
)


@contextmanager
def counted():
    """Calls of functions of the library, by file and name."""
    calls = Counter()

    def note(frame, event, _):
        file = frame.f_code.co_filename
        if event == "call" and "/s3nmf/" in file:
            calls[f"{file.rsplit('/s3nmf/', 1)[1].removesuffix('.py')}.{frame.f_code.co_name}"] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


@pytest.fixture(scope="module")
def table():
    return make_blobs(600, centers=4, cluster_std=2.0, random_state=1)[0]


def test_a_table_is_checked_once_and_the_graph_that_was_just_built_is_not_checked(table):
    with counted() as calls:
        views = S3NMF(4).fit(table).result_.trace.views
    once = (*ONCE, "_validation.check_feature_range", "graph/traps.traps_in_features")
    assert {name: calls[name] for name in once} == dict.fromkeys(once, 1)
    assert calls["_validation.check_affinity"] == calls["_validation.check_affinity_values"] == 0
    is_any_replaced = any(view.replaced for view in views)
    assert calls["graph/neighbors.nearest_neighbors"] == 1 + is_any_replaced
    assert calls["graph/communities/graph.weighted_graph"] == len(views) + is_any_replaced


def test_a_graph_is_checked_once(table):
    W = S3NMF(4).fit(table).affinity_matrix_
    with counted() as calls:
        S3NMF(4, affinity="precomputed").fit(W)
    once = (*ONCE, "_validation.check_affinity", "_validation.check_affinity_values", "graph/traps.traps_in_affinity")
    assert {name: calls[name] for name in once} == dict.fromkeys(once, 1)
    assert calls["graph/communities/graph.weighted_graph"] == 1


def test_memberships_are_computed_again_only_where_the_shape_of_clusters_moved_points():
    X, _ = make_blobs([100, 100, 100], centers=[[0, 0], [5, 0], [10, 0]], random_state=0)
    with counted() as calls:
        model = S3NMF(3).fit(X)
    assert model.result_.trace.moved_by_shape > 0
    assert calls["method/confidence.membership"] == 2


def test_a_graph_that_was_built_is_as_one_that_was_checked(table):
    """Else the order of its entries, and by rounding a label, would hang on who built it."""
    table_fit = S3NMF(4).fit(table)
    for kernel in ("mean-distance", "binary", "jaccard", "self-tuning"):
        W = S3NMF(4, kernel=kernel).fit(table).affinity_matrix_
        assert W.data.all()
        assert abs(W - W.T).max() < 1e-15
    members = table_fit.result_.history[0].member_labels
    of_table = S3NMF(4, members=members).fit(table)
    of_graph = S3NMF(4, members=members, affinity="precomputed").fit(table_fit.affinity_matrix_)
    np.testing.assert_array_equal(of_table.result_.trace.candidates, of_graph.result_.trace.candidates)
