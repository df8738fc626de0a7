import html
import re
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from results import random_model, result_of
from s3nmf import S3NMF, diagnose
from s3nmf._messages import Message, spelled
from s3nmf.desk.cli.spelling import as_option
from s3nmf.graph.components import components_of
from s3nmf.trust import judge, thresholds, weighed
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.figures import Figures
from s3nmf.trust.thresholds import is_doubtful

CONNECTED = components_of(np.ones((2, 2)))


def verdict(result, n_clusters=None, graph=CONNECTED):
    return judge(diagnose(result), graph, n_clusters or int(result.labels.max()) + 1)


def said(doubts):
    return [doubt.what for doubt in doubts]


def test_a_large_cluster_that_is_cut_beside_small_ones_that_are_joined_calls_for_another_recipe():
    """Whoever has taken that recipe is not told to."""
    corners = [[0, 0], [4, 0], [0, 4], [4, 4]]
    X, y = make_blobs([500, 500, 60, 60], centers=corners, random_state=5)
    default = S3NMF(4, random_state=0).fit(X)
    assert adjusted_rand_score(y, default.labels_) < 0.7
    (doubt,) = (one for one in default.judge().doubts if one.what.startswith("Small clusters may be joined"))
    assert doubt.why.endswith("try recipe='unequal'.")
    assert spelled(doubt.why, as_option).endswith("try --recipe unequal.")
    unequal = S3NMF(4, recipe="unequal", random_state=0).fit(X)
    assert adjusted_rand_score(y, unequal.labels_) > 0.8
    assert doubt.what not in said(unequal.judge().doubts)
    assert str(default.judge()).startswith("4 clusters. Some of them may be cut, and others joined.")
    assert str(unequal.judge()).startswith("4 clusters. Nearly every point has a clear place.")
    found = default.diagnose()
    assert doubt.what in said(judge(found, CONNECTED, 4).doubts)
    assert doubt.what not in said(judge(found, CONNECTED, 4, like_sizes=False).doubts)
    nothing = Evidence(0.0, CHANCE, CHANCE, 11, 4)
    assert doubt.what not in said(judge(found, CONNECTED, 4, (nothing,)).doubts)


def test_members_that_agree_leave_nothing_to_doubt():
    labels = np.repeat([0, 1, 2], [10, 8, 6])
    found = verdict(result_of([labels, labels], agreement=(1.0,)))
    assert found.count == "3 clusters."
    assert found.judgement == "Nearly every point has a clear place."
    assert found.doubts == found.disputes == ()
    assert found.n_doubtful == 0
    assert "For each of the 24 points at least half" in found.sentences[0]
    assert "no run mixed any two clusters" in found.sentences[2]


@pytest.mark.parametrize(
    ("share", "judgement"),
    [
        (0.05, "Nearly every point has a clear place."),
        (0.06, "Most points have a clear place."),
        (0.25, "Most points have a clear place."),
        (0.26, "Many points are in doubt."),
        (0.51, "Most points are in doubt."),
    ],
)
def test_the_judgement_follows_the_share_of_points_in_doubt(share, judgement):
    result = result_of([np.repeat([0, 1], 50)] * 2)
    confidence = np.where(np.arange(100) < 100 * share, 0.49, 0.5)
    found = judge(replace(diagnose(result), confidence=confidence), CONNECTED, 2)
    assert found.judgement == judgement
    assert found.n_doubtful == round(100 * share)


CHANCE = Figures(0.2, 0.05)


@pytest.mark.parametrize(("score", "enough"), [(-3.0, False), (2.9, False), (3.0, True), (9.0, True)])
def test_what_stands_out_no_further_than_chance_is_not_to_be_relied_on_however_members_agree(score, enough):
    labels = np.repeat([0, 1], [6, 5])
    evidence = Evidence(score, Figures(0.15, 0.1), CHANCE, n_points=11, n_clusters=2)
    found = judge(diagnose(result_of([labels, labels], agreement=(0.9, 1.0))), CONNECTED, 2, (evidence,))
    assert found.has_clusters is enough
    assert found.judgement.startswith("Do not rely on them") != enough
    assert said(found.doubts) == ([] if enough else ["No clusters stand out"])
    assert found.sentences[0] == (
        "Cut into 2, the data are 1.1 times as sparse between clusters as elsewhere, and 15% of the links between "
        "neighbours lead from one cluster to another. Without any clusters, data of the same spread have 1.1 times and "
        "20%."
    )
    assert found.sentences[2].endswith("; after learning from each other, to 1.00.")


def test_clusters_that_stand_out_when_they_are_fewer_are_clusters():
    labels = np.repeat([0, 1, 2], 6)
    figures = {3: Evidence(1.0, Figures(0.2, 0.1), CHANCE, 18, 3), 2: Evidence(8.0, Figures(0.01, 0.5), CHANCE, 18, 2)}
    evidence = weighed(figures.get, 3)
    found = judge(diagnose(result_of([labels, labels])), CONNECTED, 3, evidence)
    assert [one.n_clusters for one in evidence] == [3, 2]
    assert (found.has_clusters, found.has_so_many) == (True, False)
    assert found.judgement == "There are clusters, but so many do not stand out."
    assert said(found.doubts) == ["So many clusters do not stand out"]
    assert "look the same; cut into 2, they do not." in found.doubts[0].why


