"""The control charts of the data set CHART by their published formulas.

R. J. Alcock, Y. Manolopoulos, "Time-series similarity queries employing a feature-based approach", 7th Hellenic
Conference on Informatics, 1999. The UCI repository's "Synthetic Control Chart Time Series" were made so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from s3nmf._types import FloatArray, IntArray

KINDS = ("normal", "cyclic", "increasing trend", "decreasing trend", "upward shift", "downward shift")
MEAN, SCALE = 30.0, 2.0


def control_charts(
    n_per_kind: int = 100, n_points: int = 60, *, random_state: Any = None
) -> tuple[FloatArray, IntArray]:
    """Series of six `KINDS`, one a row, and the kind of each; the defaults have the size of CHART.

    With m = 30, s = 2 and r drawn from U(-3, 3) for every point, the kinds are

        normal      y(t) = m + r s
        cyclic      y(t) = m + r s + a sin(2 pi t / T),  a and T from U(10, 15)
        trends      y(t) = m + r s +- g t,               g from U(0.2, 0.5)
        shifts      y(t) = m + r s +- x [t >= t0],       x from U(7.5, 20), t0 from U(n / 3, 2 n / 3)

    Examples
    --------
    >>> X, kind = control_charts(random_state=0)
    >>> X.shape, [KINDS[k] for k in kind[::200]]
    ((600, 60), ['normal', 'increasing trend', 'upward shift'])
    """
    rng = check_random_state(random_state)
    t = np.arange(n_points)

    def drawn(low: float, high: float) -> FloatArray:
        return np.asarray(rng.uniform(low, high, (n_per_kind, 1)))

    def shift() -> FloatArray:
        return drawn(7.5, 20) * (t >= drawn(n_points / 3, 2 * n_points / 3))

    patterns = [
        np.zeros((n_per_kind, n_points)),
        drawn(10, 15) * np.sin(2 * np.pi * t / drawn(10, 15)),
        drawn(0.2, 0.5) * t,
        -drawn(0.2, 0.5) * t,
        shift(),
        -shift(),
    ]
    X = MEAN + SCALE * rng.uniform(-3, 3, (len(KINDS) * n_per_kind, n_points)) + np.vstack(patterns)
    return X, np.repeat(np.arange(len(KINDS)), n_per_kind)
