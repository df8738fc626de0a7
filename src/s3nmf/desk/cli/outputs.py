"""Where results go: looked at before the work begins, and written when all of it is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import typer

from s3nmf.desk.cli.failures import CommandError
from s3nmf.desk.cli.terminal import leads_nowhere

STANDARD_STREAM = "-"

_ENDINGS = (".csv", ".tsv", ".parquet", ".json")

What: TypeAlias = Literal["labels", "table", "model", "report"]


class Outputs:
    """Files to write, checked before there is anything to write into them.

    Attributes
    ----------
    targets : dict
        The path of what is to be written.
    """

    def __init__(self, source: str, *, format: str | None = None, **given: str | Path | None) -> None:  # noqa: A002
        self.targets = {what: target for what, target in given.items() if target is not None}
        check_targets(source, self.targets, format)

    @property
    def prints_labels(self) -> bool:
        """Whether labels go to standard output, so that nothing else may."""
        return self.targets.get("labels") == STANDARD_STREAM

    def write(self, writers: Mapping[What, Callable[[Any], None]]) -> None:
        """Write each file whole or not at all; what is printed comes last, for its reader may have gone away."""
        for what, write in sorted(writers.items(), key=lambda item: self.targets.get(item[0]) == STANDARD_STREAM):
            if what in self.targets:
                write(self.targets[what])

    def files(self) -> dict[str, str]:
        """What went to which file."""
        return {what: os.fspath(target) for what, target in self.targets.items() if target != STANDARD_STREAM}

    def words(self) -> str:
        """The same in sentences."""
        return "\n".join(f"Wrote the {what} to {target}." for what, target in self.files().items())


def labels_target(out: str | None, as_json: bool) -> str | None:
    """Where labels go: as asked; into a pipe that nothing else was asked to go into; or nowhere."""
    if out == STANDARD_STREAM and as_json:
        raise typer.BadParameter("--out - and --json both go to standard output. Leave out one of them.")
    target = STANDARD_STREAM if out is None and not as_json and not sys.stdout.isatty() else out
    if leads_nowhere(sys.stdout) and (as_json or target == STANDARD_STREAM):
        what = "what --json prints" if as_json else "labels"
        raise CommandError(f"Standard output is closed, so {what} cannot go there. Name a file with --out.")
    return target


def check_targets(source: str, targets: Mapping[str, str | Path], format: str | None = None) -> None:  # noqa: A002
    """Refuse what could not be written, what is named twice, and the file that is read; first what is seen at once."""
    seen = {} if source == STANDARD_STREAM else {_place(source): "the file that is read"}
    for what, target in targets.items():
        if target == STANDARD_STREAM:
            continue
        path = _place(target)
        if path in seen:
            raise typer.BadParameter(f"{target} is {seen[path]} and would be overwritten. Choose another name.")
        seen[path] = f"given for the {what}, too,"
        _check_place(path, target)
        if what != "labels" and path.exists() and not path.is_file():
            raise typer.BadParameter(f"{target} is not a file. Give the name of one, or of one to make.")
        if what == "labels" and path.suffix.casefold() not in _ENDINGS:
            raise typer.BadParameter(f"{target} does not say its format: let it end in {', '.join(_ENDINGS)}.")
    if "report" in targets:
        from s3nmf.desk.cli.printing import check_page  # noqa: PLC0415

        check_page(targets["report"])
    if "table" in targets:
        from s3nmf.desk.sources import check_appending  # noqa: PLC0415

        check_appending(source, targets["table"], format)
    if targets.get("labels", STANDARD_STREAM) != STANDARD_STREAM:
        from s3nmf.desk.sources import check_target  # noqa: PLC0415

        check_target(targets["labels"])


def _place(path: str | Path) -> Path:
    """Where a name leads, behind all links."""
    from s3nmf._files import destination  # noqa: PLC0415

    try:
        return destination(path)
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}. Give the name of a file.") from error


def _check_place(path: Path, target: str | Path) -> None:
    if path.is_dir():
        raise typer.BadParameter(f"{target} is a directory. Give the name of a file in it.")
    if not path.parent.is_dir():
        raise typer.BadParameter(f"{path.parent} does not exist. Make it first, or name another folder.")
    if not os.access(path.parent, os.W_OK):
        raise typer.BadParameter(f"{path.parent} cannot be written to. Name another folder.")
