"""`s3nmf report`: a page with pictures, of a saved model or of a file."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from s3nmf._messages import spelled
from s3nmf.desk.cli import printing
from s3nmf.desk.cli.failures import typed
from s3nmf.desk.cli.options import ClustersOrAuto, Neighbors, Reading, Seed, Showing, Speaking, clusters_of, spread
from s3nmf.desk.cli.outputs import Outputs
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.cli.terminal import bar, print_json, say

if TYPE_CHECKING:
    from s3nmf.desk.cli.clustering import Clustering


@spread
def report(
    file: Annotated[
        str,
        typer.Argument(
            metavar="MODEL|FILE", help="A model that cluster wrote, or a file to cluster.", show_default=False
        ),
    ],
    clusters: ClustersOrAuto = "auto",
    *,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="File for the report (.html or .pdf).")
    ] = Path("report.html"),
    seed: Seed = 0,
    neighbors: Neighbors = None,
    reading: Reading,
    showing: Showing,
    speaking: Speaking,
) -> None:
    """Write a page with pictures of a clustering.

    It shows what was found, and what to doubt.
    """
    outputs = Outputs(file, report=out)
    from s3nmf.desk.cli import words  # noqa: PLC0415
    from s3nmf.desk.cli.clustering import cluster_data  # noqa: PLC0415
    from s3nmf.desk.cli.model_file import is_model, load_clustering  # noqa: PLC0415

    if is_model(file):
        if showing.keep:
            raise typer.BadParameter(f"{file} is a model, which has the columns that cluster --keep named already.")
        found = load_clustering(file)
    else:
        with bar(quiet=speaking.quiet) as show:
            data = reading.read(file, **showing.reading(), views=True)
            found = cluster_data(data, clusters_of(clusters), seed=seed, n_neighbors=neighbors, show=show)
    outputs.write({"report": partial(write_page, found, image=showing.image)})
    if speaking.as_json:
        print_json({**words.facts(found), "files": outputs.files()})
    elif not speaking.quiet:
        say("\n\n".join([*words.summary(found), outputs.words()]))


def write_page(found: Clustering, path: Path, image: tuple[int, int] | None = None) -> None:
    """Write the page, with values in the units of the file; as a PDF if the name of the file says so."""
    if path.suffix.casefold() == printing.ENDING:
        with TemporaryDirectory(prefix="s3nmf-") as directory:
            page = Path(directory) / "report.html"
            write_page(found, page, image)
            printing.print_page(page, path)
        return
    import numpy as np  # noqa: PLC0415

    from s3nmf.desk.report import write_report  # noqa: PLC0415

    features, X = found.features, getattr(found.model, "X_fit_", None)
    choice, markers = found.choice, found.markers
    values = features.unscaled(X) if features is not None and isinstance(X, np.ndarray) else X
    if choice is not None:
        choice = replace(choice, reason=spelled(choice.reason, as_option))
    write_report(
        found.model,
        path,
        ids=found.ids,
        id_name=found.id_name,
        thing=found.thing,
        values=values if markers is None else None,
        feature_names=None if features is None else features.columns,
        source=found.source,
        notes=found.notes,
        choice=choice,
        kept=found.kept,
        image=image,
        markers=markers,
        places=None if found.views is None else found.views.places,
        command=typed(),
    )
