"""Names for the arrays that travel through the library."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.integer[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]
SparseMatrix: TypeAlias = sp.csr_array
Affinity: TypeAlias = FloatArray | SparseMatrix
