"""Clusterings as files: a saved model, with the user's names and how the file was read as its origin.

Nothing in such a file is ever executed, and all of it is checked before it is believed.
"""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._archive import HEADER, ModelFileError
from s3nmf.desk.cli.clustering import Clustering
from s3nmf.desk.sources.categories import indicator
from s3nmf.desk.sources.columns import is_missing
from s3nmf.desk.sources.features import Features, Scaling
from s3nmf.estimators import S3NMF
from s3nmf.estimators.saving import read_model, write_model

ENDING = ".s3nmf"

_LARGEST_EXPONENT = 1100  # of a power of two that is a number, and not 0
_DESCRIBED = frozenset({"columns", "scalings", "medians", "id_name"})
_FIELDS = frozenset({"source", "ids", "id_name", "notes", "features"})
_LATER = frozenset({"kept"})  # which earlier files do not have


def save_clustering(found: Clustering, path: str | os.PathLike[str]) -> None:
    """Write a file that `load_clustering`, and `S3NMF.load`, read; whole or not at all."""
    origin = {
        "source": found.source,
        "ids": list(found.ids),
        "id_name": found.id_name,
        "notes": list(found.notes),
        "features": None if found.features is None else asdict(found.features),
        "kept": {
            name: [None if is_missing(value) else str(value) for value in kept] for name, kept in found.kept.items()
        },
    }
    write_model(path, found.model.to_saved(origin))


def load_clustering(path: str | os.PathLike[str]) -> Clustering:
    """Read what `save_clustering`, or `S3NMF.save`, wrote, or raise a ModelFileError that says what is wrong."""
    try:
        saved = read_model(path)
        model = S3NMF.from_saved(saved)
        return _of_model(model, os.fspath(path)) if saved.origin is None else _clustering(saved.origin, model)
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


def _clustering(origin: dict[str, Any], model: S3NMF) -> Clustering:
    for allowed, says in _rules(origin, model):
        if not allowed:
            raise ModelFileError(f"It is damaged: {says}.")
    features = origin["features"]
    return Clustering(
        model=model,
        ids=origin["ids"],
        id_name=origin["id_name"],
        features=None if features is None else Features.stored(features),
        source=origin["source"],
        notes=tuple(origin["notes"]),
        kept=origin.get("kept", {}),
    )


def _rules(origin: dict[str, Any], model: S3NMF) -> Iterator[tuple[bool, str]]:
    """What the parts must be, one after the other: a later rule may rely on the earlier ones."""
    n, width = model.labels_.size, model.n_features_in_
    yield (
        _FIELDS <= origin.keys() <= _FIELDS | _LATER,
        f"its origin has the fields {sorted(origin)}, not {sorted(_FIELDS)}",
    )
    yield _are_texts(origin["ids"], n), f"it must have {n} ids"
    yield _are_texts(origin["notes"]), "its notes must be texts"
    yield _are_texts([origin["id_name"], origin["source"]]), "its names must be texts"
    kept = origin.get("kept", {})
    yield (
        isinstance(kept, dict) and all(_are_texts(column, n, gaps=True) for column in kept.values()),
        (f"each column that it kept must have {n} texts"),
    )
    features = origin["features"]
    yield (features is None) == (model.affinity == "precomputed"), "only of a table it must have columns"
    if features is not None:
        yield (
            isinstance(features, dict) and _DESCRIBED <= features.keys() <= _DESCRIBED | {"categories", "decimal"},
            "it must describe its columns",
        )
        yield _are_texts(features["columns"], width) and _are_texts([features["id_name"]]), f"it has {width} columns"
        yield len(set(features["columns"])) == width, "its columns must have names that differ"
        yield _are_numbers(features["medians"], width), "every column must have a median"
        yield _are_categories(features.get("categories", {}), features["columns"]), "its categories must be columns"
        yield features.get("decimal") in (None, ".", ","), "its decimal mark must be a point or a comma"
        scalings = features["scalings"]
        yield isinstance(scalings, list) and len(scalings) == width, "every column must have a scaling"
        yield all(_are_numbers(scaling, len(Scaling._fields)) for scaling in scalings), "scalings must be numbers"
        yield all(spread > 0 for *_, spread in scalings), "spreads must be > 0"
        right = all(isinstance(exponent, int) and abs(exponent) <= _LARGEST_EXPONENT for exponent, *_ in scalings)
        yield right, "exponents must be integers, those of numbers"


def _are_texts(values: Any, n: int | None = None, *, gaps: bool = False) -> bool:
    right = isinstance(values, list) and (n is None or len(values) == n)
    return right and all(isinstance(value, str) or (gaps and value is None) for value in values)


def _are_categories(values: Any, columns: list[str]) -> bool:
    right = isinstance(values, dict) and all(map(_are_texts, values.values()))
    return right and all(indicator(name, one) in columns for name, of_it in values.items() for one in of_it)


def _are_numbers(values: Any, n: int) -> bool:
    right = isinstance(values, list) and len(values) == n
    return right and all(type(value) in (int, float) and abs(value) <= sys.float_info.max for value in values)


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
