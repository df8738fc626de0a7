"""Fitted models as files: what is in one (docs/file-format.md), and what is checked before it is believed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._archive import AnyArray, ModelFileError, Spec, read_archive, write_archive
from s3nmf._model_header import FORMAT, VERSION, check_header
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf._validation import LARGEST_VALUE, check_affinity
from s3nmf.graph.components import components_of
from s3nmf.method.recipe import Recipe
from s3nmf.method.result import Round, S3NMFResult
from s3nmf.partitions import NO_CLUSTER, by_decreasing_size, in_few_bytes
from s3nmf.trust.diagnostics import Diagnostics, diagnose

_FLOAT = frozenset({"<f8"})
_FEATURES = frozenset({"<f4", "<f8"})
_MEMBER_LABELS = frozenset({"|u1", "<u2", "<u4"})
_LABELS = _MEMBER_LABELS | {"|i1", "<i2", "<i4"}  # -1 for points in no cluster
_SAVED = (np.generic, bool, int, float, str, dict, type(None))
_INDICES = frozenset({"<i4", "<i8"})
_ABOUT_A_ROUND = ("agreement", "n_iter", "converged", "seconds", "similarity")
# By how much the shares of a point may add up to more than 1.
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
    trace : dict or None
        How the fit came to its result, as JSON has it: candidates, scores, decisions. Files need not have one.
    """

    parameters: dict[str, Any]
    result: S3NMFResult
    diagnostics: Diagnostics
    affinity_matrix: Affinity
    X_fit: Any
    feature_names: list[str] | None
    origin: dict[str, Any] | None = None
    trace: dict[str, Any] | None = None


