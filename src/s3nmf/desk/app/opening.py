"""The first look at a file: columns of text, names and gaps do not stand in the way of its clusters.

A column of numbers with a mistake in it is not left out of itself: the page says where the mistake is, and the visitor
decides.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from s3nmf._messages import Parameter, spelled
from s3nmf.desk.app.choices import Reading
from s3nmf.desk.sources import Graph, SourceError, Table, read
from s3nmf.desk.sources.traps import traps_in

# Text, damaged numbers, ids that come twice and gaps are reasons to refuse a file; so many of them are its own fault.
_MOST_REMEDIES = 6
_ON_THE_PAGE = {
    "id": "“Row names”",
    "drop": "the marks before the columns",
    "scale": "“Scaling”",
    "missing": "“Missing values”",
    "na": "--na of the command line",
    "categories": "a mark before it",
    "n_clusters": "“How many clusters?”",
    "recipe": "“Clusters of very unequal sizes”",
}
# A mark stands for its value.
_MARKS = {"recipe", "categories"}


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
        How it is read first. What is dropped is text.
    columns : tuple of str
        What there is to choose from: features, columns of text, and ids. None in a graph.
    has_names : bool
        Whether the rows have names that are in none of these columns.
    """

    path: str
    given: dict[str, Any]
    reading: Reading
    columns: tuple[str, ...]
    has_names: bool = False

    def has_text_among(self, reading: Reading) -> bool:
        """Whether the visitor wants a column of text among the features: a column of each of its values."""
        return bool(set(self.reading.drop) - {*reading.drop, reading.id})

    def read(self, reading: Reading) -> Table | Graph:
        """What is to be clustered, with notes on what may be a mistake."""
        text = set(self.reading.drop)
        asked = asdict(reading)
        if self.has_text_among(reading):
            asked["categories"] = True
        if text and text <= set(reading.drop):  # nobody has asked for that: let the reader say that it is text
            asked |= {"drop": [name for name in reading.drop if name not in text], "drop_text": True}
        data = read(self.path, **self.given, **asked)
        notes = [spelled(note, in_words) for note in (*data.notes, *traps_in(data))]
        return replace(data, notes=tuple(notes))


def open_file(path: str, **given: Any) -> File:
    """Look at a file, and find out what there is to choose; or raise the SourceError that no choice mends."""
    file = File(path, given, Reading(), ())
    damaged: tuple[str, ...] = ()
    for remedies_left in reversed(range(_MOST_REMEDIES)):
        try:
            data = file.read(replace(file.reading, drop=(*file.reading.drop, *damaged)))
            break
        except SourceError as error:
            mended = _mended(file.reading, damaged, error)
            if mended == (file.reading, damaged) or not remedies_left:
                raise
            file, damaged = replace(file, reading=mended[0]), mended[1]
    if isinstance(data, Graph):
        return file
    name = file.reading.id or data.id_column or None
    return replace(
        file,
        reading=replace(file.reading, id=name),
        columns=tuple(dict.fromkeys([*([name] if name else []), *data.columns, *file.reading.drop, *damaged])),
        has_names=not data.id_column and data.id_name != "row",
    )


def in_words(parameter: Parameter) -> str:
    """A parameter as the page calls it."""
    place = _ON_THE_PAGE.get(parameter.name, parameter.name)
    if parameter.value is None or parameter.name in _MARKS:
        return place
    values = parameter.value if isinstance(parameter.value, list) else [parameter.value]
    return f"{place}: {', '.join(map(str, values[:5]))}{', ...' if len(values) > 5 else ''}"


def _mended(reading: Reading, damaged: tuple[str, ...], error: SourceError) -> tuple[Reading, tuple[str, ...]]:
    """The reading with what the error advises, the first of several remedies of one kind; and the damaged columns."""
    advised: dict[str, Any] = {}

    def remember(parameter: Parameter) -> str:
        if parameter.value is not None:
            advised.setdefault(parameter.name, parameter.value)
        return ""

    spelled(error, remember)
    if "missing" in advised:
        return replace(reading, missing=advised["missing"]), damaged
    name = advised.get("id", reading.id)
    more = tuple(column for column in advised.get("drop", ()) if column != name)
    if "drop_text" in advised:
        return replace(reading, id=name, drop=more), damaged
    text = tuple(column for column in reading.drop if column not in more)
    return replace(reading, id=name, drop=text), (*damaged, *more)
