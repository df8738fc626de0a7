"""What we use of scikit-learn's private modules: where a release changes them, this file changes, and no other."""

from __future__ import annotations

from typing import Any

from sklearn.utils._openmp_helpers import _openmp_effective_n_threads
from sklearn.utils._param_validation import Interval as _Interval
from sklearn.utils._param_validation import StrOptions, validate_parameter_constraints
from sklearn.utils.validation import _num_samples

__all__ = ["Interval", "StrOptions", "effective_n_threads", "n_samples_of", "validate_parameter_constraints"]


class Interval(_Interval):  # type: ignore[misc]
    """Numbers between two ends, of which True is none, though Python counts it among the integers."""

    def is_satisfied_by(self, val: Any) -> bool:
        """Whether a value may be given."""
        return not isinstance(val, bool) and bool(super().is_satisfied_by(val))


def effective_n_threads() -> int:
    """Threads that scikit-learn's own loops would use: cores, OMP_NUM_THREADS, and what joblib leaves to a worker."""
    return int(_openmp_effective_n_threads())


def n_samples_of(X: Any) -> int:
    """Rows of anything that scikit-learn takes for X."""
    return int(_num_samples(X))
