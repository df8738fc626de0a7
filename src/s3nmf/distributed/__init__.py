"""Clustering beyond one machine and beyond one memory, by dask: see docs/large-data.md."""

from s3nmf.distributed.fit import PartedClustering, cluster_parts
from s3nmf.distributed.members import communities_on_workers
from s3nmf.distributed.workers import WorkersError, connected

__all__ = ["PartedClustering", "WorkersError", "cluster_parts", "communities_on_workers", "connected"]
