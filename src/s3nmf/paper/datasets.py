"""The paper's ten data sets, from the directory that the environment variable S3NMF_DATA names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from s3nmf._types import IntArray

VARIABLE = "S3NMF_DATA"
ROWS_PER_CLASS = 100
SUBSET_SEED = 0


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


def load(name: str, directory: str | Path | None = None) -> DataSet:
    """Load one of `SHAPES` and check its shape.

    MNIST* and USPS* are subsets of 1000 rows whose numbers were not published: here 100 rows of each class, drawn with
    a fixed seed.

    Parameters
    ----------
    name : str
        The paper's name, an asterisk for a subset.
    directory : path, optional
        Where the npz files are; else the directory named by S3NMF_DATA.
    """
    if name not in SHAPES:
        raise ValueError(f"{name!r} is not one of the paper's data sets: {', '.join(SHAPES)}.")
    path = data_directory(directory) / f"{name.rstrip('*').lower()}.npz"
    if not path.is_file():
        raise FileNotFoundError(f"{name}: {path} does not exist. Put the data set there, with arrays X and y.")
    with np.load(path, allow_pickle=False) as file:
        X, y = file["X"], np.asarray(file["y"], dtype=np.intp)
    if name.endswith("*"):
        rows = _rows_of_each_class(y)
        X, y = X[rows], y[rows]
    found = Shape(X.shape[0], X.shape[1], int(np.unique(y).size))
    if found != SHAPES[name]:
        raise ValueError(f"{name}: {path} holds {tuple(found)} (n, d, classes), the paper's is {tuple(SHAPES[name])}.")
    return DataSet(name, X, y)


def data_directory(directory: str | Path | None = None) -> Path:
    """The given directory, or that of S3NMF_DATA."""
    chosen = directory or os.environ.get(VARIABLE)
    if not chosen:
        raise FileNotFoundError(f"No data directory: set the environment variable {VARIABLE} to it.")
    return Path(chosen)


def _rows_of_each_class(y: IntArray) -> IntArray:
    rng = np.random.default_rng(SUBSET_SEED)
    classes = [rng.choice(np.flatnonzero(y == k), ROWS_PER_CLASS, replace=False) for k in np.unique(y)]
    return np.sort(np.concatenate(classes))
