import numpy as np
import pytest
import scipy.sparse as sp

from graphs import connected_affinity
from s3nmf import DisconnectedGraphWarning
from s3nmf.affinity import nearest_neighbor_affinity, normalize_affinity
from s3nmf.graph.given import largest_eigenvalue, prepare_affinity


@pytest.mark.parametrize("n", [5, 50])
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_the_largest_eigenvalue_becomes_1(n, convert):
    given = convert(connected_affinity(0, n) * 37)
    W, scale, _ = prepare_affinity(given, 2)
    assert scale == pytest.approx(np.linalg.eigvalsh(sp.csr_array(given).toarray())[-1])
    np.testing.assert_allclose(sp.csr_array(W * scale).toarray(), sp.csr_array(given).toarray())


def test_a_normalised_affinity_stays_as_it_is_bit_for_bit():
    for W in (
        nearest_neighbor_affinity(np.random.default_rng(0).random((80, 3))),
        normalize_affinity(connected_affinity(0, 9)),
    ):
        prepared, scale, _ = prepare_affinity(W, 3)
        assert scale == 1.0
        assert abs(prepared - W).max() == 0


@pytest.mark.parametrize("factor", [1e-300, 1e-200, 1e200, 1e300])
def test_extreme_scales_are_taken(factor):
    W, scale, _ = prepare_affinity(factor * connected_affinity(0, 40), 2)
    assert np.linalg.eigvalsh(W)[-1] == pytest.approx(1)
    assert scale / factor == pytest.approx(np.linalg.eigvalsh(connected_affinity(0, 40))[-1])


def test_isolated_points_are_found():
    W = connected_affinity(0, 12)
    W[:, 5] = W[5, :] = 0.0
    with pytest.warns(DisconnectedGraphWarning):
        assert prepare_affinity(W, 2).isolated.tolist() == [5]


@pytest.mark.parametrize("n", [12, 60])
@pytest.mark.parametrize("scale", [1e-310, 1e290])
def test_the_largest_eigenvalue_is_that_of_any_scale(n, scale):
    W = sp.csr_array(connected_affinity(0, n))
    assert largest_eigenvalue(W * scale) == pytest.approx(largest_eigenvalue(W) * scale, rel=1e-5)
