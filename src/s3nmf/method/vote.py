"""Members vote: rounds that factorize the similarity that the members make, until they agree (Algorithm 1)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.operators import CoAssociation, Problem, collapsed_co_association, soft_co_association
from s3nmf.method.anmi import agreement_of_named
from s3nmf.method.factorize import Factorizer, Members
from s3nmf.method.recipe import Recipe, Similarity
from s3nmf.method.result import Round
from s3nmf.method.settings import SPEED, VOTE
from s3nmf.progress import Clock

logger = logging.getLogger("s3nmf")

Rebuild: TypeAlias = Callable[[Members, int, Any, IntArray | None], Problem]
"""From members, the number of clusters, the precision of the factors to come, and the place of each point in an order
that is not that of the data, to the next similarity."""


def collapsed(members: Members, n_clusters: int, precision: Any, place: IntArray | None) -> Problem:
    """S = sum_m alpha_m M_m M_m' with one row for all points that no member tells apart, which so stay together."""
    return collapsed_co_association(members.labels, members.weights, precision, place=place)


def normalized(members: Members, n_clusters: int, precision: Any, place: IntArray | None) -> Problem:
    """The degree-normalised D^-1/2 S D^-1/2, D the row sums of S and a little more: clusters of any size weigh as much.

    Without the little more, any few points that all members keep apart would be a cluster.
    """
    few = VOTE.smallest_share * members.labels.shape[1] / n_clusters
    return collapsed_co_association(members.labels, members.weights, precision, few=few, place=place)


def literal(members: Members, n_clusters: int, precision: Any, place: IntArray | None) -> Problem:
    """S with a row for each point, in double precision: the paper to the letter."""
    return Problem(CoAssociation(members.labels, members.weights), np.arange(members.labels.shape[1]))


def soft(members: Members, n_clusters: int, precision: Any, place: IntArray | None) -> Problem:
    """S = sum_m alpha_m V_m V_m' of the factors, whose rows are those of the round before."""
    return Problem(soft_co_association(members.factors, members.weights, precision), members.row_of)


SIMILARITIES: dict[str, Rebuild] = {
    "collapsed": collapsed,
    "normalized": normalized,
    "literal": literal,
    "soft": soft,
}


@dataclass(frozen=True)
class Voting:
    """The rounds of a fit, set up.

    Attributes
    ----------
    recipe : Recipe
    similarities : tuple of str
        What members vote by: one vote for each.
    n_clusters, max_rounds : int
    factorize : Factorizer
    clock : Clock
    """

    recipe: Recipe
    similarities: tuple[Similarity, ...]
    n_clusters: int
    max_rounds: int
    factorize: Factorizer
    clock: Clock

    def first(self, find: Callable[[], Members]) -> tuple[Members, Round]:
        """The members of round 1, and the round."""
        began = time.perf_counter()
        members = find()
        return members, self._round(1, members, began)

    def votes(self, members: Members, first: Round, place: IntArray) -> dict[str, tuple[Round, ...]]:
        """The rounds by each similarity, by its name.

        Where there are none, by the name "members" if these agree, so that there is no vote, else "links".
        """
        otherwise = "members" if self.is_over([first]) else "links"
        histories = [self.rounds(members, first, similarity, place) for similarity in self.similarities]
        return {history[-1].similarity or otherwise: history for history in histories}

    def rounds(
        self, members: Members, first: Round, similarity: Similarity, place: IntArray | None = None
    ) -> tuple[Round, ...]:
        """Round 1 and those after it, which factorize this similarity of the members of the round before.

        Where points share rows, and rounds would take too long, they end before: with round 1, if need be.
        """
        history, work = [first], 0.0
        while not self.is_over(history):
            self.clock.rounds_over(done.agreement for done in history)
            began, number = time.perf_counter(), len(history) + 1
            problem = SIMILARITIES[similarity](members, self.n_clusters, self.recipe.precision, place)
            work += self._multiplications(problem, len(members.labels))
            if similarity in ("collapsed", "normalized") and work > self.most_multiplications:
                break
            members = self.factorize(number, problem)
            history.append(self._round(number, members, began, similarity))
        return tuple(history)

    @property
    def most_multiplications(self) -> float:
        """Of the rounds by one similarity."""
        return SPEED.sweep_multiplications * self.recipe.max_iter * self.max_rounds / len(self.similarities)

    def _multiplications(self, problem: Problem, n_members: int) -> float:
        """Of a round, at most: products with S, and V V'V, by matrix products, which are faster."""
        a_row = self.n_clusters * (n_members + self.n_clusters / 4)
        return float(problem.operator.shape[0]) * a_row * n_members * self.recipe.max_iter

    def _round(self, number: int, members: Members, began: float, similarity: Similarity | None = None) -> Round:
        found = Round(
            number=number,
            member_labels=members.labels,
            weights=members.weights,
            agreement=agreement_of_named(members.labels, self.recipe.nmi_average, self.recipe.pairs),
            objective=members.objective,
            n_iter=members.n_iter,
            converged=members.converged,
            seconds=time.perf_counter() - began,
            resolutions=members.resolutions,
            similarity=similarity,
        )
        logger.info("round %d: agreement %.4f after %d sweeps", number, found.agreement, found.n_iter)
        return found

    def is_over(self, history: Sequence[Round]) -> bool:
        """The members agree completely, or less than in the round before; or so many rounds were not to be exceeded."""
        last, levels = history[-1], [found.agreement for found in electable(history)]
        agreed = last.agreement == 1.0 and int(last.member_labels.max()) + 1 == self.n_clusters
        dropped = levels[-1:] < levels[-2:-1]  # of a single level, nothing is less than nothing
        stops = self.recipe.outer_stop == "drop" and (agreed or dropped)
        return stops or len(history) == self.max_rounds


def best_round(agreement: Sequence[float]) -> int:
    """The number, from 1, of the first round with the highest agreement: later ones cost more and gain nothing.

    Examples
    --------
    >>> best_round([0.4, 0.9, 0.9, 0.8])
    2
    """
    return 1 + max(range(len(agreement)), key=lambda place: agreement[place])


def electable(history: Sequence[Round]) -> Sequence[Round]:
    """The rounds that factorized; all rounds where none did.

    Members of round 1 that are not factorizations may have any number of clusters: they vote, and are not elected.
    """
    return [found for found in history if found.is_factorized] or history


def chosen_round(history: Sequence[Round]) -> Round:
    """The best of the electable rounds."""
    rounds = electable(history)
    return rounds[best_round([found.agreement for found in rounds]) - 1]


def voted_partition(history: Sequence[Round], n_clusters: int) -> IntArray:
    """The partition of the member of the chosen round that weighs most."""
    chosen = chosen_round(history)
    return final_partition(chosen.member_labels, chosen.weights, n_clusters)


def final_partition(member_labels: IntArray, weights: FloatArray, n_clusters: int) -> IntArray:
    """The partition of the member with the largest weight, of those with as many clusters as were asked for, or nearly.

    Examples
    --------
    >>> final_partition(np.array([[0, 0, 0], [0, 0, 1]]), np.array([0.6, 0.4]), n_clusters=2)
    array([0, 0, 1])
    """
    away = np.abs(member_labels.max(axis=1).astype(np.intp) + 1 - n_clusters)
    return np.array(member_labels[np.argmax(np.where(away == away.min(), weights, -1.0))], dtype=np.intp)
