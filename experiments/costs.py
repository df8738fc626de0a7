"""What a run will take, and the order of runs that tells most in the time there is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from experiments.problems import Problem
from experiments.protocols import Run, as_text
from experiments.results import Results
from experiments.variants import ALL_ROUNDS, DEFAULT, GOLDEN, SOFT, TEXTUAL, WITHOUT_ALPHA

# Guesses, in fits of S3NMF by default; only the order of runs and the time left hang on them, until runs are measured.
_GUESSES = {
    "SNMF": 0.1,
    "SC": 0.05,
    "SR": 0.05,
    "SSC": 0.05,
    "GSNMF": 0.1,
    "ANLS": 1.0,
    "HALS": 0.3,
    "sBSUM": 1.0,
    "vBSUM": 3.0,
    "SEC": 0.1,
    "LWCA": 0.2,
    "LWGP": 0.1,
    SOFT: 1.0,
    TEXTUAL: 7.0,
    GOLDEN: 7.0,
    ALL_ROUNDS: 1.3,
}
_SECONDS_A_POINT_AND_CLUSTER = 1e-4
# What two methods take beyond that: SSC n^3, for its projection; SOFT n c^2, for a similarity that does not collapse.
_SECONDS_OF_PROJECTION = 3e-8
_SECONDS_OF_SOFT = 7e-5


@dataclass(frozen=True)
class Costs:
    """Expected seconds of runs, by the median of those that were measured, else by a guess."""

    problems: Mapping[str, Problem]
    measured: Mapping[tuple[str, str, str], float] = field(default_factory=dict)

    def __call__(self, run: Run) -> float:
        same = self.measured.get((run.dataset, run.method, as_text(run.setting)))
        return self._guess(run) if same is None else same

    def _guess(self, run: Run) -> float:
        problem = self.problems[run.dataset]
        n, c = problem.y.size, problem.n_clusters
        fit = _SECONDS_A_POINT_AND_CLUSTER * n * c * (1 + c / 50)
        members = dict(run.setting).get("n_members", 20) / 20
        more = {"SSC": _SECONDS_OF_PROJECTION * n**3, SOFT: _SECONDS_OF_SOFT * n * c**2}
        return float(fit * members * _GUESSES.get(run.method, 1.0) + more.get(run.method, 0.0))


def measured(results: Results) -> dict[tuple[str, str, str], float]:
    """Median seconds of a data set, method and setting, without the work that runs share."""
    found = results.rows("select dataset, method, setting, median(seconds) from runs group by all")
    return {(dataset, method, setting): seconds for dataset, method, setting, seconds in found}


def most_informative_first(runs: Iterable[Run], costs: Costs) -> list[Run]:
    """First repetitions of everything before second ones; S3NMF and SNMF before the others; cheap before expensive."""
    return sorted(runs, key=lambda run: (run.seed, _rank(run), costs(run)))


def _rank(run: Run) -> int:
    if run.method == ALL_ROUNDS or (run.setting and run.method == DEFAULT):
        return 4
    if run.setting:
        return 5
    return {DEFAULT: 0, "SNMF": 0, WITHOUT_ALPHA: 2, SOFT: 2, GOLDEN: 2, TEXTUAL: 3}.get(run.method, 1)
