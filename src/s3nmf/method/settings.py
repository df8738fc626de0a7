"""Every number of the method that can change a label: what it is, where it comes from, and what moving it does.

Those of the graph are in `s3nmf.graph.settings`, those of verdicts in `s3nmf.trust.settings`. How matrices are
factorized is a `Recipe`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Views:
    """At which resolutions members look at the views of the data, and which views are replaced.

    Attributes
    ----------
    resolution_spread : float
        Members have fewer or more communities than were asked for by up to this share, where there are several views of
        the data. Measured on 240 sets of touching blobs: ARI .92 at .5, .90 at 1; on unequal ones .89 and .85.
    resolution_spread_of_one : float
        The same where there is one view, a graph that was given. On LFR graphs .5 is worse than .2 by up to .04 in NMI.
    fragmented : float
        A view is replaced by a wider one where its communities have a conductance of more than this times that of the
        communities of W. Measured on 523 sets: from 3 to 6 nearly the same.
    least_conductance : float
        Conductances up to this count as none, and recursive cuts are chosen only with such. A round number; with more,
        chance decides on 100 points.
    """

    resolution_spread: float = 0.5
    resolution_spread_of_one: float = 0.2
    fragmented: float = 4.0
    least_conductance: float = 0.001


@dataclass(frozen=True)
class NoisyGraph:
    """When a graph of features is built again with more neighbours.

    Attributes
    ----------
    most_across : float
        Where more than this share of all links lead from one cluster to another, most columns are noise, and neighbours
        are random. Of 142 sets with features, blobs in 5 of 50 columns have .40 to .44, all others .25 at most.
    wider : int
        The graph then has so many times as many neighbours. On those blobs the ARI is .46 by the usual number, .76 by
        twice, .88 by four times and .91 by six times as many.
    share_of_cluster : float
        But not more than this part of an equal share of the points, so that neighbours are of one cluster. A round
        number.
    """

    most_across: float = 0.3
    wider: int = 6
    share_of_cluster: float = 0.5


@dataclass(frozen=True)
class Vote:
    """How members vote.

    Attributes
    ----------
    smallest_share : float
        In the degree-normalised co-association, a cluster with this part of an equal share weighs a quarter of a large
        one. From .02 on outliers are not taken for clusters; from .1 on, clusters of a fifth of an equal share are
        joined more often.
    """

    smallest_share: float = 0.05


@dataclass(frozen=True)
class Score:
    """Which candidate is better.

    Attributes
    ----------
    less_conductance : float
        A candidate is better whose largest conductance is this many times less. Chosen on half of the sets of
        benchmarks/given_k.py: from 2 to 3 the same, at 4 clusters joined by a neck are lost.
    most_conductance : float
        And is this at most. Beyond it clusters touch, and a small one has a larger conductance than a large one that is
        cut in the middle: without it, `letter` loses .10 in ARI, and COIL20 .17. A round number.
    likelier : float
        Or whose log-likelihood, by unit of weight, is higher by this. Measured on 350 generated sets and 20 real ones:
        .2 in ARI on average; at .015 COIL20 and SEEDS lose .05.
    """

    less_conductance: float = 2.5
    most_conductance: float = 0.03
    likelier: float = 0.03


@dataclass(frozen=True)
class Cuts:
    """Recursive cuts.

    Attributes
    ----------
    smallest_side : float
        The least part of an equal share of the points that a side of a cut has. A round number, the same as that of a
        community; with less, outliers are cut off one by one.
    most_linked : float
        Graphs in which a larger share of all pairs has a link are not cut. A round number: their cuts cross many links
        wherever they are, and take several copies of the graph.
    """

    smallest_side: float = 0.1
    most_linked: float = 0.25


@dataclass(frozen=True)
class Refinement:
    """When the shapes of clusters are used: linear discriminant analysis.

    Attributes
    ----------
    points_a_feature : int
        With fewer points for each feature a covariance is not estimated. A round number.
    most_overlap : float
        Gaussians that are expected to share more than this part of the points are not used. A round number.
    deviations : float
        No more points may move than expected by the Gaussians and this many standard deviations. From 2 to 3 the mean
        over forty kinds of sets is the same.
    most_unlike : float
        Clusters may differ by this factor in mean squared distance and in their numbers of points. Blobs that are alike
        look up to twice as wide as each other; two blobs of 10:1, `varied`, `magic` and `vowel` lose without it.
    certain : float
        Points whose confidence is above this on average are not moved. Keeps moons and rings as they are.
    """

    points_a_feature: int = 10
    most_overlap: float = 0.1
    deviations: float = 2.5
    most_unlike: float = 3.0
    certain: float = 0.95


@dataclass(frozen=True)
class Confidence:
    """How the evidence for a point becomes a share of each cluster. These change no label.

    Chosen on 900 sets of blobs by the least Brier score of "keeps its cluster when a random half of the data is
    clustered alone", and nearly best on thirteen real sets.

    Attributes
    ----------
    own_vote : float
        The weight of the partition itself beside that of the members.
    sharpness : float
        Shares are raised to this power. Tried from 1 to 4.
    hold : float
        The largest co-association is raised to this power: whether any cluster holds together around the point. Tried
        from 0 to 1.
    """

    own_vote: float = 0.2
    sharpness: float = 2.5
    hold: float = 0.5


@dataclass(frozen=True)
class LinkVote:
    """How members vote on links, where a vote by factorization takes too long.

    Attributes
    ----------
    least_share : float
        An edge that no member keeps has this part of its weight left. That of Poulin and Theberge.
    step : float
        Where a resolution has too few communities, the next one is higher by this factor, and by its square then.
        Speed: the fewer communities too many there are, the fewer are joined again.
    """

    least_share: float = 0.05
    step: float = 1.02


@dataclass(frozen=True)
class Speed:
    """Numbers that bound time and memory. Where they take effect, labels may change, but not on average.

    Attributes
    ----------
    entries_made_dense : int
        Sparse features with more entries, zeros counted, are not refined by shape.
    clusters_compared : int
        More clusters have one vote, that by the co-association: the time of another grows with the number.
    sweep_multiplications : float
        A vote whose later rounds would take more multiplications than this times all sweeps that it may take, 2.2e10 by
        default, ends before; if that is before the first of them, members vote on links. Some two seconds. On blobs
        with 26 to 200 clusters both votes have the same ARI. The small sets of the paper stay below; forced there, the
        vote on links has from .15 less (IRIS, CHART and others) to .06 more (USPST).
    passes : int
        Of the refinement by links. Nearly all that moves has moved by the third.
    steps : int
        Of the refinement by shape.
    points_a_cluster, seconds, multiplications_a_second : float
        Fewer points a cluster, and a longer time, are warned of.
    """

    entries_made_dense: int = 2**27
    clusters_compared: int = 50
    sweep_multiplications: float = 9e6
    passes: int = 10
    steps: int = 20
    points_a_cluster: float = 4
    seconds: float = 30.0
    multiplications_a_second: float = 3e9


VIEWS = Views()
NOISY_GRAPH = NoisyGraph()
VOTE = Vote()
SCORE = Score()
CUTS = Cuts()
REFINEMENT = Refinement()
CONFIDENCE = Confidence()
LINK_VOTE = LinkVote()
SPEED = Speed()
