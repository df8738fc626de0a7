"""Clustering that you can trust: self-supervised symmetric nonnegative matrix factorization (S3NMF)."""

from s3nmf._warnings import DisconnectedGraphWarning, EmptyClusterWarning

__version__ = "0.1.0"

__all__ = ["DisconnectedGraphWarning", "EmptyClusterWarning"]
