"""The processes that work: reached, and known to have what the work needs before any of it is sent."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from s3nmf.desk.sources.errors import optional

# What labels hang on: another version may round, or draw, differently.
_SAME_EVERYWHERE = ("s3nmf", "numpy", "scipy", "sklearn", "distributed")
_PATIENCE = 10.0
_WITH_A_PORT = {"tcp", "tls", "ws", "wss"}
# No pages about the work. What would serve them listens all the same, on any free port of this machine alone: with none
# given it asks for 8787, and warns where another run has that.
_QUIET = {
    "silence_logs": logging.CRITICAL,
    "dashboard_address": "127.0.0.1:0",
    "scheduler_kwargs": {"dashboard": False},
}


class WorkersError(RuntimeError):
    """The workers cannot be reached, or cannot do the work; the message says why and what to do."""


def dask_distributed() -> Any:
    """dask's package for clusters, or an error that names what to install."""
    return optional("distributed", "distributed", "Work on a cluster")


@contextmanager
def connected(scheduler: str | None = None, *, timeout: float = _PATIENCE) -> Iterator[Any]:
    """A client of the scheduler at an address, or without one of a scheduler and one worker within this process.

    The worker within takes one part of the data at a time, so that the memory is that of a part and of the sample, and
    searches in it on all cores.

    Parameters
    ----------
    scheduler : str or None
        As dask prints it: "tcp://10.0.0.1:8786".
    timeout : float
        Seconds to wait for it.

    Examples
    --------
    >>> with connected() as client:
    ...     client.submit(sum, [1, 2]).result()
    3
    """
    distributed = dask_distributed()
    if scheduler is None:
        with (
            distributed.LocalCluster(
                n_workers=1, threads_per_worker=1, processes=False, memory_limit=0, protocol="inproc://", **_QUIET
            ) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client
        return
    _check_address(scheduler)
    try:
        client = distributed.Client(scheduler, timeout=timeout, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkersError(
            f"No scheduler answers at {scheduler} within {timeout:g} s. Check the address, which dask prints when the "
            "scheduler starts, and that this machine may reach it."
        ) from error
    with client:
        check_workers(client)
        yield client


def _check_address(scheduler: Any) -> None:
    """Refuse what can be no address, before dask begins to connect to it."""
    try:
        if not isinstance(scheduler, str):
            raise TypeError
        comm = dask_distributed().comm
        scheme, place = comm.parse_address(scheduler)
        comm.registry.get_backend(scheme)
        if scheme in _WITH_A_PORT:
            comm.get_address_host_port(f"{scheme}://{place}")
    except (TypeError, ValueError) as error:
        raise WorkersError(
            f"{scheduler!r} is no address of a scheduler. Give it as dask prints it, such as 'tcp://10.0.0.1:8786'."
        ) from error


def check_client(client: Any) -> None:
    """Refuse what is no client, such as the address of a scheduler, and a client that was closed."""
    if isinstance(client, str):
        raise TypeError(
            f"client is the text {client!r}; it must be a dask.distributed.Client, or None for the cores of this "
            f"machine. Connect first: distributed.Client({client!r})."
        )
    if not isinstance(client, dask_distributed().Client):
        raise TypeError(
            f"client is a {type(client).__name__}; it must be a dask.distributed.Client, or None for the cores of this "
            "machine."
        )
    if client.status != "running":
        raise WorkersError(f"client is {client.status}; the work needs one that is running. Connect another one.")


def check_workers(client: Any) -> None:
    """Refuse workers that lack this package, or have other versions of what labels depend on, and a lack of workers."""

    def versions(names: tuple[str, ...]) -> dict[str, str | None]:
        # Within a function, so that dask sends its code: a worker without the package could not look it up.
        import importlib  # noqa: PLC0415
        import platform  # noqa: PLC0415

        found: dict[str, str | None] = {"Python": platform.python_version()}
        for name in names:
            try:
                found[name] = importlib.import_module(name).__version__
            except ImportError:
                found[name] = None
        return found

    here, there = versions(_SAME_EVERYWHERE), client.run(versions, _SAME_EVERYWHERE)
    if not there:
        raise WorkersError(f"The scheduler at {client.scheduler.address} has no workers. Start some (dask worker).")
    for address, found in there.items():
        if found["s3nmf"] is None:
            raise WorkersError(
                f"The worker at {address} has no s3nmf. Install s3nmf[distributed] {here['s3nmf']} where workers run."
            )
        for name, version in here.items():
            if found[name] != version:
                raise WorkersError(
                    f"The worker at {address} has {name} {found[name] or '(none)'}, this program {version}. Install "
                    "the same versions everywhere: labels depend on them."
                )


def memory_of_workers(client: Any) -> int | None:
    """The least memory that a worker may take for each of the tasks that it does at a time; None without a limit."""
    found = client.scheduler_info(n_workers=-1)["workers"].values()
    limits = [worker["memory_limit"] // worker["nthreads"] for worker in found]
    return min((limit for limit in limits if limit), default=None)
