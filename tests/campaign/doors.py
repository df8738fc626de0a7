"""Every public function that data come in by, and what must hold of its answer.

A door takes the data and a generator of random numbers, by which it chooses its parameters: most of them sound.
"""

import tempfile
from functools import cache, partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from s3nmf import S3NMF, choose_n_clusters, methods, self_supervised_nmf, symmetric_nmf
from s3nmf.affinity import connectivity, nearest_neighbor_affinity, normalize_affinity
from s3nmf.baselines.consensus import base_partitions, locally_weighted, spectral_ensemble
from s3nmf.layout import graph_layout
from s3nmf.method import agreement, pairwise_nmi
from s3nmf.metrics import evaluate
from s3nmf.solvers.named import SOLVERS
from s3nmf.sources import graph_of, table_of, write_labels

METRICS = ("euclidean", "manhattan", "cosine", "chebyshev", "jaccard", "correlation", "hamming", "haversine", "nowhere")
KERNELS = ("mean-distance", "self-tuning", "binary", "jaccard")


def fitted(method, affinity, X, rng):
    """Labels of a fit."""
    given = {"affinity": affinity, **_graph(X, rng)} if "affinity" in method.get_params() else {}
    quick = {name: value for name, value in {"n_members": 3, "max_rounds": 2, "max_iter": 30}.items()
             if name in method.get_params()}  # fmt: skip
    k = _k(X, rng)
    _check_labels(method.set_params(n_clusters=k, random_state=_seed(rng), **given, **quick).fit_predict(X), X, k)


def judged(affinity, X, rng):
    """A fit, its diagnosis, its verdict, its file, and the same points as new ones."""
    how = {"noise": bool(rng.random() < 0.3)} if affinity == "nearest_neighbors" else {}
    model = S3NMF(_k(X, rng), affinity=affinity, n_members=3, random_state=0, **how, **_graph(X, rng)).fit(X)
    _check_labels(model.labels_, X, model.n_clusters)
    alone = connectivity(model.affinity_matrix_).isolated
    if len(alone) < len(model.labels_):
        assert np.array_equal(np.flatnonzero(model.labels_ == -1), alone), "in no cluster are points without an edge"
    assert np.array_equal(model.predict(X), model.labels_), "fitted points keep their labels"
    assert np.all((model.confidence_ >= 0) & (model.confidence_ <= 1)), "confidence within 0 and 1"
    assert str(model.judge(borders=bool(rng.random() < 0.3)))
    with tempfile.TemporaryDirectory() as directory:
        model.save(Path(directory) / "model.s3nmf")
        again = S3NMF.load(Path(directory) / "model.s3nmf")
    assert np.array_equal(again.labels_, model.labels_), "the file holds the labels"
    assert np.array_equal(again.predict(X), model.predict(X)), "and gives the same to new points"


def new_points(affinity, X, rng):
    """New points, of whatever kind, to a model of sound ones."""
    model = _model(affinity)
    found = model.assign(X)
    assert len(found.labels) == _length(X), "an answer for each"
    assert np.all((found.labels >= -1) & (found.labels < 3)), "from clusters that there are"
    assert np.array_equal(model.predict(X), found.labels), "the same by predict"


def chosen(affinity, X, rng):
    found = choose_n_clusters(X, affinity=affinity, max_samples=None if rng.random() < 0.2 else 40, random_state=0)
    assert 1 <= found.n_clusters <= _length(X), "as many clusters as points at most"


def neighbors(X, rng):
    how = {"metric": str(rng.choice(METRICS)) if rng.random() < 0.4 else "euclidean", **_graph(X, rng)}
    _check_affinity(nearest_neighbor_affinity(X, **how))


def rounds(W, rng):
    members = str(rng.choice(["communities", "factorizations"]))
    result = self_supervised_nmf(W, _k(W, rng), members=members, n_members=3, max_rounds=2, random_state=_seed(rng))
    _check_labels(result.labels, W)


def factorized(W, rng):
    result = symmetric_nmf(W, _k(W, rng), solver=str(rng.choice(list(SOLVERS))), max_iter=20, random_state=_seed(rng))
    assert np.isfinite(result.factor).all(), "a finite factor"
    assert (result.factor >= 0).all(), "and a nonnegative one"


def from_partitions(W, rng):
    found = base_partitions(W, _k(W, rng), 3, max_iter=20, random_state=_seed(rng))
    assert found.labels.shape == (3, _length(W)), "a partition a member"


def voted(y, rng):
    """Partitions of other people, combined."""
    combine = (locally_weighted, spectral_ensemble)[int(rng.integers(2))]
    _check_labels(combine(y, int(rng.choice([1, 2, 3, 9])), random_state=0).labels)


