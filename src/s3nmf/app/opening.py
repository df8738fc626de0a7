"""The first look at a file: what stands in the way of its clusters is taken out of it, where a reader says how."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from s3nmf._messages import Parameter, spelled
from s3nmf.app.choices import Reading
from s3nmf.sources import Graph, SourceError, Table, read
from s3nmf.sources.traps import traps_in

# Text, gaps and ids are three reasons to refuse a file; a fourth is its own fault.
_MOST_REMEDIES = 4
_ON_THE_PAGE = {
    "id": "“Rows are named by”",
    "drop": "the marks before the columns",
    "scale": "“Scaling”",
    "missing": "“Missing values”",
    "n_clusters": "“How many clusters?”",
}


@dataclass(frozen=True)
class File:
    """A file that can be clustered.

    Attributes
    ----------
    path : str
        As it was typed.
    given : dict
        Options of `s3nmf.sources.read` that the page does not change.
    reading : Reading
        The first way to read it in which it can be clustered.
    columns : tuple of str
        What there is to choose from: features, columns of text, and ids. None in a graph.
    """

    path: str
    given: dict[str, Any]
    reading: Reading
    columns: tuple[str, ...]

    def read(self, reading: Reading) -> Table | Graph:
        """What is to be clustered, with notes on what may be a mistake."""
        data = read(self.path, **self.given, **asdict(reading))
        return replace(data, notes=(*data.notes, *(spelled(trap, in_words) for trap in traps_in(data))))


def open_file(path: str, **given: Any) -> File:
    """Look at a file, and leave out what a reader says is no feature; or raise the SourceError that nothing mends."""
    file = File(path, given, Reading(), ())
    for remedies_left in reversed(range(_MOST_REMEDIES)):
        try:
            data = file.read(file.reading)
            break
        except SourceError as error:
            mended = _mended(file.reading, error)
            if mended == file.reading or not remedies_left:
                raise
            file = replace(file, reading=mended)
    return replace(file, columns=_columns_of(data, file.reading))


def in_words(parameter: Parameter) -> str:
    """A parameter as the page calls it."""
    place = _ON_THE_PAGE.get(parameter.name, parameter.name)
    if parameter.value is None:
        return place
    values = parameter.value if isinstance(parameter.value, list) else [parameter.value]
    return f"{place}: {', '.join(map(str, values[:5]))}{', ...' if len(values) > 5 else ''}"


def _mended(reading: Reading, error: SourceError) -> Reading:
    """The reading with what the error advises: the first of several remedies of one kind."""
    advised: dict[str, Any] = {}

    def remember(parameter: Parameter) -> str:
        if parameter.value is not None:
            advised.setdefault(parameter.name, parameter.value)
        return ""

    spelled(error, remember)
    if "missing" in advised:
        return replace(reading, missing=advised["missing"])
    name = advised.get("id", reading.id)
    more = [column for column in advised.get("drop", []) if column != name]
    return replace(reading, id=name, drop=tuple(dict.fromkeys([*reading.drop, *more])))


def _columns_of(data: Table | Graph, reading: Reading) -> tuple[str, ...]:
    if isinstance(data, Graph):
        return ()
    others = [reading.id or data.id_name] if reading.id or data.id_name not in {"row", "cell"} else []
    return tuple(dict.fromkeys([*others, *data.columns, *reading.drop]))