def test_two_clusters_are_looked_at_only_where_so_many_do_not_stand_out():
    for score, looked_at in ((9.0, [3]), (1.0, [3, 2])):
        asked = []
        weighed(lambda k: asked.append(k) or Evidence(score, CHANCE, CHANCE, 18, k), 3)  # noqa: B023, called at once
        assert asked == looked_at
    assert weighed(lambda k: None, 3) == ()


def test_without_evidence_nothing_is_said_about_chance():
    labels = np.repeat([0, 1], [6, 5])
    found = verdict(result_of([labels, labels], agreement=(0.1, 1.0)))
    assert found.has_clusters is None
    assert found.evidence == ()
    assert "Without any clusters" not in str(found)


def test_what_stands_out_is_decided_in_one_place(monkeypatch):
    labels = np.repeat([0, 1], [6, 5])
    monkeypatch.setattr(thresholds, "STANDS_OUT", 100.0)
    evidence = Evidence(9.0, Figures(0.01, 0.5), CHANCE, n_points=11, n_clusters=2)
    found = judge(diagnose(result_of([labels, labels])), CONNECTED, 2, (evidence,))
    assert said(found.doubts) == ["No clusters stand out"]
    assert found.judgement.startswith("Do not rely on them")
    assert found.has_clusters is False


def test_links_alone_are_compared_where_there_are_no_distances():
    labels = np.repeat([0, 1], [6, 5])
    members = diagnose(result_of([labels, labels]))
    graph = judge(
        members, CONNECTED, 2, (Evidence(5.0, Figures(0.1, np.nan), Figures(0.4, np.nan), 11, 2),), given=True
    )
    assert graph.sentences[0] == (
        "Cut into 2, 10% of the links lead from one cluster to another. Without any clusters, graphs with the same "
        "degrees have 40%."
    )
    thin = judge(members, CONNECTED, 2, (Evidence(5.0, Figures(0.1, 0.3), Figures(0.4, np.nan), 11, 2),))
    assert thin.sentences[0].endswith("data of the same spread have 40%.")
    apart = judge(members, CONNECTED, 2, (Evidence(9.0, Figures(0.0, np.nan), CHANCE, 11, 2),))
    assert apart.sentences[0].startswith("Cut into 2, none of the links lead from one cluster to another.")
    assert apart.sentences[0].endswith("data of the same spread have 20%.")


def test_rounds_that_end_without_agreement_are_a_doubt():
    labels = np.repeat([0, 1], [6, 5])
    found = verdict(result_of([labels, labels], agreement=(0.5, 0.8)))
    assert said(found.doubts) == ["The runs did not come to agree"]
    assert "0.80 of 1" in found.doubts[0].why


def test_a_cluster_that_members_cut_falls_apart():
    whole = np.repeat([0, 1], [12, 8])
    cut = np.where(whole == 0, 2 + np.arange(20) % 3, whole)
    found = verdict(result_of([whole, cut], weights=[0.2, 0.8]))
    assert said(found.doubts) == ["Cluster 0 falls apart"]
    assert "(0.42)" in found.doubts[0].why
    assert found.sentences[2].startswith("The least stable cluster is 0, with a stability of 0.42")


def test_two_clusters_that_members_join_run_into_each_other():
    labels = np.repeat([0, 1, 2], [10, 9, 8])
    joined = np.where(labels == 2, 1, labels)
    found = verdict(result_of([labels, joined], weights=[0.2, 0.8]))
    doubt = next(doubt for doubt in found.doubts if doubt.what == "Clusters that run into each other")
    assert re.search(r"for the other: 1 and 2 \(0\.\d\d\)\. They may be one", doubt.why)
    assert "Runs mix clusters 1 and 2 most" in found.sentences[2]
    assert "by 80% of the runs" in found.sentences[2]


def test_two_clusters_that_few_members_join_are_two():
    """Members that look for half as many communities join clusters that all others tell apart."""
    labels = np.repeat([0, 1, 2], [10, 9, 8])
    found = verdict(result_of([labels, np.where(labels == 2, 1, labels)], weights=[0.6, 0.4]))
    assert found.doubts == ()


def test_points_that_members_would_rather_have_elsewhere_are_counted():
    labels = np.repeat([0, 1], [10, 10])
    others = labels.copy()
    others[0] = 1
    found = verdict(result_of([labels, others], weights=[0.3, 0.7]))
    assert "1 point with more evidence for another cluster" in said(found.doubts)
    assert found.n_doubtful == 1
    assert found.sentences[0].startswith("1 of the 20 points (5%) is in doubt")
    assert "its own cluster" in found.sentences[0]


