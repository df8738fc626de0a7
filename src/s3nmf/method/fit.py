"""The method: views of the data, members, two candidates by their votes, the better by its score, two refinements."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.utils import check_random_state

from s3nmf._messages import Message, Parameter
from s3nmf._sklearn import Interval, StrOptions
from s3nmf._threads import team
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf._validation import check_features, check_parameters
from s3nmf._warnings import OTHER_WEIGHTS, SEED_OR_SWEEPS, SWEEPS_OF_RECIPE, SuspiciousDataWarning, warn, warn_if_empty
from s3nmf.graph.components import joins_all_alike
from s3nmf.graph.given import reported_affinity
from s3nmf.graph.operators import CoAssociation
from s3nmf.method.candidates import best_of, candidates
from s3nmf.method.confidence import membership
from s3nmf.method.factorize import Factorizer
from s3nmf.method.isolated import Joined
from s3nmf.method.members import Communities, FirstRound, Partitions, Task
from s3nmf.method.paper import Factorizations, fit_by_paper
from s3nmf.method.recipe import RECIPES, Recipe, RecipeName
from s3nmf.method.refine import refine_by_lda
from s3nmf.method.result import S3NMFResult, Trace
from s3nmf.method.settings import SPEED
from s3nmf.method.too_large import entries_of, refuse_large_fit
from s3nmf.method.vote import Voting, chosen_round
from s3nmf.progress import Callback, Clock
from s3nmf.solvers.starts import check_starts, start_source

MembersName: TypeAlias = Literal["communities", "factorizations"]
SOURCES: dict[str, Callable[[], FirstRound]] = {"communities": Communities, "factorizations": Factorizations}
"""Where members come from, by name."""

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left")],
    "members": [StrOptions(set(SOURCES)), "array-like", callable],
    "n_members": [Interval(Integral, 1, None, closed="left")],
    "max_rounds": [Interval(Integral, 1, None, closed="left")],
    "recipe": [StrOptions(set(RECIPES)), Recipe],
    "random_state": ["random_state"],
    "n_jobs": [Integral, None],
    "callback": [callable, None],
}

# Seeds all random streams unless round 1 factorizes: the result does not depend on `random_state`.
_FIXED_SEED = 0


def self_supervised_nmf(
    affinity: Any,
    n_clusters: int,
    *,
    members: MembersName | FirstRound | Any = "communities",
    n_members: int = 20,
    max_rounds: int = 10,
    recipe: RecipeName | Recipe = "default",
    features: Any = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> S3NMFResult:
    """Cluster the points of an affinity matrix by self-supervised symmetric NMF (S3NMF).

    Round 1 finds `n_members` partitions of the points. Each later round factorizes the similarity
    S = sum_m alpha_m M_m M_m' of the partitions M_m before it, from fresh starts, and so sharpens it. The rounds end
    when the agreement of the members drops or is complete, and the round with the highest agreement counts.

    Unless round 1 factorizes, that is one of three candidates: members also vote by the degree-normalised S, and the
    graph is cut recursively. In each, single points move to where a degree-corrected planted partition makes them
    most likely. The one with the best score is refined by linear discriminant analysis, if there are features and
    clusters are Gaussians of one covariance.

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
        How matrices are factorized, weighted and compared. "unequal" is for clusters of which some have many times as
        many points as others. With members="factorizations", "text" is the paper to the letter and "authors" its
        published code.
    features : array or sparse matrix of shape (n_samples, n_features), or None
        What the affinity was made of, if it was by Euclidean distances.
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
    how, source = Recipe.of(recipe), first_round(members)
    refuse_large_fit(source, how.precision, entries_of(affinity), n_members, n_clusters)
    with team():
        W, isolated = reported_affinity(affinity, n_clusters)
        return cluster_affinity(
            W,
            n_clusters,
            isolated=isolated,
            members=source,
            n_members=n_members,
            max_rounds=max_rounds,
            recipe=how,
            X=no_features(W.shape[0]) if features is None else _checked_points(features, W.shape[0]),
            random_state=random_state,
            n_jobs=n_jobs,
            callback=callback,
        )


