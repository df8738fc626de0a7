"""`s3nmf assign`: which clusters new rows or nodes belong to."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Annotated, Any

import typer

from s3nmf._messages import spelled
from s3nmf.desk.cli.failures import CommandError
from s3nmf.desk.cli.options import File, NewReading, Noise, Out, Speaking, spread
from s3nmf.desk.cli.outputs import Outputs, labels_target
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.cli.terminal import print_json, say

if TYPE_CHECKING:
    from s3nmf.desk.cli.clustering import Clustering
    from s3nmf.desk.cli.labels import Labels


@spread
def assign(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model that cluster wrote.", show_default=False)],
    file: File,
    *,
    out: Out = None,
    noise: Noise = False,
    reading: NewReading,
    speaking: Speaking,
) -> None:
    """Assign new rows to the clusters of a model.

    The file needs the columns that were clustered by, under the same names; they are scaled as in the fit. For a graph,
    give the edges between new and known nodes.
    """
    from s3nmf.desk.cli.labels import as_rows  # noqa: PLC0415
    from s3nmf.desk.cli.model_file import load_clustering  # noqa: PLC0415
    from s3nmf.desk.cli.words import assigned  # noqa: PLC0415

    outputs = Outputs(file, labels=labels_target(out, speaking.as_json))
    clustering = load_clustering(model)
    if noise:
        clustering.model.set_params(noise=True)
    place = new_nodes if clustering.features is None else new_rows
    labels, notes = place(clustering, reading, file)
    outputs.write({"labels": labels.write})
    if speaking.as_json:
        rows = {} if "labels" in outputs.targets else {"labels": as_rows(labels.columns())}
        print_json({"source": file, "model": model, "notes": notes, "files": outputs.files(), **rows})
    elif not speaking.quiet:
        files = outputs.words() or "" if outputs.targets else "Labels were not kept: add --out labels.csv for them."
        say("\n\n".join(filter(None, [*assigned(labels, clustering.thing, notes), files])), err=outputs.prints_labels)


def new_rows(clustering: Clustering, reading: NewReading, file: str) -> tuple[Labels, list[str]]:
    """Clusters of the rows of a file, and notes."""
    from s3nmf.desk.sources import Table  # noqa: PLC0415

    data = reading.read(file, like=clustering.features)
    if not isinstance(data, Table):
        raise CommandError(
            f"{file} is a graph; {clustering.source} was clustered by its columns. Give a table with those."
        )
    return _placed(clustering, data.values, data.id_name, list(map(str, data.ids))), list(data.notes)


def new_nodes(clustering: Clustering, reading: NewReading, file: str) -> tuple[Labels, list[str]]:
    """Clusters of the nodes that the model does not know, by their edges to those that it does, and notes."""
    import numpy as np  # noqa: PLC0415
    import scipy.sparse as sp  # noqa: PLC0415

    from s3nmf.desk.sources import Graph  # noqa: PLC0415

    data = reading.read(file, normalize=False)
    if not isinstance(data, Graph):
        raise CommandError(
            f"{file} is a table; {clustering.source} is a graph. Give the edges from new nodes to known ones."
        )
    number_of = {name: number for number, name in enumerate(clustering.ids)}
    known = np.array([number_of.get(str(name), -1) for name in data.ids])
    new, old = np.flatnonzero(known < 0), np.flatnonzero(known >= 0)
    if not new.size:
        raise CommandError(f"All {known.size} nodes of {file} are in the model already. Give edges of new nodes.")
    if not old.size:
        raise CommandError(
            f"None of the {known.size} nodes of {file} is in the model, so there is no telling where they belong. Give "
            "edges from new nodes to known ones, under the same names."
        )
    edges = sp.csr_array(data.affinity[new][:, old]).tocoo()
    shape = (new.size, len(clustering.ids))
    affinity = sp.csr_array((edges.data, (edges.row, known[old][edges.col])), shape=shape)
    alone = int((np.diff(affinity.indptr) == 0).sum())
    notes = [f"Placed {new.size} new nodes by their edges to {old.size} known ones."]
    if alone:
        notes.append(f"{alone} of them have no such edge: they are in cluster 0, the largest, with a confidence of 0.")
    names = [str(data.ids[row]) for row in new.tolist()]
    return _placed(clustering, affinity, data.id_name, names), notes


def _placed(clustering: Clustering, values: Any, id_name: str, ids: list[str]) -> Labels:
    from s3nmf._warnings import DisconnectedGraphWarning  # noqa: PLC0415
    from s3nmf.desk.cli.labels import Labels  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisconnectedGraphWarning)  # it is among the notes
        try:
            found = clustering.model.assign(values)
        except ValueError as error:
            raise CommandError(f"These rows cannot be placed: {spelled(error, as_option)}") from error
    labels = found.labels_without_noise if clustering.model.noise else found.labels
    return Labels(id_name, ids, labels, found.confidence, found.second_choice)
