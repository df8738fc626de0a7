"""The numbers that the paper prints: facts to compare with."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import NamedTuple

METRICS = ("ACC", "NMI", "PUR", "ARI", "F1")


class Published(NamedTuple):
    """Mean and standard deviation of a cell of the paper's tables."""

    mean: float
    std: float


def published(dataset: str, method: str, metric: str) -> Published:
    """A cell of the paper's ten tables, by its names for data set, method and metric.

    Examples
    --------
    >>> published("SEEDS", "S3NMF", "ACC")
    Published(mean=0.881, std=0.0)
    """
    return _cells()[dataset.rstrip("*"), method, metric]


@cache
def _cells() -> dict[tuple[str, str, str], Published]:
    with resources.files(__package__).joinpath("published.csv").open(encoding="utf-8") as file:
        return {
            (row["dataset"], row["method"], row["metric"]): Published(float(row["mean"]), float(row["std"]))
            for row in csv.DictReader(file)
        }
