"""What the library warns about, each by a name that can be filtered."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from s3nmf._messages import Message, Parameter

_PACKAGE = str(Path(__file__).parent)

MORE_SWEEPS = Message("raise {} so that they can be told apart", Parameter("max_iter"))
"""What may fill the empty clusters of a factorization."""


class DisconnectedGraphWarning(UserWarning):
    """The affinity graph falls into several components, or has points without any edge."""


class SuspiciousDataWarning(UserWarning):
    """The data look like a common mistake: rows that are copies, columns in other units, distances as similarities."""


class EmptyClusterWarning(UserWarning):
    """The partition has fewer clusters than were asked for."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn at the line outside the library that called it, however deep inside the reason was found."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


ANOTHER_SEED = Message("try another {}", Parameter("random_state"))


SEED_OR_SWEEPS = Message(
    "try another {seed}, or more sweeps (max_iter of a {recipe})",
    seed=Parameter("random_state"),
    recipe=Parameter("recipe"),
)


SWEEPS_OF_RECIPE = Message("allow more sweeps (max_iter of a {})", Parameter("recipe"))


OTHER_WEIGHTS = "give weights that differ: here every two points are joined alike, and nothing tells them apart"


def warn_if_empty(n_found: int, n_clusters: int, remedy: str = ANOTHER_SEED) -> None:
    """Report clusters that were asked for and have no point."""
    if n_found < n_clusters:
        warn(
            Message(
                "Only {found} of the {asked} clusters have points. Ask for fewer clusters, or {remedy}.",
                found=n_found,
                asked=Parameter("n_clusters", n_clusters),
                remedy=remedy,
            ),
            EmptyClusterWarning,
        )
