"""Whether a frame or an array of dask is that of an earlier process: by what it is made of."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from s3nmf.desk.sources.frames import comes_from

# What dask's frames of Parquet files keep of the files once they have looked at them.
_OPENED = "_dataset_info_cache"


def stamp_of(data: Any) -> str:
    """Another one if the collection has changed, and the same in every process if it is made of files or numbers."""
    if not hasattr(data, "expr"):
        return str(data.name)
    return str(import_module("dask.base").tokenize(_described(data.expr)))


def _described(made_of: Any) -> Any:
    """What a frame is made of, step by step, and checksums of the files that are read: what they are, and since when.

    dask's own name for a frame of Parquet files differs in every process, for open files are part of it; that of CSV
    files does not say since when they are what they are.
    """
    if isinstance(made_of, list | tuple):
        return [_described(one) for one in made_of]
    if comes_from(made_of, "fsspec") and hasattr(made_of, "path"):
        return [made_of.path, made_of.fs.ukey(made_of.path)]
    kind = type(made_of)
    if comes_from(made_of, "dask") and hasattr(kind, "_parameters"):  # a step of a frame
        told = _described(made_of.operands)
        if _OPENED in kind._parameters:
            told[kind._parameters.index(_OPENED)] = made_of.checksum
        return [kind.__name__, *told]
    if comes_from(made_of, "dask") and hasattr(kind, "args"):  # a task
        return [_described(made_of.func), *_described(made_of.args)]
    return made_of
