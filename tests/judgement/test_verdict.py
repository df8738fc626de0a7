from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from results import model_of, random_model, result_of
from s3nmf import S3NMF, diagnose
from s3nmf._messages import Message, spelled
from s3nmf.affinity.components import components_of
from s3nmf.cli.spelling import as_option
from s3nmf.judgement import judge, thresholds
from s3nmf.judgement.thresholds import is_doubtful

CONNECTED = components_of(np.ones((2, 2)))


def verdict(result, n_clusters=None, graph=CONNECTED):
    return judge(diagnose(result), graph, n_clusters or int(result.labels.max()) + 1)


def said(doubts):
    return [doubt.what for doubt in doubts]


def test_members_that_agree_leave_nothing_to_doubt():
    labels = np.repeat([0, 1, 2], [10, 8, 6])
    found = verdict(result_of([labels, labels], agreement=(1.0,)))
    assert found.count == "3 clusters."
    assert found.judgement == "Nearly every point has a clear place."
    assert found.doubts == found.disputes == ()
    assert found.n_doubtful == 0
    assert "For each of the 24 points at least half" in found.sentences[0]
    assert "no member mixed any two clusters" in found.sentences[2]


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


@pytest.mark.parametrize(("agreement", "little"), [(0.1, True), (0.49, True), (0.5, False)])
def test_members_that_agree_little_are_not_to_be_relied_on_whatever_later_rounds_say(agreement, little):
    labels = np.repeat([0, 1], [6, 5])
    found = verdict(result_of([labels, labels], agreement=(agreement, 1.0)))
    assert found.judgement.startswith("Check them before you rely on them") == little
    assert said(found.doubts) == (["The members agree little"] if little else [])
    assert f"agree to {agreement:.2f} (1 is the same" in found.sentences[1]
    assert found.sentences[1].endswith("; in round 2, which was chosen, to 1.00.")


def test_what_is_little_agreement_is_decided_in_one_place(monkeypatch):
    labels = np.repeat([0, 1], [6, 5])
    monkeypatch.setattr(thresholds, "agree_little", lambda found: found.agreement[0] < 0.9)
    found = verdict(result_of([labels, labels], agreement=(0.8, 1.0)))
    assert said(found.doubts) == ["The members agree little"]
    assert found.judgement.startswith("Check them")


def test_rounds_that_end_without_agreement_are_a_doubt():
    labels = np.repeat([0, 1], [6, 5])
    found = verdict(result_of([labels, labels], agreement=(0.5, 0.8)))
    assert said(found.doubts) == ["The members did not come to agree"]
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
    found = verdict(result_of([labels, joined], weights=[0.7, 0.3]))
    doubt = next(doubt for doubt in found.doubts if doubt.what == "Clusters that run into each other")
    assert "1 with 2 (0.30)" in doubt.why
    assert "Members mix clusters 1 and 2 most" in found.sentences[2]
    assert "by 30% of the members' weight" in found.sentences[2]


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
    pieces = components_of(sp.csr_array(np.diag([1.0, 0.0], 1) + np.diag([1.0, 0.0], -1)))
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
    assert single.judgement == "One member alone cannot say how sure that is."
    assert single.sentences == ()


def test_all_points_in_doubt_are_all():
    result = random_model(400, 8, noise=1.0).result_
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
    lines = str(model_of(result_of([labels, labels], agreement=(0.3, 1.0))).judge()).splitlines()
    assert lines[0] == "2 clusters. Check them before you rely on them: the members agree little."
    assert lines[1].startswith("For each of the 13 points")
    assert [line.split(".")[0] for line in lines[5:]] == ["- The members agree little", "- Cluster 1 is very small"]
