"""The paper's ten data sets, found in a directory, in the user's cache or, when asked for, on OpenML."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from experiments import downloads
from s3nmf._types import IntArray

VARIABLE = "S3NMF_DATA"
CACHE_VARIABLE = "S3NMF_CACHE"
ROWS_PER_CLASS = 100
SUBSET_SEED = 0

Subset: TypeAlias = Literal["per class", "random"]


class Shape(NamedTuple):
    """Points, features and classes of a data set, as the paper states them."""

    n: int
    d: int
    classes: int


class DataSet(NamedTuple):
    """Features, true labels and the paper's name."""

    name: str
    X: NDArray[Any]
    y: IntArray


SHAPES: dict[str, Shape] = {
    "CHART": Shape(600, 60, 6),
    "USPST": Shape(2007, 256, 10),
    "SEEDS": Shape(210, 7, 3),
    "MSRA": Shape(1799, 256, 12),
    "SEMEION": Shape(1593, 256, 10),
    "PALM": Shape(2000, 256, 100),
    "IRIS": Shape(150, 4, 3),
    "COIL20": Shape(1440, 1024, 20),
    "MNIST*": Shape(1000, 784, 10),
    "USPS*": Shape(1000, 256, 10),
}


def load(
    name: str, directory: str | Path | None = None, *, download: bool = False, subset: Subset = "per class"
) -> DataSet:
    """Load one of `SHAPES` and check its shape.

    A file such as uspst.npz, with arrays X and y, is looked for in the given directory, in that of the environment
    variable S3NMF_DATA, and in `cache_directory()`. IRIS comes with scikit-learn. Nothing is downloaded unless asked
    for. Copies of a data set may differ in the scale of their pixels, which does not matter to the paper's graph.

    Parameters
    ----------
    name : str
        The paper's name, an asterisk for a subset.
    directory : path, optional
        Where to look first.
    download : bool
        Whether to fetch a data set that was not found from OpenML, and keep it in the cache.
    subset : {"per class", "random"}
        MNIST* and USPS* are subsets of 1000 rows whose numbers were not published: 100 rows of each class, or rows
        drawn without a look at the classes. Both with a fixed seed.
    """
    if name not in SHAPES:
        raise ValueError(f"{name!r} is not one of the paper's data sets: {', '.join(SHAPES)}.")
    if subset not in get_args(Subset):
        raise ValueError(f"subset={subset!r} must be one of {', '.join(map(repr, get_args(Subset)))}.")
    X, y, origin = _arrays(name, directory, download)
    if name.endswith("*"):
        rows = _subset(y, subset)
        X, y = X[rows], y[rows]
    found = Shape(X.shape[0], X.shape[1], int(np.unique(y).size))
    if found != SHAPES[name]:
        raise ValueError(
            f"{name}: {origin} holds {tuple(found)} (n, d, classes), the paper's is {tuple(SHAPES[name])}."
        )
    return DataSet(name, X, y)


def data_directory(directory: str | Path | None = None) -> Path:
    """The given directory, or that of S3NMF_DATA."""
    chosen = directory or os.environ.get(VARIABLE)
    if not chosen:
        raise FileNotFoundError(f"No data directory: set the environment variable {VARIABLE} to it.")
    return Path(chosen)


def data_hash(data: DataSet) -> str:
    """A name for the numbers: equal for equal X and y, whatever file they came from."""
    digest = hashlib.sha256()
    for array in (np.ascontiguousarray(data.X), np.ascontiguousarray(data.y, dtype=np.int64)):
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()[:16]


def cache_directory() -> Path:
    """The directory of S3NMF_CACHE, else `s3nmf` where the platform keeps the user's caches."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Caches"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "s3nmf"


def _arrays(name: str, directory: str | Path | None, download: bool) -> tuple[NDArray[Any], IntArray, str]:
    stem = name.rstrip("*").lower()
    places = [Path(place) for place in (directory, os.environ.get(VARIABLE), cache_directory()) if place]
    path = next((place / f"{stem}.npz" for place in places if (place / f"{stem}.npz").is_file()), None)
    if path is None and name == "IRIS":
        from sklearn.datasets import load_iris  # noqa: PLC0415

        return *load_iris(return_X_y=True), "scikit-learn"
    if path is None and download and stem in downloads.OPENML:
        path = downloads.download(stem, cache_directory())
    if path is None:
        raise FileNotFoundError(
            f"{name}: there is no {stem}.npz in {', '.join(map(str, places))}. Put it there, or set the environment "
            f"variable {VARIABLE} to its directory. {downloads.remedy(name, stem, cache_directory())}"
        )
    with np.load(path, allow_pickle=False) as file:
        return file["X"], np.asarray(file["y"], dtype=np.intp), str(path)


def _subset(y: IntArray, subset: Subset) -> IntArray:
    rng = np.random.default_rng(SUBSET_SEED)
    classes = np.unique(y)
    if subset == "random":
        return np.sort(rng.choice(y.size, ROWS_PER_CLASS * classes.size, replace=False))
    return np.sort(np.concatenate([rng.choice(np.flatnonzero(y == k), ROWS_PER_CLASS, replace=False) for k in classes]))
