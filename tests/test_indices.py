"""Sparse matrices whose arrays do not fit each other are refused before anything follows them."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from graphs import connected_affinity
from s3nmf import S3NMF, SymNMF, choose_n_clusters, methods, self_supervised_nmf
from s3nmf._indices import check_indices
from s3nmf.affinity import connectivity, nearest_neighbor_affinity, normalize_affinity
from s3nmf.layout import graph_layout

N = 12
FORMATS = ("csr", "csc", "bsr", "coo")


def damaged(matrix, array, at, value):
    getattr(matrix, array)[at] = value
    return matrix


def graph():
    return sp.csr_array(connected_affinity(0, N))


DAMAGE = {
    "column beyond the end": (
        "indices",
        3 * (N - 1) + 2,
        10**6,
        "An entry of row 3 .* column 1000000; .* 0 to 11",
    ),
    "column before the first": ("indices", 0, -5, "An entry of row 0 .* is in column -5"),
    "row past the data": ("indptr", N, 10**7, "Row 11 .* ends at 10000000; there are 132 entries"),
    "row backwards": ("indptr", 4, 2, "Row 3 .* begins at entry 33 and ends at 2"),
    "first row later": ("indptr", 0, 3, "Row 0 .* begins at entry 3"),
    "negative row": ("indptr", 1, -9, "Row 0 .* ends at -9"),
}
FITS = {
    "S3NMF of a graph": lambda W: S3NMF(2, affinity="precomputed").fit(W),
    "S3NMF of features": lambda X: S3NMF(2).fit(X),
    "SymNMF": lambda W: SymNMF(2, affinity="precomputed").fit(W),
    "predict": lambda W: S3NMF(2, affinity="precomputed", random_state=0).fit(graph()).predict(W),
    "predict from features": lambda X: S3NMF(2, random_state=0).fit(graph()).predict(X),
    "self_supervised_nmf": lambda W: self_supervised_nmf(W, 2),
    "choose_n_clusters": lambda W: choose_n_clusters(W, affinity="precomputed"),
    "choose_n_clusters of features": choose_n_clusters,
    "connectivity": connectivity,
    "normalize_affinity": normalize_affinity,
    "nearest_neighbor_affinity": nearest_neighbor_affinity,
    "graph_layout": graph_layout,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("fit", FITS)
def test_a_malformed_matrix_is_refused_with_its_row(fit, damage):
    array, at, value, words = DAMAGE[damage]
    with pytest.raises(ValueError, match=words):
        FITS[fit](damaged(graph(), array, at, value))


@pytest.mark.parametrize("name", [name for name in methods() if name != "S3NMF"])
def test_every_method_refuses_it(name):
    method = methods()[name]
    if "affinity" not in method.get_params():
        pytest.skip("takes features only")
    with pytest.raises(ValueError, match="is in column 99"):
        method.set_params(n_clusters=2, affinity="precomputed").fit(damaged(graph(), "indices", 7, 99))


@given(st.sampled_from(FORMATS), st.integers(0, 2**32 - 1), st.sampled_from([-1, 9, 2**31 - 1]))
def test_indices_outside_of_any_layout_are_refused(layout, seed, value):
    rng = np.random.default_rng(seed)
    matrix = sp.csr_array(rng.random((6, 9)) * (rng.random((6, 9)) < 0.5) + np.eye(6, 9)).asformat(layout)
    check_indices(matrix)
    indices = matrix.coords[1] if layout == "coo" else matrix.indices
    indices[rng.integers(indices.size)] = value
    with pytest.raises(ValueError, match=f" {value}; there are"):
        check_indices(matrix)


def test_arrays_of_the_wrong_length_are_refused():
    matrix = graph()
    matrix.indptr = matrix.indptr[:-2]
    with pytest.raises(ValueError, match="12 rows and 11 row pointers"):
        check_indices(matrix)
    matrix = graph()
    matrix.data = matrix.data[:50]
    with pytest.raises(ValueError, match="there are 50 entries"):
        check_indices(matrix)
