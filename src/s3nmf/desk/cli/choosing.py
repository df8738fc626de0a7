"""How many clusters there are in what was read."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from s3nmf._bar import ShowProgress
from s3nmf._messages import spelled
from s3nmf._words import counted
from s3nmf.desk.cli.failures import CommandError
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.sources import Graph, Table
from s3nmf.trust.choose_k import USUAL, Candidate, ClusterCount, choose_n_clusters

# Rows of a table that are enough to count its clusters.
SAMPLE = 2000


def facts(found: ClusterCount) -> dict[str, Any]:
    """What was found, for programs."""
    return {
        "n_clusters": found.n_clusters,
        "near_ties": list(found.near_ties),
        "clear": found.clear,
        "has_clusters": found.has_clusters,
        "reason": spelled(found.reason, as_option),
        "sentences": list(found.sentences),
        "candidates": [asdict(candidate) for candidate in found.candidates],
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
    notes = []
    if n < len(data.ids):
        notes.append(
            f"Looked at {n:,} of {len(data.ids):,} rows to count clusters, drawn at random (choose-k --sample 0 looks "
            "at all)."
        )
    if show is not None:
        show("building the graph")
    try:
        found = choose_n_clusters(
            values,
            numbers,
            **graph,
            max_samples=n,
            random_state=seed,
            callback=_counting(show, min(n - 1, USUAL) if numbers is None else len(numbers)),
        )
    except ValueError as error:
        raise CommandError(f"{data.source}: {spelled(error, as_option)}") from error
    if found.n_outliers:
        notes.append(f"Left {counted(found.n_outliers, 'outlier')} aside while counting clusters.")
    return found, notes


def _counting(show: ShowProgress | None, total: int) -> Callable[[Candidate], None] | None:
    if show is None:
        return None
    began, done = time.perf_counter(), 0

    def one_more(candidate: Candidate) -> None:
        nonlocal done
        done += 1
        elapsed = time.perf_counter() - began
        show(f"{candidate.n_clusters} clusters tried", done / total, elapsed * (total - done) / done)

    return one_more
