"""Every number that can change a verdict or a number of clusters that was not given, each with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Borders:
    """When the border between two clusters is real: the profile of cuts.

    Attributes
    ----------
    separation : float
        The walk that orders the points of two clusters ends when their means are this share of their first distance
        apart. Measured on 78 sets: .7 is better than a fixed number of steps where points have many columns; a longer
        walk mixes what it should order.
    most_steps : int
        The walk ends after so many steps. A bound on time; curves of thousands of points come near it.
    margin : float
        The border is the least crossing within this share of the smaller cluster on either side. A round number.
    beyond_chance : float
        A border is real if it deviates by more than this times what the weakest place of one cluster is expected to by
        chance. In theory 1, if all edges of a point crossed together; they do not quite. Chosen with the sets of
        docs/choosing-k.md in view: below .7 curves are cut, from .9 on digits and faces are joined.
    max_valley : float
        And if it is crossed by less than this share of the edges that cross inside. A round number: where points are
        many, a small dent is beyond chance, and no border.
    clear : float
        The data have clusters if in some partition a border deviates by more than this times what the lowest place of
        the whole graph is expected to by chance (`Evidence.is_clear`). Chosen so that the draws of noise of
        docs/trust.md below 24 have clusters in four tables of a hundred, of every number of rows about as many; lower,
        more clusters and more noise are seen.
    clear_valley : float
        And is crossed by less than this share of the edges that cross inside. Chosen on the same noise: of thousands of
        points, the corners of skewed and heavy-tailed columns have dents that are beyond chance, and shallower. With a
        smaller share, clusters of a few hundred points in ten dimensions are missed.
    ways : float
        Two groups of clusters, joined from k clusters to g, can be chosen in as many ways as (k / g) to this power.
        Without it, noise is called clustered that was cut into many clusters; from .5 to 3 nearly the same.
    smallest_group : float
        The share of the points that such a group has. A round number: a few outliers are no cluster.
    price : float
        What a border that is not real costs when a number of clusters is chosen, in clusters: the number is the one
        with the most clusters left after joining them across such borders, less this price for each that was joined.
        One for one. Tried from .5 to 8: a higher price takes fewer clusters where there are many small ones.
    nearly : float
        A number whose weakest border is so near to being real is named as nearly as good. A round number; it decides
        what is said beside the answer, not the answer.
    distinct : float
        A column with fewer distinct values than this, times the number of neighbourhoods that its points have on a
        side, has steps. A round number: steps are then wider than about a third of the distance between neighbours.
    stepped_variance : float
        Where the columns with steps hold less than this share of the variance, the table is clustered as it is. A round
        number: the edge of an image has few values, and tells little.
    """

    separation: float = 0.7
    most_steps: int = 300
    margin: float = 0.05
    beyond_chance: float = 0.8
    max_valley: float = 0.75
    clear: float = 0.39
    clear_valley: float = 0.5
    ways: float = 1.5
    smallest_group: float = 0.05
    price: float = 1.0
    nearly: float = 0.8
    distinct: float = 20.0
    stepped_variance: float = 0.05


@dataclass(frozen=True)
class Blocks:
    """When independent edges between blocks explain a graph that is given.

    Attributes
    ----------
    triangles : float
        Edges that are independent, given the blocks, make as many triangles as there are, up to this share. Random
        graphs with clusters have up to .07; graphs of points with positions .13 and more, up to 50 dimensions. A round
        number between them.
    most_blocks : int
        So many blocks are not looked for. Speed: the time grows with its square.
    most_nodes : int
        In graphs of more nodes, blocks are not looked for. Speed.
    rewirings, sweeps, paths : int
        Graphs to compare with, sweeps over their edges that exchange ends, and paths that are drawn to count triangles.
        Speed against chance: the share of triangles is known to some .02.
    """

    triangles: float = 0.1
    most_blocks: int = 64
    most_nodes: int = 10_000
    rewirings: int = 5
    sweeps: int = 10
    paths: int = 200_000


@dataclass(frozen=True)
class NumberSearch:
    """Which partitions are looked at where the number of clusters is not given.

    Attributes
    ----------
    coarsest, step : float
        Resolutions of modularity go up from the coarsest by this factor. Below the coarsest, no graph was met whose
        communities still changed. A finer step takes longer and changes little.
    orders : int
        Searches at each resolution. Speed against chance.
    voted : int
        Up to so many clusters, communities of about as many vote, and a partition is made of the votes: curved clusters
        need it. Above it, communities themselves are looked at. Speed: the time of a vote grows with the number.
    voters : int
        So many communities vote.
    rounds, sweeps : int
        Of the self-supervised rounds that make a partition of the votes. Fewer than in a fit: these partitions are
        judged, and not handed out.
    smallest : int
        Communities of fewer points are outliers, and join the community that they have most edges to.
    patience : int
        The search ends after so many communities in a row, each with more borders that are not real than clusters.
        Speed.
    points_a_cluster : int
        The most clusters that are looked for is the number of points over this.
    most_clusters : int
        And not more than this, unless more are asked for.
    most_points : int
        Of more rows than this a sample is drawn to find the number. Speed.
    most_refitted : int
        Up to so many rows, larger numbers than the sample shows are tried on all rows, for borders between many points
        are seen that are lost in a sample. Speed.
    tries : int
        They end after so many numbers in a row that leave no more clusters. Speed.
    """

    coarsest: float = 1e-3
    step: float = 1.25
    orders: int = 2
    voted: int = 12
    voters: int = 8
    rounds: int = 3
    sweeps: int = 100
    smallest: int = 5
    patience: int = 4
    points_a_cluster: int = 6
    most_clusters: int = 200
    most_points: int = 5000
    most_refitted: int = 100_000
    tries: int = 2


@dataclass(frozen=True)
class Columns:
    """When clusters are said to be the values of one column.

    Attributes
    ----------
    share : float
        The column tells so many of the points their cluster. A round number.
    most_values : int
        A column with up to so many values has values; one with more has places where it is cut. A round number.
    most_clusters : int
        More clusters are not explained by one column. Speed.
    most_points : int
        So many points are looked at. Speed.
    """

    share: float = 0.95
    most_values: int = 10
    most_clusters: int = 10
    most_points: int = 2000


@dataclass(frozen=True)
class Rows:
    """When rows are said to depend on the rows before them.

    Attributes
    ----------
    share : float
        So many consecutive rows of one cluster are neighbours. Random walks have .9 and more; tables of independent
        rows that are sorted in part, such as wines by vintage, up to .5.
    beyond_chance : float
        And so many times as many as in another order of the rows. A round number; in small clusters, many rows are
        neighbours in any order.
    fewest_pairs : int
        Of fewer consecutive rows nothing is said.
    """

    share: float = 0.6
    beyond_chance: float = 2.0
    fewest_pairs: int = 50


@dataclass(frozen=True)
class Noise:
    """When points are noise: by the distance to a neighbour, whose logarithm has two humps where there is noise.

    Chosen on half of the draws of docs/noise.md: eight kinds of clusters with 5 to 30 % of uniform points, and more
    without any.

    Attributes
    ----------
    neighbors : int
        The distance is that to this neighbour. With 3, less of dense noise is found; with 8, more of the points of
        clusters without noise are called noise.
    window : float
        Points are counted in windows of this width, in units of the spread of the logarithm in a cluster: its median
        less its lowest tenth. Twice as wide, a third of dense noise is missed; half as wide, one point in seventy is
        called noise where there is none.
    deviance : float
        A second hump is one if the counts between the humps deviate by this much from a density without a valley: one
        whose logarithm is concave. At 10, a tenth less of dense noise is found; at 3, more points of clusters with
        heavy tails are called noise.
    sparse : float
        A cluster of which more than this share lies beyond the valley is sparse. Where most points beyond it are in
        sparse clusters, they are no noise. From .6 to .9 nearly the same.
    steps : int
        The counts are made at so many places a window. Speed.
    places : int
        And at so many at most, in wider windows then. Speed.
    """

    neighbors: int = 5
    window: float = 1.25
    deviance: float = 5.0
    sparse: float = 0.8
    steps: int = 4
    places: int = 1000


BORDERS = Borders()
BLOCKS = Blocks()
COLUMNS = Columns()
NOISE = Noise()
ROWS = Rows()
NUMBER_SEARCH = NumberSearch()
