"""`s3nmf compare`: methods beside each other on one file, and how far they agree."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from s3nmf._bar import ShowProgress
from s3nmf._messages import spelled
from s3nmf.baselines.comparison.names import TITLES, name_of
from s3nmf.desk.cli.failures import INTERRUPTED, CommandError
from s3nmf.desk.cli.options import Clusters, File, Neighbors, Reading, Seed, Speaking, spread
from s3nmf.desk.cli.outputs import Outputs
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.cli.terminal import GrowingTable, bar, print_json, say, visible
from s3nmf.desk.cli.time_limit import seconds_of, until

if TYPE_CHECKING:
    from s3nmf.baselines.comparison.comparing import Comparison
    from s3nmf.baselines.comparison.contestants import Contestant
    from s3nmf.baselines.comparison.running import Failure, MethodFit
    from s3nmf.desk.sources import Graph, Table


def _methods() -> list[tuple[str, str]]:
    """For the shell to complete, with what they are in words."""
    return list(TITLES.items())


@spread
def compare(
    file: File,
    clusters: Clusters,
    *,
    truth: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="A column of known groups to compare with.", show_default=False),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A method to run, by its short name or title; all by default; may be repeated.",
            autocompletion=_methods,
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="Time limit, such as 90s, 2m or 1h; methods that are done by then are shown."
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="File for the labels of all methods.", show_default=False),
    ] = None,
    seed: Seed = 0,
    neighbors: Neighbors = None,
    reading: Reading,
    speaking: Speaking,
) -> None:
    """Run many methods on one file, and compare their clusters.

    They are compared with each other, and with known groups if there are any. Clusters are numbered like the most
    similar ones of the first method. Ctrl-C stops, and keeps the methods that are done. With a budget, fast methods run
    first.
    """
    asked = None if not method else [_named(name) for name in method]
    deadline = None if budget is None else time.monotonic() + seconds_of(budget)
    outputs = Outputs(file, labels=out)
    from s3nmf._words import listed  # noqa: PLC0415
    from s3nmf.baselines.comparison.comparing import Comparison  # noqa: PLC0415
    from s3nmf.baselines.comparison.contestants import chosen, fastest_first  # noqa: PLC0415
    from s3nmf.desk.cli.clustering import check_n_clusters  # noqa: PLC0415

    with bar(quiet=speaking.quiet) as show:
        data = reading.read(file, truth=truth)
        check_n_clusters(data, clusters)
        methods, left_out = chosen(asked, len(data.ids), has_points=hasattr(data, "values"))
        if deadline is not None:
            methods = fastest_first(methods)
        runs = _runs(methods, data, clusters, seed=seed, neighbors=neighbors, show=show)
        rows = None if speaking.as_json else _table(data, err=outputs.prints_labels)
        done, ended = _until_the_end(runs, deadline, rows)
    if ended == "Stopped" and not done:
        raise KeyboardInterrupt
    unfinished = [one.name for one in methods[len(done) :]]
    if unfinished:
        left_out.append(f"{ended}: {listed(unfinished)} did not run to the end.")
    found = Comparison.of(done, left_out)
    if not found.fits:
        said = (spelled(note, as_option) for note in found.notes)
        raise CommandError(" ".join(["No method could be run.", *said]))
    _tell(found, data, clusters, outputs, speaking)
    if ended == "Stopped":
        raise typer.Exit(INTERRUPTED)


def _tell(found: Comparison, data: Table | Graph, n_clusters: int, outputs: Outputs, speaking: Speaking) -> None:
    """Write the labels, and say how far the methods agree."""
    from s3nmf.desk.cli.labels import as_rows, write_columns  # noqa: PLC0415

    notes = [*data.notes, *(spelled(note, as_option) for note in found.notes)]
    columns = _labels(found, data)
    outputs.write({"labels": partial(write_columns, columns=columns)})
    if speaking.as_json:
        labels = {} if outputs.targets else {"labels": as_rows(columns)}
        print_json({**_facts(found, data, notes), "files": outputs.files(), **labels})
        return
    said = [_summary(found, n_clusters, data)]
    if not speaking.quiet:
        said += ["\n".join(f"- {visible(note)}" for note in notes), outputs.words()]
    say("\n" + "\n\n".join(filter(None, said)), err=outputs.prints_labels)


def _named(text: str) -> str:
    name = name_of(text)
    if name is None:
        raise typer.BadParameter(f"There is no method {text!r}. Choose from {', '.join(TITLES)}.")
    return name


def _runs(
    methods: Sequence[Contestant],
    data: Table | Graph,
    n_clusters: int,
    *,
    seed: int,
    neighbors: int | None,
    show: ShowProgress | None,
) -> Iterator[MethodFit | Failure]:
    """Build the graph, and run the methods as they are asked for."""
    from s3nmf.baselines.comparison.comparing import numbered  # noqa: PLC0415
    from s3nmf.baselines.comparison.contestants import Problem  # noqa: PLC0415
    from s3nmf.baselines.comparison.running import run_each  # noqa: PLC0415
    from s3nmf.desk.cli.clustering import graph_options  # noqa: PLC0415
    from s3nmf.graph import nearest_neighbor_affinity  # noqa: PLC0415

    k = graph_options(data, neighbors)["n_neighbors"]
    points = getattr(data, "values", None)
    W = data.affinity if points is None else partial(nearest_neighbor_affinity, points, k)  # type: ignore[union-attr]
    known = None if data.truth is None else numbered(data.truth)
    began, started = time.perf_counter(), 0

    def begin(method: Contestant) -> None:
        nonlocal started
        if show is not None:
            share, elapsed = started / len(methods), time.perf_counter() - began
            show(method.title, share, elapsed * (1 - share) / share if share else None)
        started += 1

    yield from run_each(methods, Problem(points, W, n_clusters, seed, k), known, begin)


def _until_the_end(
    runs: Iterator[MethodFit | Failure], deadline: float | None, rows: GrowingTable | None
) -> tuple[list[MethodFit | Failure], str]:
    """What was run, shown as it came, until there was no more, Ctrl-C or no time; and which of them it was."""
    from s3nmf.baselines.comparison.comparing import cells  # noqa: PLC0415
    from s3nmf.baselines.comparison.running import MethodFit  # noqa: PLC0415

    done: list[MethodFit | Failure] = []
    try:
        for run in runs if deadline is None else until(deadline, runs):
            done.append(run)
            if rows is not None:
                rows.add(cells(run) if isinstance(run, MethodFit) else (run.name, run.title, "failed"))
    except TimeoutError:
        return done, "The time is over"
    except KeyboardInterrupt:
        return done, "Stopped"
    return done, "Done"


def _table(data: Table | Graph, *, err: bool) -> GrowingTable:
    from s3nmf.baselines.comparison.comparing import header  # noqa: PLC0415

    names = header(known=data.truth is not None)
    return GrowingTable(names, dict(zip(names, map(_longest, (TITLES, TITLES.values())), strict=False)), err=err)


def _longest(texts: Iterable[str]) -> int:
    return max(map(len, texts))


def _summary(found: Comparison, n_clusters: int, data: Table | Graph) -> str:
    from s3nmf._words import counted  # noqa: PLC0415
    from s3nmf.desk.cli.clustering import thing_of  # noqa: PLC0415

    n, many = counted(len(data.ids), thing_of(data)), counted(len(found.fits), "method")
    return "\n".join([f"{many} looked for {n_clusters} clusters in {n}.", *found.sentences])


def _facts(found: Comparison, data: Table | Graph, notes: list[str]) -> dict[str, Any]:
    """For programs: the methods, the best by known groups first, or the one that agrees most with the others."""
    names = [fit.name for fit in found.fits]
    agreement = {
        name: {other: value for other, value in zip(names, values, strict=True) if other != name}
        for name, values in zip(names, found.agreement.tolist(), strict=True)
    }
    lines = []
    for fit in found.fits:
        others = agreement[fit.name]
        line: dict[str, Any] = {"method": fit.name, "title": fit.title, "n_clusters": fit.n_clusters}
        line |= {"n_noise": fit.n_noise, "seconds": fit.seconds, "with_first": fit.with_first}
        line["agreement"] = sum(others.values()) / len(others) if others else None
        line["closest"] = max(others, key=others.__getitem__) if others else None
        if fit.scores is not None:
            line |= {"accuracy": fit.scores.accuracy, "nmi": fit.scores.nmi, "ari": fit.scores.ari}
        lines.append(line)
    first = "agreement" if data.truth is None else "accuracy"
    lines.sort(key=lambda line: -(line[first] or 0.0))
    return {"source": data.source, "methods": lines, "agreement": agreement, "notes": notes}


def _labels(found: Comparison, data: Table | Graph) -> dict[str, list[Any]]:
    """A column of labels for each method, beside the ids."""
    from s3nmf.desk.cli.labels import id_column  # noqa: PLC0415

    columns = {fit.name: fit.labels.tolist() for fit in found.fits}
    return {id_column(data.id_name, list(columns)): list(map(str, data.ids)), **columns}
