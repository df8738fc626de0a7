"""Where the paper's text and the authors' published code differ, in one place."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints

from s3nmf.ensemble.anmi import NMIAverage, Pairs


@dataclass(frozen=True)
class Conventions:
    """Where the paper's text and the authors' code differ. The text is the default.

    Parameters
    ----------
    residual_norm : {"frobenius", "spectral"}
        The norm of S - V V' that a member is weighed by.
    inner_stop : {"text", "authors", "each"}
        Stop all members together, when no entry of any V nor any weight moves by `tol` (the text) or, after 300
        sweeps, when the objective does not (the authors' code). Or each member by itself, when no entry of its V does.
    outer_stop : {"drop", "never"}
        End the rounds when the agreement drops or is complete, or go on to `max_rounds` (to see what the stop misses).
    nmi_average : {"arithmetic", "max"}
        The normalisation of the mutual information in the agreement.
    pairs : {"distinct", "all"}
        The pairs of members that the agreement averages over.
    """

    residual_norm: Literal["frobenius", "spectral"] = "frobenius"
    inner_stop: Literal["text", "authors", "each"] = "text"
    outer_stop: Literal["drop", "never"] = "drop"
    nmi_average: NMIAverage = "arithmetic"
    pairs: Pairs = "distinct"

    def __post_init__(self) -> None:
        kinds = get_type_hints(type(self))
        for field in fields(self):
            value, choices = getattr(self, field.name), get_args(kinds[field.name])
            if value not in choices:
                raise ValueError(f"{field.name}={value!r} must be one of {', '.join(map(repr, choices))}.")


TEXT = Conventions()
INDEPENDENT = Conventions(inner_stop="each")
AUTHORS = Conventions(residual_norm="spectral", inner_stop="authors", nmi_average="max", pairs="all")
