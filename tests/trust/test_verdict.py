import html
import re
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs, make_moons

from graphs import planted_blocks
from results import random_model, result_of
from s3nmf import S3NMF, diagnose
from s3nmf._messages import Message, spelled
from s3nmf.desk.cli.spelling import as_option
from s3nmf.graph.components import components_of
from s3nmf.trust import judge
from s3nmf.trust.borders import Border
from s3nmf.trust.columns import TellingColumn
from s3nmf.trust.doubts import TableFacts
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.rows import Dependence
from s3nmf.trust.thresholds import is_doubtful

CONNECTED = components_of(np.ones((2, 2)))


def verdict(result, n_clusters=None, graph=CONNECTED):
    return judge(diagnose(result), graph, n_clusters or int(result.labels.max()) + 1)


def said(doubts):
    return [doubt.what for doubt in doubts]


def evidence(n_clusters, *crossing):
    """Borders between clusters 0 and 1, 1 and 2 and so on, beside 100 edges inside."""
    borders = (Border(at, at + 1, edges, 100.0, 1000.0, 5.0) for at, edges in enumerate(crossing))
    return Evidence(n_clusters, tuple(sorted(borders, key=lambda border: border.evidence)), (100,) * n_clusters)


REAL, UNREAL = 5.0, 95.0


def members_that_agree(*sizes):
    labels = np.repeat(np.arange(len(sizes)), sizes)
    return diagnose(result_of([labels, labels]))


def test_members_that_agree_leave_nothing_to_doubt():
    found = judge(members_that_agree(10, 8, 6), CONNECTED, 3, (evidence(3, REAL, REAL),))
    assert str(found).startswith("3 clusters. Every border between them is real.")
    assert (found.has_clusters, found.has_so_many) == (True, True)
    assert found.doubts == found.disputes == ()
    assert found.n_doubtful == 0
    assert found.sentences[0] == (
        "With 3 clusters, the weakest border is between 0 and 1: 5 edges cross it, and 100 the middle of either "
        "cluster."
    )
    assert "No point is in doubt: for each of the 24, at least half" in found.sentences[1]
    assert "no member mixes two clusters" in found.sentences[3]


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(
    ("crossing", "judgement"),
    [(REAL, "The border between them is real."), (UNREAL, "Do not rely on them: the data show no clear clusters.")],
)
def test_the_headline_is_what_the_borders_say_however_many_points_are_in_doubt(share, crossing, judgement):
    confidence = np.where(np.arange(100) < 100 * share, 0.49, 0.5)
    found = replace(members_that_agree(50, 50), confidence=confidence)
    verdict = judge(found, CONNECTED, 2, (evidence(2, crossing),))
    assert verdict.judgement == judgement
    assert verdict.n_doubtful == round(100 * share)


def test_no_clusters_are_not_to_be_relied_on_however_members_agree():
    found = judge(members_that_agree(6, 5), CONNECTED, 2, (evidence(2, UNREAL),))
    assert (found.has_clusters, found.has_so_many) == (False, False)
    assert found.judgement == "Do not rely on them: the data show no clear clusters."
    assert said(found.doubts) == ["The data show no clear clusters"]


def test_where_fewer_clusters_have_real_borders_their_number_is_named():
    found = judge(members_that_agree(6, 6, 6), CONNECTED, 3, (evidence(3, REAL, UNREAL), evidence(2, REAL)))
    assert (found.has_clusters, found.has_so_many) == (True, False)
    assert found.judgement == "The data have clusters, but some of these have no real border."
    assert said(found.doubts) == ["Some borders are not real"]
    assert "Between clusters 1 and 2, not clearly fewer edges cross than inside them" in found.doubts[0].why
    assert found.doubts[0].why.endswith("With 2 clusters every border is real: try n_clusters=2.")
    assert spelled(found.doubts[0].why, as_option).endswith("try -k 2.")


def test_where_another_partition_into_as_many_has_real_borders_their_number_stands():
    found = judge(members_that_agree(6, 6, 6), CONNECTED, 3, (evidence(3, REAL, UNREAL), evidence(3, REAL, REAL)))
    assert (found.has_clusters, found.has_so_many) == (True, True)
    assert found.judgement == "The number of clusters is supported, but some borders may lie elsewhere."
    assert said(found.doubts) == ["Some borders may lie elsewhere"]
    assert "Between clusters 1 and 2, not clearly fewer edges cross than inside them. Another" in found.doubts[0].why
    assert sum("the weakest border" in one for one in found.sentences) == 1


def test_of_many_borders_that_are_not_real_a_few_are_named():
    asked = (evidence(9, *[UNREAL] * 8), evidence(2, REAL))
    (doubt,) = (one for one in judge(members_that_agree(*[6] * 9), CONNECTED, 9, asked).doubts if "borders" in one.what)
    assert "0 and 1, 1 and 2, 2 and 3, 3 and 4, 4 and 5, and 3 other pairs" in doubt.why


