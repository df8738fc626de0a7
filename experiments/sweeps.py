"""What the paper's three figures show: rounds, members and tau, as facts about all data sets together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments.figures import curves_of, rounds_of
from experiments.protocols import SIZES, TAUS
from experiments.results import Results

SOON = 5
"""The rounds within which the paper says that the stop usually comes."""


@dataclass(frozen=True)
class Rounds:
    """How ACC changes from the first round to the chosen one, and what the best of all rounds would have added."""

    gains: dict[str, float]
    losses: dict[str, float]
    late: list[str]

    @property
    def gain(self) -> float:
        return float(np.mean(list(self.gains.values())))

    @property
    def loss(self) -> float:
        return float(np.mean(list(self.losses.values())))

    @property
    def worst(self) -> str:
        return max(self.losses, key=lambda name: self.losses[name])

    @property
    def falling(self) -> list[str]:
        return [name for name, gain in self.gains.items() if gain < 0]


def rounds(results: Results) -> Rounds | None:
    """Whether the stop finds the best round, and soon."""
    found = rounds_of(results)
    if not found:
        return None
    facts = Rounds({}, {}, [])
    for name, (acc, _, chosen) in found.items():
        at_stop = float(np.mean([levels[number - 1] for levels, number in zip(acc, chosen, strict=True)]))
        facts.gains[name] = at_stop - float(acc[:, 0].mean())
        facts.losses[name] = float(acc.max(axis=1).mean()) - at_stop
        if np.mean(chosen) > SOON:
            facts.late.append(name)
    return facts


@dataclass(frozen=True)
class Members:
    """How ACC changes from one member to twenty, and on to fifty, on average; and where twenty are no better."""

    n_datasets: int
    to_twenty: float
    to_fifty: float
    no_better: list[str]


def members(results: Results) -> Members | None:
    """Whether more members help, and whether twenty are enough."""
    means = {
        name: {size: float(np.mean(levels)) for size, levels in curve.items()}
        for name, curve in curves_of(results, "n_members", SIZES).items()
    }
    complete = {name: curve for name, curve in means.items() if {1, 20, 50} <= set(curve)}
    if not complete:
        return None
    return Members(
        n_datasets=len(complete),
        to_twenty=float(np.mean([curve[20] - curve[1] for curve in complete.values()])),
        to_fifty=float(np.mean([curve[50] - curve[20] for curve in complete.values()])),
        no_better=[name for name, curve in complete.items() if curve[20] <= curve[1]],
    )


@dataclass(frozen=True)
class Tau:
    """Between which values mean ACC moves by how much, by data set."""

    lowest: float
    highest: float
    ranges: dict[str, float]

    @property
    def mean(self) -> float:
        return float(np.mean(list(self.ranges.values())))

    @property
    def widest(self) -> str:
        return max(self.ranges, key=lambda name: self.ranges[name])


def tau(results: Results) -> Tau | None:
    """Whether tau matters, by the data sets that have runs with all its values."""
    means = {
        name: [float(np.mean(levels)) for levels in curve.values()]
        for name, curve in curves_of(results, "tau", TAUS).items()
        if len(curve) == len(TAUS)
    }
    return Tau(TAUS[0], TAUS[-1], {name: max(found) - min(found) for name, found in means.items()}) if means else None
