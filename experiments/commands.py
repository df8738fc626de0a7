"""`python -m experiments`: run the paper's experiments, and draw their tables, figures and pages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

import s3nmf
from experiments.costs import Costs, measured, most_informative_first
from experiments.datasets import SHAPES, load
from experiments.defaults import defaults_page
from experiments.figures import draw_all
from experiments.golden import beside_the_paper, golden_run
from experiments.grid import write
from experiments.levels import levels_by_protocol
from experiments.page import all_tables, write_page
from experiments.problems import Problem, problem_of
from experiments.protocols import REPETITIONS, SWEEP_REPETITIONS, Run, plan, selected
from experiments.results import Results
from experiments.runs import Finished, execute_all, missing
from experiments.store import Store
from experiments.variants import with_variants

app = typer.Typer(help="Run the paper's experiments again.", no_args_is_help=True)
console = Console(stderr=True)

StorePath = Annotated[Path, typer.Option("--store", help="Directory of the runs; made if it is not there.")]
ResultsPath = Annotated[Path, typer.Option("--runs", help="Directory of the runs, or one file that holds them.")]
_UNITS = {"h": 3600, "m": 60, "s": 1}


@app.command()
def run(
    *,
    store: StorePath = Path("paper-runs"),
    data: Annotated[Path | None, typer.Option(help="Directory of the data sets (npz files).")] = None,
    download: Annotated[bool, typer.Option("--download", help="Fetch missing data sets from OpenML.")] = False,
    protocol: Annotated[
        Literal["fixed", "oracle"], typer.Option(help="Default settings, or the paper's grids as well.")
    ] = "fixed",
    repetitions: Annotated[int, typer.Option(min=1, help="Seeds of every method.")] = REPETITIONS,
    sweep_repetitions: Annotated[int, typer.Option(min=0, help="Seeds of the figures' sweeps.")] = SWEEP_REPETITIONS,
    only: Annotated[str, typer.Option(help="Data sets and methods, such as USPST,S3NMF.")] = "",
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    budget: Annotated[str, typer.Option(help="Begin no run after so long, such as 30m or 1h30m.")] = "",
    adopt: Annotated[
        Path | None,
        typer.Option(help="Runs that were done elsewhere, such as docs/reproduction.parquet; not repeated."),
    ] = None,
) -> None:
    """Do the runs that the store has not yet, the most informative ones first. Stop it at any time; it continues."""
    try:
        seconds = seconds_of(budget)
        suite = with_variants(s3nmf.methods())
        names = only.split(",") if only else []
        wanted = selected(
            plan(
                suite,
                list(SHAPES),
                protocol=protocol,
                repetitions=repetitions,
                sweep_repetitions=sweep_repetitions,
            ),
            [name.strip() for name in names],
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    runs = Store(store)
    if adopt is not None:
        console.print(f"{runs.adopt(opened(adopt).outcomes())} runs of {adopt} were new to {store}.")
    problems = problems_of(dict.fromkeys(run.dataset for run in wanted), data, download)
    failed = run_wanted(
        [one for one in wanted if one.dataset in problems], problems, suite, runs, jobs=jobs, budget=seconds
    )
    sys.exit(1 if failed else 0)


@app.command()
def tables(
    runs: ResultsPath = Path("paper-runs"),
    output: Annotated[Path, typer.Option(help="Directory to write to.")] = Path("paper-tables"),
) -> None:
    """Write all tables as Markdown, HTML, LaTeX and CSV."""
    results = opened(runs)
    grids = all_tables(results, levels_by_protocol(results)).values()
    _list(write([grid for group in grids for grid in group if grid.rows], output))


@app.command()
def figures(
    runs: ResultsPath = Path("paper-runs"),
    output: Annotated[Path, typer.Option(help="Directory to write to.")] = Path("paper-figures"),
) -> None:
    """Draw all figures as PNG and SVG."""
    results = opened(runs)
    _list(draw_all(results, levels_by_protocol(results), output))


@app.command()
def page(
    runs: ResultsPath = Path("paper-runs"),
    output: Annotated[Path, typer.Option(help="The page; what belongs to it goes beside it.")] = Path(
        "reproduction.md"
    ),
) -> None:
    """Write the page, its appendix of tables and its figures; and its runs into one file, to draw it again from."""
    _list(write_page(opened(runs), output))


@app.command()
def defaults(
    runs: ResultsPath = Path("paper-runs"),
    output: Annotated[Path, typer.Option(help="The page.")] = Path("defaults.md"),
) -> None:
    """Write the page that compares S3NMF's defaults with the paper's text to the letter."""
    output.write_text(defaults_page(opened(runs)), encoding="utf-8")
    _list([output])


@app.command()
def golden() -> None:
    """Do the authors' own run on SEEDS, from their starts, and print it beside the paper's row."""
    try:
        typer.echo(beside_the_paper(*golden_run()), nl=False)
    except FileNotFoundError as error:
        raise typer.BadParameter(str(error)) from error


def run_wanted(
    wanted: list[Run],
    problems: Mapping[str, Problem],
    methods: Mapping[str, Any],
    store: Store,
    *,
    jobs: int = 1,
    budget: float | None = None,
) -> list[Finished]:
    """Do what is missing, with a bar and the time left, and return what failed."""
    to_do = missing(wanted, problems, methods, store)
    costs = Costs(problems, measured(Results(store.directory)) if store.files() else {})
    to_do = most_informative_first(to_do, costs)
    console.print(f"{len(wanted) - len(to_do)} of {len(wanted)} runs are in {store.directory}.")
    failed: list[Finished] = []
    n_over = 0
    # Progress is counted in expected seconds, so that the time left is that of the runs to come, not of those before.
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[count]}"))
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, *times, console=console, speed_estimate_period=3600) as progress:
        task = progress.add_task("", total=sum(map(costs, to_do)), count=f"0/{len(to_do)}")
        try:
            for over in execute_all(to_do, problems, methods, store, jobs=jobs, budget=budget, cost=costs):
                n_over += 1
                progress.update(
                    task, advance=costs(over.run), description=str(over.run), count=f"{n_over}/{len(to_do)}"
                )
                if over.error:
                    failed.append(over)
                    console.print(f"[red]{over.run} failed.[/red] {escape(over.error)}")
        except KeyboardInterrupt:
            console.print("Stopped.")
    left = len(to_do) - n_over
    console.print(f"{n_over - len(failed)} runs done, {len(failed)} failed, {left} left for the same command.")
    return failed


def problems_of(names: Iterable[str], directory: Path | None, download: bool) -> dict[str, Problem]:
    """The graphs of the data sets that can be had; what to do about the others is printed."""
    found = {}
    for name in names:
        with console.status(f"graph of {name}"):
            try:
                found[name] = problem_of(load(name, directory, download=download))
            except (FileNotFoundError, ValueError) as error:
                console.print(f"[yellow]left out:[/yellow] {escape(str(error))}")
    return found


def seconds_of(duration: str) -> float | None:
    """A duration such as 90s, 30m or 1h30m in seconds; None if there is none.

    Examples
    --------
    >>> seconds_of("1h30m"), seconds_of("")
    (5400.0, None)
    """
    if not duration:
        return None
    if not re.fullmatch(r"(\d+(\.\d+)?[hms])+", duration):
        raise ValueError(f"{duration!r} is not a duration. Write 90s, 30m or 1h30m.")
    return float(sum(float(number) * _UNITS[unit] for number, unit in re.findall(r"([\d.]+)([hms])", duration)))


def opened(path: Path) -> Results:
    """The runs, or a message without a traceback."""
    try:
        return Results(path)
    except FileNotFoundError as error:
        raise typer.BadParameter(str(error)) from error


def _list(paths: Iterable[Path]) -> None:
    for path in paths:
        typer.echo(path)
