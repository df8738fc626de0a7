"""Where the rerun agrees with the paper and where not: the facts, which templates/discussion.md.j2 puts into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from experiments.comparisons import Cells, cells_won, published_levels
from experiments.levels import MEMBERS, Level, Levels
from experiments.protocols import Protocol
from experiments.published import ABLATION_METHODS, METHODS, Published, published, published_average
from experiments.ranks import ranking
from experiments.results import Results
from experiments.sweeps import members, rounds, tau
from experiments.tables import datasets_of, methods_of
from experiments.variants import DEFAULT, GOLDEN, SOFT, TEXTUAL, WITHOUT_ALPHA
from experiments.wording import rendered

SAME = 0.005
"""ACC that is no further apart is the same."""


def discussion(results: Results, levels: Mapping[Protocol, Levels]) -> str:
    """Paragraphs of Markdown, by the levels of both protocols; those of which nothing is known are left out."""
    return rendered(
        "discussion.md.j2",
        same=SAME,
        graphs=graphs(levels["fixed"]),
        compared={protocol: compared_methods(found) for protocol, found in levels.items()},
        forms={method: self_supervised(results, levels["fixed"], method) for method in (DEFAULT, TEXTUAL)},
        authors_run=authors_run(levels["fixed"]),
        spread=spread(levels["fixed"]),
        contest=contest(levels),
        ablation=ablation(levels["fixed"]),
        rounds=rounds(results),
        members=members(results),
        tau=tau(results),
    )


def graphs(levels: Levels) -> dict[str, float]:
    """Whether the graphs are the paper's, by a method that depends on no seed, where it does not: gaps in its ACC."""
    gaps = {}
    for name in datasets_of(levels):
        ours, paper = levels.get((name, "SR", "ACC")), published(name, "SR", "ACC")
        if ours is not None and ours.std is not None and max(ours.std, paper.std) <= SAME:
            gaps[name] = round(ours.mean - paper.mean, 3)
    return gaps


@dataclass(frozen=True)
class ComparedCell:
    """ACC of a compared method on a data set, here and in the paper."""

    dataset: str
    method: str
    ours: Level
    paper: Published

    @property
    def gap(self) -> float:
        return self.ours.mean - self.paper.mean

    @property
    def is_near(self) -> bool:
        """Within a standard deviation."""
        return abs(self.gap) <= max(self.ours.std or 0.0, self.paper.std, SAME)


@dataclass(frozen=True)
class Compared:
    """How far the other methods' ACC is from the paper's: in how many cells, where most, and on average."""

    n_cells: int
    n_near: int
    n_above: int
    furthest: list[ComparedCell]
    gaps: dict[str, float]


def compared_methods(levels: Levels) -> Compared | None:
    """Of the methods that the paper has too."""
    cells = [
        ComparedCell(dataset, method, levels[dataset, method, "ACC"], published(dataset, method, "ACC"))
        for dataset in datasets_of(levels)
        for method in METHODS
        if method != DEFAULT and (dataset, method, "ACC") in levels
    ]
    if not cells:
        return None
    by_method = {method: [cell.gap for cell in cells if cell.method == method] for method in METHODS}
    return Compared(
        n_cells=len(cells),
        n_near=sum(cell.is_near for cell in cells),
        n_above=sum(cell.gap > 0 for cell in cells),
        furthest=sorted(cells, key=lambda cell: -abs(cell.gap))[:3],
        gaps={method: float(np.mean(gaps)) for method, gaps in by_method.items() if gaps},
    )


@dataclass(frozen=True)
class SelfSupervised:
    """S3NMF's members against the paper's row, and its one partition against its members.

    Attributes
    ----------
    below, above : dict of str to float
        Gaps of the members' mean ACC by data set; above holds equal ones too.
    reached : list of str
        Data sets on which the paper's number is within the range over runs.
    better : list of str
        Where the partition that is handed out is at least as good as the members.
    worse_than_first : list of str
        Where the members are worse than those of the first round, which are single SNMFs.
    n_datasets : int
    """

    below: dict[str, float]
    above: dict[str, float]
    reached: list[str]
    better: list[str]
    worse_than_first: list[str]
    n_datasets: int


def self_supervised(results: Results, levels: Levels, method: str) -> SelfSupervised | None:
    """Of one form of S3NMF."""
    found = results.rows(
        "select dataset, avg(members_acc), min(members_acc), max(members_acc), avg(acc), avg(rounds_acc[1]) "
        "from runs where method = ? and setting = '{}' group by dataset",
        method,
    )
    if not found:
        return None
    by_name = {name: numbers for name, *numbers in found}
    facts = SelfSupervised({}, {}, [], [], [], len(by_name))
    for name in datasets_of(levels):
        if name not in by_name:
            continue
        mean, lowest, highest, labels, first = by_name[name]
        paper = published(name, DEFAULT, "ACC").mean
        gap = round(mean - paper, 3)
        (facts.below if gap < -SAME else facts.above)[name] = gap
        if round(lowest, 3) <= paper <= round(highest, 3):
            facts.reached.append(name)
        if labels >= mean:
            facts.better.append(name)
        if first is not None and mean < first:
            facts.worse_than_first.append(name)
    return facts


