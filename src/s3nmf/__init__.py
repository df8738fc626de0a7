"""Clustering that you can trust: self-supervised symmetric nonnegative matrix factorization (S3NMF)."""

__version__ = "0.1.0"
