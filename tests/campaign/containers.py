"""Tables, graphs and labels as people have them: every type of number, layout in memory and container."""

import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from benchmarks import structureless

DTYPES = ("f8", "f8", "f8", "f4", "f2", "g", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "c16", "O", "U8",
          "S8", ">f8", ">f4", ">i4", ">u2", "M8[s]", "m8[s]")  # fmt: skip
SPARSE = ("csr", "csc", "coo", "bsr", "dia", "dok", "lil")


def numbers(rng):
    """A table of floats: blobs, noise, few values, many duplicates, constant columns, other units, heavy tails.

    One in ten is an ordinary one, as people have them.
    """
    if rng.random() < 0.1:
        return ordinary(rng)
    n, d = int(rng.choice([2, 3, 4, 6, 12, 30, 60])), int(rng.choice([1, 2, 3, 8]))
    X = rng.normal(size=(n, d))
    kind = rng.choice(
        [
            "noise",
            "blobs",
            "few",
            "copies",
            "bits",
            "constant",
            "zeros",
            "units",
            "line",
            "lognormal",
            "heavy",
            "skewed",
        ]
    )
    match kind:
        case "blobs":
            X += 6.0 * rng.integers(0, 3, size=(n, 1))
        case "few":
            X = np.round(X)
        case "copies":
            X = X[rng.integers(0, max(2, n // 4), size=n)]
        case "bits":  # nearly all rows are copies
            X = (X > 0).astype(float)
        case "lognormal":
            X = np.exp(rng.choice([1.0, 3.0, 8.0]) * X)
        case "skewed":  # counts, most of them zero
            X = rng.negative_binomial(0.3, 0.05, size=(n, d)).astype(float)
        case "heavy":  # of no mean, with a few points far out
            X = rng.standard_cauchy(size=(n, d))
        case "constant":
            X[:, 0] = 3.0
        case "zeros":
            X *= rng.random((n, d)) < 0.2
        case "units":
            X *= 10.0 ** rng.integers(-6, 7, size=d)
        case "line":
            X = np.arange(n * d, dtype=float).reshape(n, d)
    return X, f"{kind} {n} x {d}"


def ordinary(rng):
    """Rows of a table that everybody knows, or of one without clusters of docs/trust.md, standardised or as it is."""
    if rng.random() < 0.5:
        kinds = structureless.KINDS | structureless.GAPPED
        kind, n = str(rng.choice(list(kinds))), int(rng.choice([30, 60, 120]))
        X = kinds[kind](rng, n)
        return structureless.scaled(X) if rng.random() < 0.5 else X, f"{kind}, {n} rows"
    load = (load_iris, load_wine, load_breast_cancer)[int(rng.integers(3))]
    values = load().data
    X = values[rng.permutation(len(values))[: int(rng.choice([30, 60, 120]))]]
    return (X - X.mean(axis=0)) / X.std(axis=0) if rng.random() < 0.7 else X, f"{load.__name__} {len(X)} rows"


def similarities(rng):
    """A symmetric matrix >= 0: complete, sparse, in pieces, with points alone, self loops, a chain, a star, hubs.

    Some have cliques with points alone among them, and some weights of no mean.
    """
    n = int(rng.choice([2, 3, 4, 6, 12, 30, 50]))
    kind = rng.choice(["complete", "sparse", "pieces", "alone", "loops", "chain", "star", "equal", "few",
                       "cliques", "hubs", "heavy"])  # fmt: skip
    W = rng.random((n, n))
    match kind:
        case "sparse" | "loops":
            W *= rng.random((n, n)) < 0.3
        case "pieces":
            W *= np.equal.outer(np.arange(n) % 3, np.arange(n) % 3)
        case "cliques":  # the last half is alone
            W = np.kron(np.eye(n), np.ones((4, 4)))[:n, :n]
            W[n // 2 :] = W[:, n // 2 :] = 0.0
        case "hubs":  # degrees as of a power law
            reach = rng.pareto(1.5, size=n)
            W *= np.outer(reach, reach) > 1.0
        case "heavy":
            W = rng.pareto(0.5, size=(n, n))
        case "alone":
            W[:, : n // 3] = W[: n // 3] = 0.0
        case "chain":
            W = np.eye(n, k=1) * W
        case "star":
            W[1:, 1:] = 0.0
        case "equal":
            W[:] = 1.0
        case "few":
            W = np.round(3 * W)
    W = np.triu(W, 0 if kind == "loops" else 1)
    return W + W.T, f"{kind} {n} x {n}"


def labels(rng, n):
    """Names of clusters: numbers, texts, outliers, all alike, all different."""
    of = rng.integers(0, 4, size=n)
    kinds = {
        "numbers": of,
        "texts": np.array(["a", "bc", "", "ü"])[of],
        "outliers": of - 1,
        "alike": np.zeros(n, int),
        "different": np.arange(n),
        "floats": of / 2,
        "far": of * 2**40 - 2**50,
    }
    kind = str(rng.choice(list(kinds)))
    return kinds[kind], kind


def typed(X, rng):
    """The same numbers in another type, as far as it has them."""
    dtype = str(rng.choice(DTYPES))
    with np.errstate(all="ignore"):
        if dtype == "O":
            return X.astype(object), dtype
        if np.dtype(dtype).kind in "mM":
            return np.round(np.nan_to_num(X)).astype("i8").astype(dtype), dtype
        return X.astype(dtype), dtype


def laid_out(X, rng):
    """The same array elsewhere in memory."""
    kind = str(rng.choice(["C", "C", "F", "every second", "backwards", "read-only", "memmap", "masked", "matrix"]))
    match kind:
        case "F":
            X = np.asfortranarray(X)
        case "every second":
            X = np.repeat(np.repeat(X, 2, axis=0), 2, axis=-1)[::2, ..., ::2] if X.ndim == 2 else X
        case "backwards":
            X = X[::-1].copy()[::-1]
        case "read-only":
            X = X.copy()
            X.flags.writeable = False
        case "memmap" if X.dtype != object and X.size:
            X = _mapped(X)
        case "masked":
            X = np.ma.MaskedArray(X, mask=rng.random(X.shape) < rng.choice([0.0, 0.1]))
        case "matrix" if X.ndim == 2:
            X = np.asmatrix(X)
    return X, kind


def contained(X, rng):
    """The same array in another container; where that cannot hold it, as it is."""
    kind = str(rng.choice(["array", *CONTAINERS, *SPARSE, *SPARSE]))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return (
                _sparse(np.asarray(X), kind, rng) if kind in SPARSE else CONTAINERS.get(kind, np.asanyarray)(X)
            ), kind
    except Exception:
        return X, f"array, {kind} cannot hold it"


def _sparse(X, kind, rng):
    made = (sp.coo_array if rng.random() < 0.5 else sp.coo_matrix)(X).asformat(kind)
    if kind in {"csr", "csc"} and rng.random() < 0.3:
        made.indices, made.indptr = made.indices.astype("i8"), made.indptr.astype("i8")
    return made


def _names(X):
    return [f"column {j}" for j in range(X.shape[-1])] if X.ndim == 2 else None


class _Interface:
    """What only says how it becomes an array."""

    def __init__(self, X):
        self._X = X

    def __array__(self, dtype=None, copy=None):
        return np.array(self._X, dtype=dtype, copy=copy)


CONTAINERS = {
    "list": lambda X: X.tolist(),
    "tuple": tuple,
    "pandas": lambda X: pd.DataFrame(X, columns=_names(X)),
    "pandas nullable": lambda X: pd.DataFrame(X, columns=_names(X)).convert_dtypes(),
    "pandas twice one name": lambda X: pd.DataFrame(X, columns=["one"] * X.shape[1]),
    "pandas sparse": lambda X: pd.DataFrame.sparse.from_spmatrix(sp.csr_array(X), columns=_names(X)),
    "polars": lambda X: pl.DataFrame(np.asarray(X), schema=_names(X)),
    "arrow": lambda X: pa.Table.from_pandas(pd.DataFrame(X, columns=_names(X))),
    "interface": lambda X: _Interface(np.asarray(X)),
}


def _mapped(X):
    with tempfile.TemporaryDirectory() as directory:  # the name may go: the map stays
        path = Path(directory) / "X.dat"
        mapped = np.memmap(path, dtype=X.dtype, mode="w+", shape=X.shape)
        mapped[...] = X
        return np.memmap(path, dtype=X.dtype, mode="r", shape=X.shape)
