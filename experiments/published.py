"""The numbers that the paper prints: facts to compare with."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from statistics import fmean
from typing import NamedTuple, TypeVar

SOURCE = (
    'Y. Jia, H. Liu, J. Hou, S. Kwong, Q. Zhang, "Self-supervised Symmetric Nonnegative Matrix Factorization", '
    "IEEE Transactions on Circuits and Systems for Video Technology 32 (7), 2022, 4526-4537: Tables II to XII"
)
METRICS = ("ACC", "NMI", "PUR", "ARI", "F1")

# The order of the paper's tables II to XI, of their rows, and of the columns and rows of its ablation, Table XII.
# The paper also calls ANLS ALS, SEC ECS and S3NMF PESNMF or Proposed.
DATASETS = ("MNIST*", "CHART", "USPST", "SEEDS", "MSRA", "USPS*", "SEMEION", "PALM", "IRIS", "COIL20")
METHODS = (
    *("sBSUM", "vBSUM", "ANLS", "HALS", "SEC", "GSNMF", "LWCA", "LWGP", "SC", "SR", "SSC", "SNMF"),
    "S3NMF",
)
ABLATION_DATASETS = ("MNIST*", "USPST", "MSRA", "SEMEION", "IRIS", "CHART", "SEEDS", "USPS*", "PALM", "COIL20")
ABLATION_METHODS = ("SNMF", "SOFT", "w/o alpha", "S3NMF")

Number = TypeVar("Number")


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
    return _tables()[dataset.rstrip("*"), method, metric]


def published_ablation(dataset: str, method: str, metric: str) -> float:
    """A cell of the paper's ablation study; the data set "Average" is its last column.

    Examples
    --------
    >>> published_ablation("SEEDS", "w/o alpha", "ACC"), published_ablation("Average", "S3NMF", "ACC")
    (0.812, 0.8)
    """
    return _ablation()[dataset.rstrip("*"), method, metric]


def published_average(datasets: Sequence[str], method: str, metric: str) -> float:
    """The ablation's average that the paper prints; of fewer data sets, theirs."""
    if set(datasets) == set(ABLATION_DATASETS):
        return published_ablation("Average", method, metric)
    return fmean(published_ablation(name, method, metric) for name in datasets)


@cache
def _tables() -> dict[tuple[str, str, str], Published]:
    return _read("published.csv", lambda row: Published(float(row["mean"]), float(row["std"])))


@cache
def _ablation() -> dict[tuple[str, str, str], float]:
    return _read("published_ablation.csv", lambda row: float(row["mean"]))


def _read(name: str, number: Callable[[dict[str, str]], Number]) -> dict[tuple[str, str, str], Number]:
    with resources.files(__package__).joinpath(name).open(encoding="utf-8") as file:
        return {(row["dataset"], row["method"], row["metric"]): number(row) for row in csv.DictReader(file)}
