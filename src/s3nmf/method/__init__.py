"""The paper's Algorithms 1 and 2: many partitions, and one that can be trusted."""

from s3nmf.method.anmi import agreement, pairwise_nmi
from s3nmf.method.fit import self_supervised_nmf
from s3nmf.method.members import Communities, Partitions
from s3nmf.method.paper import Factorizations
from s3nmf.method.recipe import Recipe
from s3nmf.method.result import Round, S3NMFResult

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
