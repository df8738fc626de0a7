"""From features to the affinity graph W, and whether that graph hangs together."""

from s3nmf.graph.affinity import nearest_neighbor_affinity, normalize_affinity
from s3nmf.graph.components import ConnectivityReport, connectivity

__all__ = ["ConnectivityReport", "connectivity", "nearest_neighbor_affinity", "normalize_affinity"]