def test_small_and_missing_clusters_are_a_doubt():
    labels = np.repeat([0, 1, 2], [10, 9, 3])
    found = verdict(result_of([labels, labels]), n_clusters=5)
    assert said(found.doubts) == ["Fewer clusters than asked for", "Cluster 2 is very small"]
    assert "Only 3 clusters have points, fewer than n_clusters=5." in found.doubts[0].why


def test_a_graph_in_pieces_is_a_doubt_with_its_advice():
    labels = np.repeat([0, 1], [10, 9])
    pieces = components_of(sp.csr_array(np.kron(np.eye(3), np.ones((2, 2)))))
    found = verdict(result_of([labels, labels]), graph=pieces)
    assert said(found.doubts) == ["The graph is in pieces"]
    assert "3 components" in found.doubts[0].why
    assert "n_neighbors" in found.doubts[0].why
    assert "--neighbors" in spelled(found.doubts[0].why, as_option)


def test_a_graph_that_was_given_is_not_told_to_have_more_neighbours():
    labels = np.repeat([0, 1], [10, 9])
    pieces = components_of(sp.csr_array(np.diag([1.0, 0.0, 1.0, 0.0], 1) + np.diag([1.0, 0.0, 1.0, 0.0], -1)))
    result = result_of([labels, labels], agreement=(0.1,))
    for given in (False, True):
        found = judge(diagnose(result), pieces, 1, given=given)
        assert ("n_neighbors" in str(found)) == (not given)
        assert ("kernel" in str(found)) == (not given)


def test_doubts_advise_to_change_only_what_a_model_has():
    labels = np.repeat([0, 1, 2], [10, 9, 3])
    pieces = components_of(sp.csr_array(np.kron(np.eye(3), np.ones((2, 2)))))
    found = verdict(result_of([labels, labels], agreement=(0.1, 0.4)), n_clusters=5, graph=pieces)
    named = set()
    for doubt in found.doubts:
        if isinstance(doubt.why, Message):
            doubt.why.spelled(lambda parameter: named.add(parameter.name) or "")
    assert {"n_clusters", "n_neighbors", "max_rounds"} <= named <= set(S3NMF().get_params())


def test_many_clusters_are_not_all_named():
    labels = np.arange(20)
    found = verdict(result_of([labels, labels]))
    assert said(found.doubts) == ["Clusters 0, 1, 2, 3, 4 and 15 more are very small"]
    assert "Every cluster is a single point." in found.sentences


def test_one_cluster_or_one_member_says_nothing_about_certainty():
    one = verdict(result_of([np.zeros(5, dtype=int)] * 2))
    assert (one.count, one.judgement, one.sentences) == ("1 cluster.", "There is nothing to tell apart.", ())
    single = verdict(result_of([np.repeat([0, 1], 5)]))
    assert single.judgement == "One run alone cannot say how sure that is."
    assert single.sentences == ()


def test_all_points_in_doubt_are_all():
    result = random_model(400, 8, noise=1.0, seed=1).result_
    assert verdict(result).sentences[0].startswith("All 400 points (100%) are in doubt")


def test_a_tie_is_no_doubt_whichever_side_rounding_puts_it_on():
    assert is_doubtful(np.array([0.49, 0.5 - 1e-16, 0.5, 0.51])).tolist() == [True, False, False, False]


def test_points_in_doubt_are_counted_by_cluster_and_between_clusters():
    model = random_model(400, 4, noise=0.6)
    found, verdict = model.diagnose(), model.judge()
    doubtful = found.confidence < 0.5
    for cluster in range(4):
        own = doubtful & (found.labels == cluster)
        assert verdict.doubtful_in[cluster] == own.sum()
        for other in range(4):
            torn = (own & (found.second_choice == other)).sum()
            back = (doubtful & (found.labels == other) & (found.second_choice == cluster)).sum()
            assert verdict.doubtful_between[cluster, other] == torn + back
    assert verdict.doubtful_in.sum() == verdict.n_doubtful > 0


def test_a_model_is_judged_once_and_anew_after_another_fit():
    model = random_model(40, 2)
    verdict = model.judge()
    assert model.judge() is verdict
    model._describe(model.result_, model.diagnose())
    assert model.judge() is not verdict


def test_a_verdict_can_be_printed():
    labels = np.repeat([0, 1], [10, 3])
    evidence = Evidence(0.3, Figures(0.2, 0.05), CHANCE, n_points=13, n_clusters=2)
    lines = str(judge(diagnose(result_of([labels, labels])), CONNECTED, 2, (evidence,))).splitlines()
    assert lines[0] == "2 clusters. Do not rely on them: data without any clusters look the same."
    assert lines[2].startswith("For each of the 13 points")
    assert [line.split(".")[0] for line in lines[6:]] == ["- No clusters stand out", "- Cluster 1 is very small"]


def test_a_notebook_shows_the_verdict():
    X = np.random.default_rng(0).normal(size=(60, 3))
    verdict = S3NMF(3, random_state=0).fit(X).judge()
    page = html.unescape(verdict._repr_html_())
    for words in (verdict.count, verdict.judgement, *verdict.sentences, *(doubt.what for doubt in verdict.doubts)):
        assert words in page
