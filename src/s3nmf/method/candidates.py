"""Candidates: what members vote for by the co-association and by its degree-normalised form, and recursive cuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

from s3nmf._types import IntArray
from s3nmf.graph.communities.groups import find_groups
from s3nmf.graph.cuts import CoarseGraph, recursive_cuts
from s3nmf.method.link_vote import link_voted_partition, voted_graph
from s3nmf.method.members import Task
from s3nmf.method.refine import refine_by_block_model
from s3nmf.method.result import Considered, Round
from s3nmf.method.score import Score, far_less_than, is_better, score_of
from s3nmf.method.settings import CUTS, VIEWS
from s3nmf.method.vote import voted_partition


@dataclass(frozen=True, eq=False)
class Candidate:
    """A partition, refined by links, and its score.

    Attributes
    ----------
    name : str
        As `Considered.vote` has it.
    history : tuple of Round
        The rounds that came to it; those of the best candidate before it, where it has none of its own.
    labels : array of shape (n_samples,)
    score : Score
    n_moved : int
        Points that the refinement by links moved.
    """

    name: str
    history: tuple[Round, ...]
    labels: IntArray
    score: Score
    n_moved: int

    @classmethod
    def of(cls, name: str, history: tuple[Round, ...], partition: IntArray, task: Task) -> Candidate:
        """The candidate that this partition is after its refinement."""
        labels = refine_by_block_model(task.graph, partition)
        return cls(name, history, labels, score_of(task.graph, labels), int((labels != partition).sum()))

    @property
    def about(self) -> Considered:
        """What the trace says of it."""
        return Considered(self.name, self.score.max_conductance, self.score.log_likelihood, self.n_moved)


Votes: TypeAlias = Mapping[str, tuple[Round, ...]]
"""The rounds of each vote, by its name."""
Propose: TypeAlias = Callable[[Task, Votes, Sequence[Candidate]], list[Candidate]]
"""From the votes and the candidates so far to more candidates, or none."""


def by_votes(task: Task, votes: Votes, found: Sequence[Candidate]) -> list[Candidate]:
    """What members voted for: by similarities or, where rounds would take too long, on links."""
    counts = {name: _on_links if name == "links" else _by_rounds for name in votes}
    return [Candidate.of(name, votes[name], counts[name](task, votes[name]), task) for name in votes]


def _by_rounds(task: Task, history: Sequence[Round]) -> IntArray:
    return voted_partition(history, task.n_clusters)


def _on_links(task: Task, history: Sequence[Round]) -> IntArray:
    voted = voted_graph(task.graph, history[0].member_labels, history[0].weights)
    return link_voted_partition(voted, task.n_clusters, task.entropy, task.factorize.threads)


def by_cuts(task: Task, votes: Votes, found: Sequence[Candidate]) -> list[Candidate]:
    """Recursive cuts of W, where these leave clusters apart and the best candidate so far does not.

    They hold clusters of any sizes side by side, which communities of one resolution join or cut. But they follow the
    links of one graph, and their chance, and got no vote.
    """
    best = best_of(found)
    most = min(far_less_than(best.score.max_conductance), VIEWS.least_conductance)
    pairs = task.graph.n_rows**2
    if most < 0 or task.graph.neighbors.size > CUTS.most_linked * pairs:
        return []
    groups = find_groups(task.graph, task.n_clusters, task.entropy)
    cuts = recursive_cuts(CoarseGraph.of(groups), task.n_clusters, CUTS.smallest_side, most)
    return [] if cuts is None else [Candidate.of("cuts", best.history, cuts, task)]


PROPOSALS: tuple[Propose, ...] = (by_votes, by_cuts)


def candidates(task: Task, votes: Votes) -> list[Candidate]:
    """All candidates, the one by the co-association first."""
    found: list[Candidate] = []
    for propose in PROPOSALS:
        found += propose(task, votes, found)
    return found


def best_of(found: Sequence[Candidate]) -> Candidate:
    """The candidate with the best score; an earlier one, unless a later one is better by more than chance."""
    return reduce(lambda best, other: other if is_better(other.score, than=best.score) else best, found)