def test_real_borders_that_are_not_clear_are_no_clusters_by_themselves():
    """Whether there are clusters at all is a stricter question than how many; whoever has looked at others knows it."""
    dents = (Evidence(2, (Border(0, 1, 40.0, 100.0, 1000.0, 5.0),), (50_000, 50_000)),)
    assert dents[0].stands_out
    assert judge(members_that_agree(6, 5), CONNECTED, 2, dents).has_clusters is False
    known = judge(members_that_agree(6, 5), CONNECTED, 2, dents, has_clusters=True)
    assert (known.has_so_many, known.judgement) == (True, "The border between them is real.")


def test_without_borders_nothing_is_said_about_them():
    found = judge(members_that_agree(6, 5), CONNECTED, 2)
    assert (found.has_clusters, found.has_so_many, found.evidence) == (None, None, ())
    assert found.judgement == "The borders between clusters were not judged."
    assert "border is" not in str(found)


def test_where_no_edge_joins_two_clusters_that_is_said():
    found = judge(members_that_agree(6, 5), CONNECTED, 2, (Evidence(2, (), (100, 100)),))
    assert found.sentences[0] == "With 2 clusters, no edge joins two of them."
    assert found.has_so_many
    one = judge(members_that_agree(6, 5), CONNECTED, 2, (evidence(2, 1.0),))
    assert "1 edge crosses it" in one.sentences[0]


PLAN = TellingColumn((1,), 0.99, has_values=True)


def test_clusters_that_are_the_values_of_a_column_are_named_first():
    members = members_that_agree(6, 5)
    for crossing, judgement in ((REAL, "They are the values of"), (UNREAL, "They are only the values of")):
        table = TableFacts(telling=PLAN, names=["age", "plan"])
        found = judge(members, CONNECTED, 2, (evidence(2, crossing),), table=table)
        assert found.judgement == f"{judgement} plan."
        assert said(found.doubts)[0] == "These clusters are the values of plan"
    assert found.doubts[0].why == (
        "plan alone puts 99% of the points into their cluster. Leave it out to see whether the other columns have "
        "clusters."
    )
    table = TableFacts(telling=PLAN, names=["age", "monthly plan"], in_file=True)
    (doubt, *_) = judge(members, CONNECTED, 2, (evidence(2, REAL),), table=table).doubts
    assert "Leave it out (--drop 'monthly plan') to see" in spelled(doubt.why, as_option)
    table = TableFacts(telling=TellingColumn((2, 3, 4), 1.0, has_values=True), names=["a", "b", *("p=x", "p=y", "p=z")])
    assert judge(members, CONNECTED, 2, (evidence(2, REAL),), table=table).judgement == "They are the values of p."
    assert "Column 1" in judge(members, CONNECTED, 2, (evidence(2, REAL),), table=TableFacts(telling=PLAN)).judgement


def test_a_column_of_many_values_that_tells_the_clusters_is_no_doubt():
    table = TableFacts(telling=replace(PLAN, has_values=False), names=["age", "income"])
    found = judge(members_that_agree(6, 5), CONNECTED, 2, (evidence(2, REAL),), table=table)
    assert found.judgement == "The border between them is real."
    assert "income alone puts 99% of the points into their cluster." in found.sentences
    assert found.doubts == ()


def test_rows_that_depend_on_each_other_are_a_doubt():
    table = TableFacts(dependence=Dependence(0.81, 0.02))
    found = judge(members_that_agree(6, 5), CONNECTED, 2, (evidence(2, REAL),), table=table)
    assert said(found.doubts) == ["Consecutive rows are alike"]
    assert found.doubts[0].why.startswith("81% of the rows are neighbours of the next row; in random order 2% would")


def test_rounds_that_end_without_agreement_are_a_doubt():
    labels = np.repeat([0, 1], [6, 5])
    found = verdict(result_of([labels, labels], agreement=(0.5, 0.8)))
    assert said(found.doubts) == ["The members do not agree"]
    assert "reached 0.80 of 1" in found.doubts[0].why


def test_a_cluster_that_members_cut_falls_apart():
    whole = np.repeat([0, 1], [12, 8])
    cut = np.where(whole == 0, 2 + np.arange(20) % 3, whole)
    found = verdict(result_of([whole, cut], weights=[0.2, 0.8]))
    assert said(found.doubts) == ["Cluster 0 falls apart"]
    assert "(0.42)" in found.doubts[0].why
    assert found.sentences[2].startswith("The least stable cluster is 0 (stability 0.42)")


def test_two_clusters_that_members_join_run_into_each_other():
    labels = np.repeat([0, 1, 2], [10, 9, 8])
    joined = np.where(labels == 2, 1, labels)
    found = verdict(result_of([labels, joined], weights=[0.2, 0.8]))
    doubt = next(doubt for doubt in found.doubts if doubt.what == "Some clusters overlap")
    assert re.search(r"supports the other: 1 and 2 \(0\.\d\d\)\. Points between", doubt.why)
    assert "Members mix clusters 1 and 2 most: 80% of them" in found.sentences[2]


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
    assert "1 point has more evidence for another cluster" in said(found.doubts)
    assert found.n_doubtful == 1
    assert found.sentences[0].startswith("1 of the 20 points (5%) is in doubt")
    assert "supports its cluster" in found.sentences[0]


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


