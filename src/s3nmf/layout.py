"""Points of a graph on a plane, for the eye: where random walks from two points meet, the points are close.

The graph is all that is looked at, not the clusters: a picture that was made from the clusters would show them whether
they are there or not. Distances far across the plane mean little, as in every picture of this kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.manifold import TSNE
from sklearn.neighbors import NearestNeighbors

from s3nmf._threads import one_thread
from s3nmf._types import Affinity, FloatArray
from s3nmf._validation import check_affinity
from s3nmf.affinity.range import within_range

# Directions that the walks are compared in: random ones keep distances to some ten per cent.
_DIRECTIONS = 64
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


def graph_layout(affinity: Any) -> FloatArray:
    """A place in the plane for each point of a graph, (n, 2): the same every time.

    Costs 2 sqrt(n) products with the graph, at most 200, and a t-SNE of at most 2000 points.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf.affinity import nearest_neighbor_affinity
    >>> X, y = make_blobs(50, centers=2, random_state=0)
    >>> graph_layout(nearest_neighbor_affinity(X)).shape
    (50, 2)
    """
    W, _ = within_range(check_affinity(affinity))
    n = W.shape[0]
    random = np.random.default_rng(0)
    with one_thread():  # t-SNE's many short loops take five times as long on threads that others want too
        walks = _walks(W, random)
        if n <= _FEW:
            axes, lengths, _ = np.linalg.svd(walks - walks.mean(axis=0), full_matrices=False)
            return np.asarray(axes[:, :2] * lengths[:2])
        landmarks = np.arange(n) if n <= _LANDMARKS else np.sort(random.choice(n, _LANDMARKS, replace=False))
        places = TSNE(
            perplexity=min(_PERPLEXITY, (landmarks.size - 1) / 3),
            # With scikit-learn's 50 some of thirty points fly off.
            learning_rate=float(np.clip(landmarks.size / 12, 10, 50)),
            init="pca",
            max_iter=500,
            random_state=0,
        ).fit_transform(walks[landmarks])
        if landmarks.size == n:
            return np.asarray(places, dtype=np.float64)
        distances, nearest = NearestNeighbors(n_neighbors=_NEAREST).fit(walks[landmarks]).kneighbors(walks)
    pull = 1 / np.maximum(distances, 1e-12) ** 2
    pull /= pull.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("nk,nkd->nd", pull, places[nearest].astype(np.float64)))


def _walks(W: Affinity, random: np.random.Generator) -> FloatArray:
    """Where lazy random walks from each point end, in random directions: distances are diffusion distances, nearly."""
    n = W.shape[0]
    degrees = np.asarray(W.sum(axis=1)).ravel()
    inverse = np.divide(1.0, degrees, out=np.zeros(n), where=degrees > 0)
    ends = random.standard_normal((n, _DIRECTIONS)) * np.sqrt(inverse)[:, None]
    n_steps = min(round(2 * np.sqrt(n)), _MOST_STEPS)
    short = ends
    for step in range(1, n_steps + 1):
        ends = (ends + inverse[:, None] * (W @ ends)) / 2
        if step == round(np.sqrt(n_steps) / 2):
            short = ends
    return np.hstack([ends / ends.std(), _SHORT * short / short.std()])
