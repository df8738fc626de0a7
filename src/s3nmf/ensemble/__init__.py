"""The paper's Algorithms 1 and 2: many factorizations, one trusted partition."""

from s3nmf.ensemble.anmi import agreement, pairwise_nmi
from s3nmf.ensemble.conventions import AUTHORS, TEXT, Conventions
from s3nmf.ensemble.rounds import Round, S3NMFResult, self_supervised_nmf

__all__ = ["AUTHORS", "TEXT", "Conventions", "Round", "S3NMFResult", "agreement", "pairwise_nmi", "self_supervised_nmf"]
