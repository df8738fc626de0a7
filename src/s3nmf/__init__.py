"""Clustering that you can trust: self-supervised symmetric nonnegative matrix factorization (S3NMF)."""

from s3nmf._archive import ModelFileError
from s3nmf._warnings import DisconnectedGraphWarning, EmptyClusterWarning
from s3nmf.choose_k import Candidate, ClusterCount, choose_n_clusters
from s3nmf.diagnostics import Diagnostics, Dispute, diagnose
from s3nmf.ensemble import AUTHORS, TEXT, Conventions, Round, S3NMFResult, self_supervised_nmf
from s3nmf.estimators import S3NMF, SymNMF
from s3nmf.progress import Progress
from s3nmf.solvers.symmetric_nmf import SymNMFResult, symmetric_nmf

__version__ = "0.1.0"

__all__ = [
    "AUTHORS",
    "S3NMF",
    "TEXT",
    "Candidate",
    "ClusterCount",
    "Conventions",
    "Diagnostics",
    "DisconnectedGraphWarning",
    "Dispute",
    "EmptyClusterWarning",
    "ModelFileError",
    "Progress",
    "Round",
    "S3NMFResult",
    "SymNMF",
    "SymNMFResult",
    "choose_n_clusters",
    "diagnose",
    "self_supervised_nmf",
    "symmetric_nmf",
]
