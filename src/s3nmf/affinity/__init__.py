"""From features to the affinity graph W, and whether that graph hangs together."""

from s3nmf.affinity.components import ConnectivityReport, connectivity
from s3nmf.affinity.graph import nearest_neighbor_affinity, normalize_affinity

__all__ = ["ConnectivityReport", "connectivity", "nearest_neighbor_affinity", "normalize_affinity"]
