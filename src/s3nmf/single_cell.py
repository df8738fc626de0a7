"""Cluster the cells of an AnnData, in the way of scanpy's tools."""

from __future__ import annotations

from numbers import Number
from typing import Any, Literal

from s3nmf._words import quoted
from s3nmf.affinity import graph
from s3nmf.estimators import S3NMF
from s3nmf.sources.cells import cell_features, neighbor_graph
from s3nmf.sources.errors import SourceError, optional


def cluster(
    adata: Any,
    n_clusters: int,
    *,
    neighbors_key: str | None = None,
    key_added: str = "s3nmf",
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
    n_clusters : int
    neighbors_key : str or None
        Where `uns` describes the graph, as in scanpy; "neighbors" by default.
    key_added : str
        What the results are called.
    random_state : int, RandomState or None
    copy : bool
        Whether a copy is changed and returned.
    **parameters
        Parameters of `s3nmf.S3NMF`; those of the graph (`n_neighbors`, `kernel`, `metric`, `search`) only where one is
        built.

    Returns
    -------
    AnnData or None
        With `obs[key_added]`, clusters as a categorical of text, "0" the largest; `obs[key_added + "_confidence"]`, how
        sure they are of each cell; and `uns[key_added]`, the parameters (`params`), the agreement of the members by
        round (`agreement`) and the chosen round, counted from 1 (`chosen_round`).

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
    given = neighbor_graph(adata, neighbors_key, "the AnnData")
    affinity: Literal["nearest_neighbors", "precomputed"]
    if given is None:
        used, data = cell_features(adata, "the AnnData")
        affinity = "nearest_neighbors"
    else:
        used, data = f"uns[{neighbors_key or 'neighbors'!r}]", given.affinity
        affinity = "precomputed"
        unused = [name for name in graph.PARAMETERS if name in parameters]
        if unused:
            raise SourceError(
                f"{quoted(unused)} would build a graph, but the one of {used} is used. Set it in scanpy.pp.neighbors, "
                "or fit s3nmf.S3NMF to the features."
            )
    model = S3NMF(n_clusters, affinity=affinity, random_state=random_state, **parameters).fit(data)
    _write(adata, model, key_added, used, {"n_clusters": n_clusters, "random_state": random_state, **parameters})
    return adata if copy else None


def _write(adata: Any, model: S3NMF, key: str, used: str, parameters: dict[str, Any]) -> None:
    pd = optional("pandas", "single-cell", "An AnnData")
    names = [str(label) for label in range(int(model.labels_.max()) + 1)]
    adata.obs[key] = pd.Categorical.from_codes(model.labels_, categories=names)
    adata.obs[f"{key}_confidence"] = model.confidence_
    adata.uns[key] = {
        # Files take numbers and text; a callback or a generator of random numbers is not written.
        "params": {name: value for name, value in parameters.items() if isinstance(value, Number | str)},
        "graph": used,
        "agreement": model.agreement_,
        "chosen_round": model.chosen_round_,
    }
