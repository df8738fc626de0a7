"""The kinds of tries: what each does, and how often."""

from collections.abc import Callable
from typing import NamedTuple

from campaign import (
    arrays,
    company,
    hostile,
    interruptions,
    memory,
    models,
    places,
    properties,
    readers,
    requests,
    writers,
)


def _each(trial):
    """A kind whose tries are one by one."""
    return lambda seeds: [trial(seed) for seed in seeds]


class Kind(NamedTuple):
    """A kind of tries: in words, how many in a campaign, how many at a time, and how: from seeds to outcomes."""

    words: str
    tries: int
    at_once: int
    run: Callable
    is_possible: Callable = lambda: True


_COMMAND = "`s3nmf cluster --out --report --model`"
_SIGNALS = "SIGINT, SIGTERM or SIGKILL at a random moment of"

KINDS = {
    "arrays": Kind(
        "arrays, graphs and labels of every type, layout, container and damage through every public function",
        27_000, 500, arrays.tries,
    ),
    "properties": Kind("examples of all property tests, never seen before", 10_000, 10_000, properties.tries),
    "files": Kind("files made to do harm, and damaged ones", 1_000, 100, hostile.tries),
    "models": Kind("model files whose header or arrays were changed, and what is asked of the model then", 400, 1,
                   _each(models.trial)),
    "requests": Kind("requests of any kind to the page of `s3nmf app`", 4_000, 1, _each(requests.trial)),
    "readers": Kind(
        "everything that reads, from devices, pipes, circles of links, links to anything, and directories", 300, 1,
        _each(readers.trial),
    ),
    "writers": Kind(
        "everything that writes, onto devices, pipes, circles of links, links to anything, and directories", 400, 1,
        _each(writers.trial),
    ),
    "commands": Kind(f"{_SIGNALS} {_COMMAND}", 100, 1, _each(interruptions.of_a_command)),
    "saves": Kind(f"{_SIGNALS} saves to one file", 100, 1, _each(interruptions.of_a_save)),
    "experiments": Kind(f"{_SIGNALS} a run of the experiments", 100, 1, _each(interruptions.of_experiments)),
    "full disk": Kind(f"{_COMMAND} onto a disk that is full sooner or later", 40, 1, _each(places.full_disk)),
    "read-only": Kind(
        f"{_COMMAND} into a read-only directory", 10, 1, _each(places.read_only), places.can_mount,
    ),
    "no home": Kind(
        f"{_COMMAND} without a home, and with the library read-only", 2, 1, _each(places.no_home),
        places.can_mount,
    ),
    "clock": Kind(f"{_COMMAND} while the clock jumps", 20, 1, _each(places.jumping_clock)),
    "company": Kind(
        "fits in four threads; in processes forked, spawned and from a fork server, after a fit and during one; under "
        "joblib in joblib; on dask with a worker killed", 30, 1, _each(company.trial),
    ),
    "memory": Kind(
        "fits with 0.3 to 3 times the address space that they are said to need", 24, 1, _each(memory.under_a_limit),
    ),
}  # fmt: skip
