"""What a visitor takes away: labels, a report, and the command that finds the same clusters."""

from __future__ import annotations

import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from s3nmf.desk.app.choices import Choices
from s3nmf.desk.app.opening import File
from s3nmf.desk.app.showing import Shown
from s3nmf.desk.report import write_report
from s3nmf.desk.sources import write_labels
from s3nmf.desk.sources.spreadsheet import as_text
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.choose_k import ClusterCount

_DIGITS = 4


def labels_of(found: Shown) -> bytes:
    """A CSV file: the user's id, the cluster and its name, how sure that is, and the second-best cluster."""
    model = found.edited.model
    second = [None if k == NO_CLUSTER else k for k in model.second_choice_.tolist()]
    columns = {
        "cluster": model.labels_.tolist(),
        "cluster_name": [found.name(k) for k in model.labels_.tolist()],
        "confidence": np.round(model.confidence_, _DIGITS).tolist(),
        "second_cluster": second,
        "second_name": [None if k is None else found.name(k) for k in second],
    }
    id_name = next(name for name in (found.data.id_name, "id", "name") if name not in columns)
    with TemporaryDirectory() as directory:
        path = Path(directory) / "labels.csv"
        columns = {id_name: list(map(str, found.data.ids)), **columns}
        write_labels(path, {as_text(name): list(map(as_text, values)) for name, values in columns.items()})
        return path.read_bytes()


def report_of(found: Shown, count: ClusterCount | None) -> bytes:
    """The page that `s3nmf.report` writes of a model, with a note for every edit."""
    with TemporaryDirectory() as directory:
        path = Path(directory) / "report.html"
        write_report(
            found.edited.model,
            path,
            ids=list(map(str, found.data.ids)),
            values=found.values,
            feature_names=None if found.values is None else getattr(found.data, "columns", None),
            source=found.data.source,
            notes=(*found.data.notes, *found.edited.notes),
            choice=count,
        )
        return path.read_bytes()


def command_of(file: File, choices: Choices) -> str:
    """What to type for the same clusters before any edit."""
    reading = choices.reading
    several = choices.n_clusters is not None and choices.n_clusters > 1
    words = ["s3nmf", "cluster", file.path, "-k", str(choices.n_clusters) if several else "auto"]
    if choices.unequal:
        words += ["--recipe", "unequal"]
    if reading.id is not None:
        words += ["--id", reading.id]
    for name in reading.drop:
        words += ["--drop", name]
    if file.has_text_among(reading):
        words += ["--categories"]
    if reading.scale is not None:
        words += ["--scale", reading.scale]
    if reading.missing != "refuse":
        words += ["--missing", reading.missing]
    for option, value in file.given.items():
        if value is not None:
            words += [f"--{option}", str(value)]
    return shlex.join([*words, "--out", "labels.csv", "--report", "report.html"])
