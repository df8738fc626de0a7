"""The methods that are compared: each a function from a case and a seed to labels, as their users would call them."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from unittest.mock import patch

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import NearestNeighbors

from benchmarks.members.data import Case
from s3nmf import S3NMF, methods
from s3nmf.baselines.comparison import leiden as communities
from s3nmf.trust.thresholds import may_be_of_other_sizes

OURS, FACTORIZATIONS = "S3NMF", "S3NMF, factorizations"
# Forms of it that are not compared with other methods, but with itself.
SHUFFLED, UNEQUAL = "S3NMF, rows shuffled", "S3NMF, unequal sizes"
OTHER_ORDERS = "S3NMF, other orders"
K_MEANS, SPECTRAL, LEIDEN, LOUVAIN, ECG = "k-means", "spectral", "Leiden", "Louvain", "ECG"
WARD, MIXTURE, HDBSCAN_, UMAP_ = "Ward", "Gaussian mixture", "HDBSCAN", "UMAP + k-means"
OTHERS_OF_OURS = ("SR", "SEC", "LWGP", "SNMF")
# What is not drawn by a seed: another one gives the same.
ONE_ANSWER = (OURS, UNEQUAL)
# Those that are tried with a part of the points, too.
STEADY = (OURS, FACTORIZATIONS, K_MEANS, SPECTRAL, LEIDEN, LOUVAIN, ECG, UMAP_)
LEFT_OUT = {name: f"{name}, some left out" for name in STEADY}
SHARE_LEFT_OUT = 0.05
# The label of a point that was left out.
OUT = -2
COMPILED = (OURS, FACTORIZATIONS, SHUFFLED, OTHER_ORDERS, UNEQUAL, UMAP_, *LEFT_OUT.values())
# Of more points than these, arpack takes too long.
_MANY = 20_000
# As on scikit-learn's page of toy data sets.
_SMALLEST_CLUSTER = 15


@dataclass(frozen=True)
class Method:
    """One of those compared.

    Attributes
    ----------
    run : callable
        From a case and a seed to labels; or to labels, the confidence in each, and whether the verdict advises the
        recipe for unequal sizes.
    takes : str
        "points", or "graph" if a graph is enough.
    seeded : bool
        Whether anything in it is random.
    """

    name: str
    run: Callable
    takes: str = "graph"
    seeded: bool = True


def s3nmf(case, seed, **settings):
    """Labels, confidence, advice. The neighbours do not depend on the seed, so they are searched for once a case."""
    model = S3NMF(case.n_clusters, random_state=seed, **settings)
    if case.X is None:
        model.set_params(affinity="precomputed").fit(case.graph)
    else:
        with patch("s3nmf.estimators.self_supervised.nearest_neighbors", lambda X, k, *_: case.neighbors(k)):
            model.fit(case.X)
    by_size = model.result_.history[-1].similarity != "normalized"
    return model.labels_, model.confidence_, by_size and may_be_of_other_sizes(model.diagnose(), ())


def shuffled_s3nmf(case, seed):
    """The same for rows in another order at every seed: files are often sorted by class, which must not help."""
    order = np.random.default_rng(seed).permutation(case.y.size)
    labels, confidence, advised = s3nmf(Case(case.name, case.y[order], case.X[order]), seed)
    back = np.argsort(order)
    return labels[back], confidence[back], advised


def s3nmf_in_another_order(case, seed):
    """The same with moves in another order, and other starts, at every seed: which a fit takes from the data."""
    with patch("s3nmf.method.fit._FIXED_SEED", seed):
        return s3nmf(case, seed)


def with_some_left_out(case, seed, method):
    """The labels of a part of the points, by that part alone."""
    n = case.y.size
    kept = np.sort(np.random.default_rng(seed).permutation(n)[round(SHARE_LEFT_OUT * n) :])
    found = METHODS[method].run(Case(case.name, case.y[kept], case.X[kept], asked=case.n_clusters), seed)
    labels = np.full(n, OUT)
    labels[kept] = found[0] if isinstance(found, tuple) else found
    return labels


def ours(case, seed, name):
    """One of the methods that the library has beside S3NMF."""
    method = methods()[name].set_params(n_clusters=case.n_clusters, random_state=seed, affinity="precomputed")
    return method.fit_predict(case.graph)


def k_means(case, seed):
    return KMeans(case.n_clusters, n_init=10, random_state=seed).fit_predict(case.X)


def spectral(case, seed):
    W = sp.csr_matrix(case.graph)
    solver = "lobpcg" if W.shape[0] > _MANY else "arpack"
    return SpectralClustering(
        case.n_clusters, affinity="precomputed", eigen_solver=solver, random_state=seed
    ).fit_predict(W)


def ward(case, seed):
    return AgglomerativeClustering(case.n_clusters).fit_predict(case.X)


def gaussian_mixture(case, seed):
    return GaussianMixture(case.n_clusters, random_state=seed).fit_predict(case.X.astype(np.float64))


def hdbscan(case, seed):
    """Points that it calls noise go to the cluster of the nearest point that has one; it may have found none."""
    labels = HDBSCAN(min_cluster_size=_SMALLEST_CLUSTER, copy=True).fit_predict(case.X)
    noise = labels < 0
    if noise.any() and not noise.all():
        nearest = NearestNeighbors(n_neighbors=1).fit(case.X[~noise]).kneighbors(case.X[noise], return_distance=False)
        labels[noise] = labels[~noise][nearest[:, 0]]
    return labels


def umap_k_means(case, seed):
    """UMAP as its documentation advises before clustering, and k-means on the plane."""
    from umap import UMAP

    plane = UMAP(n_neighbors=30, min_dist=0.0, random_state=seed, n_jobs=1).fit_transform(case.X)
    return KMeans(case.n_clusters, n_init=10, random_state=seed).fit_predict(plane)


def leiden(case, seed):
    return communities.leiden(case.graph, case.n_clusters, seed)


def louvain(case, seed):
    graph = _igraph(case, seed)
    return communities.about_so_many(
        lambda resolution: graph.community_multilevel(weights="weight", resolution=resolution).membership,
        case.n_clusters,
    )


def ecg(case, seed):
    """Ensemble clustering for graphs: Louvain on edges weighted by how many runs of Louvain keep them."""
    from partition_igraph import community_ecg

    graph = _igraph(case, seed)
    weights = community_ecg(graph, weights=graph.es["weight"]).W
    return communities.about_so_many(
        lambda resolution: graph.community_multilevel(weights=weights, resolution=resolution).membership,
        case.n_clusters,
    )


def _igraph(case, seed):
    """The graph for igraph, whose random numbers are those of Python."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002  (partition_igraph takes NumPy's)
    return communities.igraph_of(case.graph)


METHODS = {
    found.name: found
    for found in (
        Method(OURS, s3nmf),
        Method(FACTORIZATIONS, partial(s3nmf, members="factorizations")),
        Method(K_MEANS, k_means, takes="points"),
        Method(SPECTRAL, spectral),
        Method(LEIDEN, leiden),
        Method(LOUVAIN, louvain),
        Method(ECG, ecg),
        Method(WARD, ward, takes="points", seeded=False),
        Method(MIXTURE, gaussian_mixture, takes="points"),
        Method(HDBSCAN_, hdbscan, takes="points", seeded=False),
        Method(UMAP_, umap_k_means, takes="points"),
        *(Method(name, partial(ours, name=name)) for name in OTHERS_OF_OURS),
        Method(SHUFFLED, shuffled_s3nmf, takes="points"),
        Method(OTHER_ORDERS, s3nmf_in_another_order, takes="points"),
        Method(UNEQUAL, partial(s3nmf, recipe="unequal"), takes="points"),
        *(Method(LEFT_OUT[name], partial(with_some_left_out, method=name), takes="points") for name in STEADY),
    )
}