def test_pieces_that_are_the_clusters_are_no_doubt():
    pieces = components_of(sp.csr_array(np.kron(np.eye(2), np.ones((2, 2)))))
    members = members_that_agree(10, 9)
    assert judge(members, pieces, 2, (Evidence(2, (), (100, 100)),)).doubts == ()
    assert said(judge(members, pieces, 2, (evidence(2, UNREAL),)).doubts)[1:] == ["The graph is in pieces"]


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


def test_of_one_cluster_nothing_is_said_that_needs_two():
    whole = diagnose(result_of([np.zeros(5, dtype=int)] * 2))
    none = judge(whole, CONNECTED, 1, (Evidence(1, (), (100,)),), has_clusters=False)
    assert (none.count, none.judgement) == ("1 cluster.", "No border divides the data.")
    (advice,) = none.sentences
    assert advice.startswith("If you expected groups, check that the columns")
    assert none.doubts == ()
    assert none.has_so_many
    more = judge(whole, CONNECTED, 1, (Evidence(1, (), (100,)), evidence(3, REAL, REAL)))
    assert not more.has_so_many
    assert (more.has_clusters, more.judgement) == (True, "The data have more than one cluster.")
    assert said(more.doubts) == ["The data have more than one cluster"]
    assert more.doubts[0].why == "With 3 clusters every border is real: try n_clusters=3."


def test_one_member_says_nothing_about_single_points():
    single = diagnose(result_of([np.repeat([0, 1], 5)]))
    found = judge(single, CONNECTED, 2, (evidence(2, REAL),))
    assert found.judgement == "The border between them is real."
    assert found.sentences[1:] == ("There is only one member, so that the confidence of single points is unknown.",)


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
    lines = str(judge(members_that_agree(10, 3), CONNECTED, 2, (evidence(2, UNREAL),))).splitlines()
    assert lines[0] == "2 clusters. Do not rely on them: the data show no clear clusters."
    assert lines[2].startswith("No point is in doubt: for each of the 13")
    assert [line.split(".")[0] for line in lines[6:]] == [
        "- The data show no clear clusters",
        "- Cluster 1 is very small",
    ]


def test_a_notebook_shows_the_verdict():
    X = np.random.default_rng(0).normal(size=(60, 3))
    verdict = S3NMF(3, random_state=0).fit(X).judge()
    page = html.unescape(verdict._repr_html_())
    for words in (verdict.count, verdict.judgement, *verdict.sentences, *(doubt.what for doubt in verdict.doubts)):
        assert words in page


def fitted(X, n_clusters="auto", **parameters):
    return S3NMF(n_clusters, **parameters).fit(X).judge()


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_blobs_are_clusters_however_many_are_asked_for():
    X, _ = make_blobs(300, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    for n_clusters in ("auto", 3, range(2, 6)):
        found = fitted(X, n_clusters)
        assert str(found).startswith("3 clusters. Every border between them is real.")
        assert (found.has_clusters, found.has_so_many) == (True, True)
        assert [one.n_clusters for one in found.evidence] == [3]
    fewer = fitted(X, 2)
    assert str(fewer).startswith("2 clusters. The border between them is real.")
    more = fitted(X, 6)
    assert (more.has_clusters, more.has_so_many) == (True, False)
    assert said(more.doubts)[0] == "Some borders are not real"
    assert more.doubts[0].why.endswith("With 3 clusters every border is real: try n_clusters=3.")
    one = fitted(X, 1)
    assert said(one.doubts)[0] == "The data have more than one cluster"
    assert one.doubts[0].why.endswith("With 3 clusters every border is real: try n_clusters=3.")


@pytest.mark.parametrize("noise", ["normal", "exponential", "lognormal", "uniform"])
def test_noise_has_no_clusters_however_many_are_asked_for(noise):
    random = np.random.default_rng(0)
    X = {"normal": random.normal, "exponential": random.exponential, "lognormal": random.lognormal}.get(
        noise, random.uniform
    )(size=(300, 4))
    found = fitted(X)
    assert str(found).startswith("1 cluster. No border divides the data.\nIf you expected groups")
    for n_clusters in (2, 5, range(2, 5)):
        found = fitted(X, n_clusters)
        assert found.has_clusters is False
        assert found.judgement == "Do not rely on them: the data show no clear clusters."
        assert said(found.doubts)[0] == "The data show no clear clusters"


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_curved_clusters_are_clusters():
    X, _ = make_moons(400, noise=0.05, random_state=0)
    assert str(fitted(X)).startswith("2 clusters. The border between them is real.")


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_graphs_are_judged_by_their_edges():
    groups = planted_blocks(120, 3, within=8, across=1, seed=0)[0]
    found = fitted(groups, affinity="precomputed")
    assert found.count == "3 clusters."
    assert found.has_so_many
    chance = planted_blocks(120, 1, within=9, across=0, seed=0)[0]
    assert fitted(chance, 3, affinity="precomputed").has_clusters is False
