"""From features to the graph that is clustered, and what the graph itself says."""

from s3nmf.graph.affinity import nearest_neighbor_affinity, normalize_affinity
from s3nmf.graph.components import ConnectivityReport, connectivity

__all__ = ["ConnectivityReport", "connectivity", "nearest_neighbor_affinity", "normalize_affinity"]
