"""Clusterings as files: the model as `S3NMF.save` writes it, beside the user's names and how the file was read.

Nothing in such a file is ever executed, and all of it is checked before it is believed.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._archive import HEADER, ModelFileError, Spec, read_archive, write_archive
from s3nmf.cli.clustering import Clustering
from s3nmf.estimators import S3NMF
from s3nmf.saving import FORMAT as MODEL_FORMAT
from s3nmf.sources.features import Features, Scaling

FORMAT = "s3nmf clustering"
VERSION = 1
ENDING = ".s3nmf"

_FIELDS = frozenset({"format", "version", "source", "ids", "id_name", "notes", "features"})


class SavedInPythonError(Exception):
    """The file is a bare model."""


def save_clustering(found: Clustering, path: str | os.PathLike[str]) -> None:
    """Write a file that `load_clustering` reads; whole or not at all."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "source": found.source,
        "ids": list(found.ids),
        "id_name": found.id_name,
        "notes": list(found.notes),
        "features": None if found.features is None else asdict(found.features),
    }
    with TemporaryDirectory(prefix="s3nmf-") as directory:
        inner = Path(directory) / "model"
        found.model.save(inner)
        write_archive(Path(path).resolve(), header, {"model": np.fromfile(inner, dtype=np.uint8)})


def load_clustering(path: str | os.PathLike[str]) -> Clustering:
    """Read what `save_clustering`, or `S3NMF.save`, wrote, or raise a ModelFileError that says what is wrong."""
    try:
        _refuse_part_of_a_file(path)
        try:
            header, arrays = read_archive(path, _spec)
        except SavedInPythonError:
            return _of_model(S3NMF.load(path), os.fspath(path))
        with TemporaryDirectory(prefix="s3nmf-") as directory:
            inner = Path(directory) / "model"
            arrays["model"].tofile(inner)
            model = S3NMF.load(inner)
        return _clustering(header, model)
    except ModelFileError as error:
        raise ModelFileError(
            f"{os.fspath(path)} cannot be read as a model. {error} Write it again, with s3nmf cluster --model."
        ) from error


def is_model(path: str) -> bool:
    """Whether a file says that it is a model, by its name or its content."""
    try:
        with zipfile.ZipFile(path) as archive:
            return HEADER in archive.namelist()
    except (OSError, ValueError, RuntimeError, zipfile.BadZipFile):
        return path.endswith(ENDING)


def _refuse_part_of_a_file(path: str | os.PathLike[str]) -> None:
    """Refuse a file that is cut off: the model inside, an archive of its own, would be taken for all of it."""
    try:
        with zipfile.ZipFile(path) as archive:
            begins = min((entry.header_offset for entry in archive.infolist()), default=0)
    except (ValueError, RuntimeError, zipfile.BadZipFile) as error:
        raise ModelFileError("It is another kind of file, or cut off.") from error
    if begins > 0:
        raise ModelFileError("It is cut off.")


def _spec(header: Any) -> Spec:
    if not isinstance(header, dict) or header.get("format") not in (FORMAT, MODEL_FORMAT):
        raise ModelFileError("Its header says that it is something else.")
    if header["format"] == MODEL_FORMAT:
        raise SavedInPythonError
    if header.get("version") != VERSION:
        raise ModelFileError(f"It has version {header.get('version')!r}; this s3nmf reads {VERSION}. Update s3nmf.")
    return {"model": (frozenset({"|u1"}), (None,))}


def _clustering(header: dict[str, Any], model: S3NMF) -> Clustering:
    for allowed, says in _rules(header, model):
        if not allowed:
            raise ModelFileError(f"It is damaged: {says}.")
    features = header["features"]
    return Clustering(
        model=model,
        ids=header["ids"],
        id_name=header["id_name"],
        features=None if features is None else _features(features),
        source=header["source"],
        notes=tuple(header["notes"]),
    )


def _rules(header: dict[str, Any], model: S3NMF) -> Iterator[tuple[bool, str]]:
    """What the parts must be, one after the other: a later rule may rely on the earlier ones."""
    n, width = model.labels_.size, model.n_features_in_
    yield header.keys() == _FIELDS, f"its header has the fields {sorted(header)}, not {sorted(_FIELDS)}"
    yield _are_texts(header["ids"], n), f"it must have {n} ids"
    yield _are_texts(header["notes"]), "its notes must be texts"
    yield _are_texts([header["id_name"], header["source"]]), "its names must be texts"
    features = header["features"]
    yield (features is None) == (model.affinity == "precomputed"), "only of a table it must have columns"
    if features is not None:
        yield (
            isinstance(features, dict) and features.keys() == {"columns", "scalings", "medians", "id_name"},
            ("it must describe its columns"),
        )
        yield _are_texts(features["columns"], width) and _are_texts([features["id_name"]]), f"it has {width} columns"
        yield _are_numbers(features["medians"], width), "every column must have a median"
        scalings = features["scalings"]
        yield isinstance(scalings, list) and len(scalings) == width, "every column must have a scaling"
        yield all(_are_numbers(scaling, len(Scaling._fields)) for scaling in scalings), "scalings must be numbers"
        yield all(isinstance(exponent, int) and spread > 0 for exponent, *_, spread in scalings), "spreads must be > 0"


def _are_texts(values: Any, n: int | None = None) -> bool:
    right = isinstance(values, list) and (n is None or len(values) == n)
    return right and all(isinstance(value, str) for value in values)


def _are_numbers(values: Any, n: int) -> bool:
    right = isinstance(values, list) and len(values) == n
    return right and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _features(stored: dict[str, Any]) -> Features:
    scalings = tuple(Scaling(*scaling) for scaling in stored["scalings"])
    return Features(tuple(stored["columns"]), scalings, tuple(stored["medians"]), stored["id_name"])


def _of_model(model: S3NMF, source: str) -> Clustering:
    """A model that was saved in Python: rows are numbered, and columns were scaled there, if at all."""
    if model.affinity == "precomputed":
        return Clustering(model, _numbered(model), "node", None, source, ())
    names = getattr(model, "feature_names_in_", range(model.n_features_in_))
    X = model.X_fit_
    medians = np.zeros(len(names)) if sp.issparse(X) else np.median(X, axis=0)
    features = Features(tuple(map(str, names)), (Scaling(),) * len(names), tuple(medians.tolist()))
    note = "The model was saved in Python: new rows must be scaled as those that it was fitted to."
    return Clustering(model, _numbered(model), "row", features, source, (note,))


def _numbered(model: S3NMF) -> list[str]:
    return [str(row) for row in range(model.labels_.size)]
