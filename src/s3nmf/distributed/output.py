"""The folder that labels go to: what it is for, what is done already, and what is left to do after a kill.

manifest.json names the input, the settings and the seed, and at the end what was found, in all and in each part;
model.s3nmf is the model of the sample, sample.json says where its points are from; progress.jsonl has a line for each
part that is done, as long as not all are. Every file of labels is there whole or not at all, so that a line is never
needed to trust one, only to know what is in it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from s3nmf._files import written_whole
from s3nmf.desk.sources import SourceError
from s3nmf.desk.sources.features import Features
from s3nmf.distributed.assignment import Placed
from s3nmf.distributed.form import Form
from s3nmf.distributed.lock import locked
from s3nmf.distributed.parts import Part
from s3nmf.estimators import S3NMF
from s3nmf.estimators.saving import read_model, write_model

_MANIFEST, _MODEL, _SAMPLE, _PROGRESS = "manifest.json", "model.s3nmf", "sample.json", "progress.jsonl"


@dataclass(frozen=True, eq=False)
class Sampled:
    """The model of a sample, and where its points are from.

    Attributes
    ----------
    model : S3NMF
    form : Form
        How parts are read.
    features : Features
        How they are scaled.
    ids : list of str
        Of the sampled rows.
    sizes, shares : lists of int
        Rows of each part, and how many of them were sampled; 0 for a part that was left out.
    skipped : dict
        Parts that were left out, and why.
    notes : list of str
    """

    model: S3NMF
    form: Form
    features: Features
    ids: list[str]
    sizes: list[int]
    shares: list[int]
    skipped: dict[str, str]
    notes: list[str]


@contextmanager
def folder_of(path: str | os.PathLike[str], parts: Sequence[Part], settings: Mapping[str, Any]) -> Iterator[Folder]:
    """The folder of a run, begun or found, for this run alone."""
    folder = Path(path)
    if any(isinstance(part.content, str) and Path(part.content).parent == folder.resolve() for part in parts):
        raise SourceError(f"{folder} holds the files to cluster. Let labels go into another folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"{folder} cannot be a folder for labels: {error.strerror}.") from error
    with locked(folder):
        yield Folder(folder, parts, settings)


class Folder:
    """The folder of one run, begun or found."""

    def __init__(self, path: Path, parts: Sequence[Part], settings: Mapping[str, Any]) -> None:
        self.path = path
        self._plan: dict[str, Any] = {
            "settings": dict(settings),
            "parts": [{"name": part.name, "stamp": part.stamp, "labels": part.labels} for part in parts],
        }
        self._take_up()
        self._remove_what_was_cut_off()

    def _take_up(self) -> None:
        """Begin, or go on where the same run was stopped; refuse a folder of anything else."""
        if not (self.path / _SAMPLE).exists():  # nothing that took time is lost
            if {path.name for path in self.path.glob("[!.]*")} - {_MANIFEST, _MODEL}:
                raise SourceError(f"{self.path} is not empty. Give a folder of its own for labels.")
            return
        stored = self._manifest()
        plan = json.loads(json.dumps(self._plan))
        differing = [what for what in ("settings", "parts") if stored.get(what) != plan[what]]
        if differing:
            raise SourceError(
                f"{self.path} holds labels of another run: {_difference(stored, plan, differing[0])}. Give another "
                "folder, or remove this one."
            )

    def _manifest(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads((self.path / _MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise SourceError(f"{self.path / _MANIFEST} is damaged. Remove {self.path} and begin anew.") from error
        return found

    def keep(self, sampled: Sampled, source: str) -> None:
        """Write what the folder is for, the model, and then where its points are from: from there on it is taken up.

        `s3nmf assign` and `s3nmf report` read the model.
        """
        origin = {
            "source": source,
            "ids": sampled.ids,
            "id_name": sampled.features.id_name,
            "notes": sampled.notes,
            "features": asdict(sampled.features),
        }
        self._write(_MANIFEST, self._plan)
        write_model(self.path / _MODEL, sampled.model.to_saved(origin))
        about = {name: getattr(sampled, name) for name in ("sizes", "shares", "skipped")}
        self._write(_SAMPLE, {"form": asdict(sampled.form), **about})

    def kept(self) -> Sampled | None:
        """The model, if there is one already."""
        if not (self.path / _SAMPLE).exists():
            return None
        about = json.loads((self.path / _SAMPLE).read_text(encoding="utf-8"))
        saved = read_model(self.path / _MODEL)
        origin = saved.origin or {}
        features, form = Features.stored(origin["features"]), about.pop("form")
        form = Form(**{**form, "columns": tuple(form["columns"])})
        return Sampled(S3NMF.from_saved(saved), form, features, origin["ids"], notes=origin["notes"], **about)

    def note(self, number: int, placed: Placed) -> None:
        """A part is done."""
        with (self.path / _PROGRESS).open("a", encoding="utf-8") as file:
            file.write(json.dumps([number, asdict(placed)]) + "\n")

    def done(self) -> dict[int, Placed]:
        """Parts whose labels are there, but for one whose line was cut off: it is done again, to the same labels."""
        found: dict[int, Placed] = {}
        lines = self._manifest().get("placed", [])
        with suppress(FileNotFoundError):
            for line in (self.path / _PROGRESS).read_text(encoding="utf-8").splitlines():
                with suppress(ValueError):
                    lines.append(json.loads(line))
        for number, placed in lines:
            if (self.path / self._plan["parts"][number]["labels"]).exists():
                found[number] = Placed(**placed)
        return found

    def finish(self, result: Mapping[str, Any], done: Mapping[int, Placed]) -> None:
        """All is done."""
        placed = [(number, asdict(one)) for number, one in sorted(done.items())]
        self._write(_MANIFEST, {**self._plan, "result": dict(result), "placed": placed})
        (self.path / _PROGRESS).unlink(missing_ok=True)
        self._remove_what_was_cut_off()

    def _remove_what_was_cut_off(self) -> None:
        """Files that a process was writing when it was killed, here or on another machine."""
        for unfinished in self.path.glob(".*.part"):
            unfinished.unlink(missing_ok=True)

    def files(self, skipped: Mapping[str, str]) -> list[Path]:
        """Files of labels, in the order of the parts."""
        return [self.path / part["labels"] for part in self._plan["parts"] if part["name"] not in skipped]

    def _write(self, name: str, content: Mapping[str, Any]) -> None:
        with written_whole(self.path / name) as file:
            file.write(json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n")


def _difference(stored: Mapping[str, Any], plan: Mapping[str, Any], what: str) -> str:
    if what == "settings":
        before, now = stored.get("settings", {}), plan["settings"]
        name = next(name for name in {**before, **now} if before.get(name) != now.get(name))
        return f"{name} was {before.get(name)!r} and is now {now.get(name)!r}"
    before, now = stored.get("parts", []), plan["parts"]
    if len(before) != len(now):
        return f"there were {len(before)} parts and are now {len(now)}"
    changed = next(new["name"] for old, new in zip(before, now, strict=True) if old != new)
    if Path(changed).is_absolute():
        return f"{changed} has changed since"
    return (
        'the dask collection has changed since, or is one that dask cannot know again in another process: see "What '
        'comes out" in docs/large-data.md'
    )
