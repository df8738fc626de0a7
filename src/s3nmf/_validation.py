"""Input that cannot be clustered is refused here: what is wrong, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array, gen_batches

from s3nmf._indices import check_indices, compact
from s3nmf._messages import Message, Parameter
from s3nmf._sklearn import validate_parameter_constraints
from s3nmf._threads import team
from s3nmf._types import Affinity, FloatArray
from s3nmf._words import shortened

# NaN and infinity are looked for here, not by scikit-learn, to be able to say where they are.
FEATURE_CHECKS: dict[str, Any] = {
    "accept_sparse": "csr",
    "dtype": [np.float64, np.float32],
    "ensure_min_samples": 2,
    "ensure_all_finite": False,
}
AFFINITY_CHECKS: dict[str, Any] = {**FEATURE_CHECKS, "dtype": np.float64}

# What numpy's errors mean for a table.
_NUMPY_SAYS = {
    "with a sequence": "has rows of different lengths, or cells that hold more than a number. Give each row one number "
    "for each column.",
    "at least one array": "has no columns. Give each row one number at least.",
}

# SciPy makes copies of a graph, which take too much memory for one with more entries than this.
MANY_ENTRIES = 1_000_000
# Of a dense matrix so many are looked at together, not to copy it.
_ENTRIES_AT_ONCE = 2**20
# What it costs to look at an entry, in multiplications: to know when a thread is worth it.
_WORK_OF_ENTRY = 10.0
# |W - W'| up to this share of the largest entry is rounding, in float32 too.
SYMMETRY_TOLERANCE = 1e-6
# Distances are roots of sums of squares, and squares beyond this overflow or vanish.
LARGEST_VALUE = 1e150


def check_parameters(constraints: Mapping[str, Any], parameters: Mapping[str, Any], caller: str) -> None:
    """Raise a ValueError that names the parameter, its value and what is allowed."""
    validate_parameter_constraints(constraints, parameters, caller_name=caller)


def check_n_clusters(n_clusters: int, n_samples: int) -> None:
    if n_clusters > n_samples:
        raise ValueError(
            Message(
                "{asked} is more than n_samples={n}. Ask for at most as many clusters as points.",
                asked=Parameter("n_clusters", n_clusters),
                n=n_samples,
            )
        )


def check_distinct_rows(X: Any, n_clusters: int) -> None:
    """Refuse more clusters than there are different rows; looks at as few rows as that takes."""
    looked_at, found = 0, 0
    while found < n_clusters and looked_at < X.shape[0]:
        looked_at = min(X.shape[0], max(2 * n_clusters, 4 * looked_at))
        found = _distinct(X[:looked_at])
    if found < n_clusters <= X.shape[0]:
        raise ValueError(
            Message(
                "{asked} is more than there are different rows, {n}. Ask for at most as many clusters.",
                asked=Parameter("n_clusters", n_clusters),
                n=found,
            )
        )


def _distinct(rows: Any) -> int:
    if not sp.issparse(rows):
        return len(np.unique(rows, axis=0))
    starts, indices, data = rows.indptr.tolist(), rows.indices, rows.data
    return len({(indices[a:b].tobytes(), data[a:b].tobytes()) for a, b in pairwise(starts)})


def check_features(X: Any) -> Any:
    """Return X as a finite, numeric 2-d array or CSR matrix with at least two different rows."""
    with conversion_of(X):
        checked = check_array(X, input_name="X", **FEATURE_CHECKS)
    check_feature_values(checked, getattr(X, "columns", None))
    return native(checked)


def native(X: Any) -> Any:
    """X in the byte order of this machine, which a frame need not have, and compiled loops ask for."""
    return X if X.dtype.isnative else X.astype(X.dtype.newbyteorder("="))


@contextmanager
def conversion_of(X: Any, name: str = "X") -> Iterator[None]:
    """Let scikit-learn make an array of X within: refused before are arrays that lie, after it what has no numbers."""
    check_indices(X)
    if np.ma.is_masked(X):
        raise ValueError(
            f"{name} has {int(np.ma.getmaskarray(X).sum())} masked values. Fill them "
            f"({name}.filled), or drop their rows."
        )
    names: Any = getattr(X, "columns", None)
    if hasattr(names, "duplicated") and names.duplicated().any():  # which scikit-learn minds in some versions
        raise ValueError(
            f"{name} has several columns with the name {names[names.duplicated()][0]!r}. Give each column a name of "
            "its own."
        )
    try:
        yield
    except MemoryError:
        raise
    except TypeError as error:
        raise TypeError(
            f"{name} holds a value that is not a number: {error}. Drop it, or convert it to numbers."
        ) from error
    except ValueError as error:
        _refuse_text(X, error)
        for phrase, means in _NUMPY_SAYS.items():
            if phrase in str(error):
                raise ValueError(f"{name} {means}") from error
        if type(error) is ValueError:
            raise
        raise _unreadable(name, error) from error
    except Exception as error:
        raise _unreadable(name, error) from error


def _unreadable(name: str, error: Exception) -> ValueError:
    """What to say of what the library that the data are from says."""
    return ValueError(
        f"{name} cannot be read as a table of numbers ({type(error).__name__}: {shortened(str(error))}). Give each "
        "column one type of numbers, or convert it to an array."
    )


def _refuse_text(X: Any, error: ValueError) -> None:
    """Name the column if scikit-learn met a value that is not a number."""
    if "could not convert" not in str(error):
        return
    entries = np.asarray(X, dtype=object)
    for j, column in enumerate(entries.T if entries.ndim == 2 else ()):
        for value in column:
            if isinstance(value, str | bytes):
                raise ValueError(
                    f"Input X holds the text {value!r} in {_column(j, getattr(X, 'columns', None))}: could not convert "
                    "string to float. Drop the column, or encode it as numbers (for example with scikit-learn's "
                    "OneHotEncoder)."
                ) from error
    raise ValueError(
        f"Input X holds a value that is not a number: {error}. Drop it, or convert it to numbers."
    ) from error


def check_feature_values(X: Any, names: Sequence[str] | None = None) -> None:
    """Refuse NaN and infinity, with their column, and a table whose rows are all the same."""
    lowest, highest = check_feature_range(X, names)
    if np.array_equal(lowest, highest):
        raise ValueError(
            f"All {X.shape[0]} rows of X are the same: every feature is constant, so there is nothing to tell clusters "
            "apart by. Check that the right columns were passed."
        )


def check_feature_range(X: Any, names: Sequence[str] | None = None) -> tuple[FloatArray, FloatArray]:
    """Refuse NaN, infinity and values without distances; return the lowest and highest value of each feature."""
    lowest, highest = (_dense_row(X.min(axis=0)), _dense_row(X.max(axis=0)))
    bad = np.flatnonzero(~(np.isfinite(lowest) & np.isfinite(highest)))
    if bad.size:
        what = "NaN" if np.isnan(highest[bad[0]]) else "infinity"
        more = f" and {bad.size - 1} more columns" if bad.size > 1 else ""
        raise ValueError(
            f"Input X contains {what} in {_column(int(bad[0]), names)}{more}. Drop the rows or columns, or fill the "
            "missing values (for example with scikit-learn's SimpleImputer)."
        )
    span = max(float(highest.max()), -float(lowest.min()))
    if span > LARGEST_VALUE or 0 < span < 1 / LARGEST_VALUE:
        raise ValueError(
            f"The largest value of X is {span:.3g} in size; distances can be computed between {1 / LARGEST_VALUE:.0e} "
            f"and {LARGEST_VALUE:.0e}. Change the unit of the features."
        )
    return lowest, highest


def check_affinity(affinity: Any) -> Affinity:
    """Return W as a finite, nonnegative, symmetric, dense or CSR float64 matrix; the caller's is not changed."""
    with conversion_of(affinity, "affinity"):
        W = check_array(affinity, input_name="affinity", **AFFINITY_CHECKS)
    W = canonical(W)
    if W.shape[0] != W.shape[1]:
        raise ValueError(
            f"The affinity must be square, one row and one column a point; it is {W.shape[0]} x {W.shape[1]}. "
            "If these are features, use affinity='nearest_neighbors'."
        )
    check_affinity_values(W)
    check_has_entries(W)
    entries = _entries(W)[0]
    largest = float(entries.max())
    if largest > np.finfo(np.float64).max / W.shape[0]:
        raise ValueError(
            f"The largest affinity is {largest:.3g}: the sum of a row of {W.shape[0]} could be more than a number can "
            f"be, {np.finfo(np.float64).max:.3g}. Divide all by the largest; a factor changes no label."
        )
    _check_symmetric(W, largest)
    return W


