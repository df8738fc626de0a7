"""The paper's form: Algorithms 1 and 2 on the affinity itself, by its text or by its authors' published code.

Round 1 factorizes the affinity W from random starts; each later round factorizes S = sum_m alpha_m M_m M_m' of the
partitions M_m before it. The rounds end when the agreement of the members drops or is complete; the partition of the
member that weighs most in the round with the highest agreement is returned. Nothing else is done to it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from s3nmf._types import Affinity, IntArray
from s3nmf.graph.given import unit_scale
from s3nmf.graph.operators import AffinityOperator, CoAssociation, Problem, local_affinity
from s3nmf.graph.range import at_scale
from s3nmf.method.confidence import membership
from s3nmf.method.factorize import Factorizer, Members
from s3nmf.method.members import Task
from s3nmf.method.result import S3NMFResult
from s3nmf.method.vote import Voting, chosen_round, voted_partition


@dataclass(frozen=True, eq=False)
class Factorizations:
    """Factorizations of W from random starts: the paper's round 1."""

    def __call__(self, task: Task) -> Members:
        """Factorize W."""
        return factorize_affinity(task.affinity, task.factorize)


def factorize_affinity(affinity: Affinity, factorize: Factorizer) -> Members:
    """Algorithm 2 on W at unit scale, at which the paper's tolerances mean the same for every W."""
    W, scale = unit_scale(affinity)
    recipe = factorize.recipe
    if recipe.has_starts:  # which are given for the points in their order, and for W at its own scale
        problem = Problem(AffinityOperator(W, precision=recipe.precision), np.arange(W.shape[0]))
        given = factorize.starts_of
        factorize = replace(factorize, starts_of=lambda *of: np.asarray(given(*of)) / np.sqrt(scale))
    else:
        problem = local_affinity(W, recipe.precision)
    del W  # in single precision the problem has its own
    members = factorize(1, problem)
    return replace(members, objective=at_scale(members.objective, scale))


def fit_by_paper(affinity: Affinity, voting: Voting, isolated: IntArray) -> S3NMFResult:
    """Algorithm 1."""
    members, first = voting.first(lambda: factorize_affinity(affinity, voting.factorize))
    history = voting.rounds(members, first, voting.recipe.rebuilt)
    voting.clock.rounds_over((done.agreement for done in history), last=True)
    labels = voted_partition(history, voting.n_clusters)
    shares = membership(CoAssociation(first.member_labels, first.weights), affinity, labels)
    return S3NMFResult(labels, shares, chosen_round(history).number, history, isolated)
