"""The store of runs: a directory with one small parquet file a run, whole from the moment that it has its name.

A file is called <key>-<digest of its bytes>.parquet, so that one that was damaged afterwards is found too. Programs may
write into one store at the same time: none changes a file, and of two files with the same key either will do.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import pyarrow
import pyarrow.parquet as pq

from experiments.outcome import Outcome
from s3nmf._files import written_whole


class DamagedRunWarning(UserWarning):
    """A file of the store is not what was written; it was set aside, and its run will be done again."""


class Store:
    """Runs in a directory, which is made when the first one is saved.

    Parameters
    ----------
    directory : path
        Holds `runs/`; and `aside/`, if a file there was damaged; and `shared/`, the work that runs share.
    """

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        self._runs = self.directory / "runs"

    @property
    def shared(self) -> Path:
        return self.directory / "shared"

    def save(self, outcome: Outcome) -> None:
        """Keep an outcome: when this returns, nothing that ends the program loses it."""
        content = parquet([outcome])
        self._runs.mkdir(parents=True, exist_ok=True)
        with written_whole(self._runs / f"{outcome.key}-{_digest(content)}.parquet") as file:
            file.write(content)

    def adopt(self, outcomes: Iterable[Outcome]) -> int:
        """Keep the outcomes of another store that are not here yet; return how many there were."""
        known = self.keys()
        new = [outcome for outcome in outcomes if outcome.key not in known]
        for outcome in new:
            self.save(outcome)
        return len(new)

    def has(self, key: str) -> bool:
        """Whether a run was saved, by this program or another, without a look into its file."""
        return any(self._runs.glob(f"{key}-*.parquet"))

    def keys(self) -> set[str]:
        """The runs that were saved and are sound."""
        return {path.stem.partition("-")[0] for path in self.files()}

    def files(self) -> list[Path]:
        """The sound files; others are set aside, with a warning. Reads every file: O(bytes)."""
        sound = []
        for path in sorted(self._runs.glob("*.parquet")):
            with suppress(FileNotFoundError):  # another program has just set it aside
                if path.stem.partition("-")[2] == _digest(path.read_bytes()):
                    sound.append(path)
                else:
                    self._set_aside(path)
        return sound

    def _set_aside(self, path: Path) -> None:
        aside = self.directory / "aside" / path.name
        aside.parent.mkdir(exist_ok=True)
        path.replace(aside)
        warnings.warn(
            f"{path} is damaged, or is not a run. It was moved to {aside}; if it was a run, it will be done again.",
            DamagedRunWarning,
            stacklevel=3,
        )


def parquet(outcomes: Iterable[Outcome], *, compact: bool = False) -> bytes:
    """The rows as a parquet file, either quick to write or small."""
    table = pyarrow.Table.from_pylist([asdict(outcome) for outcome in outcomes], schema=_schema())
    buffer = io.BytesIO()
    # A lone row has nothing to gain from statistics and dictionaries.
    options: dict[str, Any] = (
        {"compression": "zstd", "compression_level": 19}
        if compact
        else {"compression": "none", "use_dictionary": False, "write_statistics": False}
    )
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def _schema() -> Any:
    kinds = {
        str: pyarrow.string(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
        list[float]: pyarrow.list_(pyarrow.float64()),
    }
    fields = []
    for name, hint in get_type_hints(Outcome).items():
        (kind,) = [part for part in get_args(hint) or (hint,) if part is not NoneType]
        fields.append((name, kinds[kind]))
    return pyarrow.schema(fields)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
