"""What a fit is said to need against what it takes at its peak, and what a limit on memory does to it."""

import ctypes
import gc
import json
import resource
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from campaign.outcomes import FINE, REFUSED, TRACEBACK, WRONG, Outcome, place_of
from campaign.processes import environment, judged, program
from graphs import planted_blocks
from s3nmf import S3NMF
from s3nmf.method.too_large import needed_bytes

SHARES = (0.3, 0.7, 0.95, 0.99, 1.01, 1.1, 1.5, 3.0)


class Shape(NamedTuple):
    """What is fitted: features (n x width), or a graph of n points with so many edges each; width n is a dense one."""

    kind: str
    n: int
    width: int
    n_clusters: int
    n_members: int
    members: str = "communities"

    def words(self):
        size = f"{self.n:,} x {self.width:,}" if self.kind != "graph" else f"{self.n:,}, {self.width} edges each"
        return f"{self.kind}, {size}"


SHAPES = (
    Shape("features", 60_000, 8, 10, 20),
    Shape("features", 100_000, 4, 40, 20),
    Shape("features", 30_000, 8, 150, 20),
    Shape("features", 30_000, 8, 10, 20, "factorizations"),
    Shape("graph", 100_000, 24, 10, 20),
    Shape("graph", 200_000, 8, 10, 20),
    Shape("graph", 30_000, 100, 20, 20),
    Shape("graph", 100_000, 12, 100, 60),
    Shape("graph", 50_000, 12, 10, 20, "factorizations"),
    Shape("dense graph", 3_000, 3_000, 10, 20),
    Shape("dense graph", 4_500, 4_500, 5, 20),
    Shape("dense graph", 3_000, 3_000, 20, 20, "factorizations"),
)


def data(shape):
    """What is fitted, with clusters in it."""
    rng = np.random.default_rng(0)
    if shape.kind == "features":
        centers = 8.0 * rng.normal(size=(shape.n_clusters, shape.width))
        return rng.normal(size=(shape.n, shape.width)) + centers[np.arange(shape.n) % shape.n_clusters]
    if shape.kind == "graph":
        half = shape.width // 2
        return planted_blocks(shape.n, shape.n_clusters, within=half - 1, across=1)[0]
    W = rng.random((shape.n, shape.n), dtype=np.float64)
    W[np.arange(shape.n) % shape.n_clusters == np.arange(shape.n)[:, None] % shape.n_clusters] += 9.0
    W += W.T
    return W


def model_of(shape):
    affinity = "nearest_neighbors" if shape.kind == "features" else "precomputed"
    return S3NMF(shape.n_clusters, members=shape.members, n_members=shape.n_members, affinity=affinity, random_state=0)


def compared(shape):
    """Bytes that a fit is said to need, and that it takes; by a process of its own."""
    # Give what is freed back at once: what the allocator keeps for later is not needed.
    env = environment(MALLOC_MMAP_THRESHOLD_="65536", MALLOC_TRIM_THRESHOLD_="65536")
    ended = program("campaign.memory", "peak", json.dumps(shape), within=900.0, env=env)
    assert ended.code == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


def under_a_limit(seed):
    """A fit with so much more address space than it is said to need: refused before the work, or done."""
    share = SHARES[seed % len(SHARES)]
    ended = program("campaign.memory", "limited", str(seed), str(share), within=300.0)
    if ended.hung or ended.code != 0:
        return judged(ended, seed, f"{share} of the memory needed")
    return Outcome(**json.loads(ended.stdout.splitlines()[-1]))


def _peak(shape):
    _warm_up(shape)
    X, model = data(shape), model_of(shape)
    estimate = needed_bytes(*model._asked(X, shape.n_clusters))
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins again
    before = _status("VmRSS")
    model.fit(X)
    return {"estimate": estimate, "peak": _status("VmHWM") - before}


def _limited(seed, share):
    shape = SHAPES[seed % 3]._replace(n=40_000) if seed % 2 else SHAPES[4]._replace(n=60_000)
    if share > 1:  # else there is no work
        _warm_up(shape)
    X, model = data(shape), model_of(shape)
    needed = needed_bytes(*model._asked(X, shape.n_clusters))
    room = int(_status("VmSize") + share * needed)
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    words = f"{share} of the memory needed, {shape.words()}"
    before = _status("VmHWM")
    try:
        model.fit(X)
    except MemoryError as error:
        early = _status("VmHWM") - before < 0.1 * needed
        if share < 1 and not ("needs about" in str(error) and early):
            return Outcome(WRONG, seed, words, f"not refused before the work: {error}")
        return Outcome(REFUSED, seed, words, str(error))
    except Exception as error:
        return Outcome(TRACEBACK, seed, words, place_of(error))
    return Outcome(FINE if share > 1 else WRONG, seed, words)


def _warm_up(shape):
    """Have the code that is for large graphs, and the threads, before anything is measured."""
    small = shape._replace(n=25_000)
    if shape.kind == "graph":
        small = small._replace(width=max(shape.width, 44))
    if shape.kind == "dense graph":
        small = shape._replace(n=1100, width=1100)
    if shape.members == "factorizations":
        small = small._replace(n=min(small.n, 5000))
    model_of(small).fit(data(small))


def _status(name):
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def main(what, *arguments):
    warnings.simplefilter("ignore")
    if what == "peak":
        found = _peak(Shape(*json.loads(arguments[0])))
    else:
        found = _limited(int(arguments[0]), float(arguments[1]))._asdict()
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
