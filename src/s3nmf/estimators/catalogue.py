"""The catalogue of methods: all that the paper compares, by its names, each ready to fit."""

from __future__ import annotations

from sklearn.base import ClusterMixin

from s3nmf.estimators import (
    S3NMF,
    LocallyWeightedClustering,
    NJWSpectralClustering,
    SparseSpectralClustering,
    SpectralEnsembleClustering,
    SpectralRotation,
    SymNMF,
)


def methods() -> dict[str, ClusterMixin]:
    """The estimators that the paper compares, with its settings, in the order of its tables.

    Where the paper gives no setting, it is that of the method's authors. Factorizations that had no stopping rule there
    have none here (`tol=0`): they take 500 sweeps.

    Returns
    -------
    dict of str to estimator
        New ones at every call; `set_params` makes them yours.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import methods
    >>> X, y = make_blobs(200, centers=3, cluster_std=2.0, random_state=0)
    >>> for name, method in methods().items():
    ...     labels = method.set_params(n_clusters=3, random_state=0).fit_predict(X)
    """
    return {
        # From U(0, 1), far above the scale of the solution, its first sweep empties clusters for good.
        "sBSUM": SymNMF(solver="sbsum", tol=0.0, starts="kuang"),
        "vBSUM": SymNMF(solver="vbsum", tol=0.0),
        "ANLS": SymNMF(solver="anls", tol=0.0),
        "HALS": SymNMF(solver="hals", tol=0.0),
        "SEC": SpectralEnsembleClustering(),
        "GSNMF": SymNMF(graph_regularization=10.0, tol=0.0),
        "LWCA": LocallyWeightedClustering(consensus="spectral"),
        "LWGP": LocallyWeightedClustering(consensus="bipartite"),
        "SC": NJWSpectralClustering(),
        "SR": SpectralRotation(),
        "SSC": SparseSpectralClustering(),
        "SNMF": SymNMF(tol=1e-3),
        "S3NMF": S3NMF(members="factorizations"),
    }
