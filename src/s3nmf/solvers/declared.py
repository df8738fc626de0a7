"""What a solver declares: its name, what it takes and what it promises.

Options, checks and messages are derived from these records, and from nothing else that knows solvers by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from s3nmf.solvers.base import Solver


@dataclass(frozen=True)
class Declared:
    """What a solver takes beyond an operator and starts, and what it promises."""

    takes_penalty: bool = False
    """Whether it has a parameter `penalty`, of the difference between two factors."""
    takes_graph_regularization: bool = False
    """Whether it heeds `operator.row_penalty`."""
    stops_jointly: bool = False
    """Whether its objective after each sweep is ||S - V V'||^2, so that members can be weighted by it and stop
    together, as in the paper's text and the authors' code."""
    monotone: bool = True
    """Whether its objective never increases."""
    dense: bool = False
    """Whether it works on dense n x n matrices."""


SOLVERS: dict[str, Solver] = {}
"""The solvers by name. `s3nmf.solvers.named` fills it with those of this folder."""

_AnySolver = TypeVar("_AnySolver", bound=Callable[..., Any])
_NOTHING = Declared()


def solver(
    name: str,
    *,
    takes_penalty: bool = False,
    takes_graph_regularization: bool = False,
    stops_jointly: bool = False,
    monotone: bool = True,
    dense: bool = False,
) -> Callable[[_AnySolver], _AnySolver]:
    """Declare a function to be the solver of that name, for `solver="name"` wherever one is chosen."""
    record = Declared(takes_penalty, takes_graph_regularization, stops_jointly, monotone, dense)

    def declare(function: _AnySolver) -> _AnySolver:
        taken = SOLVERS.get(name)
        if taken is not None and getattr(taken, "__module__", None) != function.__module__:
            raise ValueError(f"solver={name!r} is {taken!r} already. Give {function!r} another name.")
        function.declared = record  # type: ignore[attr-defined]
        SOLVERS[name] = function
        return function

    return declare


def declared(solver: str | Solver) -> Declared:
    """What a solver declares; a function that declares nothing takes nothing."""
    found = getattr(SOLVERS[solver] if isinstance(solver, str) else solver, "declared", _NOTHING)
    return found if isinstance(found, Declared) else _NOTHING


def solvers_that(what: str) -> str:
    """The names of the solvers that declare this, for messages: `'anls' or 'hals'`."""
    return " or ".join(repr(name) for name in sorted(SOLVERS) if getattr(declared(name), what))
