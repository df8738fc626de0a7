import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from s3nmf.baselines.spectral import fantope
from s3nmf.baselines.spectral.fantope import capped_simplex, nearest_in_fantope


def brute_force(w, total):
    """The nearest of all points that have some entries at 0, some at 1, and the others moved by the same amount."""
    best, least = None, np.inf
    for pattern in itertools.product((0.0, 1.0, None), repeat=len(w)):
        free = np.array([entry is None for entry in pattern])
        s = np.array([0.0 if entry is None else entry for entry in pattern])
        if free.any():
            s[free] = w[free] + (total - s.sum() - w[free].sum()) / free.sum()
        distance = np.sum((s - w) ** 2)
        if abs(s.sum() - total) < 1e-9 and s.min() > -1e-12 and s.max() < 1 + 1e-12 and distance < least:
            best, least = s, distance
    return best


def symmetric(seed, n, scale=1.0):
    A = np.random.default_rng(seed).standard_normal((n, n)) * scale
    return (A + A.T) / 2


def random_point(rng, n, trace):
    """Some point of the Fantope: a mean of projections."""
    bases = [np.linalg.qr(rng.standard_normal((n, trace)))[0] for _ in range(3)]
    return sum(weight * U @ U.T for weight, U in zip(rng.dirichlet(np.ones(3)), bases, strict=True))


weights = st.integers(1, 6).flatmap(lambda n: arrays(np.float64, n, elements=st.floats(-3, 3)))


@given(weights, st.data())
def test_the_capped_simplex_projection_is_the_nearest_point(w, data):
    total = data.draw(st.integers(1, len(w)))
    s, t = capped_simplex(w, total)
    np.testing.assert_allclose(s, brute_force(w, total), atol=1e-7)
    np.testing.assert_array_equal(s, np.clip(w - t, 0, 1))


@given(st.integers(1, 300), st.integers(0, 1000), st.sampled_from([1e-9, 1.0, 1e4]), st.data())
def test_it_is_feasible_at_any_scale(n, seed, scale, data):
    total = data.draw(st.integers(1, n))
    s, _ = capped_simplex(scale * np.random.default_rng(seed).standard_normal(n), total)
    assert s.sum() == pytest.approx(total, abs=1e-8)
    assert s.min() >= 0
    assert s.max() <= 1


@given(st.integers(2, 12), st.integers(0, 1000), st.sampled_from([0.1, 1.0, 100.0]), st.data())
def test_the_nearest_matrix_is_in_the_fantope_and_nearer_than_others(n, seed, scale, data):
    trace = data.draw(st.integers(1, n))
    A = symmetric(seed, n, scale)
    s, E = nearest_in_fantope(A.copy(), trace, n)
    Q = (E * s) @ E.T
    values = np.linalg.eigvalsh(Q)
    assert values.min() > -1e-9
    assert values.max() < 1 + 1e-9
    assert np.trace(Q) == pytest.approx(trace, abs=1e-9)
    rng = np.random.default_rng(seed)
    others = [np.linalg.norm(random_point(rng, n, trace) - A) for _ in range(20)]
    assert np.linalg.norm(Q - A) <= min(others) + 1e-9


@given(st.integers(40, 60), st.integers(0, 1000), st.integers(1, 6), st.integers(7, 20), st.sampled_from([0.02, 1.0]))
def test_a_part_of_the_spectrum_gives_the_same_point_or_none(n, seed, trace, n_eigenvalues, scale):
    A = symmetric(seed, n, scale)
    s, E = nearest_in_fantope(A.copy(), trace, n)
    part = nearest_in_fantope(A.copy(), trace, n_eigenvalues)
    if s.size >= n_eigenvalues:
        assert part is None
    else:
        np.testing.assert_allclose((part.vectors * part.values) @ part.vectors.T, (E * s) @ E.T, atol=1e-9)


def test_values_come_largest_first_and_positive():
    s, E = nearest_in_fantope(symmetric(0, 15), 4, 15)
    assert (np.diff(s) <= 0).all()
    assert s.min() > 0
    assert E.shape == (15, s.size)


def test_whole_and_part_are_computed_in_place(monkeypatch):
    """A copy of an n x n matrix would not be in the bytes that are announced."""
    seen = []
    monkeypatch.setattr(fantope, "eigh", lambda a, **kwargs: seen.append((a.flags.f_contiguous, kwargs)) or (1 / 0))
    for n_eigenvalues in (3, 20):
        with pytest.raises(ZeroDivisionError):
            nearest_in_fantope(symmetric(0, 20), 2, n_eigenvalues)
    assert all(contiguous and kwargs["overwrite_a"] for contiguous, kwargs in seen)
    assert [kwargs.get("driver") for _, kwargs in seen] == [None, "evd"]
