import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from ensembles import planted_ensemble
from graphs import affinities, member_partitions, random_affinity
from s3nmf.graph.operators import (
    AffinityOperator,
    CoAssociation,
    WeightedGram,
    collapsed_co_association,
    soft_co_association,
)


def assert_same_as_matrix(operator, matrix, seed=0):
    V = np.random.default_rng(seed).random((len(matrix), 3))
    assert operator.shape == matrix.shape
    np.testing.assert_allclose(operator @ V, matrix @ V, atol=1e-12)
    np.testing.assert_allclose(operator @ V[:, 0], matrix @ V[:, 0], atol=1e-12)
    np.testing.assert_allclose(operator.T @ V, matrix @ V, atol=1e-12)
    assert operator.squared_norm == pytest.approx(np.sum(matrix**2))


@given(affinities(), st.booleans())
def test_affinity_operator_is_its_matrix(W, sparse):
    assert_same_as_matrix(AffinityOperator(sp.csr_array(W) if sparse else W), W)


@given(member_partitions(), st.integers(0, 1000))
def test_co_association_is_the_weighted_sum_of_partitions(member_labels, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(member_labels)))
    dense = sum(w * (labels[:, None] == labels) for w, labels in zip(weights, member_labels, strict=True))
    assert_same_as_matrix(CoAssociation(member_labels, weights), dense)


@given(st.integers(2, 15), st.integers(1, 6), st.integers(0, 1000), st.booleans())
def test_weighted_gram_is_its_product(n, p, seed, sparse):
    rng = np.random.default_rng(seed)
    F, a = rng.random((n, p)), rng.random(p)
    assert_same_as_matrix(WeightedGram(sp.csr_array(F) if sparse else F, a), F @ np.diag(a) @ F.T)


@given(st.integers(2, 15), st.integers(1, 4), st.integers(1, 4), st.integers(0, 1000))
def test_soft_co_association_is_the_weighted_sum_of_products(n, n_members, n_clusters, seed):
    """For fewer points than columns, and for more."""
    rng = np.random.default_rng(seed)
    factors, weights = list(rng.random((n_members, n, n_clusters))), rng.dirichlet(np.ones(n_members))
    dense = sum(w * V @ V.T for w, V in zip(weights, factors, strict=True))
    assert_same_as_matrix(soft_co_association(factors, weights), dense)


@pytest.mark.parametrize("n", [5, 50])
def test_a_soft_co_association_has_the_precision_that_is_asked_for(n):
    """As a matrix, and as factors; its norm is in double precision in both."""
    rng = np.random.default_rng(0)
    factors, weights = [rng.random((n, 2)) for _ in range(4)], rng.dirichlet(np.ones(4))
    double, single = soft_co_association(factors, weights), soft_co_association(factors, weights, np.float32)
    V = rng.random((n, 3))
    product = single @ V.astype(np.float32)
    assert product.dtype == np.float32
    np.testing.assert_allclose(product, double @ V, rtol=1e-5)
    assert single.squared_norm == pytest.approx(double.squared_norm, rel=1e-14)
    np.testing.assert_allclose(single.by_rows() @ V, double @ V, rtol=1e-5)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_the_dtype_is_that_of_the_entries_as_for_every_linear_operator(precision):
    """What SciPy finds out by a product with integers; the compiled products once cut it down to integers."""
    labels, weights = np.array([[0, 0, 1, 1, 2], [0, 1, 1, 2, 2]]), np.array([0.7, 0.3])
    W = random_affinity(0, 5, 1.0)
    operators = [
        AffinityOperator(W, precision=precision),
        AffinityOperator(sp.csr_array(W), precision=precision),
        soft_co_association([W[:, :2], W[:, 2:4]], weights, precision),
        collapsed_co_association(labels, weights, precision)[0],
    ]
    if precision == np.float64:
        operators.append(CoAssociation(labels, weights))
    for operator in operators:
        assert operator.precision == operator.dtype == precision
        ones = np.ones(operator.shape[0], dtype=np.int8)
        assert (operator @ ones).dtype == precision
        np.testing.assert_allclose(operator @ ones, operator @ ones.astype(precision))


def test_co_association_of_many_points_is_never_a_matrix():
    """A million points: their n x n similarity would need eight terabytes."""
    member_labels = np.random.default_rng(0).integers(0, 2, (4, 1_000_000))
    operator = CoAssociation(member_labels, np.full(4, 0.25))
    assert np.allclose((operator @ np.ones(1_000_000)).mean(), 500_000, rtol=1e-3)


