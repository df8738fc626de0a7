"""`s3nmf choose-k`: how many clusters there are."""

from __future__ import annotations

from typing import Annotated

import typer

from s3nmf._messages import spelled
from s3nmf.desk.cli.options import File, Neighbors, Reading, Seed, Speaking, numbers_of, spread
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.cli.terminal import bar, print_json, say, table, visible


@spread
def choose_k(
    file: File,
    k: Annotated[
        str | None,
        typer.Option(
            "--k",
            "-k",
            metavar="FROM:TO",
            help="The numbers to try, such as 2:20; by default all that the graph suggests.",
            show_default=False,
        ),
    ] = None,
    *,
    sample: Annotated[
        int, typer.Option(min=0, metavar="N", help="Largest sample of rows to use, drawn at random; 0 for all rows.")
    ] = 5000,
    seed: Seed = 0,
    neighbors: Neighbors = None,
    reading: Reading,
    speaking: Speaking,
) -> None:
    """Recommend a number of clusters.

    It is the largest number of clusters with a real border between every two of them; 1 if there are none.
    """
    from s3nmf.desk.cli.choosing import choose, facts  # noqa: PLC0415
    from s3nmf.desk.cli.clustering import graph_options  # noqa: PLC0415

    numbers = None if k is None else numbers_of(k)
    with bar(quiet=speaking.quiet) as show:
        data = reading.read(file)
        found, notes = choose(data, numbers, graph_options(data, neighbors), sample=sample, seed=seed, show=show)
    notes = [*data.notes, *notes]
    if speaking.as_json:
        print_json({"source": data.source, **facts(found), "notes": notes})
        return
    header, *rows = found.table()
    words = "\n".join([spelled(found.reason, as_option), *found.sentences])
    say("\n\n".join([words, table(header, rows)]))
    if not speaking.quiet:
        say("\n" + "\n".join(f"- {visible(note)}" for note in notes))
