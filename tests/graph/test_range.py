"""A factor of the affinity changes no label, however small or large it is."""

import numpy as np
import pytest
import scipy.sparse as sp

from graphs import planted_blocks
from s3nmf import S3NMF, choose_n_clusters, methods
from s3nmf.affinity import normalize_affinity
from s3nmf.solvers.symmetric_nmf import symmetric_nmf

W = planted_blocks(60, 3, within=6)[0]
SCALES = [1e-310, 1e300]
each_scale = pytest.mark.parametrize("scale", SCALES)
each_layout = pytest.mark.parametrize("convert", [sp.csr_array, lambda A: A.toarray()], ids=["sparse", "dense"])


@pytest.mark.filterwarnings("ignore::UserWarning")
@each_scale
@each_layout
@pytest.mark.parametrize("name", [*methods(), "default"])
def test_no_method_minds_the_scale(name, convert, scale):
    method = S3NMF() if name == "default" else methods()[name]
    method.set_params(n_clusters=3, affinity="precomputed", random_state=0)
    one, other = (method.fit_predict(convert(W * factor)) for factor in (1.0, scale))
    np.testing.assert_array_equal(one, other)


@each_scale
@each_layout
def test_neither_does_what_is_said_of_it(convert, scale):
    one, other = (convert(W * factor) for factor in (1.0, scale))
    first, second = (S3NMF(3, affinity="precomputed", random_state=0).fit(A) for A in (one, other))
    np.testing.assert_allclose(first.confidence_, second.confidence_)
    assert first.judge().has_clusters == second.judge().has_clusters
    assert (abs(normalize_affinity(one) - normalize_affinity(other))).max() < 1e-12
    assert (
        choose_n_clusters(one, affinity="precomputed").n_clusters
        == choose_n_clusters(other, affinity="precomputed").n_clusters
    )


@each_scale
@each_layout
def test_neither_do_new_points(convert, scale):
    model = S3NMF(3, affinity="precomputed", random_state=0).fit(W)
    new = planted_blocks(60, 3, within=6, seed=1)[0]
    one, other = (model.assign(convert(new * factor)) for factor in (1.0, scale))
    np.testing.assert_array_equal(one.labels, other.labels)
    np.testing.assert_allclose(one.membership, other.membership)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_a_factor_has_the_scale_of_the_affinity(scale):
    one, other = (symmetric_nmf(W * factor, 3, random_state=0).factor for factor in (1.0, scale))
    np.testing.assert_allclose(one * np.sqrt(scale), other, rtol=1e-6)
