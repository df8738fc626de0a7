"""The paper's tables in its layout, ours beside the published numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from experiments.grid import Entry, Grid, Mark
from experiments.levels import MEMBERS, Level, Levels
from experiments.protocols import Protocol
from experiments.published import (
    ABLATION_DATASETS,
    ABLATION_METHODS,
    DATASETS,
    METHODS,
    METRICS,
    Published,
    published,
    published_ablation,
    published_average,
)
from experiments.variants import DEFAULT, GOLDEN, TEXTUAL, VARIANTS
from experiments.wording import note

# Rows below the paper's: what S3NMF's members reach, S3NMF as the text has it, and the authors' own run.
OTHER_ROWS = (DEFAULT + MEMBERS, TEXTUAL, TEXTUAL + MEMBERS, GOLDEN + MEMBERS)
MISSING = Entry("-")
DIGITS = 3

TITLES = {
    "fixed": "Clustering Results on {} (default settings)",
    "oracle": "Clustering Results on {} (compared methods tuned by the true labels)",
}


def datasets_of(levels: Levels) -> list[str]:
    """Those with runs, in the order of the paper's tables."""
    present = {dataset for dataset, _, _ in levels}
    return [dataset for dataset in DATASETS if dataset in present]


def methods_of(levels: Levels) -> list[str]:
    """The methods that compete: the paper's with runs, and others with runs on all data sets.

    A new method that was not run on a data set yet would take it from the comparison of all others.
    """
    present = {method for _, method, _ in levels}
    datasets = datasets_of(levels)
    return [
        method
        for method in in_paper_order(present)
        if method in METHODS or all((dataset, method, METRICS[0]) in levels for dataset in datasets)
    ]


def in_paper_order(names: Iterable[str]) -> list[str]:
    """The methods among the rows of levels: the paper's in the order of its tables, then those that it does not have.

    Examples
    --------
    >>> in_paper_order(["S3NMF", "S3NMF, members", "SOFT", "Leiden", "SC"])
    ['SC', 'S3NMF', 'Leiden']
    """
    present = set(names)
    others = sorted(name for name in present.difference(METHODS, VARIANTS) if not name.endswith(MEMBERS))
    return [*(method for method in METHODS if method in present), *others]


def marks(values: Sequence[float | None]) -> list[Mark]:
    """The largest are best, the next ones second; compared as they are printed.

    Examples
    --------
    >>> marks([0.5, 0.7001, None, 0.7004, 0.6])
    ['', 'best', '', 'best', 'second']
    """
    printed = [None if value is None else round(value, DIGITS) for value in values]
    places = sorted({value for value in printed if value is not None}, reverse=True)
    names: dict[float | None, Mark] = dict(zip(places, ("best", "second"), strict=False))
    return [names.get(value, "") if value is not None else "" for value in printed]


def mean_and_std(level: Level | Published | None, mark: Mark = "") -> Entry:
    """As the paper prints it; a single run has no standard deviation."""
    if level is None:
        return MISSING
    std = "" if level.std is None else f" ± {level.std:.{DIGITS}f}"
    return Entry(f"{level.mean:.{DIGITS}f}{std}", mark)


def _marked(column: Sequence[Level | Published | None]) -> list[Entry]:
    found = marks([None if level is None else level.mean for level in column])
    return [mean_and_std(*pair) for pair in zip(column, found, strict=True)]


def dataset_table(levels: Levels, dataset: str, protocol: Protocol) -> Grid:
    """One of the tables II to XI. Methods compete for the marks, S3NMF's other forms below them do not."""
    present = {method for name, method, _ in levels if name == dataset}
    methods = in_paper_order({*METHODS, *present})
    others = [row for row in OTHER_ROWS if row in present]
    columns: list[list[Entry]] = []
    for metric in METRICS:
        ours = [levels.get((dataset, method, metric)) for method in methods]
        theirs = [published(dataset, method, metric) if method in METHODS else None for method in methods]
        columns += [
            _marked(ours) + [mean_and_std(levels[dataset, row, metric]) for row in others],
            _marked(theirs) + [mean_and_std(published(dataset, DEFAULT, metric)) for _ in others],
        ]
    names = [Entry(name) for name in (*methods, *others)]
    shown = {*methods, *others}
    runs = sorted({level.n for (name, method, _), level in levels.items() if name == dataset and method in shown})
    return Grid(
        name=f"{dataset.rstrip('*').lower()}-{protocol}",
        title=TITLES[protocol].format(dataset),
        header=("Method", *(text for metric in METRICS for text in (metric, "paper"))),
        rows=tuple(zip(names, *columns, strict=True)),
        note=note("dataset", counts=runs),
    )


def ablation_table(levels: Levels) -> Grid:
    """Table XII. S3NMF and its ablations by their members, as in the paper; SNMF has none.

    The partition that is handed out would not do: it is that of the member with the largest weight, and without alpha
    there is none.
    """
    rows = []
    datasets = [name for name in ABLATION_DATASETS if name in datasets_of(levels)]
    for metric in METRICS:
        ours = {method: _ablation_row(levels, datasets, method, metric) for method in ABLATION_METHODS}
        theirs = {
            method: [
                *(published_ablation(name, method, metric) for name in datasets),
                published_average(datasets, method, metric),
            ]
            for method in ABLATION_METHODS
        }
        for method in ABLATION_METHODS:
            rows.append((Entry(metric), Entry(method), *_with_arrows(ours[method], ours[DEFAULT])))
            rows.append((Entry(metric), Entry(f"{method}, paper"), *_with_arrows(theirs[method], theirs[DEFAULT])))
    return Grid(
        name="ablation",
        title="Ablation Study",
        header=("Metric", "Method", *datasets, "Average"),
        rows=tuple(rows),
        note=note("ablation"),
        n_labels=2,
    )


def _ablation_row(levels: Levels, datasets: Sequence[str], method: str, metric: str) -> list[float | None]:
    name = method if method == "SNMF" else method + MEMBERS
    found = [levels.get((dataset, name, metric)) for dataset in datasets]
    values = [None if level is None else level.mean for level in found]
    return [*values, None if None in values or not values else float(np.mean([v for v in values if v is not None]))]


def _with_arrows(values: Sequence[float | None], reference: Sequence[float | None]) -> list[Entry]:
    return [_with_arrow(*pair, own=values is reference) for pair in zip(values, reference, strict=True)]


def _with_arrow(value: float | None, reference: float | None, *, own: bool) -> Entry:
    if value is None:
        return MISSING
    text = f"{value:.{DIGITS}f}"
    if own or reference is None:
        return Entry(text)
    gap = round(value, DIGITS) - round(reference, DIGITS)
    return Entry(f"{text} {'↗' if gap > 0 else '↘' if gap < 0 else '⋯'}")
