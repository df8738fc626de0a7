"""The paper's Algorithms 1 and 2: many partitions, and one that can be trusted."""

from s3nmf.method.anmi import agreement, pairwise_nmi
from s3nmf.method.first_round import Communities, Factorizations, Partitions
from s3nmf.method.recipe import Recipe
from s3nmf.method.result import Round, S3NMFResult
from s3nmf.method.rounds import self_supervised_nmf

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
