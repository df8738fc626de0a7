"""`s3nmf compare`: all methods of the package on one graph, and how far they agree."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from s3nmf._messages import spelled
from s3nmf.cli.failures import CommandError
from s3nmf.cli.options import Clusters, File, Neighbors, Reading, Seed, Speaking, spread
from s3nmf.cli.outputs import Outputs
from s3nmf.cli.spelling import as_option
from s3nmf.cli.terminal import ShowProgress, bar, print_json, say, table, visible

if TYPE_CHECKING:
    from s3nmf._types import Affinity, IntArray

# SSC takes about 3e-8 n^3 seconds: minutes for so many points, hours for a few times as many.
_SLOW_BEYOND = {"SSC": 2500}


@dataclass(frozen=True, eq=False)
class Fit:
    """What a method found, and the seconds that took."""

    method: str
    labels: IntArray
    seconds: float


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
        typer.Option(metavar="NAME", help="A method to run, of all; may be repeated.", show_default=False),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where the labels of all methods go.", show_default=False),
    ] = None,
    seed: Seed = 0,
    neighbors: Neighbors = None,
    reading: Reading,
    speaking: Speaking,
) -> None:
    """Run all methods on one file, and see how far they agree.

    With each other, and with known groups where there are some.
    """
    from s3nmf.affinity import nearest_neighbor_affinity  # noqa: PLC0415
    from s3nmf.cli.clustering import check_n_clusters, graph_options, thing_of  # noqa: PLC0415
    from s3nmf.cli.labels import as_rows, id_column  # noqa: PLC0415
    from s3nmf.sources import Table, write_labels  # noqa: PLC0415

    outputs = Outputs(file, labels=out)
    with bar(quiet=speaking.quiet) as show:
        data = reading.read(file, truth=truth)
        check_n_clusters(data, clusters)
        methods, notes = _chosen(method or [], len(data.ids))
        k = graph_options(data, neighbors)["n_neighbors"]
        W = nearest_neighbor_affinity(data.values, k) if isinstance(data, Table) else data.affinity
        fits, failed = fit_all(methods, W, clusters, seed, show)
    notes = [*data.notes, *notes, *failed]
    found = scores(fits, data.truth)
    columns = {fit.method: fit.labels.tolist() for fit in fits}
    columns = {id_column(data.id_name, list(columns)): list(map(str, data.ids)), **columns}
    outputs.write({"labels": partial(write_labels, columns=columns)})
    if speaking.as_json:
        labels = {} if outputs.targets else {"labels": as_rows(columns)}
        print_json(
            {
                "source": data.source,
                "methods": found,
                "agreement": agreement(fits),
                "notes": notes,
                "files": outputs.files(),
                **labels,
            }
        )
        return
    parts = [_summary(fits, len(data.ids), thing_of(data), clusters), _table(found)]
    if not speaking.quiet:
        parts += ["\n".join(f"- {visible(note)}" for note in notes), outputs.words()]
    say("\n\n".join(filter(None, parts)), err=outputs.prints_labels)


def fit_all(
    methods: Mapping[str, Any], W: Affinity, n_clusters: int, seed: int, show: ShowProgress | None
) -> tuple[list[Fit], list[str]]:
    """Fit every method to W; one that cannot be fitted is a note, and an error only if all cannot."""
    fits, failed = [], []
    began = time.perf_counter()
    for done, (name, method) in enumerate(methods.items()):
        if show is not None:
            elapsed = time.perf_counter() - began
            show(name, done / len(methods), elapsed * (len(methods) - done) / done if done else None)
        method.set_params(n_clusters=n_clusters, affinity="precomputed", random_state=seed)
        start = time.perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # how many clusters were found is in the table
                labels = method.fit(W).labels_
        except (ValueError, MemoryError, ArithmeticError) as error:
            failed.append(f"{name} failed: {spelled(error, as_option)}")
            continue
        fits.append(Fit(name, labels, time.perf_counter() - start))
    if not fits:
        raise CommandError(f"No method could be run. {' '.join(failed)}")
    return fits, failed


def agreement(fits: Sequence[Fit]) -> dict[str, dict[str, float]]:
    """Normalised mutual information of what every two methods found."""
    from s3nmf.metrics import normalized_mutual_information  # noqa: PLC0415

    return {
        one.method: {
            other.method: normalized_mutual_information(one.labels, other.labels, average="arithmetic")
            for other in fits
            if other is not one
        }
        for one in fits
    }


def scores(fits: Sequence[Fit], truth: Sequence[Any] | None) -> list[dict[str, Any]]:
    """A line for each method, the best or, without a truth, the one that agrees most with the others first."""
    import numpy as np  # noqa: PLC0415

    from s3nmf.metrics import evaluate  # noqa: PLC0415

    with_others = agreement(fits)
    lines = []
    for fit in fits:
        others = with_others[fit.method]
        line: dict[str, Any] = {"method": fit.method, "n_clusters": int(fit.labels.max()) + 1, "seconds": fit.seconds}
        line["agreement"] = sum(others.values()) / len(others) if others else None
        line["closest"] = max(others, key=others.__getitem__) if others else None
        if truth is not None:
            known = evaluate(
                np.unique(np.array(list(map(str, truth))), return_inverse=True)[1], fit.labels, nmi_average="arithmetic"
            )
            line |= {"accuracy": known.accuracy, "nmi": known.nmi, "ari": known.ari}
        lines.append(line)
    first = "agreement" if truth is None else "accuracy"
    return sorted(lines, key=lambda line: -(line[first] or 0.0))


def _chosen(names: Sequence[str], n: int) -> tuple[dict[str, Any], list[str]]:
    from s3nmf import methods  # noqa: PLC0415

    known = methods()
    by_name = {name.casefold(): name for name in known}
    for name in names:
        if name.casefold() not in by_name:
            raise typer.BadParameter(f"There is no method {name!r}. Choose from {', '.join(known)}.")
    if names:
        return {by_name[name.casefold()]: known[by_name[name.casefold()]] for name in names}, []
    slow = [name for name, most in _SLOW_BEYOND.items() if n > most]
    notes = [f"Left out {name}, which is slow beyond {_SLOW_BEYOND[name]:,} points (--method {name})." for name in slow]
    return {name: method for name, method in known.items() if name not in slow}, notes


def _summary(fits: Sequence[Fit], n: int, thing: str, n_clusters: int) -> str:
    from s3nmf._words import counted  # noqa: PLC0415

    pairs = [value for others in agreement(fits).values() for value in others.values()]
    what = f"{counted(len(fits), 'method')} looked for {n_clusters} clusters in {counted(n, thing)}."
    if not pairs:
        return what
    mean = sum(pairs) / len(pairs)
    return f"{what} They agree to {mean:.2f} in the mean of all pairs (NMI; 1 is the same clusters)."


def _table(lines: Sequence[Mapping[str, Any]]) -> str:
    names = {
        "method": "method",
        "accuracy": "accuracy",
        "nmi": "NMI",
        "ari": "ARI",
        "n_clusters": "clusters",
        "agreement": "agreement",
        "closest": "closest to",
        "seconds": "seconds",
    }
    shown = [name for name in names if name in lines[0] and lines[0][name] is not None]
    rows = [[_cell(line[name]) for name in shown] for line in lines]
    return table([names[name] for name in shown], rows)


def _cell(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
