"""Every number of the graph room that can change a label, each with what it is and where it comes from.

How many neighbours there are is decided in `s3nmf.graph.neighbors`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NeighborSearch:
    """When neighbours are searched for approximately, and how thoroughly.

    Recalls and times were measured on MNIST, blobs in 5 to 200 dimensions, uniform points, a Swiss roll, and tables
    with many copies and with very unequal densities (docs/performance.md).

    Attributes
    ----------
    exact_pairs : float
        Up to so many pairs of a point and a query, the search is exact: up to 31,622 points. That takes 4 s of one core
        with 10 or 64 columns.
    exact_work : float
        And up to so many multiplications, pairs times columns: some 5 s of two cores.
    most_columns : int
        With more columns than this, points are projected on their principal components first. Fewer do not pay.
    most_components : int
        And on so many at most. Speed.
    variance : float
        Components are taken until they hold this share of the variance; all of them, where these do not tell neighbours
        from others. With fewer, more candidates must be looked at.
    cells : float
        Points are put into cells, as many as this times the root of their number. Speed.
    sample_of_cell : int
        Centres of the cells are found by k-means of so many points for each. Speed.
    steps : int
        Steps of k-means. Speed: cells need not be the best ones.
    candidates : tuple of float
        For each neighbour, so many candidates are ranked by exact distances: the first number that is enough.
    n_measured : int
        The recall is measured on so many points, whose true neighbours are found by an exact search. Its standard error
        is below half a percent then.
    recall_of_candidates : float
        So many of the true neighbours must be among the candidates whose exact distances are computed, if all cells are
        searched.
    recall : float
        So many of the true neighbours must be found in the cells that are searched. The higher, the slower, and the
        graph differs by fewer edges from the exact one; on MNIST it takes 8 cells of 529 for .95 and 24 for .99.
    least_recall : float
        Where less than this is found, or more than `most_cells` must be searched for it, the search is exact.
    most_cells : float
        A share of all cells. With more of them, an exact search, which takes matrix products, is about as fast.
    """

    exact_pairs: float = 1e9
    exact_work: float = 3e11
    most_columns: int = 64
    most_components: int = 256
    variance: float = 0.9
    cells: float = 2.0
    sample_of_cell: int = 32
    steps: int = 8
    candidates: tuple[float, ...] = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0)
    n_measured: int = 250
    recall_of_candidates: float = 0.995
    recall: float = 0.99
    least_recall: float = 0.97
    most_cells: float = 0.3


@dataclass(frozen=True)
class ResolutionSearch:
    """How a resolution of modularity is found that gives as many communities as were asked for.

    Attributes
    ----------
    smallest_share : float
        A community with less than this part of an equal share is made of outliers, and is not counted. A round number;
        so clusters that are smaller are found only beside others of their size.
    orders : int
        Each number of communities is the median over so many orders of moves. One is a matter of chance.
    many_clusters : int
        Of more clusters than this, one order counts them: chance is a small part of the number. Speed.
    close : float
        The search ends when two resolutions, one with too few communities and one with too many, differ by less than
        this factor. Closer, the number is a matter of chance.
    coarsest : float
        No graph was met whose communities still changed below this resolution.
    step : float
        Resolutions are first searched by steps of this factor. Speed.
    """

    smallest_share: float = 0.1
    orders: int = 3
    many_clusters: int = 50
    close: float = 1.05
    coarsest: float = 1e-6
    step: float = 4.0


@dataclass(frozen=True)
class Grouping:
    """How points of a large graph are joined into groups, in which resolutions are searched. All of it is speed.

    Attributes
    ----------
    groups_a_cluster : int
        At least so many groups are kept for each cluster.
    most_groups_a_cluster : int
        Points are joined until there are no more groups than this for each cluster, or than `few_groups`.
    few_groups, few_links : int
        A graph with no more of either is searched as it is: that takes milliseconds.
    visits : int
        Of each point, on average, before groups are joined. Twice as many lead to groups that are hardly purer.
    shrinking : float
        Moves that leave more groups than this share of those before are by too fine a resolution.
    close : float
        Between two resolutions as close as this factor no other is tried.
    many_points : int
        From so many points on, members begin with the groups, which they have in common, and not each with single
        points: a third of the time on a million points, the same accuracy on MNIST's 70,000 images. Fragmented views
        and noisy graphs are looked for only below it.
    """

    groups_a_cluster: int = 20
    most_groups_a_cluster: int = 50
    few_groups: int = 5000
    few_links: int = 2**20
    visits: int = 2
    shrinking: float = 0.9
    close: float = 1.2
    many_points: int = 20_000


NEIGHBOR_SEARCH = NeighborSearch()
RESOLUTION_SEARCH = ResolutionSearch()
GROUPING = Grouping()
