"""scikit-learn's face of the library: validate, call the pure function, set attributes."""

from s3nmf.estimators.consensus import LocallyWeightedClustering, SpectralEnsembleClustering
from s3nmf.estimators.self_supervised import S3NMF
from s3nmf.estimators.sparse_spectral import SparseSpectralClustering
from s3nmf.estimators.spectral import NJWSpectralClustering, SpectralRotation
from s3nmf.estimators.symmetric import SymNMF

__all__ = [
    "S3NMF",
    "LocallyWeightedClustering",
    "NJWSpectralClustering",
    "SparseSpectralClustering",
    "SpectralEnsembleClustering",
    "SpectralRotation",
    "SymNMF",
]
