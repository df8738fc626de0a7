"""What a user may ask of a reader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from s3nmf._sklearn import StrOptions
from s3nmf._validation import check_parameters
from s3nmf.desk.sources.numbers import Decimal

if TYPE_CHECKING:
    from s3nmf.desk.sources.features import Features

Scale: TypeAlias = Literal["standard", "minmax", "none"]
Missing: TypeAlias = Literal["refuse", "drop", "median"]

PARAMETERS: dict[str, list[Any]] = {
    "id": [str, None],
    "scale": [StrOptions({"standard", "minmax", "none"}), None],
    "missing": [StrOptions({"refuse", "drop", "median"})],
    "header": ["boolean", None],
    "encoding": [str],
    "normalize": ["boolean"],
    "neighbors_key": [str, None],
    "truth": [str, None],
    "decimal": [StrOptions({".", ","}), None],
    "categories": ["boolean"],
    "drop_text": ["boolean"],
    "sheet": [str, None],
    "use_rep": [str, None],
    "layer": [str, None],
    "restrict_to": [tuple, None],
    "image": [tuple, None],
    "views": ["boolean"],
}


@dataclass(frozen=True)
class Options:
    """The options of `s3nmf.sources.read`, where they are documented; each reader looks at those that concern it."""

    id: str | None = None
    drop: Iterable[str] = ()
    scale: Scale | None = None
    missing: Missing = "refuse"
    header: bool | None = None
    encoding: str = "utf-8"
    normalize: bool = True
    neighbors_key: str | None = None
    like: Features | None = None
    truth: str | None = None
    columns: Iterable[str] = ()
    decimal: Decimal | None = None
    categories: bool = False
    drop_text: bool = False
    sheet: str | None = None
    use_rep: str | None = None
    layer: str | None = None
    restrict_to: tuple[str, Sequence[str]] | None = None
    is_part: bool = False
    keep: Iterable[str] = ()
    image: tuple[int, int] | None = None
    views: bool = False
    na: Iterable[str] = ()
    format_is_given: bool = False

    @property
    def says_nothing_of_columns(self) -> bool:
        """Whether nothing tells that a table is meant: its format, or any of its columns."""
        named = (self.format_is_given, self.id, self.truth, self.like, self.drop, self.columns, self.keep)
        return not any((*named, self.categories, self.drop_text))

    def __post_init__(self) -> None:
        check_parameters(PARAMETERS, {name: getattr(self, name) for name in PARAMETERS}, "read")
        for name in ("drop", "columns", "keep", "na"):
            given = getattr(self, name)
            object.__setattr__(self, name, (given,) if isinstance(given, str) else tuple(given))

    @property
    def held_out(self) -> tuple[str, ...]:
        """Columns that are read and are no features: those to keep, and known groups."""
        return tuple(dict.fromkeys([*self.keep, *([] if self.truth is None else [self.truth])]))