def canonical(W: Affinity) -> Affinity:
    """W, or a copy of it, in which each edge is there once, and those of a row in the order of their columns."""
    if not sp.issparse(W):
        return W
    W = compact(W)
    if not W.has_canonical_format or np.count_nonzero(W.data) < W.nnz:
        W = W.copy()
        W.sum_duplicates()
        W.eliminate_zeros()
    return W


def check_has_entries(W: Affinity) -> None:
    """Refuse an affinity without an entry."""
    if not _entries(W)[0].any():
        raise ValueError("The affinity has no positive entry: no two points are similar. Pass a graph with edges.")


def check_affinity_values(W: Affinity) -> None:
    """Refuse affinities that are not finite and nonnegative; they need not be square."""
    entries, rows, columns = _entries(W)
    if not np.isfinite(entries).all():
        at = int(np.argmin(np.isfinite(entries)))
        what = "NaN" if np.isnan(entries[at]) else "infinity"
        raise ValueError(f"The affinity contains {what} at [{rows(at)}, {columns(at)}]. Use 0 where there is no edge.")
    if entries.size and entries.min() < 0:
        at = int(np.argmin(entries))
        raise ValueError(
            f"The affinity is negative in {int((entries < 0).sum())} entries, lowest {entries[at]:.6g} at "
            f"[{rows(at)}, {columns(at)}]; it must be >= 0. For distances, try exp(-distance**2 / scale**2)."
        )


