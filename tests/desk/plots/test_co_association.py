import numpy as np
import pytest
from hypothesis import given

from graphs import member_partitions
from results import result_of
from s3nmf import diagnose
from s3nmf.desk.plots.co_association import ordered_co_association
from s3nmf.plots import CoAssociationDisplay


@given(member_partitions())
def test_it_is_the_weight_of_the_members_that_put_two_points_together(member_labels):
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.ones(len(member_labels)))
    result = result_of(member_labels, weights)
    shown = ordered_co_association(diagnose(result))
    together = member_labels[:, :, None] == member_labels[:, None, :]
    literal = np.einsum("m,mij->ij", weights, together)
    np.testing.assert_allclose(shown.values, literal[np.ix_(shown.points, shown.points)], atol=1e-12)
    assert sorted(shown.points) == list(range(member_labels.shape[1]))
    np.testing.assert_array_equal(shown.labels, np.sort(result.labels))


def test_in_a_cluster_the_surest_points_come_first(model):
    shown = ordered_co_association(model.diagnose())
    confidence = model.confidence_[shown.points]
    for cluster in np.unique(shown.labels):
        assert (np.diff(confidence[shown.labels == cluster]) <= 0).all()


def test_of_many_points_each_cluster_keeps_its_share(model):
    shown = ordered_co_association(model.diagnose(), max_points=50)
    assert shown.values.shape == (50, 50)
    assert np.unique(shown.points).size == 50
    np.testing.assert_allclose(np.bincount(shown.labels), np.bincount(model.labels_) / 3, atol=1)


@pytest.mark.parametrize(("max_points", "said"), [(50, "50 of 150 points"), (500, None)])
def test_the_title_says_when_not_all_points_are_shown(model, max_points, said):
    title = CoAssociationDisplay.from_estimator(model, max_points=max_points).ax_.get_title(loc="left")
    assert (said in title) if said else ("points" not in title)
