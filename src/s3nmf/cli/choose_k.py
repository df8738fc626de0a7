"""`s3nmf choose-k`: how many clusters there are."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from s3nmf._messages import spelled
from s3nmf.cli.failures import CommandError
from s3nmf.cli.options import File, Neighbors, Reading, Seed, Speaking, spread
from s3nmf.cli.spelling import as_option
from s3nmf.cli.terminal import ShowProgress, bar, print_json, say, table, visible

if TYPE_CHECKING:
    from s3nmf.choose_k import Candidate, ClusterCount
    from s3nmf.sources import Graph, Table


@spread
def choose_k(
    file: File,
    k: Annotated[str, typer.Option("--k", "-k", metavar="FROM:TO", help="The numbers to try, such as 2:12.")] = "2:12",
    *,
    sample: Annotated[
        int, typer.Option(min=0, help="The most rows of a table to look at, drawn at random; 0 for all.")
    ] = 2000,
    seed: Seed = 0,
    neighbors: Neighbors = None,
    reading: Reading,
    speaking: Speaking,
) -> None:
    """Recommend a number of clusters.

    Where the spectrum of the graph has its largest gap. See -k of the other commands.
    """
    numbers = numbers_of(k)
    with bar(quiet=speaking.quiet) as show:
        data = reading.read(file)
        found, notes = choose(data, numbers, sample=sample, seed=seed, n_neighbors=neighbors, show=show)
    notes = [*data.notes, *notes]
    reason = spelled(found.reason, as_option)
    if speaking.as_json:
        facts = {"n_clusters": found.n_clusters, "clear": found.clear, "reason": reason}
        candidates = [asdict(candidate) for candidate in found.candidates]
        print_json({"source": data.source, **facts, "candidates": candidates, "notes": notes})
        return
    say("\n\n".join([reason, _table(found)]))
    if not speaking.quiet:
        say("\n" + "\n".join(f"- {visible(note)}" for note in notes))


def choose(
    data: Table | Graph,
    numbers: list[int],
    *,
    sample: int,
    seed: int,
    n_neighbors: int | None = None,
    show: ShowProgress | None = None,
) -> tuple[ClusterCount, list[str]]:
    """Try the numbers on what was read, and note what was left aside."""
    from s3nmf._words import counted  # noqa: PLC0415
    from s3nmf.choose_k import choose_n_clusters  # noqa: PLC0415
    from s3nmf.cli.clustering import graph_options  # noqa: PLC0415
    from s3nmf.sources import Table  # noqa: PLC0415

    values, n = (data.values, sample) if isinstance(data, Table) else (data.affinity, 0)
    n = min(n or len(data.ids), len(data.ids))
    if numbers[-1] >= n:
        raise CommandError(f"--k goes up to {numbers[-1]}, and {data.source} has {n} to look at. Try at most {n - 1}.")
    notes = []
    if n < len(data.ids):
        notes.append(f"Looked at {n:,} of {len(data.ids):,} rows, drawn at random (--sample 0 takes all).")
    graph = graph_options(data, n_neighbors)
    if show is not None:
        show("building the graph")
    try:
        found = choose_n_clusters(
            values, numbers, **graph, max_samples=n, random_state=seed, callback=_counting(show, len(numbers))
        )
    except ValueError as error:
        raise CommandError(f"{data.source}: {spelled(error, as_option)}") from error
    if found.n_outliers:
        notes.append(f"Left {counted(found.n_outliers, 'outlier')} aside for the spectrum.")
    return found, notes


def numbers_of(text: str) -> list[int]:
    """The numbers of clusters that a text such as 2:12, 5 or 2,4,8 asks for.

    Examples
    --------
    >>> numbers_of("2:5"), numbers_of("8,2")
    ([2, 3, 4, 5], [2, 8])
    """
    numbers: set[int] = set()
    try:
        for part in text.split(","):
            first, _, last = part.partition(":")
            numbers.update(range(int(first), int(last or first) + 1))
    except ValueError:
        numbers.clear()
    if not numbers or min(numbers) < 1:
        raise typer.BadParameter(f"{text!r} is not a range of numbers from 1 on. Write 2:12, or 2,4,8.")
    return sorted(numbers)


def _counting(show: ShowProgress | None, total: int) -> Callable[[Candidate], None] | None:
    if show is None:
        return None
    began, done = time.perf_counter(), 0

    def one_more(candidate: Candidate) -> None:
        nonlocal done
        done += 1
        elapsed = time.perf_counter() - began
        show(f"{candidate.n_clusters} clusters tried", done / total, elapsed * (total - done) / done)

    return one_more


def _mark(found: ClusterCount) -> str:
    """An arrow to what is recommended, and none to a guess."""
    return "<- recommended" if found.clear else "largest gap, a guess"


def _table(found: ClusterCount) -> str:
    rows = [
        (
            str(one.n_clusters),
            f"{one.gap:.2f}",
            f"{one.agreement:.2f}",
            f"{one.stability:.2f}",
            _mark(found) if one.n_clusters == found.n_clusters else "",
        )
        for one in found.candidates
    ]
    return table(("k", "gap", "agreement", "stability", ""), rows)
