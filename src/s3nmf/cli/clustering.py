"""The clustering of a file: a fitted model, the user's names for what was clustered, and how the file was read."""

from __future__ import annotations

import os
import warnings
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._archive import HEADER, ModelFileError, Spec, read_archive, write_archive
from s3nmf._warnings import DisconnectedGraphWarning, EmptyClusterWarning
from s3nmf.cli.failures import CommandError
from s3nmf.cli.labels import Labels
from s3nmf.cli.terminal import ShowProgress
from s3nmf.estimators import S3NMF
from s3nmf.saving import FORMAT as MODEL_FORMAT
from s3nmf.sources import Graph, Table
from s3nmf.sources.features import Features, Scaling

FORMAT = "s3nmf clustering"
VERSION = 1
ENDING = ".s3nmf"

_FIELDS = frozenset({"format", "version", "source", "ids", "id_name", "notes", "features"})


@dataclass(frozen=True, eq=False)
class Clustering:
    """The clustering of a file.

    Attributes
    ----------
    model : S3NMF
        Fitted.
    ids : sequence of str
        What the user calls each row or node.
    id_name : str
        What the ids are called.
    features : Features or None
        How to read new rows; None for a graph.
    source : str
        The file.
    notes : tuple of str
        What was done to the data and what to mind, in sentences for the user.
    """

    model: S3NMF
    ids: Sequence[str]
    id_name: str
    features: Features | None
    source: str
    notes: tuple[str, ...]

    @property
    def thing(self) -> str:
        """What was clustered: a row, a node or a cell."""
        if self.id_name == "cell":
            return "cell"
        return "node" if self.features is None else "row"

    @property
    def labels(self) -> Labels:
        model = self.model
        return Labels(self.id_name, self.ids, model.labels_, model.confidence_, model.second_choice_)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file that `load` reads; whole or not at all. Nothing in it is ever executed."""
        header = {
            "format": FORMAT,
            "version": VERSION,
            "source": self.source,
            "ids": list(self.ids),
            "id_name": self.id_name,
            "notes": list(self.notes),
            "features": None if self.features is None else asdict(self.features),
        }
        with TemporaryDirectory(prefix="s3nmf-") as directory:
            inner = Path(directory) / "model"
            self.model.save(inner)
            write_archive(path, header, {"model": np.fromfile(inner, dtype=np.uint8)})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Clustering:
        """Read what `save`, or `S3NMF.save`, wrote, or raise a ModelFileError that says what is wrong with the file."""
        try:
            _refuse_part_of_a_file(path)
            try:
                header, arrays = read_archive(path, _spec)
            except _SavedInPythonError:
                return _of_model(S3NMF.load(path), os.fspath(path))
            with TemporaryDirectory(prefix="s3nmf-") as directory:
                inner = Path(directory) / "model"
                arrays["model"].tofile(inner)
                found = cls(
                    model=S3NMF.load(inner),
                    ids=header["ids"],
                    id_name=header["id_name"],
                    features=_features(header["features"]),
                    source=header["source"],
                    notes=tuple(header["notes"]),
                )
            _check(found)
        except ModelFileError as error:
            raise ModelFileError(
                f"{os.fspath(path)} cannot be read as a model. {error} Write it again, with s3nmf cluster --model."
            ) from error
        return found


def is_model(path: str) -> bool:
    """Whether a file says that it is a model, by its name or its content."""
    try:
        with zipfile.ZipFile(path) as archive:
            return HEADER in archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile):
        return path.endswith(ENDING)


def cluster_data(
    data: Table | Graph, n_clusters: int, *, seed: int, n_neighbors: int | None = None, show: ShowProgress | None = None
) -> Clustering:
    """Cluster what was read; warnings become notes."""
    check_n_clusters(data, n_clusters)
    values = data.values if isinstance(data, Table) else data.affinity
    model = S3NMF(
        n_clusters,
        **graph_options(data, n_neighbors),
        random_state=seed,
        callback=show and (lambda at: show(f"round {at.round}", at.fraction, at.remaining)),
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model.fit(values)
        except ValueError as error:
            raise CommandError(f"{data.source} cannot be clustered: {error}") from error
    model.set_params(callback=None)
    return Clustering(
        model=model,
        ids=list(map(str, data.ids)),
        id_name=data.id_name,
        features=data.features if isinstance(data, Table) else None,
        source=data.source,
        notes=(*data.notes, *_said(caught, model, isinstance(data, Table))),
    )


def graph_options(data: Table | Graph, n_neighbors: int | None) -> dict[str, Any]:
    """How estimators get their graph."""
    if isinstance(data, Table):
        if n_neighbors is not None and n_neighbors >= len(data.ids):
            raise CommandError(
                f"--neighbors {n_neighbors} is too many: {data.source} has {len(data.ids)} rows. Give at most "
                f"{len(data.ids) - 1}."
            )
        return {"affinity": "nearest_neighbors", "n_neighbors": n_neighbors or "auto"}
    if n_neighbors is not None:
        raise CommandError(f"{data.source} is a graph and has its own edges. Leave out --neighbors.")
    return {"affinity": "precomputed", "n_neighbors": "auto"}


def thing_of(data: Table | Graph) -> str:
    """What is clustered: a row, a node or a cell."""
    if data.id_name == "cell":
        return "cell"
    return "row" if isinstance(data, Table) else "node"


def check_n_clusters(data: Table | Graph, n_clusters: int) -> None:
    """Ask for fewer clusters than there are things to put into them."""
    if n_clusters >= len(data.ids):
        raise CommandError(
            f"-k {n_clusters} is too many: {data.source} has {len(data.ids)} {thing_of(data)}s. Ask for at most "
            f"{len(data.ids) - 1}."
        )


def _said(caught: Sequence[warnings.WarningMessage], model: S3NMF, is_table: bool) -> list[str]:
    """The library's warnings in the words of the command line."""
    said = []
    for warning in caught:
        if issubclass(warning.category, EmptyClusterWarning):
            found = int(model.labels_.max()) + 1
            said.append(f"Only {found} of {model.n_clusters} clusters have any points. Ask for fewer (-k {found}).")
        elif issubclass(warning.category, DisconnectedGraphWarning):
            text = str(warning.message).replace("a larger n_neighbors", "a larger --neighbors")
            if is_table:  # of a graph, the reader has said it
                said.append(text.replace(f"n_clusters={model.n_clusters}", f"-k {model.n_clusters}"))
    return said


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
        raise _SavedInPythonError
    if header.get("version") != VERSION:
        raise ModelFileError(f"It has version {header.get('version')!r}; this s3nmf reads {VERSION}. Update s3nmf.")
    if header.keys() != _FIELDS:
        raise ModelFileError(f"Its header has the fields {sorted(header)}, not {sorted(_FIELDS)}.")
    return {"model": (frozenset({"|u1"}), (None,))}


