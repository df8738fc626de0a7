"""The embedding of Ng, Jordan and Weiss (2002): rows of the leading eigenvectors of D^-1/2 S D^-1/2, on the sphere."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator

from s3nmf._types import FloatArray, SparseMatrix
from s3nmf.graph.components import components_of
from s3nmf.graph.operators import AffinityOperator, SymmetricOperator
from s3nmf.graph.spectrum.eigenpairs import DENSE, leading_eigenpairs


def spectral_embedding(similarity: SymmetricOperator, n_clusters: int) -> FloatArray:
    """Unit rows of the eigenvectors of D^-1/2 S D^-1/2 with the `n_clusters` largest eigenvalues, (n, c).

    D is the row sums of S, also where S is a normalised affinity already. The row of a point without any similarity is
    zero. A graph in as many components as clusters, or more, is embedded by its largest components, and the rows of the
    others are zero.

    Costs O(c) products with S a Lanczos iteration, or O(n^3) for few points or nearly as many clusters. A sparse graph
    on which Lanczos is slow is factorized if that is affordable.
    """
    n = similarity.shape[0]
    degrees = np.asarray(similarity @ np.ones(n))
    scale = np.zeros(n)
    np.divide(1.0, np.sqrt(degrees), out=scale, where=degrees > 0)
    S = _entries(similarity)
    if S is None:
        vectors = leading_eigenpairs(_scaled(similarity, scale), n_clusters).vectors
    else:
        D = sp.diags_array(scale)
        vectors = _of_graph(sp.csr_array(D @ S @ D), np.sqrt(degrees), n_clusters)
    return unit_rows(np.where(scale[:, None] > 0, vectors, 0.0))


def unit_rows(vectors: FloatArray) -> FloatArray:
    """The rows at length one. What is left of a point that no vector reaches is rounding, not a direction: zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 1e-12))


def _of_graph(normalized: SparseMatrix, roots: FloatArray, count: int) -> FloatArray:
    """The leading eigenvectors of a normalised graph, those of its components known beforehand."""
    whole = _component_vectors(normalized, roots, count)
    return whole if whole.shape[1] == count else leading_eigenpairs(normalized, count, known=whole).vectors


def _component_vectors(normalized: SparseMatrix, roots: FloatArray, count: int) -> FloatArray:
    """Eigenvectors with eigenvalue 1, the largest: roots of the degrees on one component each, large ones first."""
    component_of = components_of(normalized).component_of
    # Components are numbered by decreasing size, and points without any edge have no degree.
    with_edges = np.unique(component_of[roots > 0])[:count]
    vectors = (component_of[:, None] == with_edges) * roots[:, None]
    return np.asarray(vectors / np.linalg.norm(vectors, axis=0))


def _entries(similarity: SymmetricOperator) -> SparseMatrix | None:
    """S as a sparse matrix, where it is one or small."""
    n = similarity.shape[0]
    if isinstance(similarity, AffinityOperator) and similarity.rows is not None:
        return similarity.rows.astype(np.float64)
    return sp.csr_array(similarity @ np.eye(n)) if n <= DENSE else None


def _scaled(S: SymmetricOperator, scale: FloatArray) -> LinearOperator:
    """diag(scale) S diag(scale)."""

    def product(V: FloatArray) -> FloatArray:
        weights = scale if V.ndim == 1 else scale[:, None]
        return np.asarray(weights * (S @ (weights * V)))

    return LinearOperator(S.shape, matvec=product, matmat=product, dtype=np.float64)
