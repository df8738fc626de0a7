"""Candidates: what members vote for by the co-association and by its degree-normalised form, and recursive cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from s3nmf._types import IntArray
from s3nmf.graph.communities.groups import find_groups
from s3nmf.graph.cuts import CoarseGraph, recursive_cuts
from s3nmf.method.factorize import Members
from s3nmf.method.link_vote import link_voted_partition, voted_graph
from s3nmf.method.members import Task
from s3nmf.method.refine import refine_by_block_model
from s3nmf.method.result import Considered, Round
from s3nmf.method.score import Score, far_less_than, is_better, score_of
from s3nmf.method.settings import CUTS
from s3nmf.method.vote import Voting, voted_partition


@dataclass(frozen=True, eq=False)
class Candidate:
    """A partition that members voted for, refined by links, and its score.

    Attributes
    ----------
    history : tuple of Round
    labels : array of shape (n_samples,)
    score : Score
    about : Considered
        What the trace says of it.
    """

    history: tuple[Round, ...]
    labels: IntArray
    score: Score
    about: Considered


def candidates(task: Task, voting: Voting, members: Members, first: Round) -> list[Candidate]:
    """All candidates, the one by the co-association first.

    Members vote by the co-association, in which a cluster weighs the square of its size, and by its degree-normalised
    form. Recursive cuts of W need no vote: they hold clusters of any sizes side by side, which communities of one
    resolution join or cut. They are a candidate where they leave clusters apart, and what members voted for does not.
    Where rounds would take too long, members vote on links instead.
    """
    found: list[Candidate] = []
    for similarity in voting.similarities:
        history = voting.rounds(members, first, similarity, task.graph.row_of)
        if len(history) == 1:  # it would take too long
            found.append(_voted_on_links(task, first))
            break
        found.append(_refined(task, similarity, voted_partition(history, task.n_clusters), history))
    best = best_of(found)
    most = far_less_than(best.score.max_conductance, voted=False)
    if len(voting.similarities) > 1 and most >= 0:
        groups = find_groups(task.graph, task.n_clusters, task.entropy)
        cuts = recursive_cuts(CoarseGraph.of(groups), task.n_clusters, CUTS.smallest_side, most)
        if cuts is not None:
            found.append(_refined(task, "cuts", cuts, best.history))
    return found


def best_of(found: Sequence[Candidate]) -> Candidate:
    """The candidate with the best score; the first one, unless another is better by more than chance."""
    best = found[0]
    for other in found[1:]:
        if is_better(other.score, than=best.score, voted=other.about.vote != "cuts"):
            best = other
    return best


def unanimous(task: Task, first: Round) -> Candidate:
    """What members agree on, or what is there after a single round: neither refined nor scored."""
    labels = voted_partition((first,), task.n_clusters)
    return Candidate((first,), labels, Score(np.nan, np.nan, task.n_clusters), Considered("members", None, None, 0))


def _voted_on_links(task: Task, first: Round) -> Candidate:
    voted = voted_graph(task.graph, first.member_labels, first.weights)
    partition = link_voted_partition(voted, task.n_clusters, task.entropy, task.factorize.threads)
    return _refined(task, "links", partition, (first,))


def _refined(task: Task, name: str, partition: IntArray, history: tuple[Round, ...]) -> Candidate:
    labels = refine_by_block_model(task.graph, partition)
    score = score_of(task.affinity, task.graph, labels)
    n_moved = int((labels != partition).sum())
    return Candidate(history, labels, score, Considered(name, score.max_conductance, score.log_likelihood, n_moved))
