"""What a fit found: one partition, how sure it is of every point, and how it came about."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from s3nmf._notebook import html_table
from s3nmf._types import FloatArray, IntArray
from s3nmf._words import counted, seconds, two_digits
from s3nmf.method.confidence import own_share
from s3nmf.method.views import View


@dataclass(frozen=True, eq=False)
class Round:
    """What one round of Algorithm 1 found.

    Attributes
    ----------
    number : int
        Counted from 1.
    member_labels : array of shape (n_members, n_samples)
        The partition of each member, clusters by decreasing size.
    weights : array of shape (n_members,)
        alpha.
    agreement : float
        ANMI of the members.
    objective : array of shape (n_iter + 1, n_members)
        ||S - V V'||_F^2 of each member, at the start and after each sweep; (0, n_members) where nothing was factorized.
    n_iter : int
        Sweeps.
    converged : bool
        Whether the inner stop was met before `max_iter`.
    seconds : float
    resolutions : array of shape (n_members,) or None
        Of the modularity that each partition is a maximum of, where the members are communities.
    similarity : str or None
        What was factorized, as a `Recipe` names it; None for round 1, and in files that do not say it.
    """

    number: int
    member_labels: IntArray
    weights: FloatArray
    agreement: float
    objective: FloatArray
    n_iter: int
    converged: bool
    seconds: float
    resolutions: FloatArray | None = None
    similarity: str | None = None

    @property
    def is_factorized(self) -> bool:
        """Whether its members are factorizations, and not partitions from elsewhere."""
        return len(self.objective) > 0


@dataclass(frozen=True)
class Considered:
    """A candidate, as the trace has it.

    Attributes
    ----------
    vote : str
        What members voted by: "collapsed", the co-association; "normalized", its degree-normalised form; "links", the
        edges, where rounds would take too long. Or what there is without a vote: "cuts", recursive cuts; "members",
        where they agreed.
    max_conductance, log_likelihood : float
        Its score.
    moved_by_links : int
        Points that the refinement by links moved.
    """

    vote: str
    max_conductance: float
    log_likelihood: float
    moved_by_links: int


@dataclass(frozen=True)
class Trace:
    """How a fit came to its labels.

    Attributes
    ----------
    candidates : tuple of Considered
    chosen : str
        The vote of the candidate with the best score.
    views : tuple of View
        What was found in each view of the data, where members are communities of them.
    moved_by_shape : int
        Points that the refinement by shape moved.
    shape_skipped : str
        Why it was skipped; empty where it was not.
    share_across : float
        The share of all links that lead from one cluster to another in the chosen candidate.
    """

    candidates: tuple[Considered, ...]
    chosen: str
    views: tuple[View, ...]
    moved_by_shape: int
    shape_skipped: str
    share_across: float

    def as_numbers(self) -> dict[str, Any]:
        """As JSON has it."""
        views = [{**asdict(view), "resolutions": list(view.resolutions)} for view in self.views]
        return {**asdict(self), "candidates": [asdict(one) for one in self.candidates], "views": views}


@dataclass(frozen=True, eq=False)
class S3NMFResult:
    """One partition, how sure it is of every point, and how it came about.

    Attributes
    ----------
    labels : array of shape (n_samples,)
        The partition of the chosen round's member with the largest weight, refined by links and by shape unless round
        1 factorizes; clusters by decreasing size.
    membership : array of shape (n_samples, n_clusters)
        How far each point belongs to each cluster, by the members of round 1 and the point's neighbours in the graph.
        Those members saw the data independently of each other; later rounds agree because they are made to. Rows add up
        to 1 where a cluster holds together around the point, to less where members cut it, to 0 for a point without any
        edge.
    chosen_round : int
        Counted from 1: the first factorized round with the highest agreement.
    history : tuple of Round
        All rounds that were run.
    isolated : array
        Points without any edge, in increasing order: nothing is known about where they belong.
    trace : Trace or None
        How the fit came to its labels; None for the paper's form, which has no choices, and for what comes from a file.
    """

    labels: IntArray
    membership: FloatArray
    chosen_round: int
    history: tuple[Round, ...]
    isolated: IntArray
    trace: Trace | None = None

    @cached_property
    def confidence(self) -> FloatArray:
        """How sure the partition is of each point, in [0, 1]: the share of its own cluster."""
        return own_share(self.membership, self.labels)

    @property
    def member_labels(self) -> IntArray:
        """Partitions of the members of the chosen round, (n_members, n_samples)."""
        return self.history[self.chosen_round - 1].member_labels

    @property
    def weights(self) -> FloatArray:
        """Weights of the members of the chosen round, (n_members,)."""
        return self.history[self.chosen_round - 1].weights

    @property
    def share_across(self) -> float:
        """The share of all links that lead from one cluster to another; not known without a trace."""
        return np.nan if self.trace is None else self.trace.share_across

    @property
    def agreement(self) -> FloatArray:
        """ANMI of each round."""
        return np.array([found.agreement for found in self.history])

    def _repr_html_(self) -> str:
        n_clusters, chosen = int(self.labels.max()) + 1, self.chosen_round
        rows = [
            (
                str(found.number),
                two_digits(found.agreement),
                f"{found.n_iter:,}",
                seconds(found.seconds),
                "chosen" if found.number == chosen else "",
            )
            for found in self.history
        ]
        found = f"{counted(self.labels.size, 'point')} in {counted(n_clusters, 'cluster')}."
        return html_table([found], ("round", "agreement", "sweeps", "time", ""), rows)

    @property
    def timings(self) -> FloatArray:
        """Seconds of each round."""
        return np.array([found.seconds for found in self.history])
