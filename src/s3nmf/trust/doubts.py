"""What to be careful about: the rounds, the graph, the clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from s3nmf._messages import Message, Parameter, joined
from s3nmf._types import IntArray
from s3nmf._words import begun, counted, listed, percent, two_digits
from s3nmf.graph.components import ConnectivityReport
from s3nmf.trust import thresholds
from s3nmf.trust.columns import TellingColumn
from s3nmf.trust.diagnostics import Diagnostics
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.rows import Dependence
from s3nmf.trust.thresholds import AGREED, FALLS_APART, FEWEST_POINTS, MIXED_UP

NAMED = 5


@dataclass(frozen=True)
class Doubt:
    """Something to be careful about: in a few words, and in a few sentences."""

    what: str
    why: str


@dataclass(frozen=True, eq=False)
class TableFacts:
    """What the table itself says about the clusters.

    Attributes
    ----------
    telling : TellingColumn or None
        A column that tells the clusters apart by itself.
    dependence : Dependence or None
        Links between consecutive rows, if there are far more than by chance.
    names : sequence of str or None
        Of the columns.
    """

    telling: TellingColumn | None = None
    dependence: Dependence | None = None
    names: Sequence[str] | None = None


def doubts_of(
    found: Diagnostics,
    graph: ConnectivityReport,
    n_clusters: int,
    evidence: Sequence[Evidence],
    has_clusters: bool | None,
    *,
    given: bool,
    other_sizes: bool,
    table: TableFacts | None = None,
) -> tuple[Doubt, ...]:
    """All doubts, the most serious first; `given` says that the graph was, and not built.

    `other_sizes` says that clusters may be of very unequal sizes, but were taken to be of like ones.
    """
    return (
        *_about_borders(found, evidence, has_clusters),
        *_about_table(table),
        *_about_rounds(found),
        *_about_graph(found, graph, n_clusters, given=given),
        *_about_clusters(found, other_sizes=other_sizes),
    )


def _about_borders(found: Diagnostics, evidence: Sequence[Evidence], has_clusters: bool | None) -> Iterator[Doubt]:
    if not evidence or found.sizes.size == 1 or (has_clusters and evidence[0].stands_out):
        return
    own, best = evidence[0], evidence[-1]
    if not has_clusters:
        yield Doubt(
            "No clusters stand out",
            Message(
                "Wherever the data are cut, about as many edges cross as inside the parts. Take the "
                "clusters for what they are: parts of one whole.",
            ),
        )
        return
    pairs = [f"{border.first} and {border.second}" for border in own.unclear]
    more = f", and {counted(len(pairs) - NAMED, 'other pair')}" if len(pairs) > NAMED else ""
    yield Doubt(
        "Some borders are not real",
        Message(
            "Nearly as many edges cross between clusters {pairs}{more} as inside them: each pair may be one cluster. "
            "At {best} clusters every border is real: try {number}.",
            pairs=", ".join(pairs[:NAMED]),
            more=more,
            best=best.n_clusters,
            number=Parameter("n_clusters", best.n_clusters),
        ),
    )


def _about_table(table: TableFacts | None) -> Iterator[Doubt]:
    if table is None:
        return
    telling, rows = table.telling, table.dependence
    if telling is not None and telling.has_values:
        name = telling.name(table.names)
        yield Doubt(
            f"These clusters are the values of {name}",
            f"{name} alone puts {percent(telling.share, 1)} of the points into their cluster. Leave it out to see "
            "whether the other columns have clusters.",
        )
    if rows is not None:
        yield Doubt(
            "Consecutive rows are alike",
            f"{percent(rows.share, 1)} of the rows are neighbours of the row below; in another order "
            f"{percent(rows.by_chance, 1)} would be. If rows were measured one after the other, clusters may be "
            "stretches of time.",
        )


def _about_rounds(found: Diagnostics) -> Iterator[Doubt]:
    highest = float(found.agreement.max())
    if highest < AGREED:
        yield Doubt(
            "The runs did not come to agree",
            Message("They reached {} of 1 at most. Raise {}.", two_digits(highest), Parameter("max_rounds")),
        )


def _about_graph(found: Diagnostics, graph: ConnectivityReport, n_clusters: int, *, given: bool) -> Iterator[Doubt]:
    if not graph.is_connected:
        yield Doubt("The graph is in pieces", joined([str(graph), graph.advice(n_clusters, given=given)]))
    if found.sizes.size < n_clusters:
        have = f"Only {counted(found.sizes.size, 'cluster')} {'has' if found.sizes.size == 1 else 'have'} points"
        asked = Parameter("n_clusters", n_clusters)
        yield Doubt("Fewer clusters than asked for", Message("{}, fewer than {}. Ask for fewer.", have, asked))


def _about_clusters(found: Diagnostics, *, other_sizes: bool) -> Iterator[Doubt]:
    apart = np.flatnonzero(found.within < FALLS_APART)
    if apart.size:
        yield Doubt(
            f"{_clusters(apart)} {'falls' if apart.size == 1 else 'fall'} apart",
            "Two points of such a cluster are together in less than half of the runs "
            f"({begun(map(two_digits, found.within[apart]), NAMED)}): it may be several clusters, or what was left "
            "over.",
        )
    shares = found.mixing
    mixing = np.triu(np.maximum(shares, shares.T), k=1)
    mixed = sorted(map(tuple, np.argwhere(mixing >= MIXED_UP).tolist()), key=lambda pair: -mixing[pair])
    if mixed:
        pairs = [f"{first} and {second} ({two_digits(mixing[first, second])})" for first, second in mixed[:NAMED]]
        more = f", and {counted(len(mixed) - NAMED, 'more pair')}" if len(mixed) > NAMED else ""
        yield Doubt(
            "Clusters that run into each other",
            f"Much of the evidence for points of one is for the other: {', '.join(pairs)}{more}. They may be one "
            "cluster.",
        )
    if other_sizes:
        yield Doubt(
            "Small clusters may be joined, and a large one cut",
            Message(
                "Points of one cluster are often apart in the runs, and points of different ones often together. Where "
                "some clusters have many times as many points as others, try {}.",
                Parameter("recipe", "unequal"),
            ),
        )
    rather = int(thresholds.would_rather_be_elsewhere(found).sum())
    if rather:
        yield Doubt(
            f"{counted(rather, 'point')} with more evidence for another cluster",
            "Among the members, the second choice has a larger share than the cluster of the point.",
        )
    small = np.flatnonzero(found.sizes < FEWEST_POINTS)
    if small.size:
        yield Doubt(
            f"{_clusters(small)} {'is' if small.size == 1 else 'are'} very small",
            f"Fewer than {FEWEST_POINTS} points are more likely outliers than a cluster.",
        )


def _clusters(numbers: IntArray) -> str:
    if numbers.size == 1:
        return f"Cluster {numbers[0]}"
    shown = [str(cluster) for cluster in numbers[:NAMED]]
    if numbers.size > NAMED:
        shown.append(f"{numbers.size - NAMED} more")
    return f"Clusters {listed(shown)}"
