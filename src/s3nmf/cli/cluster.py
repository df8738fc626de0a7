"""`s3nmf cluster`: from a file to labels, a model and a report."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from s3nmf.cli.options import ClustersOrAuto, File, Neighbors, Out, Reading, Seed, Speaking, clusters_of, spread
from s3nmf.cli.outputs import Outputs, labels_target
from s3nmf.cli.partitions import Parting, cluster_partitions, is_parted, refuse_of_parts
from s3nmf.cli.report import write_page
from s3nmf.cli.terminal import bar, print_json, say


@spread
def cluster(
    file: File,
    clusters: ClustersOrAuto,
    *,
    out: Out = None,
    report: Annotated[
        Path | None, typer.Option(metavar="HTML", help="A page with pictures to write.", show_default=False)
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A model to write, for assign and report.", show_default=False),
    ] = None,
    seed: Seed = 0,
    neighbors: Neighbors = None,
    members: Annotated[
        Literal["communities", "factorizations"],
        typer.Option(metavar="KIND", help="What votes: communities of the graph, or the paper's factorizations."),
    ] = "communities",
    parting: Parting,
    reading: Reading,
    speaking: Speaking,
) -> None:
    """Cluster a table, a graph or cells.

    It says how sure it is of each of them. Columns of numbers are standardised first; labels keep the ids and the order
    of the file. A folder or a pattern of files ('part-*.parquet') is a table in parts, which may be larger than the
    memory: labels go into a folder, and the same command goes on where it was stopped.
    """
    n_clusters = clusters_of(clusters)
    if is_parted(file):
        refuse_of_parts(report=report, model=model, members=members)
        settings = {"random_state": seed, "n_neighbors": neighbors or "auto"}
        cluster_partitions(file, n_clusters, out, parting, reading=reading, speaking=speaking, **settings)
        return
    parting.refuse_for_one_file()
    outputs = Outputs(file, labels=labels_target(out, speaking.as_json), model=model, report=report)
    from s3nmf.cli import words  # noqa: PLC0415
    from s3nmf.cli.clustering import cluster_data  # noqa: PLC0415
    from s3nmf.cli.labels import as_rows  # noqa: PLC0415
    from s3nmf.cli.model_file import save_clustering  # noqa: PLC0415

    with bar(quiet=speaking.quiet) as show:
        data = reading.read(file)
        found = cluster_data(data, n_clusters, seed=seed, n_neighbors=neighbors, members=members, show=show)
    outputs.write(
        {"labels": found.labels.write, "model": partial(save_clustering, found), "report": partial(write_page, found)}
    )
    if speaking.as_json:
        labels = {} if "labels" in outputs.targets else {"labels": as_rows(found.labels.columns())}
        print_json({**words.facts(found), "files": outputs.files(), **labels})
    elif not speaking.quiet:
        files = outputs.words()
        if "labels" not in outputs.targets:
            files += "\nLabels were not kept: add --out labels.csv for them, --report page.html for pictures."
        say("\n\n".join(filter(None, [*words.summary(found), files.strip()])), err=outputs.prints_labels)
