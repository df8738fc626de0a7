"""Algorithm 1: find partitions, rebuild the similarity from them, factorize it, repeat until the members agree."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from s3nmf._messages import Message, Parameter
from s3nmf._sklearn import Interval, StrOptions
from s3nmf._threads import team
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf._validation import check_features, check_parameters
from s3nmf._warnings import OTHER_WEIGHTS, SEED_OR_SWEEPS, SWEEPS_OF_RECIPE, SuspiciousDataWarning, warn, warn_if_empty
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.graph.components import joins_all_alike
from s3nmf.graph.given import reported_affinity
from s3nmf.graph.operators import CoAssociation
from s3nmf.graph.range import within_range
from s3nmf.method.anmi import agreement_of_named
from s3nmf.method.chosen import chosen_round, final_partition
from s3nmf.method.clouds import settled_by_shape
from s3nmf.method.confidence import membership, own_share
from s3nmf.method.cuts import is_far_less, most_cut
from s3nmf.method.first_round import Factorizations, FirstRound, MembersName, Task, first_round
from s3nmf.method.isolated import Joined
from s3nmf.method.likeliest import is_far_likelier, likeliest, likelihood
from s3nmf.method.members import Factorizer, Members
from s3nmf.method.recipe import RECIPES, Recipe, RecipeName, Similarity
from s3nmf.method.result import Round, S3NMFResult
from s3nmf.method.similarity import SIMILARITIES
from s3nmf.method.too_large import entries_of, refuse_large_fit
from s3nmf.progress import Callback, Clock
from s3nmf.solvers.starts import check_starts, start_source

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left")],
    "members": [StrOptions({"communities", "factorizations"}), "array-like", callable],
    "n_members": [Interval(Integral, 1, None, closed="left")],
    "max_rounds": [Interval(Integral, 1, None, closed="left")],
    "recipe": [StrOptions(set(RECIPES)), Recipe],
    "random_state": ["random_state"],
    "n_jobs": [Integral, None],
    "callback": [callable, None],
}

logger = logging.getLogger("s3nmf")

# What random numbers are drawn by unless round 1 factorizes: the same data have the same answer, whatever the seed.
_ONE_ANSWER = 0

# Fewer points a cluster, and more seconds, than these deserve a warning. Measured: 120 clusters of 178 points, 42 s.
_FEW_POINTS = 4
_LONG = 30.0
_MULTIPLICATIONS_A_SECOND = 3e9


def self_supervised_nmf(
    affinity: Any,
    n_clusters: int,
    *,
    members: MembersName | FirstRound | Any = "communities",
    n_members: int = 20,
    max_rounds: int = 10,
    recipe: RecipeName | Recipe = "default",
    features: FloatArray | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> S3NMFResult:
    """Cluster the points of an affinity matrix by self-supervised symmetric NMF (S3NMF).

    Round 1 finds `n_members` partitions of the points. Each later round factorizes the similarity
    S = sum_m alpha_m M_m M_m' of the partitions M_m before it, from fresh starts, and so sharpens it. The rounds end
    when the agreement of the members drops or is complete; the round with the highest agreement is returned. If that
    cuts through what the graph holds together, or is far from likely by its links, later rounds are run once more with
    clusters that weigh alike. Unless round 1 factorizes, points then move to where their links make them likeliest,
    and, if they have features and the clusters are clouds of one form, to where that form does.

    Round 1 visits every edge some five times a member. Later rounds see only the u different tuples of labels, at
    O(u c (b + c)) a sweep and member, so a fit costs little more than its first round. Nothing n x n is allocated
    unless the affinity is.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
        W, symmetric and nonnegative; better normalised (`s3nmf.affinity.normalize_affinity`), as that of
        `s3nmf.affinity.nearest_neighbor_affinity` is.
    n_clusters : int
    members : {"communities", "factorizations"}, array of shape (n_partitions, n_samples), or callable
        Where round 1 gets its partitions: from communities of the graph by modularity; from factorizations of W, as in
        the paper; these ones, which may have any number of clusters each (-1 is a point in none); or from a function of
        your own, see `s3nmf.ensemble.first_round`.
    n_members : int
        Partitions a round, b in the paper.
    max_rounds : int
    recipe : {"default", "unequal", "text", "authors"} or Recipe
        How matrices are factorized, weighed and compared. "unequal" is for clusters of which some have many times as
        many points as others. With members="factorizations", "text" is the paper to the letter and "authors" its
        published code.
    features : array of shape (n_samples, n_features) or None
        What the affinity was made of, if it was by Euclidean distances; not sparse.
    random_state : int, RandomState or None
        For members="factorizations", which start at random. Otherwise the same affinity has the same labels, whatever
        the seed: the order in which communities are searched for comes from its links, and where later rounds start,
        from the partitions. They are the same on any number of threads, for any `n_jobs`, by any backend of joblib.
    n_jobs : int or None
        Workers of joblib that the members are split over. One worker already uses all cores; more are for processes on
        other machines, or where a backend of joblib is active.
    callback : callable or None
        Called with a `Progress` as the rounds go on.

    Returns
    -------
    S3NMFResult

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from s3nmf.affinity import nearest_neighbor_affinity
    >>> X, y = make_moons(200, noise=0.07, random_state=0)
    >>> result = self_supervised_nmf(nearest_neighbor_affinity(X), n_clusters=2, random_state=0)
    >>> result.labels.shape, result.history[0].member_labels.shape
    ((200,), (20, 200))
    >>> bool((result.labels == y).all() or (result.labels != y).all())
    True
    """
    check_parameters(PARAMETERS, locals(), "self_supervised_nmf")
    how = recipe if isinstance(recipe, Recipe) else Recipe.named(recipe)
    find_members = first_round(members)
    factorizes = isinstance(find_members, Factorizations)
    _check_recipe(how, factorizes)
    clock = Clock(callback, max_rounds, how.shares_rows)
    refuse_large_fit(find_members, how.precision, entries_of(affinity), n_members, n_clusters)
    with team() as threads:
        W, isolated = reported_affinity(affinity, n_clusters)
        points = None if features is None or factorizes else _checked_points(features, W.shape[0])
        joined, asked = Joined(W.shape[0], isolated) if 0 < isolated.size < W.shape[0] else None, n_clusters
        if joined is not None:
            W, points = joined.affinity(W), joined.features(points)
            find_members, how = joined.members(find_members), joined.recipe(how)
            n_clusters = min(n_clusters, W.shape[0])
        _warn_if_long(W.shape[0], n_clusters, n_members, max_rounds, how)
        starts = check_starts(
            how.starts_after(factorizes),
            max_rounds=max_rounds,
            n_members=n_members,
            n_samples=W.shape[0],
            n_clusters=n_clusters,
        )
        # Partitions that are there, and communities, whose moves are in an order by the links, leave nothing to chance.
        seed = random_state if factorizes else _ONE_ANSWER
        entropy = int(check_random_state(seed).randint(np.iinfo(np.int32).max))
        factorize = Factorizer(
            recipe=how,
            starts_of=start_source(starts, n_members, n_clusters, entropy),
            threads=threads,
            n_jobs=n_jobs,
            watch=lambda sweep: clock.part_over(sweep / how.max_iter),
        )

        began = time.perf_counter()
        task = Task(W, n_clusters, n_members, entropy, factorize, clock.part_over)
        found = find_members(task)
        first = _round(1, found, how, began)

        def rounds_by(similarity: Similarity) -> list[Round]:
            history, members = [first], found
            while not _is_over(history, n_clusters, max_rounds, how):
                clock.rounds_over(done.agreement for done in history)
                began = time.perf_counter()
                place = None if factorizes else task.graph.row_of
                rebuilt = SIMILARITIES[similarity](members, n_clusters, how.precision, place)
                members = factorize(len(history) + 1, rebuilt)
                history.append(_round(len(history) + 1, members, how, began, similarity))
            return history

        history = rounds_by(how.rebuilt)
        # Where round 1 was enough, for all its members agree, or was all that was asked for, nobody looks.
        graph = task.graph if len(history) > 1 and not factorizes else None
        if graph is None:
            del task  # which holds one
        if graph is not None and how.may_weigh_alike:
            history = _as_the_graph_says(history, W, graph, n_clusters, lambda: rounds_by("normalized"))
        clock.rounds_over((done.agreement for done in history), last=True)
        labels = _partition(history, n_clusters)
        if graph is not None:
            labels = likeliest(graph, labels)
        if (n_found := int(labels.max()) + 1) < asked:
            more_work = SEED_OR_SWEEPS if factorizes else SWEEPS_OF_RECIPE
            warn_if_empty(n_found, asked, OTHER_WEIGHTS if joins_all_alike(W) else more_work)
        labels, shares = _settled(labels, history[0], W, points)
        result = S3NMFResult(labels, shares, chosen_round(history).number, tuple(history), isolated)
        return result if joined is None else joined.result(result)


def _warn_if_long(n: int, n_clusters: int, n_members: int, max_rounds: int, recipe: Recipe) -> None:
    """Clusters of a few points each are seldom what is wanted, and take long: O(n c (b + c)) a sweep and member."""
    sweeps = n_members * recipe.max_iter * max_rounds
    seconds = n * n_clusters * (n_members + n_clusters) * float(sweeps) / _MULTIPLICATIONS_A_SECOND
    if n_clusters * _FEW_POINTS > n and seconds > _LONG:
        warn(
            Message(
                "{k} for {n} points is {each:.1f} points a cluster, and may take {minutes:.0f} minutes: time grows "
                "with the square of the number. Ask for fewer, or stop early with {rounds}.",
                k=Parameter("n_clusters", n_clusters),
                n=n,
                each=n / n_clusters,
                minutes=max(1.0, seconds / 60),
                rounds=Parameter("max_rounds", 2),
            ),
            SuspiciousDataWarning,
        )


def _check_recipe(recipe: Recipe, factorizes: bool) -> None:
    """Starts of all rounds, and factors to go on from, are there only if round 1 factorizes."""
    for wants, name in ((recipe.has_starts, "starts"), (recipe.rebuilt == "soft", "similarity='soft'")):
        if wants and not factorizes:
            raise ValueError(
                f"A recipe with {name} needs round 1 to factorize the affinity. Use members='factorizations'."
            )


def _round(number: int, members: Members, recipe: Recipe, began: float, similarity: Similarity | None = None) -> Round:
    found = Round(
        number=number,
        member_labels=members.labels,
        weights=members.weights,
        agreement=agreement_of_named(members.labels, recipe.nmi_average, recipe.pairs),
        objective=members.objective,
        n_iter=members.n_iter,
        converged=members.converged,
        seconds=time.perf_counter() - began,
        resolutions=members.resolutions,
        similarity=similarity,
    )
    logger.info("round %d: agreement %.4f after %d sweeps", number, found.agreement, found.n_iter)
    return found


def _is_over(history: list[Round], n_clusters: int, max_rounds: int, recipe: Recipe) -> bool:
    """The members agree completely, or less than in the round before."""
    if len(history) == max_rounds or recipe.outer_stop == "never":
        return len(history) == max_rounds
    last = history[-1]
    if last.agreement == 1.0 and (last.is_factorized or int(last.member_labels.max()) + 1 == n_clusters):
        return True
    levels = [found.agreement for found in history if found.is_factorized][-2:]
    return len(levels) == 2 and levels[1] < levels[0]


def _as_the_graph_says(
    history: list[Round],
    affinity: Affinity,
    graph: WeightedGraph,
    n_clusters: int,
    weighed_alike: Callable[[], list[Round]],
) -> list[Round]:
    """The rounds, or others with clusters that weigh alike, where these cut the graph far less or are far likelier.

    The others are run only if a member says that they may: one of at least as many clusters is cut far less, or one of
    the fewest such is far likelier.
    """
    W, _ = within_range(affinity)
    labels = _partition(history, n_clusters)
    cut, fit = most_cut(W, labels), likelihood(graph, labels)

    def is_less_cut(labels: IntArray) -> bool:
        return is_far_less(most_cut(W, labels), than=cut)

    def is_likelier(labels: IntArray) -> bool:
        return is_far_likelier(likelihood(graph, labels), than=fit)

    members = [labels for labels in history[0].member_labels if int(labels.max()) + 1 >= n_clusters]
    fewest = min((int(labels.max()) for labels in members), default=0)
    nearest = (labels for labels in members if int(labels.max()) == fewest)
    if not (any(map(is_less_cut, members)) or any(map(is_likelier, nearest))):
        return history
    logger.info("clusters may be of very unequal sizes: round 2 again, with clusters that weigh alike")
    others = weighed_alike()
    labels = _partition(others, n_clusters)
    return others if is_less_cut(labels) or is_likelier(labels) else history


def _partition(history: list[Round], n_clusters: int) -> IntArray:
    chosen = chosen_round(history)
    return final_partition(chosen.member_labels, chosen.weights, n_clusters)


def _checked_points(features: Any, n: int) -> FloatArray:
    """The features as numbers, one row for each point of the affinity."""
    X = check_features(features)
    if sp.issparse(X) or len(X) != n:
        what = "a sparse matrix" if sp.issparse(X) else f"{len(X)} rows"
        raise ValueError(
            f"features is {what}; the affinity is of {n} points. Give an array with a row for each of them, in the "
            "same order, or leave features out."
        )
    return np.asarray(X)


def _settled(labels: IntArray, first: Round, W: Affinity, features: FloatArray | None) -> tuple[IntArray, FloatArray]:
    """The partition, after a look at the shape of clusters whose points have features; and the memberships in it."""
    votes = CoAssociation(first.member_labels, first.weights)
    shares = membership(votes, W, labels)
    if features is None:
        return labels, shares
    settled = settled_by_shape(features, labels, own_share(shares, labels))
    if settled is None:
        return labels, shares
    labels, likelihood = settled
    return labels, (membership(votes, W, labels) + likelihood) / 2
