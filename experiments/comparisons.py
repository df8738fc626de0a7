"""What the paper's tables do not show: spread over runs, cells won, ranks, settings chosen by the oracle, time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from experiments.grid import Entry, Grid
from experiments.levels import MEMBERS, Level, Levels
from experiments.protocols import Protocol
from experiments.published import DATASETS, METHODS, METRICS, published
from experiments.ranks import LEVEL, ranking
from experiments.results import Results
from experiments.tables import DIGITS, MISSING, datasets_of, in_paper_order, marks, mean_and_std, methods_of
from experiments.variants import ALL_ROUNDS, DEFAULT, SOFT, TEXTUAL, WITHOUT_ALPHA
from experiments.wording import note

CONTENDERS = (DEFAULT, DEFAULT + MEMBERS, TEXTUAL, TEXTUAL + MEMBERS)


class Cells(NamedTuple):
    """In how many cells, data set by metric, a row is best or second, of how many that all methods have."""

    best: int
    second: int
    of: int

    def __str__(self) -> str:
        return f"{self.best} of {self.of}, second in {self.second}"


def cells_won(levels: Levels, contender: str = DEFAULT) -> Cells:
    """The cells that a form of S3NMF wins against the compared methods; equal as printed counts as won."""
    compared = [method for method in methods_of(levels) if method != DEFAULT]
    won = []
    for dataset in datasets_of(levels):
        for metric in METRICS:
            row = [levels.get((dataset, name, metric)) for name in (contender, *compared)]
            means = [level.mean for level in row if level is not None]
            if len(means) == len(row):
                won.append(marks(means)[0])
    return Cells(won.count("best"), won.count("second"), len(won))


def published_levels() -> Levels:
    """The paper's tables as levels."""
    return {
        (dataset, method, metric): Level(*published(dataset, method, metric), 1)
        for dataset in DATASETS
        for method in METHODS
        for metric in METRICS
    }


def cells_table(levels: Mapping[Protocol, Levels]) -> Grid:
    """In how many of the 50 cells S3NMF is best, by protocol; the paper's is the oracle."""
    paper = Entry(str(cells_won(published_levels())))
    rows = [(Entry("S3NMF, the paper"), *(paper if protocol == "oracle" else MISSING for protocol in levels))]
    for name in CONTENDERS:
        counts = [cells_won(found, name) for found in levels.values()]
        if any(count.of for count in counts):
            rows.append((Entry(name), *(Entry(str(count)) for count in counts)))
    compared = {len(methods_of(found)) - 1 for found in levels.values()}
    return Grid(
        name="cells",
        title="Cells, data set by metric, in which S3NMF is best",
        header=("", *levels),
        rows=tuple(rows),
        note=note("cells", n_compared=max(compared)),
    )


def spread_table(results: Results) -> Grid:
    """ACC of S3NMF with both spreads: of the members within a run, as in the paper, and over runs."""
    found = results.rows(
        """select dataset, method, count(*), avg(acc), stddev_samp(acc), min(acc), max(acc), avg(members_acc),
        stddev_samp(members_acc), avg(spread_acc), avg(rounds_acc[1]), avg(confidence_auc), max(components)
        from runs where method in (?, ?) and setting = '{}' group by dataset, method""",
        DEFAULT,
        TEXTUAL,
    )
    by_name = {(dataset, method): rest for dataset, method, *rest in found}
    rows = []
    for dataset in DATASETS:
        for method in (DEFAULT, TEXTUAL):
            if (dataset, method) not in by_name:
                continue
            n, mean, std, lowest, highest, members, members_std, within, first, auc, components = by_name[
                dataset, method
            ]
            numbers = (mean, std, lowest, highest, members, members_std, within, first)
            rows.append(
                (
                    Entry(dataset),
                    Entry(method),
                    Entry(str(n)),
                    *(MISSING if value is None else Entry(f"{value:.{DIGITS}f}") for value in numbers),
                    mean_and_std(published(dataset, DEFAULT, "ACC")),
                    MISSING if auc is None else Entry(f"{auc:.2f}"),
                    Entry(str(components)),
                )
            )
    return Grid(
        name="spread",
        title="ACC of S3NMF and its spread",
        header=(
            *("Data set", "Method", "runs", "labels_", "labels_ ± over runs", "lowest", "highest", "members"),
            *("members ± over runs", "± within a run", "round 1", "paper", "AUC", "components"),
        ),
        rows=tuple(rows),
        note=note("spread"),
        n_labels=2,
    )


