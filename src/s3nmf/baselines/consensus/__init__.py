"""One partition from many: the consensus methods that the paper compares with."""

from s3nmf.baselines.consensus.base_partitions import BasePartitions, base_partitions
from s3nmf.baselines.consensus.locally_weighted import LocallyWeightedResult, locally_weighted
from s3nmf.baselines.consensus.spectral_ensemble import SpectralEnsembleResult, spectral_ensemble

__all__ = [
    "BasePartitions",
    "LocallyWeightedResult",
    "SpectralEnsembleResult",
    "base_partitions",
    "locally_weighted",
    "spectral_ensemble",
]
