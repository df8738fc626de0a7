"""The header of a saved model (docs/file-format.md): what its fields must be, before any of it is believed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

import numpy as np

from s3nmf._archive import ModelFileError

FORMAT = "s3nmf model"
VERSION = 3

# What the command line wrote around a model of version 1.
_FORMER_FORMATS = ("s3nmf clustering",)
_LARGEST = 2**48
_FIELDS = frozenset(
    {
        "format",
        "version",
        "parameters",
        "n_samples",
        "n_clusters",
        "chosen_round",
        "rounds",
        "affinity",
        "features",
        "n_features",
        "feature_names",
        "starts",
        "partitions",
        "origin",
    }
)
_LATER = frozenset({"trace"})
"""Which files of earlier versions do not have."""
_KINDS = ("dense", "sparse")


def check_header(header: Any) -> None:
    """Raise a `ModelFileError` that says what is wrong with a header."""
    if not isinstance(header, dict) or header.get("format") not in (FORMAT, *_FORMER_FORMATS):
        raise ModelFileError("The header does not say that this is a saved model.")
    version = header.get("version")
    if header["format"] != FORMAT or version != VERSION:
        is_newer = isinstance(version, int) and version > VERSION
        raise ModelFileError(
            f"The file has version {version!r} of the format; this version of s3nmf reads {VERSION}. "
            f"{'Update s3nmf, or cluster' if is_newer else 'Cluster'} the data again and save the model anew."
        )
    for name in sorted(_FIELDS.symmetric_difference(header) - _LATER):
        raise ModelFileError(f"The header {'lacks' if name in _FIELDS else 'has an unknown field,'} {name}.")
    for path, allowed, says in _header_rules(header):
        if not allowed:
            raise ModelFileError(f"The header's {path} is {_value(header, path)!r}; it must be {says}.")


def _header_rules(header: Mapping[str, Any]) -> Iterator[tuple[str, bool, str]]:
    """What each field of a header must be, one after the other: a later rule may rely on the earlier ones."""
    get = header.get
    for name in ("n_samples", "n_clusters", "chosen_round"):
        yield name, _is_int(get(name)), f"an integer from 1 to {_LARGEST}"
    yield "n_clusters", header["n_clusters"] <= header["n_samples"], "at most n_samples"
    yield "affinity", get("affinity") in _KINDS, "'dense' or 'sparse'"
    for name in ("starts", "partitions"):
        yield name, isinstance(get(name), bool), "true or false"
    yield "parameters", isinstance(get("parameters"), dict), "an object"
    for name in ("origin", "trace"):
        yield name, isinstance(get(name), dict | None), "an object or null"
    rounds = get("rounds")
    yield "rounds", isinstance(rounds, list) and bool(rounds), "a list of rounds"
    for number, found in zip(count(1), header["rounds"], strict=False):
        where = f"round {number}"
        yield where, isinstance(found, dict), "an object"
        yield where, _is_number(found.get("agreement"), 0.0, 1.0), "a round with an agreement between 0 and 1"
        yield where, _is_int(found.get("n_iter"), 0), "a round of some sweeps, n_iter"
        yield where, _is_number(found.get("seconds"), 0.0, np.inf), "a round that took some seconds"
        yield where, isinstance(found.get("similarity"), str | None), "a round with a similarity by its name, or null"
        for name in ("converged", "resolutions"):
            yield where, isinstance(found.get(name), bool), f"a round with {name}, true or false"
    yield "chosen_round", header["chosen_round"] <= len(header["rounds"]), "one of the rounds"
    yield "features", get("features") in (*_KINDS, None), "'dense', 'sparse' or null"
    has_features = get("features") is not None
    yield "n_features", _is_int(get("n_features")) == has_features, "an integer >= 1 where there are features"
    names, width = get("feature_names"), get("n_features") if has_features else header["n_samples"]
    listed = isinstance(names, list) and len(names) == width and all(isinstance(name, str) for name in names)
    yield "feature_names", names is None or listed, f"null or a list of {width} names"
    yield "feature_names", names is None or len(set(names)) == width, "a list of names that differ"


def _value(header: Mapping[str, Any], path: str) -> Any:
    if path.startswith("round "):
        return header["rounds"][int(path.split()[1]) - 1]
    return header.get(path)


def _is_int(value: Any, lowest: int = 1) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= _LARGEST


def _is_number(value: Any, lowest: float, highest: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and lowest <= value <= highest