def write_model(path: str | os.PathLike[str], model: SavedModel) -> None:
    """Write a model; the file at `path`, if there is one, is replaced in one step or not at all."""
    result = model.result
    parameters, starts = _parameters(model.parameters)
    arrays: dict[str, AnyArray] = {
        "labels": _in_few_bytes(result.labels),
        "confidence": result.confidence,
        "membership": model.diagnostics.shares,
    }
    for found in result.history:
        arrays[f"round{found.number}_member_labels"] = found.member_labels
        arrays[f"round{found.number}_weights"] = found.weights
        arrays[f"round{found.number}_objective"] = found.objective
        if found.resolutions is not None:
            arrays[f"round{found.number}_resolutions"] = found.resolutions
    arrays |= _parts("affinity", model.affinity_matrix)
    if model.X_fit is not None:
        arrays |= _parts("features", model.X_fit)
    if starts is not None:
        arrays["starts"] = starts
    header = {
        "format": FORMAT,
        "version": VERSION,
        "parameters": parameters,
        "n_samples": result.labels.size,
        "n_clusters": model.diagnostics.sizes.size,
        "chosen_round": result.chosen_round,
        "rounds": [
            {
                **{name: getattr(found, name) for name in _ABOUT_A_ROUND},
                "resolutions": found.resolutions is not None,
            }
            for found in result.history
        ],
        "affinity": _kind(model.affinity_matrix),
        "features": None if model.X_fit is None else _kind(model.X_fit),
        "n_features": None if model.X_fit is None else model.X_fit.shape[1],
        "feature_names": model.feature_names,
        "starts": starts is not None,
        "partitions": not isinstance(model.parameters["members"], str | Callable),
        "origin": model.origin,
        **({} if model.trace is None else {"trace": model.trace}),
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


def _in_few_bytes(labels: IntArray) -> IntArray:
    """Labels in as few bytes as they need, with a sign only where a point is in no cluster."""
    if labels.min() > NO_CLUSTER:
        return in_few_bytes(labels)
    return labels.astype(np.result_type(np.min_scalar_type(int(labels.max())), np.int8))


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


def _parameters(given: Mapping[str, Any]) -> tuple[dict[str, Any], FloatArray | None]:
    """The parameters as JSON has them, those of a recipe among them, and its starts where they are an array."""
    parameters, starts = dict(given), None
    if isinstance(parameters["recipe"], Recipe):
        recipe = {field.name: getattr(parameters["recipe"], field.name) for field in fields(Recipe)}
        if not isinstance(recipe["starts"], str):
            starts = np.asarray(recipe.pop("starts"), dtype=np.float64)
        parameters["recipe"] = _plain(recipe)
    return _plain(parameters), starts


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers, texts and objects of them; what only lives in a running program is left out."""
    kept = {name: value for name, value in values.items() if isinstance(value, _SAVED)}
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in kept.items()}


def _spec(header: Any) -> Spec:
    """The arrays of a model with this header, after the header itself has been checked."""
    check_header(header)
    n, c = header["n_samples"], header["n_clusters"]
    spec: dict[str, tuple[frozenset[str], tuple[int | None, ...]]] = {
        "labels": (_LABELS, (n,)),
        "confidence": (_FLOAT, (n,)),
        "membership": (_FLOAT, (n, c)),
    }
    for number, about in enumerate(header["rounds"], start=1):
        spec[f"round{number}_member_labels"] = (_MEMBER_LABELS, (None, n))
        spec[f"round{number}_weights"] = (_FLOAT, (None,))
        spec[f"round{number}_objective"] = (_FLOAT, (None, None))
        if about["resolutions"]:
            spec[f"round{number}_resolutions"] = (_FLOAT, (None,))
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
    result = _result(header, arrays, check_affinity(W))
    X = None
    if header["features"] is not None:
        X = _matrix("features", header["features"], arrays, (n, header["n_features"]))
        _check_features(X.data if sp.issparse(X) else X)
    parameters = dict(header["parameters"])
    if isinstance(parameters.get("recipe"), dict):
        starts: dict[str, Any] = {"starts": arrays["starts"]} if header["starts"] else {}
        try:
            parameters["recipe"] = Recipe(**parameters["recipe"], **starts)
        except TypeError as error:
            raise ModelFileError(f"The recipe is not one: {error}.") from error
    if header["partitions"]:
        parameters["members"] = result.history[0].member_labels
    names, origin, trace = header["feature_names"], header["origin"], header.get("trace")
    return SavedModel(parameters, result, diagnose(result), W, X, names, origin, trace)


def _check_features(entries: AnyArray) -> None:
    """Refuse values that `predict` could not compute distances to.

    Entry by entry: a row of a sparse matrix may be said to be longer than any memory.
    """
    if not np.isfinite(entries).all():
        raise ModelFileError("features has values that are not finite.")
    largest = float(max(entries.max(), -entries.min())) if entries.size else 0.0
    if largest > LARGEST_VALUE:
        raise ModelFileError(f"features has the value {largest:.3g}; distances need values up to {LARGEST_VALUE:.0e}.")


def _result(header: Mapping[str, Any], arrays: Mapping[str, AnyArray], W: Affinity) -> S3NMFResult:
    history = tuple(
        _round(number, about, arrays, header["n_samples"]) for number, about in enumerate(header["rounds"], start=1)
    )
    labels = arrays["labels"].astype(np.intp)
    placed = labels[labels != NO_CLUSTER]
    if labels.min() < NO_CLUSTER or not np.array_equal(placed, by_decreasing_size(placed)):
        raise ModelFileError("The clusters are not numbered by decreasing size.")
    if labels.max() + 1 != header["n_clusters"]:
        raise ModelFileError(f"labels go up to {labels.max()}, with n_clusters={header['n_clusters']} in the header.")
    shares, confidence = arrays["membership"], arrays["confidence"]
    _check_shares("membership", shares)
    _check_shares("confidence", confidence[:, None])
    result = S3NMFResult(labels, shares, header["chosen_round"], history, components_of(W).isolated)
    # What was saved, whichever way the version that wrote the file came to it: as if it had been asked for already.
    vars(result)["confidence"] = confidence
    return result


def _check_shares(name: str, shares: AnyArray) -> None:
    """Refuse what cannot be shares of 1, whatever made them. Comparisons are false for NaN."""
    if not ((shares >= 0).all() and (shares.sum(axis=1) <= 1 + _ROUNDING).all()):
        raise ModelFileError(f"{name} has a point whose shares are not between 0 and 1, or add up to more than 1.")


def _round(number: int, about: Mapping[str, Any], arrays: Mapping[str, AnyArray], n: int) -> Round:
    member_labels = arrays[f"round{number}_member_labels"]
    weights, objective = arrays[f"round{number}_weights"], arrays[f"round{number}_objective"]
    resolutions = arrays.get(f"round{number}_resolutions")
    sizes = {
        len(member_labels),
        weights.size,
        objective.shape[1],
        weights.size if resolutions is None else resolutions.size,
    }
    if len(sizes) > 1 or weights.size == 0:
        raise ModelFileError(f"The arrays of round {number} are of different numbers of members.")
    if member_labels.max() >= n:
        raise ModelFileError(f"A label of round {number} is {member_labels.max()}, with n_samples={n}.")
    if not all(np.array_equal(labels, by_decreasing_size(labels)) for labels in member_labels):
        raise ModelFileError(f"The clusters of a member of round {number} are not numbered by decreasing size.")
    if not ((weights >= 0).all() and np.isclose(weights.sum(), 1.0)):
        raise ModelFileError(f"The weights of round {number} are not shares of 1.")
    for name, values in (("objective", objective), ("resolutions", resolutions)):
        if values is not None and not np.isfinite(values).all():
            raise ModelFileError(f"The {name} of round {number} is not finite everywhere.")
    return Round(
        number=number,
        member_labels=member_labels,
        weights=weights,
        agreement=float(about["agreement"]),
        objective=objective,
        n_iter=about["n_iter"],
        converged=about["converged"],
        seconds=float(about["seconds"]),
        resolutions=resolutions,
        similarity=about.get("similarity"),
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
