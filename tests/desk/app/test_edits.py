import numpy as np
import pytest
from sklearn.datasets import make_blobs

from s3nmf import S3NMF
from s3nmf.desk.app.choices import Merge, Name, Split
from s3nmf.desk.app.edits import UndividedError, edited


@pytest.fixture(scope="module")
def points():
    return make_blobs(120, centers=4, cluster_std=2.5, random_state=1)[0]


@pytest.fixture(scope="module")
def model(points):
    return S3NMF(4, random_state=0).fit(points)


@pytest.fixture(scope="module")
def halves(points):
    return lambda rows: S3NMF(2, random_state=0).fit(points[rows])


def test_without_edits_the_model_is_the_same(model, halves):
    assert edited(model, (), halves).model is model
    assert edited(model, (Name(1, "tall"),), halves).model is model


def test_a_merged_cluster_has_the_points_and_the_evidence_of_its_parts(model, halves):
    found = edited(model, (Merge((1, 3)),), halves)
    np.testing.assert_array_equal(found.model.labels_ == 1, np.isin(model.labels_, [1, 3]))
    np.testing.assert_array_equal(found.model.labels_ == 2, model.labels_ == 2)
    np.testing.assert_allclose(found.model.membership_[:, 1], model.membership_[:, [1, 3]].sum(axis=1))
    assert (found.model.confidence_ >= model.confidence_ - 1e-12).all()
    assert found.notes == ("Merged clusters 1 and 3 by hand, into cluster 1.",)


def test_a_split_cluster_falls_into_two_and_its_evidence_is_divided(model, halves):
    found = edited(model, (Split(2),), halves)
    np.testing.assert_array_equal(np.isin(found.model.labels_, [2, 4]), model.labels_ == 2)
    assert (found.model.labels_ == 4).any()
    np.testing.assert_allclose(found.model.membership_[:, [2, 4]].sum(axis=1), model.membership_[:, 2], atol=1e-12)
    np.testing.assert_array_equal(found.model.membership_[:, :2], model.membership_[:, :2])


def test_names_stay_with_their_clusters(model, halves):
    edits = (Name(3, "far"), Name(2, "near"), Merge((0, 1)), Split(0))
    assert edited(model, edits, halves).names == ("", "near", "far", "")
    assert edited(model, (*edits, Merge((0, 2))), halves).names == ("far", "near", "")
    assert edited(model, (*edits, Name(1, "")), halves).names == ("", "", "far", "")


def test_the_verdict_is_on_the_clusters_as_they_are_now(model, halves):
    assert edited(model, (Merge((0, 1)),), halves).model.judge().count == "3 clusters."
    assert edited(model, (Merge((0, 1, 2, 3)),), halves).model.judge().judgement == "No border divides the data."


def test_a_cluster_that_does_not_fall_apart_stays_whole(model):
    class Whole:
        membership_ = np.ones((30, 1))

    with pytest.raises(UndividedError, match="Cluster 1 does not fall into two parts"):
        edited(model, (Split(1),), lambda rows: Whole())
