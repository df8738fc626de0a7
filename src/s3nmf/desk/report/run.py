"""How the clustering was run: data, parameters, rounds, versions."""

from __future__ import annotations

import inspect
import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
import scipy.sparse as sp

import s3nmf
from s3nmf._words import number, plain_text, seconds

_BESIDE = ("numpy", "scipy", "scikit-learn")
_LONGEST_VALUE = 120


@dataclass(frozen=True)
class Parameter:
    """A parameter of the model: its value, and whether it is the default."""

    name: str
    value: str
    default: bool


def parameters_of(model: Any) -> tuple[Parameter, ...]:
    """All parameters, those that were set first."""
    defaults = inspect.signature(type(model)).parameters
    rows = []
    for name, value in model.get_params(deep=False).items():
        default = defaults[name].default
        same = value is default or (isinstance(value, str | int | float) and value == default)
        rows.append(Parameter(name, _shown(value), bool(same)))
    return tuple(sorted(rows, key=lambda row: row.default))


def data_of(model: Any, source: str | None, thing: str) -> tuple[tuple[str, str], ...]:
    """What was clustered."""
    W = model.affinity_matrix_
    n = W.shape[0]
    entries = W.nnz if sp.issparse(W) else int(np.count_nonzero(W))
    loops = int(np.count_nonzero(W.diagonal()))
    edges = (entries - loops) // 2
    rows = [(f"{thing.capitalize()}s", f"{n:,}")]
    if source is not None:
        rows.insert(0, ("Source", source))
    if model.affinity == "precomputed":
        rows.append(("Graph", "given"))
    else:
        rows.append(("Features", f"{model.n_features_in_:,}"))
    rows.append(("Edges", f"{edges:,}, {number(2 * edges / n)} a {thing}"))
    return tuple(rows)


def versions() -> tuple[tuple[str, str], ...]:
    """Of this package, of those that computed, of Python and of the system."""
    return (
        ("s3nmf", s3nmf.__version__),
        *((name, version(name)) for name in _BESIDE),
        ("Python", platform.python_version()),
        ("System", f"{platform.system()} {platform.machine()}"),
    )


def time_taken(model: Any) -> str:
    """The time of all rounds; that of the graph is not in it."""
    return f"{seconds(sum(found.seconds for found in model.result_.history))}, without building the graph"


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}"
    if callable(value):
        return plain_text(getattr(value, "__qualname__", type(value).__name__), _LONGEST_VALUE)
    return plain_text(repr(value), _LONGEST_VALUE)
