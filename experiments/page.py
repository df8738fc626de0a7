"""docs/reproduction.md: the whole rerun on a page, and its tables in an appendix, drawn from the runs alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from experiments.comparisons import cells_table, oracle_table, rank_table, runs_table, spread_table, time_table
from experiments.datasets import ROWS_PER_CLASS, SUBSET_SEED
from experiments.discussion import authors_run, contest, discussion, self_supervised
from experiments.figures import draw_all
from experiments.grid import Entry, Grid, markdown
from experiments.levels import Levels, chosen_settings, levels_by_protocol
from experiments.protocols import Protocol
from experiments.published import SOURCE
from experiments.results import Results
from experiments.tables import ablation_table, dataset_table, datasets_of, in_paper_order
from experiments.variants import DEFAULT
from experiments.wording import escaped, rendered


def all_tables(results: Results, levels: Mapping[Protocol, Levels]) -> dict[str, list[Grid]]:
    """Every table, by the section that it belongs to."""
    return {
        "cells": [cells_table(levels)],
        "ranks": [rank_table(found, protocol) for protocol, found in levels.items()],
        "spread": [spread_table(results)],
        "datasets": [
            dataset_table(found, name, protocol) for protocol, found in levels.items() for name in datasets_of(found)
        ],
        "ablation": [ablation_table(levels["fixed"])],
        "time": [time_table(results)],
        "settings": [settings_table(results), oracle_table(chosen_settings(results))],
        "runs": [runs_table(results)],
        "circumstances": [circumstances_table(results)],
    }


def write_page(results: Results, path: Path) -> list[Path]:
    """Write the page and its appendix, figures into a directory beside them, and all runs into one file; the files."""
    levels = levels_by_protocol(results)
    figures = draw_all(results, levels, path.with_suffix(""))
    links = {figure.stem: f"{path.stem}/{figure.name}" for figure in figures if figure.suffix == ".png"}
    data, tables = path.with_suffix(".parquet"), path.with_name(f"{path.stem}-tables.md")
    results.save(data)
    path.write_text(page(results, levels, links, data.name, tables.name), encoding="utf-8")
    tables.write_text(appendix(results, levels, links, path.name), encoding="utf-8")
    return [path, tables, data]


def page(
    results: Results, levels: Mapping[Protocol, Levels], figures: Mapping[str, str], file: str, tables: str
) -> str:
    """What was found, with links to the figures that exist, to the file that holds the runs and to all tables."""
    (n_runs, n_seeds), *_ = results.rows("select count(*), count(distinct seed) from runs")
    return rendered(
        "reproduction.md.j2",
        n_runs=n_runs,
        n_seeds=n_seeds,
        code_states=code_states(results),
        file=file,
        appendix=tables,
        source=SOURCE,
        rows_per_class=ROWS_PER_CLASS,
        subset_seed=SUBSET_SEED,
        contest=contest(levels),
        form=self_supervised(results, levels["fixed"], DEFAULT),
        authors_run=authors_run(levels["fixed"]),
        discussion=discussion(results, levels),
        cells=_together([cells_table(levels)]),
        figures=figures,
    )


def appendix(results: Results, levels: Mapping[Protocol, Levels], figures: Mapping[str, str], summary: str) -> str:
    """Every table, and the paper's figures."""
    return rendered(
        "reproduction-tables.md.j2",
        tables={name: _together(grids) for name, grids in all_tables(results, levels).items()},
        figures=figures,
        summary=summary,
    )


def code_states(results: Results) -> dict[str | None, int]:
    """How many runs each state of the code has made; None where it was not recorded."""
    return dict(results.rows("select code, count(*) from runs group by all order by 2 desc, 1"))


def settings_table(results: Results) -> Grid:
    """The default settings of each method, as they were in the runs."""
    found = results.rows("select distinct method, parameters from runs where setting = '{}'")
    order = {name: place for place, name in enumerate(in_paper_order(method for method, _ in found))}
    rows = [
        (Entry(method), Entry(_listed(json.loads(text)) or "none"))
        for method, text in sorted(found, key=lambda row: (order.get(row[0], len(order)), *row))
    ]
    return Grid("settings", "Default settings", ("Method", "settings"), tuple(rows), n_labels=2)


def circumstances_table(results: Results) -> Grid:
    """The data, versions and machines of the runs, and how many runs each has."""
    rows = [
        (Entry(name), Entry(f"{n} points, {c} clusters, hash {data_hash}"), Entry(str(count)))
        for name, data_hash, n, c, count in results.rows(
            "select dataset, data_hash, n_samples, n_clusters, count(*) from runs group by all order by dataset"
        )
    ]
    rows += [
        (Entry("code"), Entry(state or "not recorded"), Entry(str(count)))
        for state, count in code_states(results).items()
    ]
    for column in ("s3nmf", "python", "numpy", "scipy", "scikit_learn", "numba", "machine"):
        found = results.rows(f"select {column}, count(*) from runs group by all order by 2 desc, 1")
        rows += [(Entry(column.replace("_", "-")), Entry(value), Entry(str(count))) for value, count in found]
    (first, last, count), *_ = results.rows("select min(finished)[:10], max(finished)[:10], count(*) from runs")
    rows.append((Entry("finished"), Entry(f"{first} to {last}"), Entry(str(count))))
    return Grid("circumstances", "Data, versions, machines", ("", "", "runs"), tuple(rows), n_labels=2)


def _together(grids: Iterable[Grid]) -> str:
    """The tables that have rows; several have titles."""
    shown = [grid for grid in grids if grid.rows]
    texts = [markdown(grid) if len(shown) == 1 else f"### {escaped(grid.title)}\n\n{markdown(grid)}" for grid in shown]
    return "\n\n".join(texts)


def _listed(settings: Mapping[str, object]) -> str:
    return ", ".join(
        f"{name}=({_listed(value)})" if isinstance(value, dict) else f"{name}={value}"
        for name, value in settings.items()
    )
