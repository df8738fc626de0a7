"""What a fit with communities costs: beside Leiden and spectral clustering, and up to ten million points.

``python -m benchmarks.scale`` from the project's root measures, each task in a process of its own, and writes
docs/scale.json and docs/scale.md; ``--redraw`` writes the page from the JSON, ``--only small`` measures one thing.
"""

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import scipy.sparse as sp
from jinja2 import Template

from benchmarks import data
from benchmarks.memory import peak_memory

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
N_CLUSTERS = 16
# The last commit at which factorizations were the default.
BEFORE = "2e169a3"
TURNS = 3
WARM_FIT = """
import sys, time
if sys.argv[3] == "before":  # an editable install would be found first; the code of then takes numba
    sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
import numpy as np
import s3nmf
X, c = np.load(sys.argv[1]), int(sys.argv[2])
s3nmf.S3NMF(c, n_members=4, max_rounds=2, random_state=0).fit(X[: 5 * c])
began = time.perf_counter()
s3nmf.S3NMF(c, random_state=0).fit(X)
print(s3nmf.__file__, time.perf_counter() - began)
"""


def block_graph(n, degree=26, inside=0.9):
    """A graph of n points in 16 groups, as neighbours in 16 dimensions: next to each other in one of 13 coordinates.

    One edge in ten leads anywhere. A real search for the neighbours of ten million points takes longer than all else.
    """
    rng = np.random.default_rng(0)
    y = rng.integers(N_CLUSTERS, size=n).astype(np.int8)
    half = degree // 2
    columns = np.empty((n, half), np.int32)
    for k in range(half):
        order = np.argsort(y * 100.0 + rng.normal(size=n)).astype(np.int32)
        columns[order, k] = np.roll(order, -1)
        columns[:, k] = np.where(rng.random(n) < inside, columns[:, k], rng.integers(n, size=n))
    starts = half * np.arange(n + 1)
    A = sp.csr_array((np.ones(columns.size), columns.ravel(), starts), shape=(n, n))
    A = sp.csr_array(A + A.T)
    A.setdiag(0.0)
    A.eliminate_zeros()
    A.sort_indices()
    return A, y


def size(n):
    """A whole fit of a graph of n points, and the most memory beyond the graph's own."""
    from s3nmf import self_supervised_nmf
    from s3nmf.metrics import accuracy

    path = data.CACHE / f"blocks-{n}.npz"
    if not path.exists():
        data.CACHE.mkdir(parents=True, exist_ok=True)
        W, y = block_graph(n)
        np.savez(path, data=W.data, indices=W.indices, indptr=W.indptr, y=y)
        del W
        return subprocess_of("size", n=n)  # in a process that has not built it
    with np.load(path) as file:
        W = sp.csr_array(
            (file["data"], file["indices"].astype(np.int32), file["indptr"].astype(np.int32)), shape=(n, n)
        )
        y = file["y"]
    self_supervised_nmf(W[:500][:, :500], 4, random_state=0)  # compiled loops are read
    began = time.perf_counter()
    result = self_supervised_nmf(W, N_CLUSTERS, random_state=0)
    return {
        "n": n,
        "edges": int(W.nnz),
        "seconds": time.perf_counter() - began,
        "gigabytes": peak_memory() / 1e9,
        "graph_gigabytes": (W.data.nbytes + W.indices.nbytes + W.indptr.nbytes) / 1e9,
        "accuracy": accuracy(y, result.labels),
        "rounds": [found.seconds for found in result.history],
    }


def leiden(runs=3):
    """Twenty members with their search, beside runs of igraph's Leiden, on MNIST's graph; in one process, in turn."""
    import igraph

    from s3nmf import self_supervised_nmf

    W = data.mnist_graph()
    edges = sp.triu(W).tocoo()
    graph = igraph.Graph(n=W.shape[0], edges=np.column_stack([edges.row, edges.col]))
    graph.es["weight"] = edges.data

    def members():
        """Round 1: the search for the resolutions, and the members."""
        return self_supervised_nmf(W, 10, max_rounds=1, random_state=0)

    resolution = float(np.median(members().history[0].resolutions))  # compiled loops are read
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(members().history[0].seconds)
        theirs.append(
            seconds_of(
                lambda: graph.community_leiden("modularity", weights="weight", resolution=resolution, n_iterations=2)
            )
        )
    return {"members": min(ours), "leiden": min(theirs), "ratio": 20 * min(theirs) / min(ours)}