def cluster_affinity(
    W: Affinity,
    n_clusters: int,
    *,
    isolated: IntArray,
    members: FirstRound,
    n_members: int,
    max_rounds: int,
    recipe: Recipe,
    X: Any,
    random_state: Any,
    n_jobs: int | None,
    callback: Callback | None,
) -> S3NMFResult:
    """The same of a checked W, its points without an edge, and features: of no columns if there are none."""
    by_paper = isinstance(members, Factorizations)
    recipe.check_for(by_paper)
    clock = Clock(callback, max_rounds, recipe.shares_rows)
    asked, joined = n_clusters, Joined(W.shape[0], isolated) if 0 < isolated.size < W.shape[0] else None
    if joined is not None:
        W, X, members, recipe = joined.affinity(W), joined.features(X), joined.members(members), joined.recipe(recipe)
        n_clusters = min(n_clusters, W.shape[0])
    _warn_if_long(W.shape[0], n_clusters, n_members, max_rounds, recipe)
    sizes = {"max_rounds": max_rounds, "n_members": n_members, "n_samples": W.shape[0], "n_clusters": n_clusters}
    starts = check_starts(recipe.starts_after(by_paper), **sizes)
    entropy = int(check_random_state(random_state if by_paper else _FIXED_SEED).randint(np.iinfo(np.int32).max))
    with team() as threads:
        factorize = Factorizer(
            recipe=recipe,
            starts_of=start_source(starts, n_members, n_clusters, entropy),
            threads=threads,
            n_jobs=n_jobs,
            watch=lambda sweep: clock.part_over(sweep / recipe.max_iter),
        )
        voting = Voting(recipe, recipe.similarities_of(n_clusters), n_clusters, max_rounds, factorize, clock)
        if by_paper:
            result = fit_by_paper(W, voting, isolated)
        else:
            task = Task(W, n_clusters, n_members, entropy, factorize, clock.part_over)
            result = _fit(task, members, voting, X, isolated)
    if (n_found := int(result.labels.max()) + 1) < asked:
        more_work = SEED_OR_SWEEPS if by_paper else SWEEPS_OF_RECIPE
        warn_if_empty(n_found, asked, OTHER_WEIGHTS if joins_all_alike(W) else more_work)
    return result if joined is None else joined.result(result)


def _fit(task: Task, source: FirstRound, voting: Voting, X: Any, isolated: IntArray) -> S3NMFResult:
    """Members of all views, candidates by their votes, the best one by its score, and its refinement by shape."""
    members, first = voting.first(lambda: source(task))
    found = candidates(task, voting.votes(members, first, task.graph.row_of))
    best = best_of(found)
    voting.clock.rounds_over((done.agreement for done in best.history), last=True)
    votes = CoAssociation(first.member_labels, first.weights)
    shares = membership(votes, task.affinity, best.labels)
    shape = refine_by_lda(X, best.labels, shares)
    if n_moved := int((shape.labels != best.labels).sum()):
        shares = membership(votes, task.affinity, shape.labels)
    trace = Trace(
        candidates=tuple(one.about for one in found),
        chosen=best.name,
        views=members.views,
        moved_by_shape=n_moved,
        shape_skipped=shape.skipped,
        share_across=best.score.share_across,
    )
    chosen = chosen_round(best.history).number
    return S3NMFResult(shape.labels, (shares + shape.shares) / 2, chosen, best.history, isolated, trace)


def first_round(members: MembersName | FirstRound | Any) -> FirstRound:
    """The source of members of that name, the source itself, or partitions as one."""
    if isinstance(members, str):
        return SOURCES[members]()
    return members if callable(members) else Partitions(members)


def _warn_if_long(n: int, n_clusters: int, n_members: int, max_rounds: int, recipe: Recipe) -> None:
    """Clusters of a few points each are seldom what is wanted, and take long: O(n c (b + c)) a sweep and member."""
    sweeps = n_members * recipe.max_iter * max_rounds
    seconds = n * n_clusters * (n_members + n_clusters) * float(sweeps) / SPEED.multiplications_a_second
    if n_clusters * SPEED.points_a_cluster > n and seconds > SPEED.seconds:
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


def no_features(n: int) -> FloatArray:
    """Those of so many points that have none."""
    return np.empty((n, 0))


def _checked_points(features: Any, n: int) -> Any:
    """The features as numbers, one row for each point of the affinity."""
    X = check_features(features)
    if X.shape[0] != n:
        raise ValueError(
            f"features is {X.shape[0]} rows; the affinity is of {n} points. Give an array or a sparse matrix with a "
            "row for each of them, in the same order, or leave features out."
        )
    return X
