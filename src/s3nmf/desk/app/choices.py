"""What a visitor has chosen: a value that never changes, and functions from one to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias, get_args

from s3nmf._words import plain_text
from s3nmf.desk.sources.options import Missing, Scale

_LONGEST_NAME = 60
# Nobody looks at more, one by one.
_MOST_CLUSTERS = 1000


class ChoiceError(ValueError):
    """What cannot be chosen, in words for the visitor."""


@dataclass(frozen=True)
class Reading:
    """How the file is read, see `s3nmf.sources.read`."""

    id: str | None = None
    drop: tuple[str, ...] = ()
    scale: Scale | None = None
    missing: Missing = "refuse"


@dataclass(frozen=True)
class Cut:
    """So many clusters of the file, read in this way; they may be of very unequal sizes."""

    reading: Reading
    n_clusters: int
    unequal: bool = False


@dataclass(frozen=True)
class Merge:
    """Several clusters become one, which has the smallest of their numbers; the numbers behind the others move up."""

    clusters: tuple[int, ...]


@dataclass(frozen=True)
class Split:
    """The points of a cluster become two: the larger part keeps the number, the other one gets the next free number."""

    cluster: int


@dataclass(frozen=True)
class Name:
    """A cluster gets a name, or loses it where that is empty."""

    cluster: int
    name: str


Edit: TypeAlias = Merge | Split | Name


@dataclass(frozen=True)
class Choices:
    """All that a visitor has chosen.

    Attributes
    ----------
    reading : Reading
    n_clusters : int or None
        None until it is known how many are recommended.
    unequal : bool
        Whether clusters may be of very unequal sizes.
    edits_of : mapping of Cut to edits
        Whoever comes back to a number of clusters finds there what was named, merged and split.
    """

    reading: Reading
    n_clusters: int | None = None
    unequal: bool = False
    edits_of: Mapping[Cut, tuple[Edit, ...]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def cut(self) -> Cut | None:
        return None if self.n_clusters is None else Cut(self.reading, self.n_clusters, self.unequal)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What was done to the clusters that are looked at, the first edit first."""
        return () if self.cut is None else self.edits_of.get(self.cut, ())


def read_as(choices: Choices, wanted: Mapping[str, Any], columns: Sequence[str]) -> Choices:
    """Read the file in another way: `wanted` has what is asked for by name, `columns` are those that the file has."""
    drop, name = wanted.get("drop", []), wanted.get("id")
    scale, missing = wanted.get("scale"), wanted.get("missing", "refuse")
    if not isinstance(drop, list) or not {name, *drop} - {None} <= set(columns):
        raise ChoiceError("There is no such column. Load this page again.")
    if scale not in (None, *get_args(Scale)) or missing not in get_args(Missing):
        raise ChoiceError("There is no such way to read a table. Load this page again.")
    kept = tuple(column for column in columns if column in drop and column != name)
    if len(kept) + (name is not None) >= len(columns):
        raise ChoiceError("No column is left to cluster by. Keep at least one.")
    return replace(choices, reading=Reading(name, kept, scale, missing))


def cut_into(choices: Choices, n_clusters: Any, n_points: int) -> Choices:
    """Look for another number of clusters."""
    most = min(n_points - 1, _MOST_CLUSTERS)
    if not isinstance(n_clusters, int) or isinstance(n_clusters, bool) or not 1 <= n_clusters <= most:
        raise ChoiceError(f"Here {n_points:,} points can be cut into 1 to {most:,} clusters. Choose one of these.")
    return replace(choices, n_clusters=n_clusters)


def sized(choices: Choices, unequal: Any) -> Choices:
    """Look for clusters of very unequal sizes, or of any others."""
    if not isinstance(unequal, bool):
        raise ChoiceError("Clusters are of very unequal sizes or not. Load this page again.")
    return replace(choices, unequal=unequal)


def merged(choices: Choices, clusters: Any, n_found: int) -> Choices:
    """Make one of several of the clusters that are shown."""
    if not isinstance(clusters, list) or len(set(map(str, clusters))) < 2:
        raise ChoiceError("Mark at least two clusters to merge them.")
    return _edited(choices, Merge(tuple(sorted({_known(cluster, n_found) for cluster in clusters}))))


def split(choices: Choices, cluster: Any, n_found: int) -> Choices:
    """Make two of one of the clusters that are shown."""
    return _edited(choices, Split(_known(cluster, n_found)))


def named(choices: Choices, cluster: Any, name: Any, n_found: int) -> Choices:
    """Name one of the clusters that are shown."""
    if not isinstance(name, str):
        raise ChoiceError("A name is a text.")
    return _edited(choices, Name(_known(cluster, n_found), plain_text(" ".join(name.split())[:_LONGEST_NAME])))


def undone(choices: Choices) -> Choices:
    """Take back the last name, merger or split of the clusters that are looked at."""
    return choices if choices.cut is None else _with_edits(choices, choices.cut, choices.edits[:-1])


def _edited(choices: Choices, edit: Edit) -> Choices:
    if choices.cut is None:
        raise ChoiceError("There are no clusters yet.")
    return _with_edits(choices, choices.cut, (*choices.edits, edit))


def _with_edits(choices: Choices, cut: Cut, edits: tuple[Edit, ...]) -> Choices:
    return replace(choices, edits_of=MappingProxyType({**choices.edits_of, cut: edits}))


def _known(cluster: Any, n_found: int) -> int:
    if not isinstance(cluster, int) or isinstance(cluster, bool) or not 0 <= cluster < n_found:
        raise ChoiceError(f"There is no cluster {str(cluster)[:20]} here, only 0 to {n_found - 1}.")
    return cluster
