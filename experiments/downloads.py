"""Where the paper's data sets can be had: from OpenML when asked for, or put into a directory by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from s3nmf._files import written_whole
from s3nmf._types import IntArray


class OpenML(NamedTuple):
    """A data set of openml.org, of which the last rows are wanted, or all."""

    name: str
    version: int
    last: int | None = None


# USPST is the test part of USPS: its last 2007 rows.
OPENML: dict[str, OpenML] = {
    "chart": OpenML("synthetic_control", 1),
    "uspst": OpenML("USPS", 2, last=2007),
    "seeds": OpenML("seeds", 1),
    "semeion": OpenML("semeion", 1),
    "coil20": OpenML("COIL-20", 1),
    "mnist": OpenML("mnist_784", 1),
    "usps": OpenML("USPS", 2),
}

BY_HAND: dict[str, str] = {
    "palm": "PALM is not on OpenML. Take the palmprint images known as PalmData25 (16 x 16 pixels, 100 palms, 20 "
    "images each), for example Palm.mat of github.com/hyzhang98/AdaGAE",
    "msra": "MSRA is not on OpenML. Take the face images known as MSRA25 (16 x 16 pixels, 12 people), for example "
    "MSRA25_uni.mat of github.com/2232088201/topkfscode",
}


def download(stem: str, directory: Path) -> Path:
    """Fetch a data set from OpenML and save it as `stem`.npz, with arrays X and y, in the directory."""
    from sklearn.datasets import fetch_openml  # noqa: PLC0415

    source = OPENML[stem]
    found = fetch_openml(source.name, version=source.version, as_frame=False, parser="liac-arff")
    rows = slice(None) if source.last is None else slice(-source.last, None)
    X = np.asarray(found.data, dtype=np.float64)[rows]
    y = np.unique(np.asarray(found.target), return_inverse=True)[1][rows]
    path = directory / f"{stem}.npz"
    save(path, X, y)
    return path


def save(path: Path, X: NDArray[Any], y: IntArray) -> None:
    """Write arrays X and y as an npz file, which is whole or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as file:
        np.savez_compressed(file, X=X, y=y)


def remedy(name: str, stem: str, directory: Path) -> str:
    """What to do about a data set that was not found."""
    if stem in BY_HAND:
        return f"{BY_HAND[stem]}, and save them as {directory / stem}.npz with arrays X (one row an image) and y."
    chart = " experiments.control_charts makes series like these by their formulas." if stem == "chart" else ""
    return f"load({name!r}, download=True) fetches it from OpenML into {directory}.{chart}"