def spectral(repeats=2):
    """A whole fit on MNIST's graph beside scikit-learn's spectral clustering, in turn."""
    from sklearn.cluster import SpectralClustering

    from s3nmf import self_supervised_nmf
    from s3nmf.metrics import accuracy

    W, y = data.mnist_graph(), data.mnist()[1]
    rival = SpectralClustering(10, affinity="precomputed", eigen_solver="lobpcg", random_state=0)
    self_supervised_nmf(W[:500][:, :500], 4, random_state=0)
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(seconds_of(lambda: self_supervised_nmf(W, 10, random_state=0)))
        theirs.append(seconds_of(lambda: rival.fit(W)))
    labels = self_supervised_nmf(W, 10, random_state=0).labels
    return {
        "ours": min(ours),
        "spectral": min(theirs),
        "ratio": min(ours) / min(theirs),
        "accuracy": accuracy(y, labels),
        "spectral_accuracy": accuracy(y, rival.labels_),
    }


def small(repeats=7):
    """Warm fits: moons; and many clusters beside the code from before communities, in turn."""
    from sklearn.datasets import make_blobs, make_moons

    from experiments.datasets import load
    from s3nmf import S3NMF

    moons = make_moons(500, noise=0.05, random_state=30)[0]
    many = make_blobs(1005, centers=42, n_features=8, cluster_std=2.0, random_state=0)[0]
    S3NMF(2, random_state=0).fit(moons)
    found = {"moons": min(seconds_of(lambda: S3NMF(2, random_state=0).fit(moons)) for _ in range(repeats))}
    with TemporaryDirectory() as folder:
        sources = {"now": ROOT / "src", "before": code_of(BEFORE, Path(folder))}
        for name, X, c in (("1,005 points, c = 42", many, 42), ("PALM, 2,000 points, c = 100", load("PALM").X, 100)):
            file = Path(folder) / "X.npy"
            np.save(file, X)
            turns = [{which: warm_fit(which, place, file, c) for which, place in sources.items()} for _ in range(TURNS)]
            found[name] = {which: min(turn[which] for turn in turns) for which in sources}
    return found


def code_of(commit, folder):
    """The package as it was at a commit, unpacked."""
    packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "--extract", "--directory", folder], input=packed, check=True)
    return folder / "src"


def warm_fit(which, source, file, c):
    """Seconds of a fit by the code in a directory, after a smaller one for which loops are compiled or read."""
    command = [sys.executable, "-W", "ignore", "-c", WARM_FIT, str(file), str(c), which]
    run = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(source)}, stdout=subprocess.PIPE, text=True, check=True
    )
    found, seconds = run.stdout.split()
    assert found.startswith(str(source)), found
    return float(seconds)


def seconds_of(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


TASKS = {task.__name__: task for task in (size, leiden, spectral, small)}


def subprocess_of(task, **arguments):
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.scale", "--task", task, json.dumps(arguments)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout.splitlines()[-1])


def measure(results, task, sizes):
    if task == "size":
        for n in sizes:
            results["sizes"][str(n)] = subprocess_of("size", n=n)
            print(results["sizes"][str(n)], flush=True)
    else:
        results[task] = subprocess_of(task)
        print(task, results[task], flush=True)
    results["machine"] = {"cores": os.cpu_count(), "processor": platform.machine()}


def page_of(results):
    sizes = sorted(results["sizes"].values(), key=lambda found: found["n"])
    first, last = sizes[0], sizes[-1]
    exponent = math.log(last["seconds"] / first["seconds"]) / math.log(last["n"] / first["n"])
    template = (Path(__file__).parent / "templates" / "scale.md.j2").read_text(encoding="utf-8")
    return Template(template, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True).render(
        results, rows=sizes, exponent=exponent, first=first, last=last, clusters=N_CLUSTERS, before=BEFORE
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", nargs=2, metavar=("NAME", "JSON"))
    parser.add_argument("--redraw", action="store_true")
    parser.add_argument("--only", choices=TASKS)
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    chosen = parser.parse_args()
    if chosen.task:
        print(json.dumps(TASKS[chosen.task[0]](**json.loads(chosen.task[1]))))
        return
    kept = DOCS / "scale.json"
    results = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {"sizes": {}}
    for task in () if chosen.redraw else [chosen.only] if chosen.only else TASKS:
        measure(results, task, [n for n in SIZES if n <= chosen.largest])
        kept.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (DOCS / "scale.md").write_text(page_of(results), encoding="utf-8")


if __name__ == "__main__":
    main()
