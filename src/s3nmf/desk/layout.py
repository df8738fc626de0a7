"""Points of a graph on a plane, for the eye: where random walks from two points meet, the points are close.

The graph is all that is looked at, not the clusters: a picture that was made from the clusters would show them whether
they are there or not. Distances far across the plane mean little, as in every picture of this kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import gammaln
from sklearn.manifold import TSNE
from sklearn.neighbors import NearestNeighbors

from s3nmf._threads import one_thread
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf._validation import check_affinity
from s3nmf.graph.range import within_range

# Directions that the walks are compared in: random ones keep distances to some ten per cent.
_DIRECTIONS = 32
_MOST_STEPS = 200
# Points that are laid out against each other; the others go where the nearest of these are.
_LANDMARKS = 2000
_NEAREST = 5
# For so few points two principal axes say as much.
_FEW = 10
# Small enough for the clusters of a hundred to be more than dots.
_PERPLEXITY = 15
# Long walks tell clusters apart and forget what is inside of them; short ones, with this weight, remember.
_SHORT = 0.3
# Steps that nodes are moved in, and what keeps the pieces of a graph from flying off.
_UNTANGLING = 200
_TO_THE_MIDDLE = 0.5
# Chances below this change no picture.
_NEGLIGIBLE = 1e-5
# How much of the time is over, roughly, when the walks have ended, and when the landmarks have their places.
_SHARE_OF_WALKS, _SHARE_BEFORE_OTHERS = 0.5, 0.9


def _unheard(share: float) -> None:
    """Told to nobody."""


def graph_layout(
    affinity: Any, points: IntArray | None = None, *, callback: Callable[[float], None] = _unheard
) -> FloatArray:
    """A place in the plane for each point of a graph, or for these points only, (n, 2): the same every time.

    Costs some 50 products with the graph at most, and a t-SNE of at most 2000 points. `callback` is told the share of
    that which is over, after each product and around the t-SNE; what it raises ends the work.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf.affinity import nearest_neighbor_affinity
    >>> X, y = make_blobs(50, centers=2, random_state=0)
    >>> graph_layout(nearest_neighbor_affinity(X)).shape
    (50, 2)
    """
    W, _ = within_range(check_affinity(affinity))
    n, wanted = W.shape[0], slice(None) if points is None else points
    random = np.random.default_rng(0)
    with one_thread():  # t-SNE's many short loops take five times as long on threads that others want too
        walks = _walks(W, random, lambda share: callback(_SHARE_OF_WALKS * share))
        if n <= _FEW:
            axes, lengths, _ = np.linalg.svd(walks - walks.mean(axis=0), full_matrices=False)
            return np.asarray((axes[:, :2] * lengths[:2])[wanted])
        landmarks = np.arange(n) if n <= _LANDMARKS else np.sort(random.choice(n, _LANDMARKS, replace=False))
        places = TSNE(
            perplexity=min(_PERPLEXITY, (landmarks.size - 1) / 3),
            # With scikit-learn's 50 some of thirty points fly off.
            learning_rate=float(np.clip(landmarks.size / 12, 10, 50)),
            init="pca",
            max_iter=500,
            random_state=0,
        ).fit_transform(walks[landmarks])
        callback(_SHARE_BEFORE_OTHERS)
        if landmarks.size == n:
            return np.asarray(places[wanted], dtype=np.float64)
        known = NearestNeighbors(n_neighbors=_NEAREST).fit(walks[landmarks])
        distances, nearest = known.kneighbors(walks[wanted])
    pull = 1 / np.maximum(distances, 1e-12) ** 2
    pull /= pull.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("nk,nkd->nd", pull, places[nearest].astype(np.float64)))


def untangled(places: FloatArray, affinity: Affinity) -> FloatArray:
    """Nodes of a small graph moved until its edges are about as long as each other and no two nodes touch, (n, 2).

    As by Fruchterman and Reingold, from the given places: O(n^2) a step.
    """
    n = places.shape[0]
    linked = sp.csr_array(affinity).toarray() > 0
    length = 1 / np.sqrt(n)
    middle = places.mean(axis=0)
    places = (places - middle) / max(float(np.abs(places - middle).max()), 1e-300)
    places = places + 1e-3 * length * np.random.default_rng(0).standard_normal((n, 2))  # none on top of another
    for farthest in np.linspace(0.2, 0.0, _UNTANGLING, endpoint=False):
        apart = places[:, None] - places[None]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 1e-6)
        force = (length / distance) ** 2 - linked * distance / length
        move = np.einsum("ij,ijd->id", force, apart) - _TO_THE_MIDDLE * places
        size = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-12)
        places = places + move / size * np.minimum(size, farthest)
    return np.asarray(places)


def _walks(affinity: Affinity, random: np.random.Generator, callback: Callable[[float], None] = _unheard) -> FloatArray:
    """Where lazy random walks from each point end, in random directions: distances are diffusion distances, nearly.

    With P the walk that never waits and T_k Chebyshev's polynomials, t lazy steps are the sum of c_k T_k(P) with the
    shares c_k of coins of `_coins`, nearly all of which is in the first 3.4 sqrt(t): so many products, not t of them.
    """
    unit = affinity.max() or 1.0  # half the digits are enough, and half the time
    W: Any = (sp.csr_array(affinity / unit) if sp.issparse(affinity) else np.asarray(affinity) / unit).astype(
        np.float32
    )
    n = W.shape[0]
    degrees = np.asarray(W.sum(axis=1)).ravel()
    inverse = np.divide(1.0, degrees, out=np.zeros(n, dtype=np.float32), where=degrees > 0)[:, None]
    start = (random.standard_normal((n, _DIRECTIONS)) * np.sqrt(inverse)).astype(np.float32)
    n_steps = min(round(2 * np.sqrt(n)), _MOST_STEPS)
    coins = [_coins(steps) for steps in (n_steps, round(np.sqrt(n_steps) / 2))]
    ends = [share[0] * start for share in coins]
    before, last = start, inverse * (W @ start)
    n_products = max(map(len, coins))
    for k in range(1, n_products):
        callback(k / n_products)
        for end, share in zip(ends, coins, strict=True):
            if k < len(share):
                np.add(end, share[k] * last, out=end)
        step = W @ last
        step *= 2 * inverse
        step -= before
        before, last = last, step
    callback(1.0)
    long, short = (np.asarray(end, dtype=np.float64) for end in ends)
    return np.hstack([long / long.std(), _SHORT * short / short.std()])


def _coins(n_steps: int) -> FloatArray:
    """The chances that 2 n_steps fair coins show n_steps + k or n_steps - k heads, for k = 0, 1, ... while it matters.

    ((1 + x) / 2)^t is the sum of these chances times T_k(x), because ((1 + cos a) / 2)^t = cos(a / 2)^2t.
    """
    k = np.arange(n_steps + 1)
    chance = np.exp(
        gammaln(2 * n_steps + 1) - gammaln(n_steps - k + 1) - gammaln(n_steps + k + 1) - n_steps * np.log(4)
    )
    chance[1:] *= 2
    return np.asarray(chance[chance > _NEGLIGIBLE], dtype=np.float32)