def _check_symmetric(W: Affinity, largest: float) -> None:
    limit = SYMMETRY_TOLERANCE * largest
    gap, i, j = _largest_gap(W)
    if gap > limit:
        raise ValueError(
            f"The affinity is not symmetric: [{i}, {j}] is {W[i, j]:.6g} and [{j}, {i}] is {W[j, i]:.6g}, which differ "
            f"by {gap:.3g} (limit {limit:.3g}). Use (W + W.T) / 2, or the larger one."
        )


def _largest_gap(W: Any) -> tuple[float, int, int]:
    """The largest |W_ij - W_ji|, and where it is; without another copy of a large W."""
    if not sp.issparse(W):
        return max(_gaps_in_rows(W), key=lambda found: found[0])
    if W.nnz > MANY_ENTRIES:
        from s3nmf._core.graphs import largest_gap  # noqa: PLC0415

        if _is_its_transpose(W):
            return 0.0, 0, 0
        found: tuple[float, int, int] = largest_gap(W.indptr, W.indices, W.data)
        return found
    entries, rows, columns = _entries(sp.csr_array(abs(W - W.T)))
    at = int(np.argmax(entries)) if entries.size else 0
    return (float(entries[at]), rows(at), columns(at)) if entries.size else (0.0, 0, 0)


def _is_its_transpose(W: Any) -> bool:
    """Whether a large sparse W is W' to the last bit, in one pass over its entries, shared by all threads."""
    from s3nmf._core.graphs import fingerprint_across  # noqa: PLC0415

    bits = W.data.view(np.uint64)
    found: list[int] = []

    def rows(first: int, last: int) -> None:
        found.append(int(fingerprint_across(first, last, W.indptr, W.indices, bits)))

    with team() as threads:
        threads.run(rows, W.shape[0], work=_WORK_OF_ENTRY * W.nnz)
    return sum(found) % 2**64 == 0


def _gaps_in_rows(W: FloatArray) -> Iterator[tuple[float, int, int]]:
    """The largest gap in each some rows of a dense matrix."""
    n = W.shape[0]
    for rows in gen_batches(n, max(1, _ENTRIES_AT_ONCE // n)):
        gaps = abs(W[rows] - W[:, rows].T)
        at = int(np.argmax(gaps))
        yield float(gaps.flat[at]), rows.start + at // n, at % n


def _entries(W: Any) -> tuple[FloatArray, Any, Any]:
    """The stored entries of W and, for a position among them, its row and its column."""
    if sp.issparse(W):
        return W.data, lambda at: int(np.searchsorted(W.indptr, at, side="right")) - 1, lambda at: int(W.indices[at])
    if W.flags.f_contiguous:  # as it lies in memory, so that nothing is copied
        return W.ravel(order="F"), lambda at: at % W.shape[0], lambda at: at // W.shape[0]
    return W.ravel(), lambda at: at // W.shape[1], lambda at: at % W.shape[1]


def _dense_row(row: Any) -> Any:
    return row.toarray().ravel() if sp.issparse(row) else np.asarray(row)


def _column(j: int, names: Sequence[str] | None) -> str:
    return f"column {j}" if names is None else f"column {j} ({names[j]!r})"