def rank_table(levels: Levels, protocol: str) -> Grid:
    """Average rank of each method by each metric, over the data sets that all methods have."""
    found = {metric: tested for metric in METRICS if (tested := ranking(levels, metric)) is not None}
    rows = []
    for method in methods_of(levels) if found else []:
        ranks = [dict(zip(tested.methods, tested.ranks, strict=True))[method] for tested in found.values()]
        rows.append((Entry(method), *(Entry(f"{value:.2f}") for value in ranks)))
    rows.sort(key=lambda row: float(row[1].text))
    return Grid(
        name=f"ranks-{protocol}",
        title=f"Average rank of each method ({protocol})",
        header=("Method", *METRICS),
        rows=tuple(rows),
        note=note("ranks", rankings=found, level=LEVEL),
    )


def oracle_table(chosen: Mapping[tuple[str, str], str]) -> Grid:
    """The settings with the best mean ACC, where a method had a choice."""
    tuned = in_paper_order(method for (_, method), setting in chosen.items() if setting != "{}")
    datasets = [name for name in DATASETS if any(d == name for d, _ in chosen)]
    rows = [
        (Entry(method), *(Entry(_setting(chosen.get((dataset, method), ""))) for dataset in datasets))
        for method in tuned
    ]
    return Grid(
        name="oracle",
        title="Settings that the oracle chose",
        header=("Method", *datasets),
        rows=tuple(rows),
        note=note("oracle", missing=MISSING.text),
    )


def runs_table(results: Results) -> Grid:
    """How many runs are behind each number."""
    found = results.rows(
        """select dataset, method, coalesce(sum(n) filter (setting = '{}'), 0)::int, count(*) filter (setting <> '{}'),
        coalesce(min(n) filter (setting <> '{}'), 0)
        from (select dataset, method, setting, count(*) as n from runs group by all) group by dataset, method"""
    )
    counts = {(dataset, method): rest for dataset, method, *rest in found}
    datasets = [name for name in DATASETS if any(d == name for d, _ in counts)]
    present = {method for _, method in counts}
    methods = in_paper_order(present)
    rows = [
        (Entry(method), *(_runs(*counts.get((dataset, method), (0, 0, 0))) for dataset in datasets))
        for method in (*methods, *sorted(present.difference(methods)))
    ]
    return Grid(
        name="runs",
        title="Runs behind the numbers",
        header=("Method", *datasets),
        rows=tuple(rows),
        note=note("runs"),
    )


def time_table(results: Results) -> Grid:
    """Median wall time of a fit by default settings, the work that runs share included."""
    found = results.rows(
        """select dataset, method, median(seconds + shared_seconds) from runs
        where setting = '{}' and method <> ? group by dataset, method""",
        ALL_ROUNDS,
    )
    seconds = {(dataset, method): value for dataset, method, value in found}
    datasets = [name for name in DATASETS if any(d == name for d, _ in seconds)]
    present = {method for _, method in seconds}
    forms = [name for name in (TEXTUAL, WITHOUT_ALPHA, SOFT) if name in present]
    rows = [
        (Entry(method), *(_seconds(seconds.get((dataset, method))) for dataset in datasets))
        for method in (*in_paper_order(present), *forms)
    ]
    return Grid(
        name="seconds",
        title="Seconds of a fit from the graph (median over runs)",
        header=("Method", *datasets),
        rows=tuple(rows),
        note=note("time"),
    )


def _seconds(value: float | None) -> Entry:
    return MISSING if value is None else Entry(f"{value:.2g}" if value < 10 else f"{value:.0f}")


def _runs(by_default: int, n_settings: int, fewest: int) -> Entry:
    parts = ([str(by_default)] if by_default else []) + ([f"{n_settings} x {fewest}"] if n_settings else [])
    return Entry(" + ".join(parts)) if parts else MISSING


def _setting(text: str) -> str:
    if not text:
        return MISSING.text
    return ", ".join(f"{name} {value:g}" for name, value in json.loads(text).items()) or "default"
