"""How many clusters there are in what was read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s3nmf._bar import ShowProgress
from s3nmf._messages import spelled
from s3nmf._words import counted
from s3nmf.desk.cli.failures import CommandError
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.sources import Graph, Table
from s3nmf.trust.choose_k import Candidate, ClusterCount, choose_n_clusters
from s3nmf.trust.settings import NUMBER_SEARCH


def facts(found: ClusterCount) -> dict[str, Any]:
    """What was found, for programs."""
    return {
        "n_clusters": found.n_clusters,
        "near_ties": list(found.near_ties),
        "coarser": list(found.coarser),
        "clear": found.clear,
        "has_clusters": found.has_clusters,
        "reason": spelled(found.reason, as_option),
        "sentences": list(found.sentences),
        "candidates": [candidate.as_numbers() for candidate in found.candidates],
    }


def choose(
    data: Table | Graph,
    numbers: list[int] | None,
    graph: dict[str, Any],
    *,
    sample: int,
    seed: int,
    show: ShowProgress | None = None,
) -> tuple[ClusterCount, list[str]]:
    """Try the numbers on what was read, as a graph with these options, and note what was left aside."""
    values, n = (data.values, sample) if isinstance(data, Table) else (data.affinity, 0)
    n = min(n or len(data.ids), len(data.ids))
    if numbers is not None and numbers[-1] >= n:
        raise CommandError(f"--k goes up to {numbers[-1]}, and {data.source} has {n} to look at. Try at most {n - 1}.")
    if show is not None:
        show("building the graph")
    try:
        found = choose_n_clusters(
            values,
            numbers,
            **graph,
            max_samples=n,
            random_state=seed,
            callback=_counting(show),
        )
    except ValueError as error:
        raise CommandError(f"{data.source}: {spelled(error, as_option)}") from error
    return found, sampled(data, n)


def sampled(data: Table | Graph, n: int = NUMBER_SEARCH.most_points) -> list[str]:
    """A note on how many rows of a table were looked at to find the number of clusters, if not all were."""
    if not isinstance(data, Table) or n >= len(data.ids):
        return []
    return [
        f"Looked at {n:,} of {len(data.ids):,} rows to count clusters, drawn at random (choose-k --sample 0 looks at "
        "all)."
    ]


def _counting(show: ShowProgress | None) -> Callable[[Candidate], None] | None:
    if show is None:
        return None
    return lambda candidate: show(f"judged {counted(candidate.n_clusters, 'cluster')}")