def compared(y, rng):
    a, b = (y[0], y[-1]) if isinstance(y, np.ndarray) and y.ndim == 2 and len(y) else (y, y)
    assert all(-1.0 <= value <= 1.0 + 1e-9 for value in evaluate(a, b)), "scores within -1 and 1"


def agreeing(y, rng):
    assert 0.0 <= agreement(y) <= 1.0, "agreement within 0 and 1"
    assert np.isfinite(pairwise_nmi(y)).all(), "of every two"


def members(y, rng):
    """Partitions as the members of a fit of sound points."""
    model = S3NMF(2, members=y, max_rounds=2, random_state=0).fit(_points())
    _check_labels(model.labels_)


def written(y, rng):
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / f"labels.{rng.choice(['csv', 'tsv', 'json', 'parquet'])}"
        write_labels(path, {"name": y, "cluster": y})
        assert path.stat().st_size > 0, "something is written"


def laid_out(W, rng):
    assert np.isfinite(graph_layout(W)).all(), "a place for every point"


def normalized(W, rng):
    _check_affinity(normalize_affinity(W))


def connected(W, rng):
    report = connectivity(W)
    assert 1 <= report.n_components <= _length(W), "one piece at least"


def table(X, rng):
    found = table_of(X, missing=str(rng.choice(["refuse", "drop", "median"])))
    assert np.isfinite(found.values).all(), "finite values"


def network(W, rng):
    _check_affinity(graph_of(W).affinity)


FEATURES = {
    **{f"{name}.fit": partial(fitted, method, "nearest_neighbors") for name, method in methods().items()},
    "S3NMF": partial(judged, "nearest_neighbors"),
    "S3NMF.assign": partial(new_points, "nearest_neighbors"),
    "choose_n_clusters": partial(chosen, "nearest_neighbors"),
    "nearest_neighbor_affinity": neighbors,
    "table_of": table,
}
GRAPHS = {
    **{f"{name}.fit, precomputed": partial(fitted, method, "precomputed") for name, method in methods().items()},
    "S3NMF, precomputed": partial(judged, "precomputed"),
    "S3NMF.assign, precomputed": partial(new_points, "precomputed"),
    "choose_n_clusters, precomputed": partial(chosen, "precomputed"),
    "self_supervised_nmf": rounds,
    "symmetric_nmf": factorized,
    "base_partitions": from_partitions,
    "normalize_affinity": normalized,
    "connectivity": connected,
    "graph_layout": laid_out,
    "graph_of": network,
}
LABELS = {
    "consensus": voted,
    "metrics": compared,
    "agreement": agreeing,
    "S3NMF(members)": members,
    "write_labels": written,
}


@cache
def _points():
    rng = np.random.default_rng(0)
    return rng.normal(size=(30, 3)) + 6.0 * (np.arange(30) % 3)[:, None]


@cache
def _model(affinity):
    X = _points()
    return S3NMF(3, affinity=affinity, n_members=3, random_state=0).fit(
        nearest_neighbor_affinity(X) if affinity == "precomputed" else X
    )


def _length(X):
    return X.shape[0] if hasattr(X, "shape") else len(X if hasattr(X, "__len__") else np.asarray(X))


def _k(X, rng):
    """A number of clusters; now and then one that there cannot be."""
    sound = [1, 2, 3, np.int64(2)]
    try:
        edge = [_length(X), _length(X) - 1, _length(X) + 1]
    except (TypeError, IndexError, ValueError):
        edge = []
    return sound[int(rng.integers(4))] if rng.random() < 0.9 else [*edge, 0, -1, 2.5, "3", None][int(rng.integers(5))]


def _seed(rng):
    return [0, 7, None, np.random.RandomState(3), np.int64(2)][int(rng.integers(5))]


def _graph(X, rng):
    if rng.random() < 0.7:
        return {}
    return {"kernel": str(rng.choice(KERNELS)), "n_neighbors": [1, 2, 3, 5, "auto", 0, 10**6][int(rng.integers(7))]}


def _check_labels(labels, X=None, n_clusters=None):
    assert labels.dtype.kind in "iu", "labels are numbers"
    assert labels.min() >= -1, "or none"
    assert np.any(labels == 0), "from 0 on"
    assert np.all(np.diff(np.bincount(labels[labels >= 0])) <= 0), "by decreasing size"
    if X is not None:
        assert labels.shape == (_length(X),), "one for each point"
    if n_clusters is not None:
        assert labels.max() < n_clusters, "no more clusters than asked for"


def _check_affinity(W):
    entries = W.data if sp.issparse(W) else W
    assert np.isfinite(entries).all(), "finite entries"
    assert (entries >= 0).all(), "and nonnegative ones"
    assert abs(W - W.T).max() <= 1e-6 * entries.max(initial=0.0), "symmetric"