@given(member_partitions(), st.integers(0, 1000))
def test_the_collapsed_objective_is_the_full_one(member_labels, seed):
    """||S - V V'|| = ||D^1/2 T D^1/2 - Y Y'|| for V = E D^-1/2 Y, and the rows of S V are those of its product."""
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(len(member_labels)))
    collapsed, row_of = collapsed_co_association(member_labels, weights)
    full = CoAssociation(member_labels, weights)
    Y = rng.random((collapsed.shape[0], 3))
    norms = np.sqrt(collapsed.multiplicity)[:, None]
    V = (Y / norms)[row_of]
    S, T = full @ np.eye(full.shape[0]), collapsed @ np.eye(collapsed.shape[0])
    assert np.linalg.norm(S - V @ V.T) == pytest.approx(np.linalg.norm(T - Y @ Y.T))
    np.testing.assert_allclose(((collapsed @ Y) / norms)[row_of], full @ V)
    assert collapsed.squared_norm == pytest.approx(full.squared_norm)
    assert collapsed.multiplicity.sum() == full.shape[0]


@given(member_partitions(), st.integers(0, 1000), st.floats(0, 10))
def test_for_clusters_of_any_size_it_is_the_similarity_normalised_by_its_row_sums(member_labels, seed, few):
    """D^-1/2 S D^-1/2 has the same norm, and the same product with what is equal for equal tuples."""
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(len(member_labels)))
    collapsed, row_of = collapsed_co_association(member_labels, weights, few=few)
    n = member_labels.shape[1]
    S = CoAssociation(member_labels, weights) @ np.eye(n)
    D = few + S.sum(axis=1)
    normalised = S / np.sqrt(np.outer(D, D))
    assert collapsed.squared_norm == pytest.approx(np.sum(normalised**2))
    y = rng.random((collapsed.shape[0], 2))
    size_of = np.sqrt(np.bincount(row_of))[:, None]
    np.testing.assert_allclose((collapsed @ y / size_of)[row_of], normalised @ (y / size_of)[row_of], atol=1e-12)


def test_clusters_of_any_size_weigh_the_same_where_members_agree_but_for_those_of_few_points():
    labels = np.repeat(np.arange(3), [500, 20, 3])
    alike, _ = collapsed_co_association(np.array([labels, labels]), np.full(2, 0.5))
    any_size, _ = collapsed_co_association(np.array([labels, labels]), np.full(2, 0.5), few=0.0)
    but_few, _ = collapsed_co_association(np.array([labels, labels]), np.full(2, 0.5), few=3.0)
    np.testing.assert_allclose(alike @ np.eye(3), np.diag([500.0, 20.0, 3.0]))
    np.testing.assert_allclose(any_size @ np.eye(3), np.eye(3))
    np.testing.assert_allclose(but_few @ np.eye(3), np.diag([500 / 503, 20 / 23, 1 / 2]))


@pytest.mark.parametrize(("noise", "form"), [(0.005, AffinityOperator), (0.3, WeightedGram)])
def test_the_collapsed_matrix_is_formed_where_members_agree_and_takes_no_more_work_than_the_gram(noise, form):
    _, partitions = planted_ensemble(0, 300, 20, noise=noise)
    weights = np.random.default_rng(0).dirichlet(np.ones(20))
    collapsed, row_of = collapsed_co_association(partitions, weights)
    assert type(collapsed) is form
    u = collapsed.shape[0]
    if form is AffinityOperator:
        assert collapsed.rows.nnz <= 2 * 20 * u
    first = np.unique(row_of, return_index=True)[1]
    S = CoAssociation(partitions, weights).among(first)
    sizes = np.sqrt(collapsed.multiplicity)
    assert_same_as_matrix(collapsed, sizes[:, None] * S * sizes)
    assert_same_as_matrix(collapsed.by_rows(), sizes[:, None] * S * sizes)


@given(member_partitions())
def test_the_co_association_of_some_points_is_a_part_of_the_whole(member_labels):
    random = np.random.default_rng(0)
    operator = CoAssociation(member_labels, random.dirichlet(np.ones(len(member_labels))))
    n = member_labels.shape[1]
    points = random.permutation(n)[: max(1, n // 2)]
    np.testing.assert_allclose(operator.among(points), (operator @ np.eye(n))[np.ix_(points, points)], atol=1e-12)
