"""The compiled loops of the approximate search, each against a literal reference."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import pairwise_distances

from s3nmf._core.cells import (
    POINTS_IN_BLOCK,
    WIDTH,
    candidates,
    nearest_centres,
    nearest_rows,
    nearest_sparse_rows,
    project,
)
from s3nmf._threads import ALONE, team
from s3nmf.graph.cells import MISSING, canonical, cell_index, in_cells
from s3nmf.graph.projection import Projection, projection_of

SHAPES = [(1, 1), (31, 3), (32, 16), (33, 17), (200, 40)]


def plain(d):
    return Projection(np.zeros(d), 1.0, None)


def one_cell(points):
    return in_cells(points, np.zeros(len(points), dtype=int), 1)


def squares(queries, points):
    """In single precision, added up in the order of the coordinates."""
    total = np.zeros((len(queries), len(points)), np.float32)
    for j in range(points.shape[1]):
        total += np.square(queries[:, None, j] - points[None, :, j])
    return total


@pytest.mark.parametrize(("n", "d"), SHAPES)
def test_every_point_is_in_its_cell_once(n, d):
    random = np.random.default_rng(0)
    coordinates, cell = random.random((n, d), dtype=np.float32), random.integers(0, 7, n)
    cells = in_cells(coordinates, cell, 9)
    assert cells.n_cells == 9
    for number in range(9):
        blocks = slice(cells.starts[number], cells.starts[number + 1])
        places = cells.points[POINTS_IN_BLOCK * blocks.start : POINTS_IN_BLOCK * blocks.stop]
        rows = cells.blocks[blocks].transpose(0, 2, 1).reshape(-1, d)
        np.testing.assert_array_equal(places[places != MISSING], np.flatnonzero(cell == number))
        np.testing.assert_array_equal(rows[places != MISSING], coordinates[cell == number])
    points, rows = (np.concatenate(parts) for parts in zip(*cells.batches(), strict=True))
    np.testing.assert_array_equal(rows, coordinates[points])
    assert np.sort(points).tolist() == list(range(n))


@pytest.mark.parametrize(("n", "d"), SHAPES)
def test_the_nearest_centre_is_the_one_of_the_least_sum_of_squares(n, d):
    random = np.random.default_rng(0)
    points, centres = random.random((n, d), dtype=np.float32), random.random((43, d), dtype=np.float32)
    nearest, distances = np.empty(n, np.int32), np.empty(n, np.float32)
    nearest_centres(0, n, one_cell(centres), points, nearest, distances)
    expected = squares(points, centres)
    np.testing.assert_array_equal(nearest, expected.argmin(axis=1))
    np.testing.assert_array_equal(distances, expected.min(axis=1))


@settings(deadline=None, max_examples=60)
@given(
    n=st.integers(1, 150),
    d=st.integers(1, 40),
    n_cells=st.integers(1, 12),
    n_probes=st.integers(1, 12),
    n_candidates=st.integers(1, 60),
    values=st.integers(2, 50),
    seed=st.integers(0, 100),
)
def test_candidates_are_the_nearest_points_of_the_nearest_cells(  # noqa: PLR0917
    n, d, n_cells, n_probes, n_candidates, values, seed
):
    """With ties, as many at each distance: which of them is not said. Radii without end pass over no cell."""
    random = np.random.default_rng(seed)
    points = random.integers(0, values, (n, d)).astype(np.float32)
    centres = random.random((n_cells, d), dtype=np.float32) * values
    cell = random.integers(0, n_cells, n)
    found = np.empty((n, n_candidates), np.int32)
    itself = np.arange(n, dtype=np.int32)
    radii = np.full(n_cells, np.inf, np.float32)
    candidates(0, n, one_cell(centres), in_cells(points, cell, n_cells), radii, n_probes, points, itself, found)
    distances, nearest_cells = squares(points, points), np.argsort(squares(points, centres), axis=1, kind="stable")
    for i in range(n):
        reachable = [j for j in np.flatnonzero(np.isin(cell, nearest_cells[i, :n_probes])) if j != i]
        expected = np.sort(distances[i, reachable])[:n_candidates]
        there = found[i][found[i] != MISSING]
        assert len(set(there.tolist())) == there.size
        assert set(there.tolist()) <= set(reachable)
        np.testing.assert_array_equal(distances[i, there], expected)


def test_cells_without_a_point_that_is_near_enough_do_not_count():
    """A hundred cells of a dense spot far away are nearer to a point, by their centres, than one of its neighbours."""
    random = np.random.default_rng(0)
    own = random.uniform(2, 3, (100, 1)) * np.array([[1, 0]])
    dense = np.array([10, 0]) + 1e-3 * random.normal(size=(300, 2))
    spread = np.array([[0, 1], [0, 21]])
    points = np.vstack([np.zeros((1, 2)), own, dense, spread]).astype(np.float32)
    cell = np.concatenate([np.zeros(101, dtype=int), 1 + np.arange(300) % 100, [101, 101]])
    means = np.array([points[cell == number].mean(axis=0) for number in range(102)])
    assert np.linalg.norm(means[101]) > np.linalg.norm(means[1:101], axis=1).max()
    radii = np.array([np.linalg.norm(points[cell == c] - means[c], axis=1).max() for c in range(102)], np.float32)
    parts = one_cell(means), in_cells(points, cell, 102)
    query, itself, found = points[:1].copy(), np.zeros(1, np.int32), np.empty((1, 3), np.int32)
    candidates(0, 1, *parts, radii * np.float32(1.0001), 2, query, itself, found)
    assert found[0, 0] == 401
    candidates(0, 1, *parts, np.full(102, np.inf, np.float32), 2, query, itself, found)
    assert 401 not in found


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "d"), [(1, 1), (4, 70), (7, 65), (50, 130)])
def test_a_projection_is_a_product_and_each_row_is_the_same_alone(n, d, dtype):
    random = np.random.default_rng(0)
    X, mean = random.normal(3, 1, (n, d)).astype(dtype), random.normal(3, 1, d)
    components = random.normal(size=(d, 2 * WIDTH)).astype(np.float32)
    found, alone = np.empty((n, 2 * WIDTH), np.float32), np.empty((1, 2 * WIDTH), np.float32)
    project(0, n, X, mean, 0.5, components, found)
    np.testing.assert_allclose(found, 0.5 * (X - mean) @ components, rtol=2e-3, atol=2e-4)
    for i in (0, n // 2, n - 1):
        project(0, 1, X[i : i + 1], mean, 0.5, components, alone)
        np.testing.assert_array_equal(alone[0], found[i])


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("types", [(np.float32, np.float64), (np.float64, np.float64), (np.float64, np.float32)])
@pytest.mark.parametrize("d", [1, 7, 64, 139])
def test_candidates_are_ranked_by_exact_distances(convert, types, d):
    random = np.random.default_rng(0)
    X, queries = (np.round(random.normal(size=(40, d)), 1).astype(dtype) for dtype in types)
    queries[3] = X[5]
    X, queries = X.astype(types[0]), queries.astype(types[1])
    rows = np.array([3, 0, 17, 39], np.int32)
    given_points = np.array([random.permutation(40)[:12] for _ in rows], np.int32)
    given_points[0, 4], given_points[2, 2:], given_points[3, 0] = 5, MISSING, MISSING
    distances, points = np.empty((4, 5)), np.empty((4, 5), dtype=np.int32)
    A, B = convert(queries), convert(X)
    if sp.issparse(A):
        parts = A.data, A.indices, A.indptr, rows, B.data, B.indices, B.indptr
        nearest_sparse_rows(0, 4, *parts, given_points, distances, points)
    else:
        nearest_rows(0, 4, A, rows, B, given_points, distances, points)
    table = np.sqrt(np.square(queries[rows, None].astype(float) - X[None].astype(float)).sum(axis=2))
    for i, one in enumerate(given_points):
        expected = np.sort(table[i, one[one != MISSING]])[:5]
        np.testing.assert_allclose(distances[i, : expected.size], expected, rtol=1e-14)
        np.testing.assert_allclose(table[i, points[i, : expected.size]], expected, rtol=1e-14)
        assert (points[i, expected.size :] == MISSING).all()
        assert np.isinf(distances[i, expected.size :]).all()
    assert distances[0, 0] == table[0].min() == 0 or types[0] != types[1]


@pytest.mark.parametrize("n_threads", [1, 2, 4, 7])
@pytest.mark.parametrize("d", [5, 90])
def test_an_index_is_the_same_to_the_last_bit_on_any_number_of_threads(monkeypatch, n_threads, d):
    X = np.random.default_rng(0).normal(size=(3000, d))
    expected = cell_index(X, plain(d)).within(6)
    monkeypatch.setattr("s3nmf.graph.cells.team", lambda: team(n_threads))
    monkeypatch.setattr("s3nmf._threads._WORTH_A_THREAD", 1.0)
    for found, one in zip(cell_index(X, plain(d)).within(6), expected, strict=True):
        np.testing.assert_array_equal(found, one)


def test_where_cells_have_too_few_points_all_points_are_searched():
    X = np.random.default_rng(0).normal(size=(50, 3))
    distances, indices = cell_index(X, plain(3)).within(20)  # in one cell, for one candidate
    table = pairwise_distances(X)
    np.fill_diagonal(table, np.inf)
    np.testing.assert_allclose(distances, np.sort(table, axis=1)[:, :20])
    assert (indices != np.arange(50)[:, None]).all()


def test_rows_are_made_canonical_and_those_that_are_stay_as_they_are():
    X = sp.csr_array((np.array([1.0, 2.0, 0.0, 4.0]), np.array([3, 1, 0, 3]), np.array([0, 2, 4])), shape=(2, 5))
    found = canonical(X)
    assert found.indices.tolist() == [1, 3, 3]
    np.testing.assert_array_equal(found.toarray(), X.toarray())
    assert X.nnz == 4
    assert np.shares_memory(canonical(found).data, found.data)
    table = np.ones((4, 3), np.float32)
    assert canonical(table) is table
    assert canonical(np.asfortranarray(table)).flags.c_contiguous
    assert canonical(np.ones((2, 2), dtype=int)).dtype == np.float64


def test_few_columns_are_centred_and_many_are_projected_on_what_varies():
    random = np.random.default_rng(0)
    few = projection_of(random.normal(5, 2, (100, 10)), 0.9)
    assert few.components is None
    assert abs(few(np.full((1, 10), 5.0), ALONE)).max() < 1
    flat = random.normal(size=(300, 20)) @ random.normal(size=(20, 100)) + 7
    many = projection_of(flat, 0.999)
    coordinates = many(flat, ALONE)
    assert coordinates.shape[1] == 2 * WIDTH  # 20 of them, filled up
    np.testing.assert_allclose(pairwise_distances(coordinates), pairwise_distances(flat) * many.scale, atol=1e-3)


def test_an_outlier_has_finite_coordinates():
    X = np.random.default_rng(0).normal(size=(100, 3))
    projection = projection_of(X, 0.9)
    assert np.isfinite(squares(projection(np.array([[1e150, 0, 0]]), ALONE), projection(X, ALONE))).all()