class _SavedInPythonError(Exception):
    """The file is a bare model."""


def _features(stored: Any) -> Features | None:
    if stored is None:
        return None
    try:
        scalings = tuple(Scaling(int(exponent), *map(float, rest)) for exponent, *rest in stored["scalings"])
        medians = tuple(map(float, stored["medians"]))
        return Features(tuple(map(str, stored["columns"])), scalings, medians, str(stored["id_name"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"Its columns are damaged: {error!r}.") from error


def _check(found: Clustering) -> None:
    """Refuse a file whose parts do not belong together."""
    n, features = found.model.labels_.size, found.features
    if not isinstance(found.ids, list) or len(found.ids) != n:
        raise ModelFileError(f"It should have a list of {n} ids.")
    if not all(isinstance(text, str) for text in (*found.ids, found.id_name, found.source, *found.notes)):
        raise ModelFileError("Its ids and notes should be text.")
    if (features is None) != (found.model.affinity == "precomputed"):
        raise ModelFileError("It should have columns if and only if it is of a table.")
    n_columns = found.model.n_features_in_
    if features and not len(features.columns) == len(features.scalings) == len(features.medians) == n_columns:
        raise ModelFileError(f"It should describe {n_columns} columns.")


def _of_model(model: S3NMF, source: str) -> Clustering:
    """A model that was saved in Python: rows are numbered, and columns were scaled there, if at all."""
    features = None
    if model.affinity != "precomputed":
        names = getattr(model, "feature_names_in_", range(model.n_features_in_))
        X = model.X_fit_
        medians = np.zeros(len(names)) if sp.issparse(X) else np.median(X, axis=0)
        features = Features(tuple(map(str, names)), (Scaling(),) * len(names), tuple(medians.tolist()))
    ids = [str(row) for row in range(model.labels_.size)]
    note = "The model was saved in Python: new rows must be scaled as those that it was fitted to."
    return Clustering(model, ids, "node" if features is None else "row", features, source, (note,) if features else ())
