"""The verdict on a clustering, which Python, the command line and the report show in the same words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from s3nmf._notebook import html_table
from s3nmf._types import IntArray
from s3nmf._words import counted
from s3nmf.graph.components import ConnectivityReport
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.diagnostics import Diagnostics, Dispute
from s3nmf.trust.doubts import NAMED, Doubt, TableFacts, doubts_of
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.sentences import judgement, sentences
from s3nmf.trust.thresholds import WORTH_A_LOOK, is_doubtful, may_be_of_other_sizes


@dataclass(frozen=True, eq=False)
class Verdict:
    """What to know first about a clustering; `print` shows it.

    Attributes
    ----------
    count, judgement : str
        How many clusters, and whether they are clusters.
    has_clusters : bool or None
        Whether a partition was found all of whose borders are clear; None if no border was looked at.
    evidence : tuple of Evidence
        The borders of the partition; where some of them are not real, also those of another partition that has real
        ones, if there is one. Empty if borders were not looked at.
    sentences : tuple of str
    doubts : tuple of Doubt
        What to be careful about, the most serious first; empty if there is none.
    disputes : tuple of Dispute
        Pairs of clusters that members mix up most, at most five.
    n_doubtful : int
        Points with less than half of the evidence for their own cluster.
    doubtful_in : array of shape (n_clusters,)
        How many of them are in each cluster.
    doubtful_between : array of shape (n_clusters, n_clusters)
        How many of one cluster have another for their second choice, both ways together.
    """

    count: str
    judgement: str
    has_clusters: bool | None
    evidence: tuple[Evidence, ...]
    sentences: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    disputes: tuple[Dispute, ...]
    n_doubtful: int
    doubtful_in: IntArray
    doubtful_between: IntArray

    @property
    def has_so_many(self) -> bool | None:
        """Whether there are as many clusters: all borders of this partition are real, or no other number is better.

        A doubt names the borders that are not. One cluster is as many as there are where the data have no clusters.
        None if no border was looked at.
        """
        if self.has_clusters is None:
            return None
        n_clusters = self.doubtful_in.size
        if n_clusters == 1 or not self.has_clusters:
            return (n_clusters == 1) != self.has_clusters
        own, *others = self.evidence
        return own.stands_out or any(one.n_clusters == n_clusters for one in others)

    def __str__(self) -> str:
        lines = [f"{self.count} {self.judgement}", *self.sentences]
        return "\n".join([*lines, *(f"- {doubt.what}. {doubt.why}" for doubt in self.doubts)])

    def _repr_html_(self) -> str:
        doubts = [(doubt.what, doubt.why) for doubt in self.doubts] or [("nothing", "")]
        return html_table(str(self).split("\n")[: 1 + len(self.sentences)], ("What to doubt", "why"), doubts)


def judge(
    found: Diagnostics,
    graph: ConnectivityReport,
    n_clusters: int,
    evidence: tuple[Evidence, ...] = (),
    *,
    has_clusters: bool | None = None,
    given: bool = False,
    like_sizes: bool = True,
    table: TableFacts | None = None,
) -> Verdict:
    """Judge by diagnostics, the graph, given or built, the number of clusters asked for, and the borders.

    `like_sizes` says that clusters of similar sizes were taken to be more likely; `table`, what the table says, if
    there is one.
    """
    if has_clusters is None and evidence:
        has_clusters = any(one.is_clear for one in evidence)
    stands_out = bool(evidence) and evidence[0].stands_out
    other_sizes = like_sizes and has_clusters is not False and not stands_out and may_be_of_other_sizes(found)
    # Whether a point belongs to the only cluster there is, is no question.
    doubtful = is_doubtful(found.confidence) & (found.sizes.size > 1)
    n_doubtful = int(doubtful.sum())
    disputes = [pair for pair in found.disputes if pair.shared >= WORTH_A_LOOK]
    torn = doubtful & (found.second_choice != NO_CLUSTER)
    between = np.zeros(found.shared.shape, dtype=np.intp)
    np.add.at(between, (found.labels[torn], found.second_choice[torn]), 1)
    return Verdict(
        count=f"{counted(found.sizes.size, 'cluster')}.",
        judgement=judgement(found.sizes.size, has_clusters, evidence, table),
        has_clusters=has_clusters,
        evidence=evidence,
        sentences=sentences(found, n_doubtful, evidence, has_clusters, table),
        doubts=doubts_of(
            found, graph, n_clusters, evidence, has_clusters, given=given, other_sizes=other_sizes, table=table
        ),
        disputes=tuple(disputes[:NAMED]),
        n_doubtful=n_doubtful,
        doubtful_in=np.bincount(found.labels[doubtful], minlength=found.sizes.size),
        doubtful_between=between + between.T,
    )
