"""`s3nmf cluster`: from a file to labels, a model and a report."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from s3nmf.desk.cli.options import (
    ClustersOrAuto,
    File,
    Metric,
    MinClusterSize,
    Neighbors,
    Noise,
    Out,
    Reading,
    RecipeOption,
    Seed,
    Showing,
    Speaking,
    clusters_of,
    spread,
)
from s3nmf.desk.cli.outputs import Outputs, labels_target
from s3nmf.desk.cli.partitions import Parting, cluster_partitions, is_parted, refuse_of_parts
from s3nmf.desk.cli.report import write_page
from s3nmf.desk.cli.terminal import bar, print_json, say


@spread
def cluster(
    file: File,
    clusters: ClustersOrAuto = "auto",
    *,
    out: Out = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for a report with pictures (.html or .pdf).", show_default=False),
    ] = None,
    append: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File for a copy of the table with its clusters in new columns.", show_default=False
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for the model, for assign and report.", show_default=False),
    ] = None,
    seed: Seed = 0,
    neighbors: Neighbors = None,
    metric: Metric = "euclidean",
    members: Annotated[
        Literal["communities", "factorizations"],
        typer.Option(
            metavar="KIND", help="Partitions that vote: communities of the graph, or the paper's factorizations."
        ),
    ] = "communities",
    recipe: RecipeOption = "default",
    noise: Noise = False,
    min_cluster_size: MinClusterSize = 1,
    levels: Annotated[
        bool, typer.Option("--levels", help="Also write a column for each coarser level: level_2, level_3 and so on.")
    ] = False,
    parting: Parting,
    reading: Reading,
    showing: Showing,
    speaking: Speaking,
) -> None:
    """Cluster a table, a graph or cells.

    Each row gets a cluster and a confidence, and the verdict says whether the clusters are real. Columns of numbers are
    standardised first; labels keep the ids and the order of the file. A folder or a pattern of files
    ('part-*.parquet') is a table in parts, which may be larger than the memory: labels go into a folder, and the same
    command resumes work that was stopped.
    """
    n_clusters = clusters_of(clusters)
    if is_parted(file):
        of_one_file = {"append": append, "noise": noise, "levels": levels, "min_cluster_size": min_cluster_size > 1}
        of_one_file["metric"] = metric != "euclidean"
        refuse_of_parts(reading, showing, of_one_file, report=report, model=model, members=members)
        settings = {"random_state": seed, "n_neighbors": neighbors or "auto", "recipe": recipe}
        cluster_partitions(file, n_clusters, out, parting, reading=reading, speaking=speaking, **settings)
        return
    parting.refuse_for_one_file()
    target = labels_target(out, speaking.as_json)
    outputs = Outputs(file, labels=target, table=append, model=model, report=report, format=reading.format)
    from s3nmf.desk.cli import words  # noqa: PLC0415
    from s3nmf.desk.cli.clustering import cluster_data  # noqa: PLC0415
    from s3nmf.desk.cli.labels import as_rows  # noqa: PLC0415
    from s3nmf.desk.cli.model_file import save_clustering  # noqa: PLC0415

    with bar(quiet=speaking.quiet) as show:
        data = reading.read(file, **showing.reading(), views=report is not None)
        found = cluster_data(
            data,
            n_clusters,
            seed=seed,
            n_neighbors=neighbors,
            metric=metric,
            members=members,
            recipe=recipe,
            noise=noise,
            min_cluster_size=min_cluster_size,
            show=show,
        )
    labels = found.labels(levels=levels)
    outputs.write(
        {
            "labels": labels.write,
            "table": partial(reading.append, data, labels, about=found.about()),
            "model": partial(save_clustering, found),
            "report": partial(write_page, found, image=showing.image),
        }
    )
    if speaking.as_json:
        rows = {} if "labels" in outputs.targets else {"labels": as_rows(labels.columns())}
        tree = {"levels": words.levels(found)} if levels else {}
        print_json({**words.facts(found), **tree, "files": outputs.files(), **rows})
    elif not speaking.quiet:
        files = outputs.words()
        if not outputs.targets.keys() & {"labels", "table"}:
            files += "\nLabels were not kept: add --out labels.csv for them, --report page.html for pictures."
        say("\n\n".join(filter(None, [*words.summary(found), files.strip()])), err=outputs.prints_labels)