@dataclass(frozen=True)
class AuthorsRun:
    """The golden run on SEEDS, and the paper's row."""

    ours: Level
    paper: Published

    @property
    def is_the_papers(self) -> bool:
        return round(self.ours.mean, 3) == self.paper.mean


def authors_run(levels: Levels) -> AuthorsRun | None:
    """By its members, as in the paper."""
    level = levels.get(("SEEDS", GOLDEN + MEMBERS, "ACC"))
    return None if level is None else AuthorsRun(level, published("SEEDS", DEFAULT, "ACC"))


@dataclass(frozen=True)
class Spread:
    """On how many data sets the standard deviations over runs can be compared, and where S3NMF's is not smaller."""

    n_datasets: int
    not_smaller: list[str]


def spread(levels: Levels) -> Spread | None:
    """Whether S3NMF hangs less on its start than SNMF, as the paper says."""
    pairs = {
        name: (levels.get((name, DEFAULT, "ACC")), levels.get((name, "SNMF", "ACC"))) for name in datasets_of(levels)
    }
    stds = {
        name: (ours.std, other.std)
        for name, (ours, other) in pairs.items()
        if ours is not None and other is not None and ours.std is not None and other.std is not None
    }
    return Spread(len(stds), [name for name, (ours, other) in stds.items() if ours >= other]) if stds else None


@dataclass(frozen=True)
class Standing:
    """S3NMF among all methods by average rank: who is significantly worse, and who cannot be told from it."""

    rank: float
    place: int
    n_methods: int
    p_value: float
    beaten: list[str]
    alike: list[str]


@dataclass(frozen=True)
class Contest:
    """Cells won, in the paper and here, and what the ranks say."""

    paper: Cells
    won: dict[Protocol, Cells]
    standings: dict[Protocol, Standing]


def contest(levels: Mapping[Protocol, Levels]) -> Contest | None:
    """S3NMF against the others, if there are any."""
    won = {protocol: cells_won(found) for protocol, found in levels.items()}
    if not any(count.of for count in won.values()) or not any(len(methods_of(found)) > 1 for found in levels.values()):
        return None
    standings = {protocol: standing(found) for protocol, found in levels.items()}
    return Contest(
        paper=cells_won(published_levels()),
        won=won,
        standings={protocol: found for protocol, found in standings.items() if found is not None},
    )


def standing(levels: Levels) -> Standing | None:
    """By ACC."""
    found = ranking(levels)
    if found is None or DEFAULT not in found.methods:
        return None
    ranks = dict(zip(found.methods, found.ranks, strict=True))
    alike = found.alike(DEFAULT)
    return Standing(
        rank=ranks[DEFAULT],
        place=found.methods.index(DEFAULT) + 1,
        n_methods=len(found.methods),
        p_value=found.p_value,
        beaten=[name for name, rank in ranks.items() if rank > ranks[DEFAULT] and name not in alike],
        alike=alike,
    )


@dataclass(frozen=True)
class Gain:
    """What a part of the method brings on average, here and in the paper."""

    ours: float
    paper: float


@dataclass(frozen=True)
class Ablation:
    """Mean ACC of the members over data sets, by method; and what learned weights and hard reconstruction bring."""

    n_datasets: int
    ours: dict[str, float]
    paper: dict[str, float]
    weights_matter: list[str]

    def gain(self, without: str) -> Gain:
        return Gain(self.ours[DEFAULT] - self.ours[without], self.paper[DEFAULT] - self.paper[without])

    @property
    def learned_weights(self) -> Gain:
        return self.gain(WITHOUT_ALPHA)

    @property
    def hard_reconstruction(self) -> Gain:
        return self.gain(SOFT)


def ablation(levels: Levels) -> Ablation | None:
    """Over the data sets that all of its rows have; weights matter where they bring more than a hundredth."""
    rows = {name: row for name in datasets_of(levels) if (row := _ablation_row(levels, name)) is not None}
    if not rows:
        return None
    return Ablation(
        n_datasets=len(rows),
        ours={method: float(np.mean([row[method] for row in rows.values()])) for method in ABLATION_METHODS},
        paper={method: published_average(list(rows), method, "ACC") for method in ABLATION_METHODS},
        weights_matter=[name for name, row in rows.items() if round(row[DEFAULT] - row[WITHOUT_ALPHA], 3) > 0.01],
    )


def _ablation_row(levels: Levels, dataset: str) -> dict[str, float] | None:
    found = {
        method: levels.get((dataset, method if method == "SNMF" else method + MEMBERS, "ACC"))
        for method in ABLATION_METHODS
    }
    row = {method: level.mean for method, level in found.items() if level is not None}
    return row if len(row) == len(found) else None
