"""Clustering by the leading eigenvectors of a similarity."""
