"""Which round's partition is handed out."""

from __future__ import annotations

from collections.abc import Sequence


def best_round(agreement: Sequence[float]) -> int:
    """The first round with the highest agreement.

    Of rounds whose members agree equally, the later ones cost more and gain nothing.

    Parameters
    ----------
    agreement : sequence of float
        Of the members of each round, in the order of the rounds.

    Returns
    -------
    int
        The number of the round, counted from 1.

    Examples
    --------
    >>> best_round([0.4, 0.9, 0.9, 0.8])
    2
    """
    return 1 + max(range(len(agreement)), key=lambda place: agreement[place])
