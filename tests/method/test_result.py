import dataclasses

import numpy as np
import pytest

from s3nmf import self_supervised_nmf
from s3nmf.method.confidence import own_share


@pytest.fixture(scope="module", params=["communities", "factorizations"])
def result(request, blobs_affinity):
    return self_supervised_nmf(blobs_affinity, 6, members=request.param, random_state=1)


def test_the_result_is_frozen(result):
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.labels = None
    assert result == result  # noqa: PLR0124
    assert not np.shares_memory(result.labels, result.member_labels)


def test_the_history_has_every_round(result):
    assert [found.number for found in result.history] == list(range(1, len(result.history) + 1))
    assert result.timings.shape == result.agreement.shape == (len(result.history),)
    assert (result.timings > 0).all()
    for found in result.history:
        assert found.member_labels.shape == (20, 300)
        assert found.member_labels.dtype == np.uint8, "labels take a byte where that is enough"


def test_a_round_that_factorized_says_how_and_one_of_communities_at_which_resolutions(result):
    for found in result.history:
        if found.is_factorized:
            assert found.objective.shape == (found.n_iter + 1, 20)
            assert found.converged == (found.n_iter < 250)
            assert found.resolutions is None
        else:
            assert found.number == 1
            assert found.objective.shape == (0, 20)
            assert (found.n_iter, found.converged) == (0, True)
            assert found.resolutions.shape == (20,)
            assert (found.resolutions > 0).all()
            np.testing.assert_allclose(found.weights, 1 / 20)


def test_confidence_is_the_share_of_a_points_own_cluster_and_is_found_once(result):
    np.testing.assert_array_equal(result.confidence, own_share(result.membership, result.labels))
    assert result.confidence is result.confidence
    assert ((result.confidence >= 0) & (result.confidence <= 1)).all()
    assert (result.membership.sum(axis=1) <= 1 + 1e-12).all()


def test_a_notebook_shows_the_rounds_and_which_was_chosen(result):
    page = result._repr_html_()
    assert "300 points in 6 clusters." in page
    assert page.count("<tr>") == 1 + len(result.history)
    assert page.count(">chosen<") == 1
