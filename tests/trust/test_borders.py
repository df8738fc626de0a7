"""Borders: the profile of cuts against a literal one, and what counts as real."""

from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs

from graphs import affinities
from s3nmf._threads import ALONE, team
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.trust.borders import Border, borders_of
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.number import Candidate, number_of
from s3nmf.trust.rows import row_links
from s3nmf.trust.settings import BORDERS


def literal_border(W, first, second):
    """Walk, order and count as the definition says, with matrices; crossing, level and edges."""
    points = np.r_[first, second]
    A = (np.asarray(W)[np.ix_(points, points)] > 0).astype(float)
    np.fill_diagonal(A, 0.0)
    n, n_first = len(points), len(first)
    degree = A.sum(axis=1)
    x = np.where(np.arange(n) < n_first, 1.0, -1.0)
    sides = np.arange(n) < n_first
    for _ in range(BORDERS.most_steps):
        means = [np.average(x[side], weights=degree[side]) for side in (sides, ~sides)]
        if means[0] - means[1] <= 2 * BORDERS.separation:
            break
        # Sums in the order of the points: the last bit decides between points that the walk cannot tell apart.
        of_neighbors = [sum(x[i] for i in np.flatnonzero(row)) for row in A]
        x = np.where(degree > 0, 0.5 * (x + of_neighbors / np.maximum(degree, 1)), x)
    order = np.argsort(-x, kind="stable")
    ordered = A[np.ix_(order, order)]
    profile = np.array([ordered[:s, s:].sum() for s in range(n + 1)])
    reach = max(1, int(BORDERS.margin * min(n_first, n - n_first)))
    crossing = profile[max(1, n_first - reach) : min(n - 1, n_first + reach) + 1].min()
    levels = []
    for before, size in ((0, n_first), (n_first, n - n_first)):
        inside = np.sort(profile[before + size // 4 : before + size - size // 4 + 1])
        levels.append(inside[(inside.size - 1) // 2])
    return crossing, min(levels), A.sum() / 2


@pytest.mark.parametrize("seed", range(4))
def test_borders_are_those_of_the_literal_profile(seed):
    X, y = make_blobs(150, centers=4, cluster_std=2.0, random_state=seed)
    W = nearest_neighbor_affinity(X)
    graph = weighted_graph(W)
    found = {border[:2]: border for border in borders_of(graph, y, ALONE)}
    # Rows of the graph stand in its own order, which decides between points that the walk cannot tell apart.
    order = np.argsort(graph.row_of)
    dense, y = W.toarray()[np.ix_(order, order)], y[order]
    for a, b in combinations(range(4), 2):
        first, second = np.flatnonzero(y == a), np.flatnonzero(y == b)
        if not dense[np.ix_(first, second)].any():
            assert (a, b) not in found
            continue
        crossing, level, edges = literal_border(dense, first, second)
        assert found[a, b][2:5] == (crossing, level, edges)


def test_borders_are_the_same_on_any_number_of_threads():
    X, y = make_blobs(400, centers=6, cluster_std=2.0, random_state=0)
    graph = weighted_graph(nearest_neighbor_affinity(X))
    alone = borders_of(graph, y, ALONE)
    for n_threads in (2, 7):
        with team(n_threads) as threads:
            assert borders_of(graph, y, threads) == alone


def test_the_names_of_clusters_do_not_matter():
    X, y = make_blobs(300, centers=3, cluster_std=2.0, random_state=1)
    graph = weighted_graph(nearest_neighbor_affinity(X))
    for border, other in zip(borders_of(graph, y, ALONE), borders_of(graph, 2 - y, ALONE), strict=True):
        assert {border.first, border.second} == {2 - other.first, 2 - other.second}
        assert border.crossing == pytest.approx(other.crossing, abs=1)


def border(crossing, level, edges=1000.0, clump=5.0):
    return Border(0, 1, crossing, level, edges, clump)


def test_a_border_is_real_where_far_fewer_edges_cross_than_inside():
    assert border(5.0, 100.0).is_real
    assert not border(100.0, 100.0).is_real
    assert not border(150.0, 100.0).is_real
    assert border(150.0, 100.0).deviation < 0


def test_a_small_dent_is_no_border_however_many_edges_there_are():
    assert border(8e5, 1e6, 1e7).deviation > 10 * border(8e5, 1e6, 1e7).expected
    assert not border(8e5, 1e6, 1e7).is_real
    assert border(7e5, 1e6, 1e7).is_real


def test_a_long_curve_has_more_places_where_few_edges_cross_by_chance():
    short, long = border(8.0, 40.0, 400.0), border(8.0, 40.0, 40_000.0)
    assert short.deviation == long.deviation
    assert short.expected == pytest.approx(np.sqrt(2 * np.log(10)))
    assert long.expected == pytest.approx(np.sqrt(2 * np.log(1000)))
    assert short.evidence > long.evidence


def test_the_deviation_is_that_of_a_poisson_law_of_clumps():
    """Near the mean it is (level - crossing) / sqrt(level * clump); of an empty border the deviance 2 level / clump."""
    assert border(99.0, 100.0, clump=4.0).deviation == pytest.approx(1 / np.sqrt(400), rel=0.01)
    assert border(0.0, 100.0, clump=4.0).deviation == pytest.approx(np.sqrt(2 * 100 / 4))


def test_nothing_that_crosses_nothing_is_no_evidence():
    assert border(0.0, 0.0).evidence == 0.0
    assert border(0.0, 0.0).valley == np.inf


def test_a_path_of_rows_has_no_border_where_it_is_fast():
    """The same points, in another order of rows, do."""
    random = np.random.default_rng(0)
    slow = np.cumsum(random.normal(size=(600, 2)) * 0.1, axis=0)
    walk = np.vstack([slow[:300], slow[300:] + np.array([12.0, 0.0])])
    between = np.linspace(walk[299], walk[300], 12)[1:-1]
    X = np.vstack([walk[:300], between, walk[300:]])
    labels = (np.arange(len(X)) > 305).astype(int)
    mixed = random.permutation(len(X))
    found = []
    for order in (np.arange(len(X)), mixed):
        W = nearest_neighbor_affinity(X[order])
        (one,) = borders_of(weighted_graph(W), labels[order], ALONE, row_links(W))
        found.append((one.is_on_path, one.is_real))
    assert found == [(True, False), (False, True)]


@settings(max_examples=25)
@given(affinities(min_n=4, max_n=30), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_borders_of_any_graph_are_numbers(W, n_clusters, seed):
    labels = np.random.default_rng(seed).integers(-1, n_clusters, W.shape[0])
    W = sp.csr_array(W)
    for one in borders_of(weighted_graph(W), labels, ALONE, row_links(W)):
        assert np.isfinite(one.evidence)
        assert 0 <= one.crossing <= one.edges
        assert one.first < one.second <= labels.max()


def evidence(sizes, *borders):
    return Evidence(len(sizes), tuple(sorted(borders, key=lambda one: one.evidence)), sizes)


CLEAR, WEAK = (2.0, 100.0, 1000.0, 5.0), (90.0, 100.0, 1000.0, 5.0)


def test_clusters_are_joined_across_borders_that_are_not_real():
    chain = evidence((50, 50, 50), Border(0, 1, *CLEAR), Border(1, 2, *WEAK))
    assert (chain.n_real, chain.stands_out, chain.is_clear) == (2, False, True)
    around = evidence((50, 50, 50), Border(0, 1, *WEAK), Border(1, 2, *WEAK), Border(0, 2, *CLEAR))
    assert (around.n_real, around.is_clear) == (1, False), "a way round over weak borders joins what a clear one parts"
    assert evidence((50, 50)).n_real == 2, "no edge joins them"


def test_a_few_outliers_do_not_show_that_there_are_clusters():
    """Groups of less than a twentieth of the points do not count, however clear their borders."""
    for sizes, clear in (((96, 4), False), ((95, 5), True)):
        assert evidence(sizes, Border(0, 1, *CLEAR)).is_clear == clear


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_groups_are_those_of_a_literal_merging(n_clusters, seed):
    random = np.random.default_rng(seed)
    pairs = [pair for pair in combinations(range(n_clusters), 2) if random.uniform() < 0.5]
    borders = [Border(*pair, random.uniform(0, 100), 100.0, 1000.0, 5.0) for pair in pairs]
    sizes = tuple(random.integers(1, 50, n_clusters).tolist())

    def groups(joined):
        """Sets of clusters that these borders join."""
        found = [{cluster} for cluster in range(n_clusters)]
        for one in joined:
            first, second = (next(group for group in found if end in group) for end in (one.first, one.second))
            if first is not second:
                found.remove(second)
                first |= second
        return found

    def is_large(group):
        return sum(sizes[cluster] for cluster in group) >= BORDERS.smallest_group * sum(sizes)

    found = evidence(sizes, *borders)
    assert found.n_real == len(groups([one for one in borders if not one.is_real]))
    clear = sum(map(is_large, groups(borders))) > 1
    first_limit = BORDERS.clear * np.log(sum(sizes))
    weakest_first = sorted(borders, key=lambda one: one.beyond(first_limit, BORDERS.clear_valley))
    for at, one in enumerate(weakest_first):
        left = groups(weakest_first[:at])
        ends = [next(group for group in left if end in group) for end in (one.first, one.second)]
        ways = (n_clusters / len(left)) ** BORDERS.ways
        limit = BORDERS.clear * np.log(sum(sizes) * ways)
        clear |= ends[0] is not ends[1] and all(map(is_large, ends)) and one.beyond(limit, BORDERS.clear_valley) >= 1
    assert found.is_clear == clear


def test_more_points_ask_for_more_evidence_that_there_are_clusters():
    one = border(20.0, 60.0)
    assert evidence((50, 50), one).is_clear
    assert not evidence((5 * 10**8, 5 * 10**8), one).is_clear


def test_the_number_has_most_real_clusters_less_those_that_were_cut():
    def candidate(k, n_weak):
        weak = [Border(at, at + 1, *WEAK) for at in range(n_weak)]
        return Candidate(np.zeros(1), evidence((10,) * k, *weak))

    assert number_of([candidate(2, 0), candidate(5, 1), candidate(6, 3)]) == 5
    assert number_of([candidate(4, 0), candidate(5, 1)]) == 4, "one that was cut costs as much as one more is worth"
    assert number_of([candidate(3, 2)]) == 1
