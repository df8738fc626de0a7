"""Cluster the cells of an AnnData, in the way of scanpy's tools."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Number
from typing import Any, Literal

import numpy as np

from s3nmf._types import IntArray
from s3nmf._words import quoted
from s3nmf.desk.sources.cells import RestrictTo, builds_a_graph, cell_features, chosen_cells, neighbor_graph
from s3nmf.desk.sources.errors import SourceError, optional
from s3nmf.estimators import S3NMF
from s3nmf.graph import affinity as graph
from s3nmf.partitions import NO_CLUSTER

_KEY = "s3nmf"


def cluster(
    adata: Any,
    n_clusters: int | Literal["auto"] | Iterable[int] = "auto",
    *,
    neighbors_key: str | None = None,
    use_rep: str | None = None,
    layer: str | None = None,
    restrict_to: RestrictTo | None = None,
    key_added: str = _KEY,
    random_state: Any = 0,
    copy: bool = False,
    **parameters: Any,
) -> Any:
    """Cluster cells by the neighbour graph of an AnnData, or by one that is built.

    The graph is that of `scanpy.pp.neighbors`, normalised. Where there is none, nearest neighbours are searched for in
    `obsm["X_pca"]`, or in `X` where there are no principal components; neither is scaled.

    Parameters
    ----------
    adata : AnnData
    n_clusters : int, "auto" or iterable of int, default="auto"
        As for `S3NMF`.
    neighbors_key : str or None
        Where `uns` describes the graph, as in scanpy; "neighbors" by default.
    use_rep : str or None
        What to build a graph from, "X" or a key of `obsm`, though there be one.
    layer : str or None
        Which of `layers` to build it from instead.
    restrict_to : tuple of str and sequence of str, or None
        A column of `obs`, and the groups of it to cluster, as in `scanpy.tl.leiden`. Other cells keep their group, and
        have no confidence; those of groups "a" and "b" are called "a-b,0", "a-b,1" and so on.
    key_added : str
        What the results are called; "s3nmf_R" by default where they are restricted.
    random_state : int, RandomState or None
        For `members="factorizations"`: otherwise the clusters do not depend on it.
    copy : bool
        Whether a copy is changed and returned.
    **parameters
        Parameters of `s3nmf.S3NMF`; those of the graph (`n_neighbors`, `kernel`, `metric`, `search`) only where one is
        built. `recipe="unequal"` keeps rare kinds of cells apart.

    Returns
    -------
    AnnData or None
        With `obs[key_added]`, clusters as a categorical of text, "0" the largest; `obs[key_added + "_confidence"]`, how
        sure they are of each cell; and `uns[key_added]`, the parameters (`params`), the number of clusters
        (`n_clusters`), the agreement of the members by round (`agreement`) and the chosen round, counted from 1
        (`chosen_round`).

    Examples
    --------
    >>> import anndata
    >>> from sklearn.datasets import make_blobs
    >>> adata = anndata.AnnData(make_blobs(300, centers=3, cluster_std=2.0, random_state=1)[0])
    >>> cluster(adata, n_clusters=3)
    >>> adata.obs["s3nmf"].cat.categories.tolist()
    ['0', '1', '2']
    """
    if not all(hasattr(adata, name) for name in ("obs", "obsm", "obsp", "uns", "X", "obs_names")):
        raise TypeError(f"cluster takes an AnnData, not {type(adata).__name__}. For arrays and frames use s3nmf.S3NMF.")
    adata = adata.copy() if copy else adata
    rows = None if restrict_to is None else _rows(adata, restrict_to)
    cells = adata if rows is None else adata[rows]
    builds = builds_a_graph("the AnnData", neighbors_key=neighbors_key, use_rep=use_rep, layer=layer)
    given = None if builds else neighbor_graph(cells, neighbors_key, "the AnnData")
    affinity: Literal["nearest_neighbors", "precomputed"]
    if given is None:
        used, data = cell_features(cells, "the AnnData", use_rep=use_rep, layer=layer)
        affinity = "nearest_neighbors"
    else:
        used, data = f"uns[{neighbors_key or 'neighbors'!r}]", given.affinity
        affinity = "precomputed"
        unused = [name for name in graph.PARAMETERS if name in parameters]
        if unused:
            raise SourceError(
                f"{quoted(unused)} would build a graph, but the one of {used} is used. Set it in scanpy.pp.neighbors, "
                "or name the features to build one from (use_rep)."
            )
    model = S3NMF(n_clusters, affinity=affinity, random_state=random_state, **parameters).fit(data)
    key = f"{_KEY}_R" if restrict_to is not None and key_added == _KEY else key_added
    adata.obs[key], adata.obs[f"{key}_confidence"] = _columns(adata, model, restrict_to, rows)
    params = {"n_clusters": n_clusters, "random_state": random_state, **parameters}
    adata.uns[key] = _facts(model, used, params)
    return adata if copy else None


def _rows(adata: Any, restrict_to: RestrictTo) -> IntArray:
    if restrict_to[0] not in adata.obs:
        raise SourceError(f"the AnnData: obs has no {restrict_to[0]!r}. It has {quoted(adata.obs) or 'nothing'}.")
    return chosen_cells(adata.obs[restrict_to[0]].tolist(), restrict_to, "the AnnData")


def _columns(adata: Any, model: S3NMF, restrict_to: RestrictTo | None, rows: IntArray | None) -> tuple[Any, Any]:
    """Clusters, as a categorical of text, and confidence."""
    pd = optional("pandas", "single-cell", "An AnnData")
    names = [str(label) for label in range(int(model.labels_.max()) + 1)]
    if restrict_to is None or rows is None:
        return pd.Categorical.from_codes(model.labels_, categories=names), model.confidence_
    key, groups = restrict_to
    clusters, confidence = adata.obs[key].astype(str).to_numpy(dtype=object), np.full(adata.n_obs, np.nan)
    clusters[rows] = [
        f"{'-'.join(groups)},{'none' if label == NO_CLUSTER else names[label]}" for label in model.labels_
    ]
    confidence[rows] = model.confidence_
    return pd.Categorical(clusters), confidence


def _facts(model: S3NMF, used: str, parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        # Files take numbers and text; a callback or a generator of random numbers is not written.
        "params": {name: value for name, value in parameters.items() if isinstance(value, Number | str)},
        "graph": used,
        "n_clusters": model.n_clusters_,
        "agreement": model.agreement_,
        "chosen_round": model.chosen_round_,
    }
