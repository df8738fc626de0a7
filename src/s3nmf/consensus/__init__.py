"""One partition from many: the consensus methods that the paper compares with."""

from s3nmf.consensus.spectral_ensemble import SpectralEnsembleResult, spectral_ensemble

__all__ = ["SpectralEnsembleResult", "spectral_ensemble"]
