"""How much memory a run will need, said before it begins to need it."""

from __future__ import annotations

from dataclasses import dataclass

from s3nmf._memory import refuse_if_too_large
from s3nmf.distributed.workers import WorkersError

# A process that has loaded Python, NumPy, scikit-learn and dask.
_PROCESS = 0.5e9
# Of a row while its part is read: numbers four times (file, columns, table, batch), its id as text, and its labels.
_COPIES_OF_A_PART = 4
_BYTES_A_ROW = 400.0
# Of a sampled point in an index: its numbers in both precisions, twice while the index is built, or arrives; and its
# place in the cells. Measured of 400,000 points in 16 dimensions: 300 in all while it is built, and 400 while it
# arrives; in 128 dimensions 2,350 and 3,150. An exact index has the numbers in double precision.
_COPIES_IN_AN_INDEX = 4
_BYTES_A_POINT = 100.0
# Of a neighbour of a sampled point, while graphs are made, and communities found in them. Measured of a million points:
# 115.
_BYTES_A_NEIGHBOR = 120.0


@dataclass(frozen=True)
class MemoryNeed:
    """Bytes that are needed at most, by estimate.

    Attributes
    ----------
    fit : float
        Of the process that fits the sample.
    worker : float
        Of each worker, for every task that it does at a time.
    """

    fit: float
    worker: float

    def __str__(self) -> str:
        return f"{self.fit / 1e9:.1f} GB for the fit, {self.worker / 1e9:.1f} GB for each worker"


def memory_need(n_sampled: int, n_columns: int, n_clusters: int, n_neighbors: int, largest_part: int) -> MemoryNeed:
    """What a sample of so many points, and parts of so many rows, need.

    Examples
    --------
    >>> print(memory_need(1_000_000, 16, 20, 20, largest_part=1_000_000))
    3.5 GB for the fit, 2.2 GB for each worker
    """
    numbers = 8.0 * n_columns
    index = n_sampled * (_COPIES_IN_AN_INDEX * numbers + _BYTES_A_POINT + 8.0 * n_clusters)
    part = largest_part * (_COPIES_OF_A_PART * numbers + _BYTES_A_ROW)
    fit = n_sampled * (2 * numbers + _BYTES_A_NEIGHBOR * n_neighbors + 16.0 * n_clusters)
    return MemoryNeed(_PROCESS + max(fit, index), _PROCESS + index + part)


def refuse_if_too_little(need: MemoryNeed, limit_of_workers: int | None, is_within: bool) -> None:
    """Before the work: the memory of this machine, and that of workers elsewhere."""
    here = max(need.fit, need.worker) if is_within else need.fit
    refuse_if_too_large(here, "Take a smaller sample, or cut the data into smaller parts.")
    if limit_of_workers is not None and need.worker > limit_of_workers:
        raise WorkersError(
            f"Each worker needs about {need.worker / 1e9:.1f} GB and may take {limit_of_workers / 1e9:.1f} GB. Give "
            "workers more memory, take a smaller sample, or cut the data into smaller parts."
        )
