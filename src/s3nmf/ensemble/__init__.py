"""The paper's Algorithms 1 and 2: many partitions, and one that can be trusted."""

from s3nmf.method import (
    Communities,
    Factorizations,
    Partitions,
    Recipe,
    Round,
    S3NMFResult,
    agreement,
    pairwise_nmi,
    self_supervised_nmf,
)

__all__ = [
    "Communities",
    "Factorizations",
    "Partitions",
    "Recipe",
    "Round",
    "S3NMFResult",
    "agreement",
    "pairwise_nmi",
    "self_supervised_nmf",
]
