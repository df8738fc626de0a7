"""Every number of the graph room that can change a label, each with what it is and where it comes from.

How many neighbours there are is decided in `s3nmf.graph.neighbors`.
"""

from __future__ import annotations

from dataclasses import dataclass


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
    few_groups: int = 5000
    few_links: int = 2**20
    visits: int = 2
    shrinking: float = 0.9
    close: float = 1.2
    many_points: int = 20_000


RESOLUTION_SEARCH = ResolutionSearch()
GROUPING = Grouping()
