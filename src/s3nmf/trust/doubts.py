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
NO_CLEAR_BORDERS = "No division of the data has clearly fewer edges across its borders than inside its clusters."


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
    in_file : bool
        Whether these are the names in a file that was read, where a column can be left out by its name.
    """

    telling: TellingColumn | None = None
    dependence: Dependence | None = None
    names: Sequence[str] | None = None
    in_file: bool = False

    @property
    def column_of_values(self) -> str | None:
        """The column whose values the clusters are; None if they are not the values of one."""
        return self.telling.name(self.names) if self.telling is not None and self.telling.has_values else None


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
        *_about_values(table),
        *_about_borders(found, evidence, has_clusters),
        *_about_rows(table),
        *_about_rounds(found),
        *_about_graph(found, graph, n_clusters, evidence, given=given),
        *_about_clusters(found, other_sizes=other_sizes),
    )


def _about_borders(found: Diagnostics, evidence: Sequence[Evidence], has_clusters: bool | None) -> Iterator[Doubt]:
    if not evidence:
        return
    own, best = evidence[0], evidence[-1]
    number = Parameter("n_clusters", best.n_clusters)
    if has_clusters and found.sizes.size == 1:
        yield Doubt("The data have more than one cluster", Message("{}: try {}.", _real_at(best), number))
    elif has_clusters and not own.stands_out:
        yield _unclear(own, best, number)
    elif not has_clusters and found.sizes.size > 1:
        yield Doubt(
            "The data show no clear clusters",
            f"{NO_CLEAR_BORDERS} Take these clusters for a division of one group, not for groups. Check that the "
            "columns are on one scale, and leave out columns of noise.",
        )


def _unclear(own: Evidence, best: Evidence, number: Parameter) -> Doubt:
    pairs = [f"{border.first} and {border.second}" for border in own.unclear]
    more = f", and {counted(len(pairs) - NAMED, 'other pair')}" if len(pairs) > NAMED else ""
    crossed = f"Between clusters {', '.join(pairs[:NAMED])}{more}, not clearly fewer edges cross than inside them"
    if best.n_clusters == own.n_clusters and best.stands_out:
        return Doubt(
            "Some borders may lie elsewhere",
            f"{crossed}. Another partition into {own.n_clusters} clusters has only real borders, so the number is "
            "supported. Check the points between these clusters.",
        )
    may_be_one = f"{crossed}: each pair may be one cluster."
    if best.n_clusters == own.n_clusters:
        return Doubt(
            "Some borders are not real",
            f"{crossed}. No other number of clusters does better.",
        )
    return Doubt("Some borders are not real", Message("{} {}: try {}.", may_be_one, _real_at(best), number))


def _real_at(best: Evidence) -> str:
    borders = "every border is" if best.stands_out else "nearly all borders are"
    return f"With {best.n_clusters} clusters {borders} real"


def _about_values(table: TableFacts | None) -> Iterator[Doubt]:
    name = None if table is None else table.column_of_values
    if table is None or table.telling is None or name is None:
        return
    leave_out = Message(" ({})", Parameter("drop", [name])) if table.in_file else ""
    yield Doubt(
        f"These clusters are the values of {name}",
        Message(
            "{} alone puts {} of the points into their cluster. Leave it out{} to see whether the other columns have "
            "clusters.",
            name,
            percent(table.telling.share, 1),
            leave_out,
        ),
    )


def _about_rows(table: TableFacts | None) -> Iterator[Doubt]:
    rows = None if table is None else table.dependence
    if rows is not None:
        yield Doubt(
            "Consecutive rows are alike",
            f"{percent(rows.share, 1)} of the rows are neighbours of the next row; in random order "
            f"{percent(rows.by_chance, 1)} would be. If the rows are a time series, clusters may be periods of time.",
        )


def _about_rounds(found: Diagnostics) -> Iterator[Doubt]:
    highest = float(found.agreement.max())
    if highest < AGREED:
        yield Doubt(
            "The members do not agree",
            Message("Their agreement reached {} of 1. Raise {}.", two_digits(highest), Parameter("max_rounds")),
        )


def _about_graph(
    found: Diagnostics, graph: ConnectivityReport, n_clusters: int, evidence: Sequence[Evidence], *, given: bool
) -> Iterator[Doubt]:
    are_clusters = graph.n_components <= n_clusters and bool(evidence) and evidence[0].stands_out
    if not graph.is_connected and not are_clusters:
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
            "Less than half of the members put two points of such a cluster together "
            f"({begun(map(two_digits, found.within[apart]), NAMED)}): it may be several clusters, or points that "
            "belong to none.",
        )
    shares = found.mixing
    mixing = np.triu(np.maximum(shares, shares.T), k=1)
    mixed = sorted(map(tuple, np.argwhere(mixing >= MIXED_UP).tolist()), key=lambda pair: -mixing[pair])
    if mixed:
        pairs = [f"{first} and {second} ({two_digits(mixing[first, second])})" for first, second in mixed[:NAMED]]
        more = f", and {counted(len(mixed) - NAMED, 'more pair')}" if len(mixed) > NAMED else ""
        yield Doubt(
            "Some clusters overlap",
            f"Much of the evidence for points of one supports the other: {', '.join(pairs)}{more}. Points between them "
            "may belong to either.",
        )
    if other_sizes:
        yield Doubt(
            "Small clusters may be merged, and a large one split",
            Message(
                "Members often separate points of one cluster, and join points of different ones. If some clusters "
                "have many times as many points as others, try {}.",
                Parameter("recipe", "unequal"),
            ),
        )
    rather = int(thresholds.would_rather_be_elsewhere(found).sum())
    if rather:
        yield Doubt(
            f"{counted(rather, 'point')} {'has' if rather == 1 else 'have'} more evidence for another cluster",
            "The members support the second choice of such a point more than its own cluster.",
        )
    small = np.flatnonzero(found.sizes < FEWEST_POINTS)
    if small.size:
        yield Doubt(
            f"{_clusters(small)} {'is' if small.size == 1 else 'are'} very small",
            f"Groups of fewer than {FEWEST_POINTS} points are more likely outliers than clusters.",
        )


def _clusters(numbers: IntArray) -> str:
    if numbers.size == 1:
        return f"Cluster {numbers[0]}"
    shown = [str(cluster) for cluster in numbers[:NAMED]]
    if numbers.size > NAMED:
        shown.append(f"{numbers.size - NAMED} more")
    return f"Clusters {listed(shown)}"
