"""What is run: methods, data sets, repetitions and settings, by two protocols.

`fixed`, the honest one: every method has its default settings, and no run sees a label. `oracle`, the paper's: of a
grid of settings, each compared method gets the one that the true labels like best; S3NMF has its defaults. Beside them
S3NMF is run over what the paper's figures show: rounds, members, tau.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from itertools import product
from typing import Any, Literal, TypeAlias

from sklearn.base import BaseEstimator, clone

from experiments.variants import ALL_ROUNDS, DEFAULT, GOLDEN

Protocol: TypeAlias = Literal["fixed", "oracle"]
Setting: TypeAlias = tuple[tuple[str, Any], ...]

REPETITIONS = 20
SWEEP_REPETITIONS = 5
SIZES = (1, 2, 5, 10, 20, 30, 50)
TAUS = (1.2, 1.5, 2.0, 5.0, 10.0, 20.0)

_BETAS = (1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
_PENALTIES = (0.01, 0.1, 0.5, 0.66, 1.0, 2.0, 5.0)
_THETAS = (0.1, 0.2, 0.4, 0.8, 1.6)
GRIDS: dict[str, tuple[str, tuple[float, ...]]] = {
    "SSC": ("beta", _BETAS),
    "GSNMF": ("graph_regularization", (1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0)),
    "ANLS": ("penalty", _PENALTIES),
    "HALS": ("penalty", _PENALTIES),
    "LWCA": ("theta", _THETAS),
    "LWGP": ("theta", _THETAS),
}

# What a run is given, and what does not change its labels.
_NOT_SETTINGS = ("n_clusters", "affinity", "random_state", "n_jobs", "callback", "verbose")


@dataclass(frozen=True)
class Run:
    """One fit: a method, where its settings differ from its defaults, a data set and a seed."""

    dataset: str
    method: str
    seed: int
    setting: Setting = ()

    def __str__(self) -> str:
        changed = "".join(f", {name}={value}" for name, value in self.setting)
        return f"{self.method} on {self.dataset}, seed {self.seed}{changed}"


def plan(
    methods: Mapping[str, BaseEstimator],
    datasets: Sequence[str],
    *,
    protocol: Protocol = "fixed",
    repetitions: int = REPETITIONS,
    sweep_repetitions: int = SWEEP_REPETITIONS,
) -> list[Run]:
    """All runs, each once: the defaults of every method, the grids if the protocol is "oracle", and the sweeps."""
    settings: list[tuple[str, dict[str, Any]]] = [
        (method, {}) for method in methods if method not in {GOLDEN, ALL_ROUNDS}
    ]
    if protocol == "oracle":
        settings += [(method, setting) for method in methods for setting in _grid(methods, method)]
    wanted = list(product(range(repetitions), settings))
    if DEFAULT in methods:
        wanted += product(range(sweep_repetitions), _sweeps(methods))
    runs = {
        Run(dataset, method, seed, _changed(methods[method], setting)): None
        for dataset, (seed, (method, setting)) in product(datasets, wanted)
    }
    if GOLDEN in methods and "SEEDS" in datasets:
        runs[Run("SEEDS", GOLDEN, 0)] = None
    return list(runs)


def selected(runs: Iterable[Run], only: Sequence[str]) -> list[Run]:
    """The runs of the named data sets and methods; where none of a kind is named, all of it.

    Examples
    --------
    >>> [str(run) for run in selected([Run("SEEDS", "SC", 0), Run("USPST", "SC", 0), Run("USPST", "SR", 0)], ["USPST"])]
    ['SC on USPST, seed 0', 'SR on USPST, seed 0']
    """
    runs = list(runs)
    names = {name.rstrip("*").casefold(): name for name in only}
    datasets = {run.dataset for run in runs if run.dataset.rstrip("*").casefold() in names}
    methods = {run.method for run in runs if run.method.casefold() in names}
    found = {name.rstrip("*").casefold() for name in datasets | methods}
    if unknown := [name for key, name in names.items() if key not in found]:
        known = dict.fromkeys([run.dataset for run in runs] + [run.method for run in runs])
        raise ValueError(f"There is nothing called {', '.join(unknown)} to run; there is {', '.join(known)}.")
    return [
        run for run in runs if run.dataset in (datasets or {run.dataset}) and run.method in (methods or {run.method})
    ]


def configured(estimator: BaseEstimator, run: Run, n_clusters: int) -> BaseEstimator:
    """An unfitted copy for a run on a given affinity."""
    known = estimator.get_params(deep=False)
    given = {"n_clusters": n_clusters, "affinity": "precomputed", "random_state": run.seed}
    return clone(estimator).set_params(**{name: given[name] for name in given if name in known}, **dict(run.setting))


def as_text(settings: Mapping[str, Any] | Setting) -> str:
    """Settings in one spelling.

    Examples
    --------
    >>> as_text((("tau", 2.0), ("n_members", 5)))
    '{"n_members": 5, "tau": 2.0}'
    """
    return json.dumps(dict(settings), sort_keys=True, default=_plain)


def parameters_of(estimator: BaseEstimator) -> str:
    """All settings of an estimator as text; not what a run is given, nor what does not change its labels."""
    parameters = estimator.get_params(deep=False)
    return as_text({name: value for name, value in parameters.items() if name not in _NOT_SETTINGS})


def key_of(data_hash: str, run: Run, parameters: str) -> str:
    """The name of a run in a store: by the numbers of the data set, the method, all its settings, and the seed.

    Which settings were changed belongs to it: when a default becomes what was a changed setting, its runs are others.
    """
    identity = json.dumps([data_hash, run.method, as_text(run.setting), parameters, run.seed])
    return hashlib.sha256(identity.encode()).hexdigest()[:32]


def _grid(methods: Mapping[str, BaseEstimator], method: str) -> Iterator[dict[str, Any]]:
    if method not in GRIDS:
        return
    name, values = GRIDS[method]
    if name not in methods[method].get_params(deep=False):
        raise ValueError(f"The grid of {method} is over {name!r}, which is not a parameter of {methods[method]!r}.")
    yield from ({name: value} for value in values)


def _sweeps(methods: Mapping[str, BaseEstimator]) -> list[tuple[str, dict[str, Any]]]:
    sweeps: list[tuple[str, dict[str, Any]]] = [(DEFAULT, {"n_members": size}) for size in SIZES]
    sweeps += [(DEFAULT, {"tau": tau}) for tau in TAUS]
    return sweeps + ([(ALL_ROUNDS, {})] if ALL_ROUNDS in methods else [])


def _changed(estimator: BaseEstimator, setting: Mapping[str, Any]) -> Setting:
    """Where a setting differs from the defaults, so that a default by another name is the same run."""
    defaults = estimator.get_params(deep=False)
    return tuple(sorted((name, value) for name, value in setting.items() if value != defaults[name]))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{value!r} cannot be part of a run's settings: use numbers, text, lists or a dataclass.")
