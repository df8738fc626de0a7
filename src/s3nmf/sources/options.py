"""What a user may ask of a reader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from s3nmf._sklearn import StrOptions
from s3nmf._validation import check_parameters

if TYPE_CHECKING:
    from s3nmf.sources.features import Features

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
    is_part: bool = False
    format_is_given: bool = False

    def __post_init__(self) -> None:
        check_parameters(PARAMETERS, {name: getattr(self, name) for name in PARAMETERS}, "read")
        object.__setattr__(self, "drop", (self.drop,) if isinstance(self.drop, str) else tuple(self.drop))
