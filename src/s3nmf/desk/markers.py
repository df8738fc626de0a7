"""Genes that the cells of a cluster express more than all others do, by Wilcoxon's rank-sum test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.special import ndtr
from scipy.stats import false_discovery_control

from s3nmf._notebook import html_table
from s3nmf._types import FloatArray, IntArray
from s3nmf._words import counted, percent
from s3nmf.partitions import NO_CLUSTER, indicator

# A gene with a larger adjusted p-value is not named.
LARGEST_P = 0.05
# What scanpy adds to means before it divides them, so that a gene that others lack has a finite fold change.
_PSEUDO = 1e-9
# Entries that are sorted at a time.
_BLOCK = 10_000_000
_SHOWN = 5


class Marker(NamedTuple):
    """A gene of one cluster.

    Attributes
    ----------
    gene : str
    score : float
        The rank sum of the cluster's cells as a z-score, corrected for ties.
    log2_fold_change : float
        Of the mean expression in the cluster to that in all other cells; NaN where values are scaled.
    p_value, adjusted_p_value : float
        Two-sided; adjusted over all genes by Benjamini and Hochberg. Clusters were found in the same cells, so these
        order genes and prove nothing.
    inside, outside : float
        The share of the cluster's cells, and of all others, that express the gene.
    """

    gene: str
    score: float
    log2_fold_change: float
    p_value: float
    adjusted_p_value: float
    inside: float
    outside: float


@dataclass(frozen=True, eq=False)
class Markers:
    """All genes of all clusters, (n_clusters, n_genes) each: what `Marker` has of one of them, and mean expression.

    Attributes
    ----------
    clusters : tuple of str
        What the clusters are called.
    genes : tuple of str
    scores, log2_fold_changes, p_values, adjusted_p_values, inside, outside, means : arrays
    """

    clusters: tuple[str, ...]
    genes: tuple[str, ...]
    scores: FloatArray
    log2_fold_changes: FloatArray
    p_values: FloatArray
    adjusted_p_values: FloatArray
    inside: FloatArray
    outside: FloatArray
    means: FloatArray

    def of(self, cluster: int, most: int = _SHOWN) -> tuple[Marker, ...]:
        """The genes that a cluster has most of, by their scores; those that may be chance are left out."""
        order = np.argsort(-self.scores[cluster], kind="stable")[:most]
        return tuple(
            self._marker(cluster, int(j))
            for j in order
            if self.scores[cluster, j] > 0 and self.adjusted_p_values[cluster, j] <= LARGEST_P
        )

    def _marker(self, cluster: int, gene: int) -> Marker:
        tests = (self.scores, self.log2_fold_changes, self.p_values, self.adjusted_p_values)
        return Marker(
            self.genes[gene], *(float(values[cluster, gene]) for values in (*tests, self.inside, self.outside))
        )

    def __str__(self) -> str:
        return "\n".join(
            f"{name}: {', '.join(marker.gene for marker in self.of(k)) or 'none'}"
            for k, name in enumerate(self.clusters)
        )

    def _repr_html_(self) -> str:
        rows = [
            (name, ", ".join(f"{one.gene} ({percent(one.inside, 1)})" for one in self.of(k)) or "none")
            for k, name in enumerate(self.clusters)
        ]
        said = (
            f"Marker genes of {counted(len(self.clusters), 'cluster')}, and the share of its cells that express them."
        )
        return html_table([said], ("cluster", "genes"), rows)


def markers_of(
    values: Any, labels: IntArray, genes: Sequence[str], clusters: Sequence[str] | None = None, *, base: float = np.e
) -> Markers:
    """Test every gene in every cluster against all other cells: O(nnz log nnz), a block of genes at a time.

    The numbers are those of `scanpy.tl.rank_genes_groups(method="wilcoxon", tie_correct=True)`.

    Parameters
    ----------
    values : array or sparse matrix of shape (n_cells, n_genes)
        Expression, normalised and in logarithms.
    labels : array of shape (n_cells,)
        -1 for cells in no cluster: they are among the others of every cluster.
    genes : sequence of str
    clusters : sequence of str, or None
        What clusters are called; their numbers by default.
    base : float
        Of the logarithms.

    Examples
    --------
    >>> values = np.array([[3.0, 0.0], [2.5, 0.1], [2.0, 0.0], [0.0, 1.0], [0.1, 2.0], [0.0, 3.0]])
    >>> found = markers_of(np.tile(values, (5, 1)), np.tile([0, 0, 0, 1, 1, 1], 5), ["CD3D", "CD79A"])
    >>> print(found)
    0: CD3D
    1: CD79A
    >>> found.of(1)[0].inside
    1.0
    """
    table = sp.csc_array(values, dtype=np.float64)
    hot = indicator(labels)
    n, sizes = table.shape[0], np.asarray(hot.sum(axis=0)).ravel()[:, None]
    n_clusters = sizes.size
    starts = np.searchsorted(table.indptr, np.arange(0, table.nnz + 1, _BLOCK))
    edges = np.unique(np.append(starts, [0, table.shape[1]]))
    blocks = [_rank_sums(table[:, a:b], labels, n_clusters) for a, b in pairwise(edges)]
    sums, ties = (np.concatenate(parts, axis=-1) for parts in zip(*blocks, strict=True))
    spread = np.sqrt(ties * sizes * (n - sizes) * (n + 1) / 12)
    gap = sums - sizes * (n + 1) / 2
    scores = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0)
    p_values = 2 * ndtr(-np.abs(scores))
    expressed = table.copy()
    expressed.data = (expressed.data != 0).astype(np.float64)
    (within, rest), (inside, outside) = (_means(hot, part, sizes) for part in (table, expressed))
    return Markers(
        clusters=tuple(map(str, range(n_clusters))) if clusters is None else tuple(clusters),
        genes=tuple(genes),
        scores=scores,
        log2_fold_changes=_fold_changes(within, rest, base),
        p_values=p_values,
        adjusted_p_values=false_discovery_control(p_values, axis=1),
        inside=inside,
        outside=outside,
        means=within,
    )


def _rank_sums(block: Any, labels: IntArray, n_clusters: int) -> tuple[FloatArray, FloatArray]:
    """The sum of the mean ranks of each cluster's cells in each gene, (c, g), and what ties leave of the variance.

    Cells that are not stored share the rank of 0: they are counted and not sorted.
    """
    block.sum_duplicates()
    block.eliminate_zeros()
    n, n_genes = block.shape
    gene = np.repeat(np.arange(n_genes), np.diff(block.indptr))
    order = np.lexsort((block.data, gene))
    values, gene_of, cell = block.data[order], gene, block.indices[order]
    n_zero = n - np.diff(block.indptr)
    rank = np.arange(gene.size) - block.indptr[gene_of] + np.where(values > 0, n_zero[gene_of], 0) + 1.0
    is_first = np.ones(gene.size, dtype=bool)
    is_first[1:] = (values[1:] != values[:-1]) | (gene_of[1:] != gene_of[:-1])
    tie = np.cumsum(is_first) - 1
    counts = np.bincount(tie)
    rank = (np.bincount(tie, rank) / counts)[tie] if gene.size else rank
    n_below = np.bincount(gene_of[values < 0], minlength=n_genes)
    rank_of_zero = n_below + (n_zero + 1) / 2
    own = labels[cell]
    placed = own != NO_CLUSTER
    at = own[placed] * n_genes + gene_of[placed]
    sums: Any = np.bincount(at, rank[placed], minlength=n_clusters * n_genes).reshape(n_clusters, n_genes)
    stored = np.bincount(at, minlength=n_clusters * n_genes).reshape(n_clusters, n_genes)
    sizes = np.bincount(labels[labels != NO_CLUSTER], minlength=n_clusters)[:, None]
    sums = sums + (sizes - stored) * rank_of_zero
    cubes = n_zero.astype(np.float64) ** 3 - n_zero
    cubes += np.bincount(gene_of[is_first], counts.astype(np.float64) ** 3 - counts, minlength=n_genes)
    return sums, 1 - cubes / max(float(n) ** 3 - n, 1.0)


def _means(hot: Any, table: Any, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means in each cluster, and in all other cells."""
    sums = np.asarray((hot.T @ table).toarray())
    total = np.asarray(table.sum(axis=0)).ravel()
    return sums / sizes, (total - sums) / np.maximum(table.shape[0] - sizes, 1)


def _fold_changes(inside: FloatArray, outside: FloatArray, base: float) -> FloatArray:
    """Logarithms of the ratios of means, as scanpy has them; NaN where there are negative means, which are scaled."""
    counts = np.expm1(np.stack([inside, outside]) * np.log(base)) + _PSEUDO
    positive = (counts > 0).all(axis=0)
    ratio = np.divide(counts[0], counts[1], out=np.ones_like(counts[0]), where=positive)
    return np.where(positive, np.log2(ratio), np.nan)
