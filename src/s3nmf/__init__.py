"""Clustering that you can trust: self-supervised symmetric nonnegative matrix factorization (S3NMF)."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from s3nmf._archive import ModelFileError
    from s3nmf._warnings import DisconnectedGraphWarning, EmptyClusterWarning, SuspiciousDataWarning
    from s3nmf.baselines.comparison.comparing import Comparison, compare_methods
    from s3nmf.baselines.comparison.running import MethodFit
    from s3nmf.estimators import (
        S3NMF,
        LocallyWeightedClustering,
        NJWSpectralClustering,
        SparseSpectralClustering,
        SpectralEnsembleClustering,
        SpectralRotation,
        SymNMF,
    )
    from s3nmf.estimators.assign import Assignment
    from s3nmf.estimators.catalogue import methods
    from s3nmf.method import Communities, Recipe, Round, S3NMFResult, self_supervised_nmf
    from s3nmf.progress import Progress
    from s3nmf.solvers.symmetric_nmf import SymNMFResult, symmetric_nmf
    from s3nmf.trust import Doubt, Verdict
    from s3nmf.trust.choose_k import Candidate, ClusterCount, choose_n_clusters
    from s3nmf.trust.diagnostics import Diagnostics, Dispute, diagnose

__version__ = "0.3.0"

__all__ = [
    "S3NMF",
    "Assignment",
    "Candidate",
    "ClusterCount",
    "Communities",
    "Comparison",
    "Diagnostics",
    "DisconnectedGraphWarning",
    "Dispute",
    "Doubt",
    "EmptyClusterWarning",
    "LocallyWeightedClustering",
    "MethodFit",
    "ModelFileError",
    "NJWSpectralClustering",
    "Progress",
    "Recipe",
    "Round",
    "S3NMFResult",
    "SparseSpectralClustering",
    "SpectralEnsembleClustering",
    "SpectralRotation",
    "SuspiciousDataWarning",
    "SymNMF",
    "SymNMFResult",
    "Verdict",
    "choose_n_clusters",
    "compare_methods",
    "diagnose",
    "methods",
    "self_supervised_nmf",
    "symmetric_nmf",
]

# Names are imported when they are first used: scikit-learn takes a second to load, and the command line answers sooner.
_HOMES = {
    "_archive": ("ModelFileError",),
    "_warnings": ("DisconnectedGraphWarning", "EmptyClusterWarning", "SuspiciousDataWarning"),
    "baselines.comparison.comparing": ("Comparison", "compare_methods"),
    "baselines.comparison.running": ("MethodFit",),
    "estimators": (
        "S3NMF",
        "LocallyWeightedClustering",
        "NJWSpectralClustering",
        "SparseSpectralClustering",
        "SpectralEnsembleClustering",
        "SpectralRotation",
        "SymNMF",
    ),
    "estimators.assign": ("Assignment",),
    "estimators.catalogue": ("methods",),
    "method": ("Communities", "Recipe", "Round", "S3NMFResult", "self_supervised_nmf"),
    "progress": ("Progress",),
    "solvers.symmetric_nmf": ("SymNMFResult", "symmetric_nmf"),
    "trust": ("Doubt", "Verdict"),
    "trust.choose_k": ("Candidate", "ClusterCount", "choose_n_clusters"),
    "trust.diagnostics": ("Diagnostics", "Dispute", "diagnose"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
        globals()[name] = value
        return value
    if not name.startswith("_") and find_spec(f"{__name__}.{name}"):
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *_HOME_OF]
