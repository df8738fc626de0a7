"""Names of clusters as people give them: numbers or texts, one for each point."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def labels_of(given: ArrayLike, what: str) -> NDArray[Any]:
    """Labels as an array; those that cannot be told apart by their order are refused: numbers among texts, None.

    Examples
    --------
    >>> labels_of(["a", None], "y_true")
    Traceback (most recent call last):
    ...
    ValueError: y_true holds labels of types NoneType, str. Make all of them numbers or all of them texts.
    """
    try:
        labels = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{what} has rows of different lengths. Give each point one label.") from error
    if np.ma.is_masked(given):
        raise ValueError(f"{what} has masked labels, which are no labels. Drop their points.")
    if labels.dtype == object:
        try:
            np.unique(labels)
        except TypeError as error:
            types = ", ".join(sorted({type(label).__name__ for label in labels.flat}))
            raise ValueError(
                f"{what} holds labels of types {types}. Make all of them numbers or all of them texts."
            ) from error
    return labels
