"""The parts of a table that is larger than the memory: files, or partitions of a dask DataFrame or array."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from s3nmf._messages import Message
from s3nmf.desk.sources import SourceError, Table, read, table_of
from s3nmf.desk.sources.frames import comes_from
from s3nmf.distributed.stamp import stamp_of

# Options of readers that say nothing of a frame, and what they are where nobody gives them.
OF_FILES = {"format": None, "header": None, "encoding": "utf-8"}
_LABELS_OF = {".csv": ".csv", ".tsv": ".tsv", ".tab": ".tsv", ".parquet": ".parquet", ".pq": ".parquet"}


@dataclass(frozen=True)
class Part:
    """A part of a table.

    Attributes
    ----------
    name : str
        What messages call it.
    content : object
        The path of a file, or what dask computes to a frame or an array.
    stamp : str
        Another one if the part has changed.
    labels : str
        The name of the file with its labels.
    """

    name: str
    content: Any
    stamp: str
    labels: str


def parts_of(data: Any) -> list[Part]:
    """The parts of a folder, a pattern of files, a dask DataFrame or a dask array, in their order: that of names."""
    if isinstance(data, str | os.PathLike):
        return _files(os.fspath(data))
    if not comes_from(data, "dask"):
        raise TypeError(
            "Parts are those of a dask DataFrame or array, or of a folder or pattern of files, not of a "
            f"{type(data).__name__}."
        )
    if hasattr(data, "rechunk"):
        if data.ndim != 2:
            raise SourceError(f"The dask array has {data.ndim} axes. A table has two: rows and columns.")
        delayed = data.rechunk({1: -1}).to_delayed().ravel().tolist()
    else:
        delayed = data.to_delayed()
    stamp = stamp_of(data)
    return [Part(f"partition {k}", content, stamp, f"part-{k:05}.parquet") for k, content in enumerate(delayed)]


def _files(data: str) -> list[Part]:
    folder = Path(data)
    if folder.is_dir():
        found = [path for path in sorted(folder.iterdir()) if path.is_file() and _labels_ending(path) is not None]
        common = folder
    else:
        found = [Path(name) for name in sorted(glob.glob(data, recursive=True)) if Path(name).is_file()]  # noqa: PTH207
        common = Path(os.path.commonpath([path.parent for path in found])) if found else folder
    if not found:
        endings = ", ".join(sorted(_LABELS_OF))
        raise SourceError(
            f"{data} has no files to cluster. Give a folder of files that end in {endings}, or a pattern."
        )
    parts = [_file(path, common) for path in found]
    twice = [name for name, times in Counter(part.labels for part in parts).items() if times > 1]
    if twice:
        raise SourceError(f"{data}: labels of two files would both be called {twice[0]}. Rename one of them.")
    return parts


def _file(path: Path, common: Path) -> Part:
    ending = _labels_ending(path)
    if ending is None:
        raise SourceError(f"{path} is not a file of a table in parts. Those end in {', '.join(sorted(_LABELS_OF))}.")
    about = path.stat()
    place = os.fspath(path.resolve())
    name = "_".join(path.relative_to(common).parts).removesuffix(".gz")
    labels = name.removesuffix(Path(name).suffix) + ending
    return Part(place, place, f"{about.st_size} bytes, {about.st_mtime_ns}", labels)


def why_bad(name: str, why: str) -> str:
    """What is wrong with a part, and with which: readers of files say that themselves."""
    return why if name in why else Message("{name}: {why}", name=name, why=why)


def _labels_ending(path: Path) -> str | None:
    return _LABELS_OF.get(Path(path.name.removesuffix(".gz")).suffix.casefold())


def table_of_part(part: Part, reading: Mapping[str, Any]) -> Table:
    """A part as a table that is not scaled, by options of the reader; some of them are of files only."""
    if isinstance(part.content, str):
        table = read(part.content, is_part=True, **reading)
        if not isinstance(table, Table):
            raise SourceError(f"{part.name} is a graph. Parts must be tables.")
        return table
    of_frames = {option: value for option, value in reading.items() if option not in OF_FILES}
    return table_of(_frame(part.content), is_part=True, **of_frames)


def _frame(content: Any) -> Any:
    if not isinstance(content, np.ndarray):
        return content
    import pandas as pd  # noqa: PLC0415

    return pd.DataFrame(content, columns=[str(j) for j in range(content.shape[1])])
