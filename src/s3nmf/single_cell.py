"""Cluster the cells of an AnnData, in the way of scanpy's tools."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from numbers import Number
from typing import Any, Literal

import numpy as np

from s3nmf._types import IntArray
from s3nmf._words import quoted
from s3nmf.desk.markers import Marker, Markers, markers_of
from s3nmf.desk.sources.cell_views import views_of
from s3nmf.desk.sources.cells import RestrictTo, builds_a_graph, cell_features, chosen_cells, neighbor_graph
from s3nmf.desk.sources.errors import SourceError, optional
from s3nmf.estimators import S3NMF
from s3nmf.graph import affinity as graph
from s3nmf.metrics import aligned
from s3nmf.partitions import NO_CLUSTER

__all__ = ["Marker", "Markers", "cluster", "markers"]

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
    names_from: str | None = None,
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
    names_from : str or None
        A column of `obs` with earlier clusters, such as those of a fit to fewer cells: each cluster gets the name of
        the earlier one that it shares most cells with, one to one, and others get new numbers. It may be `key_added`.
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
        With `obs[key_added]`, clusters as a categorical of text, "0" the largest unless `names_from` is given;
        `obs[key_added + "_confidence"]`, how sure they are of each cell; and `uns[key_added]`, the parameters
        (`params`), the number of clusters (`n_clusters`), the agreement of the members by round (`agreement`) and the
        chosen round, counted from 1 (`chosen_round`).

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
    names = _names(model.labels_) if names_from is None else _names_kept(model.labels_, cells, names_from)
    adata.obs[key], adata.obs[f"{key}_confidence"] = _columns(adata, model, names, restrict_to, rows)
    params = {"n_clusters": n_clusters, "random_state": random_state, **parameters}
    adata.uns[key] = _facts(model, used, params)
    return adata if copy else None


def _rows(adata: Any, restrict_to: RestrictTo) -> IntArray:
    if restrict_to[0] not in adata.obs:
        raise SourceError(f"the AnnData: obs has no {restrict_to[0]!r}. It has {quoted(adata.obs) or 'nothing'}.")
    return chosen_cells(adata.obs[restrict_to[0]].tolist(), restrict_to, "the AnnData")


def markers(
    adata: Any, groupby: str = _KEY, *, layer: str | None = None, key_added: str | None = "rank_genes_groups"
) -> Markers:
    """Genes that the cells of each cluster express more than all others do, by Wilcoxon's rank-sum test.

    Whatever the cells were clustered by: expression is taken from `raw`, or else from the first of the layers that are
    called as normalised ones are and of `X` that is not scaled. Counts are normalised to 10,000 a cell, in logarithms.
    The numbers are those of `scanpy.tl.rank_genes_groups(method="wilcoxon", tie_correct=True)`.

    Parameters
    ----------
    adata : AnnData
    groupby : str
        The column of `obs` with the clusters.
    layer : str or None
        Which of `layers` has the expression.
    key_added : str or None
        Where in `uns` the result is kept, in the way of scanpy, whose `scanpy.pl.rank_genes_groups_dotplot` and
        `scanpy.get.rank_genes_groups_df` then show it; None for not at all.

    Returns
    -------
    Markers
        `print` names the first five genes of each cluster, `of(k)` has them with their numbers, and
        `s3nmf.report.write_report(..., markers=...)` shows them.

    Examples
    --------
    >>> import anndata
    >>> counts = np.random.default_rng(0).poisson([[9, 1, 3], [1, 9, 3]] * 30)
    >>> adata = anndata.AnnData(counts.astype(np.float32))
    >>> adata.var_names, adata.obs["kind"] = ["MS4A1", "CD3D", "ACTB"], ["B cell", "T cell"] * 30
    >>> print(markers(adata, "kind"))
    B cell: MS4A1
    T cell: CD3D
    """
    pd = optional("pandas", "single-cell", "An AnnData")
    if groupby not in adata.obs:
        raise SourceError(f"the AnnData: obs has no {groupby!r}. It has {quoted(adata.obs) or 'nothing'}.")
    groups = pd.Categorical(adata.obs[groupby]).remove_unused_categories()
    if not len(groups.categories):
        raise SourceError(f"the AnnData: no cell has a group in obs[{groupby!r}].")
    base = (adata.uns.get("log1p") or {}).get("base") or np.e
    expression = views_of(adata, "the AnnData", layer=layer).expression
    if expression is None:
        raise SourceError("the AnnData has no expression that is not scaled: keep it in raw, or name a layer (layer).")
    labels = groups.codes.astype(np.intp)
    found = markers_of(expression.values, labels, expression.genes, list(map(str, groups.categories)), base=base)
    if key_added is not None:
        adata.uns[key_added] = _as_scanpy_has_them(found, groupby, layer, pd)
    return found


def _as_scanpy_has_them(found: Markers, groupby: str, layer: str | None, pd: Any) -> dict[str, Any]:
    """All genes of each cluster by their scores, as records with a field for each cluster."""
    order = np.argsort(-found.scores, axis=1, kind="stable")
    parts: dict[str, Any] = {"scores": found.scores, "pvals": found.p_values}
    parts |= {"pvals_adj": found.adjusted_p_values, "logfoldchanges": found.log2_fold_changes}
    genes = np.array(found.genes, dtype=object)

    def records(of: Any, kind: str) -> Any:
        columns = {name: of[k][order[k]] for k, name in enumerate(found.clusters)}
        return pd.DataFrame(columns).to_records(index=False, column_dtypes=kind)

    shares = {"pts": found.inside, "pts_rest": found.outside}
    return {
        "params": {
            "groupby": groupby,
            "reference": "rest",
            "method": "wilcoxon",
            "use_raw": layer is None,
            "layer": layer,
            "corr_method": "benjamini-hochberg",
        },
        "names": records([genes] * len(found.clusters), "O"),
        **{name: records(values, "float64") for name, values in parts.items()},
        **{name: pd.DataFrame(of.T, index=found.genes, columns=found.clusters) for name, of in shares.items()},
    }


def _names(labels: IntArray) -> list[str]:
    return [str(label) for label in range(int(labels.max()) + 1)]


def _names_kept(labels: IntArray, cells: Any, key: str) -> list[str]:
    """What each cluster is called, after an earlier one where it has cells of one."""
    pd = optional("pandas", "single-cell", "An AnnData")
    if key not in cells.obs:
        raise SourceError(f"the AnnData: obs has no {key!r}. It has {quoted(cells.obs) or 'nothing'}.")
    earlier = pd.Categorical(cells.obs[key])
    known = list(map(str, earlier.categories))
    numbers = dict(zip(labels.tolist(), aligned(labels, earlier.codes.astype(np.intp)).tolist(), strict=True))
    free = (str(number) for number in count() if str(number) not in known)
    return [known[numbers[k]] if numbers[k] < len(known) else next(free) for k in range(int(labels.max()) + 1)]


def _columns(
    adata: Any, model: S3NMF, names: list[str], restrict_to: RestrictTo | None, rows: IntArray | None
) -> tuple[Any, Any]:
    """Clusters, as a categorical of text, and confidence."""
    pd = optional("pandas", "single-cell", "An AnnData")
    if restrict_to is None or rows is None:
        return _ordered(pd.Categorical.from_codes(model.labels_, categories=names)), model.confidence_
    key, groups = restrict_to
    clusters, confidence = adata.obs[key].astype(str).to_numpy(dtype=object), np.full(adata.n_obs, np.nan)
    clusters[rows] = [
        f"{'-'.join(groups)},{'none' if label == NO_CLUSTER else names[label]}" for label in model.labels_
    ]
    confidence[rows] = model.confidence_
    return pd.Categorical(clusters), confidence


def _ordered(column: Any) -> Any:
    """Numbers in their order, and names before them in theirs."""
    names = sorted(column.categories, key=lambda name: (name.isdecimal(), int(name) if name.isdecimal() else 0))
    return column.reorder_categories(names)


def _facts(model: S3NMF, used: str, parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        # Files take numbers and text; a callback or a generator of random numbers is not written.
        "params": {name: value for name, value in parameters.items() if isinstance(value, Number | str)},
        "graph": used,
        "n_clusters": model.n_clusters_,
        "agreement": model.agreement_,
        "chosen_round": model.chosen_round_,
    }
