"""docs/reproduction.md: the whole rerun on one page, drawn from the runs alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from experiments.comparisons import cells_table, oracle_table, rank_table, runs_table, spread_table, time_table
from experiments.datasets import ROWS_PER_CLASS, SUBSET_SEED
from experiments.discussion import discussion
from experiments.figures import draw_all
from experiments.grid import Entry, Grid, markdown
from experiments.levels import Levels, chosen_settings, levels_by_protocol
from experiments.protocols import Protocol
from experiments.published import SOURCE
from experiments.results import Results
from experiments.tables import ablation_table, dataset_table, datasets_of, in_paper_order

_INTRODUCTION = """# The paper's experiments, run again

{n_runs} runs, at most {n_seeds} repetitions. `python -m experiments page` made this page of [{file}]({file}), which
holds every run; no number was typed. `python -m experiments run --adopt {file}` goes on from them. The published
numbers are those of {source}.

Two protocols. **fixed**: every method has its default settings on all data sets, and no run sees a label. S3NMF's own
defaults are not quite blind to these data sets: the library made them fast with a look at ACC (docs/defaults.md).
**oracle**, the paper's: on each data set a compared method gets the setting of a grid that the true labels like best,
by mean ACC; S3NMF has its defaults. All methods cluster the same graphs, built by the paper's rule. As in the paper,
S3NMF and the ensemble methods have twenty members, the others one start. Expensive runs were repeated less often, see
[runs](#runs); where a grid was, the best of few is flattered.

S3NMF has several rows. **S3NMF** is the library's default, scored by the one partition that it hands out; **members**
is the paper's way, the mean over the members of a run. **S3NMF (text)** is the paper's text to the letter: the fourth
root, a start for every point in every round, a joint stop at 1e-3, double precision. **S3NMF (authors' starts)** is the
authors' own run on SEEDS.

MNIST\\* and USPS\\* are subsets whose rows were not published: here {rows} rows of each class, drawn with seed {seed}.
Another draw is another data set, so these two compare with the paper only loosely. USPST is a part of USPS, and so
shares rows with USPS\\*: the tests of ranks take the data sets for independent, which these two are not quite."""

_CAPTIONS = {
    "rounds": "Figure 1. ACC of the members and their agreement (ANMI) by round.",
    "members": "Figure 2. ACC of the members by their number b; bars: standard deviation over runs.",
    "tau": "Figure 3. ACC of the members by tau; bars: standard deviation over runs.",
    "ranks-fixed": "Average ranks, fixed. Methods joined by a bar cannot be told apart.",
    "ranks-oracle": "Average ranks, oracle. Methods joined by a bar cannot be told apart.",
}


def all_tables(results: Results, levels: Mapping[Protocol, Levels]) -> dict[str, list[Grid]]:
    """Every table, by the heading that it belongs under."""
    return {
        "In how many cells S3NMF is best": [cells_table(levels)],
        "Ranks": [rank_table(found, protocol) for protocol, found in levels.items()],
        "Spread": [spread_table(results)],
        "The paper's tables": [
            dataset_table(found, name, protocol) for protocol, found in levels.items() for name in datasets_of(found)
        ],
        "Ablation": [ablation_table(levels["fixed"])],
        "Time": [time_table(results)],
        "Settings": [settings_table(results), oracle_table(chosen_settings(results))],
        "Runs": [runs_table(results)],
        "Data and machines": [circumstances_table(results)],
    }


def write_page(results: Results, path: Path) -> None:
    """Write the page, its figures into a directory beside it, and its runs into one file beside it."""
    levels = levels_by_protocol(results)
    figures = draw_all(results, levels, path.with_suffix(""))
    links = {figure.stem: f"{path.stem}/{figure.name}" for figure in figures if figure.suffix == ".png"}
    data = path.with_suffix(".parquet")
    results.save(data)
    path.write_text(page(results, levels, links, data.name), encoding="utf-8")


def page(results: Results, levels: Mapping[Protocol, Levels], links: Mapping[str, str], file: str) -> str:
    """The text of the page, with links to the figures that exist."""
    (n_runs, n_seeds), *_ = results.rows("select count(*), count(distinct seed) from runs")
    introduction = _INTRODUCTION.format(
        n_runs=n_runs, n_seeds=n_seeds, file=file, source=SOURCE, rows=ROWS_PER_CLASS, seed=SUBSET_SEED
    )
    drawn = {name: f"![{_CAPTIONS[name]}]({link})\n\n{_CAPTIONS[name]}" for name, link in links.items()}
    sections = {"Where it agrees with the paper, and where not": discussion(results, levels)}
    for heading, grids in all_tables(results, levels).items():
        shown = [grid for grid in grids if grid.rows]
        sections[heading] = [markdown(grid) if len(shown) == 1 else _with_title(grid) for grid in shown]
    sections["Ranks"] += [drawn[name] for name in drawn if name.startswith("ranks")]
    sections["Figures"] = [drawn[name] for name in ("rounds", "members", "tau") if name in drawn]
    return (
        "\n\n".join(
            [introduction, *(f"## {heading}\n\n" + "\n\n".join(parts) for heading, parts in sections.items() if parts)]
        )
        + "\n"
    )


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
    for column in ("s3nmf", "python", "numpy", "scipy", "scikit_learn", "numba", "machine"):
        found = results.rows(f"select {column}, count(*) from runs group by all order by 2 desc, 1")
        rows += [(Entry(column.replace("_", "-")), Entry(value), Entry(str(count))) for value, count in found]
    (first, last, count), *_ = results.rows("select min(finished)[:10], max(finished)[:10], count(*) from runs")
    rows.append((Entry("finished"), Entry(f"{first} to {last}"), Entry(str(count))))
    return Grid("circumstances", "Data, versions, machines", ("", "", "runs"), tuple(rows), n_labels=2)


def _with_title(grid: Grid) -> str:
    title = grid.title.replace("*", "\\*")
    return f"### {title}\n\n{markdown(grid)}"


def _listed(settings: Mapping[str, object]) -> str:
    return ", ".join(
        f"{name}=({_listed(value)})" if isinstance(value, dict) else f"{name}={value}"
        for name, value in settings.items()
    )
