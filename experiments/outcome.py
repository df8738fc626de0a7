"""What is kept of a run: its scores, its cost, and what it was made by. One row of the store."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import roc_auc_score

import s3nmf
from experiments.code_state import code_state
from s3nmf._types import IntArray
from s3nmf.metrics import Scores, correct, evaluate


@dataclass(frozen=True)
class Outcome:
    """A run, its scores against the truth, and its circumstances.

    The plain scores are those of the one partition that the method hands out. A method with members has their mean and
    their standard deviation (of a sample) too, `members_...` and `spread_...`, and, where it works in rounds, the mean
    accuracy and the agreement of the members of each round. The `code` of runs from before it was recorded is None.
    """

    key: str
    dataset: str
    data_hash: str
    n_samples: int
    n_clusters: int
    components: int
    method: str
    setting: str
    parameters: str
    seed: int
    acc: float
    nmi: float
    pur: float
    ari: float
    f1: float
    clusters: int
    n_members: int | None
    members_acc: float | None
    members_nmi: float | None
    members_pur: float | None
    members_ari: float | None
    members_f1: float | None
    spread_acc: float | None
    spread_nmi: float | None
    spread_pur: float | None
    spread_ari: float | None
    spread_f1: float | None
    confidence_auc: float | None
    chosen_round: int | None
    rounds_acc: list[float] | None
    rounds_agreement: list[float] | None
    n_iter: int | None
    converged: bool | None
    seconds: float
    shared_seconds: float
    code: str | None
    s3nmf: str
    python: str
    numpy: str
    scipy: str
    scikit_learn: str
    numba: str
    machine: str
    finished: str


# What differs between two runs of one key.
CIRCUMSTANCES = ("seconds", "shared_seconds", "code", "machine", "finished")
SCORES = ("acc", "nmi", "pur", "ari", "f1")


def scores_of(y: IntArray, model: Any) -> dict[str, Any]:
    """The columns of an outcome that a fitted estimator has, by the attributes that it has."""
    members = getattr(model, "member_labels_", None)
    history = getattr(getattr(model, "result_", None), "history", None)
    agreement = getattr(model, "agreement_", None)
    return {
        **dict(zip(SCORES, evaluate(y, model.labels_), strict=True)),
        "clusters": int(np.unique(model.labels_).size),
        **_member_scores(y, members),
        "confidence_auc": _confidence_auc(y, model),
        "chosen_round": _number(getattr(model, "chosen_round_", None)),
        "rounds_acc": None if history is None else [_mean_accuracy(y, found.member_labels) for found in history],
        "rounds_agreement": None if agreement is None else [float(level) for level in agreement],
        "n_iter": _number(getattr(model, "n_iter_", None)),
        "converged": _converged(model, history),
    }


@cache
def circumstances() -> dict[str, Any]:
    """The code, the versions and the machine of this process."""
    packages = {name.replace("-", "_"): version(name) for name in ("numpy", "scipy", "scikit-learn")}
    return {
        "code": code_state(),
        "s3nmf": s3nmf.__version__,
        "python": platform.python_version(),
        **packages,
        "numba": "not used",  # by runs that are kept it was
        "machine": _machine(),
    }


def now() -> str:
    """The time in UTC, as text that sorts."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _member_scores(y: IntArray, members: Iterable[ArrayLike] | None) -> dict[str, Any]:
    scores = [] if members is None else [evaluate(y, labels) for labels in members]
    mean = np.mean(scores, axis=0).tolist() if scores else [None] * len(Scores._fields)
    std = np.std(scores, axis=0, ddof=1).tolist() if len(scores) > 1 else [0.0 if scores else None] * len(mean)
    return {
        "n_members": len(scores) or None,
        **{f"members_{name}": value for name, value in zip(SCORES, mean, strict=True)},
        **{f"spread_{name}": value for name, value in zip(SCORES, std, strict=True)},
    }


def _mean_accuracy(y: IntArray, members: Iterable[ArrayLike]) -> float:
    return float(np.mean([correct(y, labels).mean() for labels in members]))


def _confidence_auc(y: IntArray, model: Any) -> float | None:
    """The chance that a right point is surer than a wrong one; undefined where all are right, or all wrong."""
    right = correct(y, model.labels_)
    if not hasattr(model, "confidence_") or right.all() or not right.any():
        return None
    return float(roc_auc_score(right, model.confidence_))


def _converged(model: Any, history: Any) -> bool | None:
    if history is not None:
        return all(found.converged for found in history)
    converged = getattr(model, "converged_", None)
    return None if converged is None else bool(np.all(converged))


def _number(value: Any) -> int | None:
    return None if value is None else int(np.max(value))


def _machine() -> str:
    """The processor and the system, without a name that tells whose it is."""
    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        models = [
            line for line in information.read_text(encoding="utf-8").splitlines() if line.startswith("model name")
        ]
        processor = models[0].partition(":")[2].strip() if models else processor
    return f"{processor}, {os.cpu_count()} threads, {platform.system()}"
