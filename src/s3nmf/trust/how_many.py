"""Which number of clusters to recommend, and in which words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from s3nmf._messages import Message, Parameter, joined
from s3nmf._words import counted, listed, percent
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.sentences import beside_chance
from s3nmf.trust.thresholds import NEAR_TIE, any_stand_out, stand_out

# More numbers than these are no answer.
_MANY = 3
_CLASSES = (
    "Look at each of them: a large group may have parts, and classes that people have named need not be clusters."
)
_LOOK_THE_SAME = "data without any clusters look the same"


class Recommendation(NamedTuple):
    """A number of clusters, the others that fit about as well, whether it is clear, why, and the evidence in words."""

    n_clusters: int
    near_ties: tuple[int, ...]
    clear: bool
    reason: str
    sentences: tuple[str, ...] = ()


def recommend(
    support: Mapping[int, float], evidence: tuple[Evidence, ...], *, pieces: int = 1, given: bool = False
) -> Recommendation:
    """The number with the most support; 1, if it was to be tried, where data without any clusters look the same.

    Parameters
    ----------
    support : mapping from numbers to floats
        What speaks for each number that was to be tried.
    evidence : tuple of Evidence
        For the best of them beyond 1, and where that is too little, for two clusters; empty if there is none.
    pieces : int
        Of the graph, at least.
    given : bool
        Whether the graph was given, and not built.
    """
    best = best_of(support) if evidence else max(support, key=support.__getitem__)
    if pieces > max(support):
        return Recommendation(best, (), False, joined([f"{best} is a guess.", _more_pieces(pieces)]))
    # If two clusters stand out there are clusters, and their support says how many: a flat cloud is no match for groups
    # of groups.
    telling = [one for one in evidence if stand_out(one)] or evidence
    beside = tuple(beside_chance(one, given=given) for one in telling)
    if any_stand_out(evidence) is False:
        if 1 in support:
            return Recommendation(1, (), True, f"1: no clusters. Here {_LOOK_THE_SAME}.", beside)
        why = f"No clusters stand out: {_LOOK_THE_SAME}. {best} is a guess."
        return Recommendation(best, (), False, why, beside)
    near = near_ties(support, best)
    why = _all_of(best, near) if near else f"{counted(best, 'cluster')}: {_next_best(support, best)}"
    return Recommendation(best, near, not near, why, beside)


def best_of(support: Mapping[int, float]) -> int:
    """The number of clusters with the most support; 1 only if nothing else was to be tried."""
    return max(support, key=lambda number: (number > 1, support[number]))


def near_ties(support: Mapping[int, float], best: int) -> tuple[int, ...]:
    """The other numbers beyond 1 that have nearly as much support, most first; a number between two of them is one too.

    Examples
    --------
    >>> near_ties({2: 1.0, 3: 1.2, 4: 3.0, 5: 1.1, 6: 2.8}, 4)
    (6, 5)
    """
    close = {k for k in support if k > 1 and is_near_tie(support[k], support[best])} | {best}
    between = {k for k in support if k - 1 in close and k + 1 in close}
    return tuple(sorted((close | between) - {best}, key=lambda k: (-support[k], k)))


def is_near_tie(support: float, of_the_best: float) -> bool:
    """Whether a number of clusters has nearly as much support as the best."""
    return support >= NEAR_TIE * of_the_best


def _more_pieces(pieces: int) -> Message:
    return Message(
        "The graph falls into at least {pieces} pieces, or nearly, more than were tried. Try larger numbers, or join "
        "the pieces by more edges (a larger {neighbors}).",
        pieces=pieces,
        neighbors=Parameter("n_neighbors"),
    )


def _all_of(best: int, near: tuple[int, ...]) -> str:
    """The numbers that fit: all, if that is an answer."""
    if len(near) > _MANY:
        others = [*near[:_MANY], f"{len(near) - _MANY} more"]
        return f"No number of clusters stands out: {best} fits best, and {listed(others)} fit about as well. {_CLASSES}"
    return f"{listed(sorted([best, *near]), 'or')} clusters fit the data about as well; {best} fits best. {_CLASSES}"


def _next_best(support: Mapping[int, float], best: int) -> str:
    others = [k for k in support if k not in (1, best)]
    if not others:
        return "the only number that was tried."
    runner_up = max(others, key=support.__getitem__)
    share = percent(support[runner_up], support[best])
    return f"no other number fits as well ({runner_up} comes next, with {share} of the support)."
