"""Clusters that the graph keeps apart are found whatever their sizes; where they touch, the co-association decides."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from graphs import connected_affinity
from s3nmf import S3NMF, Recipe, self_supervised_nmf
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.method import candidates, recipe
from s3nmf.method.score import score_of
from s3nmf.method.vote import voted_partition

IN_PIECES = pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
COLLAPSED = Recipe(similarity="collapsed")
UNEQUAL = {
    "moons": make_moons((600, 60), noise=0.06, random_state=0),
    "circles": make_circles((800, 60), factor=0.4, noise=0.05, random_state=0),
    "two blobs": make_blobs([1000, 60], centers=[[0, 0], [9, 0]], random_state=0),
    "four blobs": make_blobs([500, 500, 30, 30], centers=[[0, 0], [6, 0], [0, 6], [6, 6]], random_state=0),
}


def dense_and_sparse(draw):
    """Three blobs of 1,000 points and, far from them, five wider ones of 50."""
    random = np.random.default_rng(draw)
    sparse = 30.0 + 14.0 * np.array([[0, 0], [1, 0], [0, 1], [1, 1], [2, 0]]) + random.normal(0, 1, (5, 2))
    dense = np.array([[0, 0], [12, 0], [0, 12]]) + random.normal(0, 1, (3, 2))
    sizes, spreads = [1000] * 3 + [50] * 5, [1.0] * 3 + [2.0] * 5
    return make_blobs(sizes, centers=np.vstack([dense, sparse]), cluster_std=spreads, random_state=draw)


@IN_PIECES
@pytest.mark.parametrize("name", UNEQUAL)
def test_clusters_that_hardly_an_edge_joins_are_found_though_one_has_many_times_the_points(name):
    """In the co-association a cluster weighs the square of its size, and would be cut."""
    X, y = UNEQUAL[name]
    model = S3NMF(len(set(y))).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.95
    assert model.result_.trace.chosen != "collapsed"
    by_size = S3NMF(len(set(y)), recipe=COLLAPSED).fit(X).result_
    assert adjusted_rand_score(y, voted_partition(by_size.history, len(set(y)))) < 0.8


@IN_PIECES
def test_recursive_cuts_find_what_no_resolution_does():
    for draw in (1, 2):
        X, y = dense_and_sparse(draw)
        model = S3NMF(8).fit(X)
        assert adjusted_rand_score(y, model.labels_) > 0.95
        assert model.result_.trace.chosen == "cuts"
        voted = voted_partition(S3NMF(8, recipe=Recipe(similarity="normalized")).fit(X).result_.history, 8)
        assert adjusted_rand_score(y, voted) < 0.8


@IN_PIECES
def test_of_many_clusters_there_is_one_vote(monkeypatch):
    X, _ = dense_and_sparse(1)
    W = S3NMF(8).fit(X).affinity_matrix_
    monkeypatch.setattr(recipe, "SPEED", replace(recipe.SPEED, clusters_compared=7))
    assert [one.vote for one in self_supervised_nmf(W, 8).trace.candidates] == ["collapsed", "cuts"]


@IN_PIECES
def test_a_factor_of_the_affinity_changes_nothing_and_a_dense_one_is_scored_as_a_sparse_one():
    X, _ = UNEQUAL["four blobs"]
    model = S3NMF(4, random_state=0).fit(X)
    W, members = model.affinity_matrix_, model.result_.history[0].member_labels
    for other in (W * 1e-300, W * 1e300, W.toarray()):
        found = self_supervised_nmf(other, 4, members=members, features=X)
        np.testing.assert_array_equal(found.labels, model.labels_)


def test_clusters_of_like_sizes_that_touch_are_those_of_the_co_association():
    """On digits, the degree-normalised one has half the conductance, and is wrong."""
    X, y = load_digits(return_X_y=True)
    model = S3NMF(10).fit(X)
    trace = model.result_.trace
    assert trace.chosen == "collapsed"
    assert {found.similarity for found in model.result_.history[1:]} == {"collapsed"}
    collapsed, normalized = trace.candidates[:2]
    assert normalized.max_conductance < 0.7 * collapsed.max_conductance
    alike = S3NMF(10, recipe=Recipe(similarity="normalized")).fit(X)
    assert adjusted_rand_score(y, alike.labels_) < 0.9 < adjusted_rand_score(y, model.labels_)


@IN_PIECES
def test_the_first_candidate_stays_unless_another_is_better(monkeypatch):
    X, _ = UNEQUAL["four blobs"]
    by_size = S3NMF(4, recipe=COLLAPSED).fit(X)
    monkeypatch.setattr(candidates, "is_better", lambda *_, **__: False)
    told = []
    model = S3NMF(4, callback=told.append).fit(X)
    assert told[-1].agreement == tuple(model.agreement_)
    assert len(model.result_.trace.candidates) > 1
    np.testing.assert_array_equal(model.labels_, by_size.labels_)


@IN_PIECES
def test_the_trace_says_what_was_compared(blobs_affinity):
    result = self_supervised_nmf(blobs_affinity, 6)
    trace = result.trace
    assert [one.vote for one in trace.candidates][:2] == ["collapsed", "normalized"]
    chosen = next(one for one in trace.candidates if one.vote == trace.chosen)
    score = score_of(weighted_graph(blobs_affinity), result.labels)
    assert (chosen.max_conductance, chosen.log_likelihood) == (score.max_conductance, score.log_likelihood)
    assert trace.share_across == result.share_across == score.share_across
    (view,) = trace.views
    assert (view.n_communities, view.replaced) == (6, False)
    assert view.resolutions == tuple(sorted(view.resolutions))
    assert (trace.moved_by_shape, trace.shape_skipped) == (0, "no features")
    voted = voted_partition(result.history, 6)
    assert chosen.moved_by_links == (voted != result.labels).sum()


def test_members_that_agree_are_one_candidate():
    W = np.kron(np.eye(3), connected_affinity(0, 8)) + 1e-6
    trace = self_supervised_nmf(W, 3).trace
    assert (trace.chosen, len(trace.candidates)) == ("members", 1)
    assert 0 < trace.candidates[0].max_conductance < 0.001


@pytest.mark.parametrize("settings", [{}, {"recipe": "text"}, {"recipe": "authors"}], ids=str)
def test_the_papers_form_has_no_candidates(monkeypatch, settings):
    for name in ("score_of", "refine_by_block_model", "recursive_cuts"):
        monkeypatch.setattr(candidates, name, lambda *_: pytest.fail("looked at"))
    result = self_supervised_nmf(
        connected_affinity(0, 30), 3, members="factorizations", n_members=3, max_rounds=3, random_state=0, **settings
    )
    assert result.trace is None
    assert np.isnan(result.share_across)


def test_a_recipe_with_a_similarity_has_one_vote(blobs_affinity):
    for similarity in ("collapsed", "normalized"):
        result = self_supervised_nmf(blobs_affinity, 6, recipe=Recipe(similarity=similarity))
        assert [one.vote for one in result.trace.candidates] == [similarity]
        assert {found.similarity for found in result.history[1:]} == {similarity}


@IN_PIECES
def test_whoever_expects_unequal_sizes_has_recursive_cuts_too():
    X, y = dense_and_sparse(2)
    model = S3NMF(8, recipe="unequal").fit(X)
    assert [one.vote for one in model.result_.trace.candidates] == ["normalized", "cuts"]
    assert adjusted_rand_score(y, model.labels_) > 0.95


def test_another_candidate_is_a_function_beside_the_others(monkeypatch, blobs_affinity):
    halves = np.arange(blobs_affinity.shape[0]) % 6

    def by_chance(task, votes, found):
        assert (list(votes), len(found)) == (["collapsed", "normalized"], 2)
        return [candidates.Candidate.of("chance", found[0].history, halves, task)]

    monkeypatch.setattr(candidates, "PROPOSALS", (candidates.by_votes, by_chance))
    trace = self_supervised_nmf(blobs_affinity, 6).trace
    assert [one.vote for one in trace.candidates] == ["collapsed", "normalized", "chance"]
    assert trace.chosen != "chance"
