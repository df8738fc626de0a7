"""Fitted models as files: what is in one (docs/file-format.md), and what is checked before it is believed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._archive import AnyArray, ModelFileError, Spec, read_archive, write_archive
from s3nmf._model_header import FORMAT, VERSION, check_header
from s3nmf._types import Affinity, IntArray
from s3nmf._validation import check_affinity
from s3nmf.affinity.components import components_of
from s3nmf.diagnostics import Diagnostics, diagnose
from s3nmf.ensemble.rounds import Round, S3NMFResult
from s3nmf.partitions import by_decreasing_size

_FLOAT = frozenset({"<f8"})
_FEATURES = frozenset({"<f4", "<f8"})
_LABELS = frozenset({"|u1", "<u2", "<u4"})
_INDICES = frozenset({"<i4", "<i8"})
# Another processor may round a share differently.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class SavedModel:
    """What a file holds of a fitted model.

    Attributes
    ----------
    parameters : dict
        Of the estimator. What only lives in a running program is left out: functions, generators of random numbers.
    result : S3NMFResult
    diagnostics : Diagnostics
        Of the result. A file holds the shares only, for other programs; the rest follows from the members of round 1.
    affinity_matrix : array or csr_array of shape (n_samples, n_samples)
    X_fit : array or csr_array of shape (n_samples, n_features), or None
        The features that were fitted; None if the affinity was given.
    feature_names : list of str, or None
    origin : dict or None
        What the data were before they were arrays, as JSON has it, for a program that wants to know: the command line
        keeps names and scalings here.
    """

    parameters: dict[str, Any]
    result: S3NMFResult
    diagnostics: Diagnostics
    affinity_matrix: Affinity
    X_fit: Any
    feature_names: list[str] | None
    origin: dict[str, Any] | None = None


def write_model(path: str | os.PathLike[str], model: SavedModel) -> None:
    """Write a model; the file at `path`, if there is one, is replaced in one step or not at all."""
    result, parameters = model.result, dict(model.parameters)
    arrays: dict[str, AnyArray] = {
        "labels": _small(result.labels),
        "confidence": result.confidence,
        "membership": model.diagnostics.shares,
    }
    for found in result.history:
        arrays[f"round{found.number}_member_labels"] = _small(found.member_labels)
        arrays[f"round{found.number}_weights"] = found.weights
        arrays[f"round{found.number}_objective"] = found.objective
    arrays |= _parts("affinity", model.affinity_matrix)
    if model.X_fit is not None:
        arrays |= _parts("features", model.X_fit)
    if not isinstance(parameters["starts"], str | None):
        arrays["starts"] = np.asarray(parameters.pop("starts"), dtype=np.float64)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "parameters": {name: _plain(value) for name, value in parameters.items() if _can_be_saved(value)},
        "n_samples": result.labels.size,
        "n_clusters": model.diagnostics.sizes.size,
        "n_members": result.history[0].weights.size,
        "chosen_round": result.chosen_round,
        "rounds": [
            {name: getattr(found, name) for name in ("agreement", "n_iter", "converged", "seconds")}
            for found in result.history
        ],
        "affinity": _kind(model.affinity_matrix),
        "features": None if model.X_fit is None else _kind(model.X_fit),
        "n_features": None if model.X_fit is None else model.X_fit.shape[1],
        "feature_names": model.feature_names,
        "starts": "starts" in arrays,
        "origin": model.origin,
    }
    write_archive(path, header, arrays)


def read_model(path: str | os.PathLike[str]) -> SavedModel:
    """Read a model, or raise a `ModelFileError` that says what is wrong with the file. Nothing in it is executed."""
    header, arrays = read_archive(path, _spec)
    try:
        return _model(header, arrays)
    except ModelFileError:
        raise
    except ValueError as error:
        raise ModelFileError(f"The file is damaged: {error}") from error


def _small(labels: IntArray) -> AnyArray:
    """In as few bytes as the number of clusters needs."""
    return labels.astype(np.min_scalar_type(int(labels.max())))


def _kind(matrix: Any) -> str:
    return "sparse" if sp.issparse(matrix) else "dense"


def _parts(name: str, matrix: Any) -> dict[str, AnyArray]:
    if not sp.issparse(matrix):
        return {name: np.asarray(matrix)}
    index = np.int32 if max(matrix.nnz, *matrix.shape) <= np.iinfo(np.int32).max else np.int64
    return {
        f"{name}_data": matrix.data,
        f"{name}_indices": matrix.indices.astype(index, copy=False),
        f"{name}_indptr": matrix.indptr.astype(index, copy=False),
    }


def _can_be_saved(value: Any) -> bool:
    return value is None or isinstance(value, np.generic | bool | int | float | str)


def _plain(value: Any) -> Any:
    """A number, a text or None as JSON has them."""
    return value.item() if isinstance(value, np.generic) else value


def _spec(header: Any) -> Spec:
    """The arrays of a model with this header, after the header itself has been checked."""
    check_header(header)
    n, c, b = header["n_samples"], header["n_clusters"], header["n_members"]
    spec: dict[str, tuple[frozenset[str], tuple[int | None, ...]]] = {
        "labels": (_LABELS, (n,)),
        "confidence": (_FLOAT, (n,)),
        "membership": (_FLOAT, (n, c)),
    }
    for number in range(1, len(header["rounds"]) + 1):
        spec[f"round{number}_member_labels"] = (_LABELS, (b, n))
        spec[f"round{number}_weights"] = (_FLOAT, (b,))
        spec[f"round{number}_objective"] = (_FLOAT, (None, b))
    spec |= _matrix_spec("affinity", header["affinity"], _FLOAT, (n, n))
    if header["features"] is not None:
        spec |= _matrix_spec("features", header["features"], _FEATURES, (n, header["n_features"]))
    if header["starts"]:
        spec["starts"] = (_FLOAT, (None, None, n, None))
    return spec


def _matrix_spec(name: str, kind: str, dtypes: frozenset[str], shape: tuple[int, int]) -> Spec:
    if kind == "dense":
        return {name: (dtypes, shape)}
    return {
        f"{name}_data": (dtypes, (None,)),
        f"{name}_indices": (_INDICES, (None,)),
        f"{name}_indptr": (_INDICES, (shape[0] + 1,)),
    }


def _model(header: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> SavedModel:
    n = header["n_samples"]
    W = _matrix("affinity", header["affinity"], arrays, (n, n))
    isolated = components_of(check_affinity(W)).isolated
    result = _result(header, arrays, isolated)
    found = diagnose(result)
    for name, expected in (("membership", found.shares), ("confidence", found.shares[np.arange(n), found.labels])):
        if not np.allclose(arrays[name], expected, rtol=0.0, atol=_ROUNDING):
            raise ModelFileError(f"{name} is not what the members of round 1 say.")
    X = None
    if header["features"] is not None:
        X = _matrix("features", header["features"], arrays, (n, header["n_features"]))
        # Entry by entry: a row of a sparse matrix may be said to be longer than any memory.
        if not np.isfinite(X.data if sp.issparse(X) else X).all():
            raise ModelFileError("features has values that are not finite.")
    parameters = dict(header["parameters"])
    if header["starts"]:
        parameters["starts"] = arrays["starts"]
    return SavedModel(parameters, result, found, W, X, header["feature_names"], header["origin"])


def _result(header: Mapping[str, Any], arrays: Mapping[str, AnyArray], isolated: IntArray) -> S3NMFResult:
    history = tuple(
        _round(number, about, arrays, header["n_samples"]) for number, about in enumerate(header["rounds"], start=1)
    )
    labels = arrays["labels"].astype(np.intp)
    chosen = history[header["chosen_round"] - 1]
    if not np.array_equal(labels, chosen.member_labels[np.argmax(chosen.weights)]):
        raise ModelFileError("labels are not those of the chosen round's member with the largest weight.")
    if labels.max() + 1 != header["n_clusters"]:
        raise ModelFileError(f"labels go up to {labels.max()}, with n_clusters={header['n_clusters']} in the header.")
    return S3NMFResult(labels, arrays["confidence"], header["chosen_round"], history, isolated)


def _round(number: int, about: Mapping[str, Any], arrays: Mapping[str, AnyArray], n: int) -> Round:
    member_labels = arrays[f"round{number}_member_labels"].astype(np.intp)
    weights, objective = arrays[f"round{number}_weights"], arrays[f"round{number}_objective"]
    if member_labels.max() >= n:
        raise ModelFileError(f"A label of round {number} is {member_labels.max()}, with n_samples={n}.")
    if not all(np.array_equal(labels, by_decreasing_size(labels)) for labels in member_labels):
        raise ModelFileError(f"The clusters of a member of round {number} are not numbered by decreasing size.")
    if not ((weights >= 0).all() and np.isclose(weights.sum(), 1.0)):
        raise ModelFileError(f"The weights of round {number} are not shares of 1.")
    if not np.isfinite(objective).all():
        raise ModelFileError(f"The objective of round {number} is not finite everywhere.")
    return Round(
        number=number,
        member_labels=member_labels,
        weights=weights,
        agreement=float(about["agreement"]),
        objective=objective,
        n_iter=about["n_iter"],
        converged=about["converged"],
        seconds=float(about["seconds"]),
    )


def _matrix(name: str, kind: str, arrays: Mapping[str, AnyArray], shape: tuple[int, int]) -> Any:
    if kind == "dense":
        return arrays[name]
    data, indices, indptr = (arrays[f"{name}_{part}"] for part in ("data", "indices", "indptr"))
    # Before scipy sees them: its loops believe what indices say.
    if not (indptr[0] == 0 and indptr[-1] == data.size == indices.size and (indptr[1:] >= indptr[:-1]).all()):
        raise ModelFileError(f"The rows of {name} do not fit its {data.size} entries.")
    if not ((indices >= 0).all() and (indices < shape[1]).all()):
        raise ModelFileError(f"{name} has entries outside of its {shape[1]} columns.")
    return sp.csr_array((data, indices, indptr), shape=shape)
