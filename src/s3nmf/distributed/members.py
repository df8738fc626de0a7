"""Round 1 on a cluster: the graph sent once to every worker, and a task for each member, with its seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s3nmf._threads import ALONE, one_thread
from s3nmf._types import FloatArray, IntArray
from s3nmf.distributed.tasks import do_by_workers
from s3nmf.distributed.workers import WorkersError, dask_distributed
from s3nmf.graph.communities.groups import Groups
from s3nmf.graph.communities.search import communities
from s3nmf.method.factorize import Factorizer
from s3nmf.method.members import Communities, shared_out


def communities_on_workers() -> Communities:
    """The default members of round 1, found by the workers of dask's current client.

    To be given as `members` to `S3NMF` or `self_supervised_nmf`; labels are those of one process. A worker that dies
    costs the members that it was at, which are found again by others. Within a task of dask, which must not wait for
    others, the task finds the members by itself.

    Returns
    -------
    Communities

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> from s3nmf.distributed import communities_on_workers, connected
    >>> X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    >>> with connected() as client, client.as_current():
    ...     there = S3NMF(4, members=communities_on_workers(), random_state=0).fit_predict(X)
    >>> bool((there == S3NMF(4, random_state=0).fit_predict(X)).all())
    True
    """
    dask_distributed()
    return Communities(share_out=_over_workers)


def _over_workers(
    groups: Groups,
    resolutions: FloatArray,
    seeds: Sequence[int],
    factorize: Factorizer,
    over: Callable[[float], None],
) -> list[IntArray]:
    if _is_within_a_task():
        return shared_out(groups, resolutions, seeds, factorize, over)
    items = {member: (float(resolutions[member]), seed) for member, seed in enumerate(seeds)}
    found: dict[int, IntArray] = {}

    def take(member: int, labels: IntArray) -> None:
        found[member] = labels
        over(len(found) / len(seeds))

    do_by_workers(_current_client(), _member, groups, items, take)
    return [found[member] for member in range(len(seeds))]


def _member(groups: Groups, resolution: float, seed: int) -> IntArray:
    with one_thread():
        return communities(groups, np.array([resolution]), [seed], ALONE)[0]


def _current_client() -> Any:
    try:
        return dask_distributed().Client.current()
    except ValueError as error:
        raise WorkersError(
            "There is no client of dask to find members by. Make one (distributed.Client), or use its as_current()."
        ) from error


def _is_within_a_task() -> bool:
    try:
        dask_distributed().get_worker()
    except ValueError:
        return False
    return True
