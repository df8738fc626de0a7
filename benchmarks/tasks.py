"""One measurement each, by name: run in a process of its own, and returned as a dictionary of numbers."""

import logging
import subprocess
import sys
import time
import warnings

import numpy as np
from sklearn.cluster import SpectralClustering

from benchmarks import data, rivals
from benchmarks.memory import peak_memory

N_MEMBERS, N_CLUSTERS = 20, 10


def _fit(W, seed=0, **settings):
    from s3nmf import Recipe, self_supervised_nmf

    few = {"members": "factorizations", "recipe": Recipe(max_iter=2), "max_rounds": 2, "random_state": 0}
    self_supervised_nmf(W[:200][:, :200], N_CLUSTERS, **few)  # modules are loaded
    began = time.perf_counter()
    result = self_supervised_nmf(W, N_CLUSTERS, members="factorizations", recipe=Recipe(**settings), random_state=seed)
    return result, time.perf_counter() - began


def _accuracy(y, labels):
    from s3nmf.metrics import accuracy

    return accuracy(y, labels)


def fit(name, seed=0, **settings):
    """A whole fit of the paper's form, round 1 by factorizations, the graph given."""
    W, y = _graph(name)
    result, seconds = _fit(W, seed, **settings)
    return {
        "n": W.shape[0],
        "edges": W.nnz,
        "seconds": seconds,
        "accuracy": _accuracy(y, result.labels),
        "sweeps": [found.n_iter for found in result.history],
        "seconds_of_rounds": [found.seconds for found in result.history],
        "tuples": [len(np.unique(found.member_labels, axis=1).T) for found in result.history]
        if W.shape[0] <= 100_000
        else None,
        "agreement": [found.agreement for found in result.history],
    }


def rival(name, kind, dtype, repeats):
    """Seconds of a sweep in NumPy, with a dense or a sparse matrix."""
    W, _ = _graph(name)
    S = W.toarray().astype(dtype) if kind == "dense" else W.astype(dtype)
    return {"n": W.shape[0], "seconds_a_sweep": rivals.seconds_a_sweep(S, N_MEMBERS, N_CLUSTERS, repeats)}


def kernel(name, dtype, repeats):
    """Seconds of a sweep of this library over the same graph, reordering included in none of them."""
    from s3nmf._threads import team
    from s3nmf.graph.operators import local_affinity
    from s3nmf.solvers.multiplicative import _Batch
    from s3nmf.solvers.starts import RandomStarts

    W, _ = _graph(name)
    found = {"n": W.shape[0], "edges": W.nnz}
    operator, _ = local_affinity(W, dtype)
    for n_threads in (1, None):
        with team(n_threads) as threads:
            starts = RandomStarts((0, 1), range(N_MEMBERS), N_CLUSTERS, np.ones(W.shape[0]))
            batch = _Batch(operator, starts, threads, fourth_root=False)
            best = np.inf
            for _ in range(repeats + 1):
                began = time.perf_counter()
                batch.measure()
                batch.advance()
                best = min(best, time.perf_counter() - began)
        found["seconds_a_sweep" if n_threads is None else "seconds_a_sweep_on_one_thread"] = best
    return found


def kernel_against_numpy(name, repeats):
    """The sweep of this library and NumPy's, alternating in one process, so that both meet the same noise."""
    ours, sparse32, sparse64 = [], [], []
    for _ in range(3):
        ours.append(kernel(name, "float32", repeats))
        sparse32.append(rival(name, "sparse", "float32", repeats)["seconds_a_sweep"])
        sparse64.append(rival(name, "sparse", "float64", repeats)["seconds_a_sweep"])
    best = min(ours, key=lambda found: found["seconds_a_sweep"])
    return {**best, "numpy32": min(sparse32), "numpy64": min(sparse64)}


def parts(name, repeats):
    """Seconds that each part of a sweep takes by itself, on one thread: what there is to gain."""
    from s3nmf._core.multiplicative import add_grams, times_gram, update
    from s3nmf._core.products import product_rows
    from s3nmf.graph.operators import local_affinity

    W, _ = _graph(name)
    rows, n, width = local_affinity(W, "float32")[0].rows, W.shape[0], N_CLUSTERS * N_MEMBERS
    V = np.random.default_rng(0).random((n, N_CLUSTERS, N_MEMBERS), np.float32)
    flat, other = V.reshape(n, width), np.empty((n, width), np.float32)
    gram, product = np.ones((N_CLUSTERS, N_CLUSTERS, N_MEMBERS), np.float32), np.ones((n, width), np.float32)
    tiny = np.float32(1e-12)
    calls = {
        "S V": lambda: product_rows(0, n, rows.indptr, rows.indices, rows.data, flat, product),
        "V (V'V)": lambda: times_gram(V, gram, other),
        "roots": lambda: update(flat, product, product, tiny, tiny, False, other),
        "next V'V": lambda: add_grams(V, gram),
    }
    return {"n": n, "edges": W.nnz, "seconds": {part: _best(call, repeats) for part, call in calls.items()}}


def solvers(name, sweeps, repeats):
    """Seconds of the same number of sweeps by each solver, all members, alternating in one process."""
    from s3nmf._threads import team
    from s3nmf.graph.operators import AffinityOperator
    from s3nmf.solvers.base import StepBelow
    from s3nmf.solvers.declared import declared
    from s3nmf.solvers.named import SOLVERS
    from s3nmf.solvers.starts import RandomStarts

    W, _ = _graph(name)
    operator = AffinityOperator(W)
    starts = RandomStarts((0, 1), range(N_MEMBERS), N_CLUSTERS, np.ones(W.shape[0]))
    seconds = dict.fromkeys((solver for solver in SOLVERS if not declared(solver).dense), np.inf)
    with team() as threads:
        for repeat in range(repeats + 1):
            for solver in seconds:
                began = time.perf_counter()
                SOLVERS[solver](
                    operator, starts, max_iter=sweeps if repeat else 1, stop=StepBelow(0.0), team=threads
                )  # the first time, modules are loaded
                if repeat:
                    seconds[solver] = min(seconds[solver], time.perf_counter() - began)
    return {"n": W.shape[0], "sweeps": sweeps, "seconds": seconds}


def spectral(name, solver):
    """scikit-learn's SpectralClustering on the same graph."""
    W, y = _graph(name)
    import scipy.sparse as sp

    model = SpectralClustering(N_CLUSTERS, affinity="precomputed", eigen_solver=solver, random_state=0)
    began = time.perf_counter()
    labels = model.fit_predict(sp.csr_matrix(W))
    return {"n": W.shape[0], "seconds": time.perf_counter() - began, "accuracy": _accuracy(y, labels)}


def spectral_from_features(solver):
    """The same from MNIST's pixels, with the neighbours that it searches for itself."""
    X, y = data.mnist()
    model = SpectralClustering(N_CLUSTERS, affinity="nearest_neighbors", eigen_solver=solver, n_jobs=-1, random_state=0)
    began = time.perf_counter()
    labels = model.fit_predict(X)
    return {"seconds": time.perf_counter() - began, "accuracy": _accuracy(y, labels)}


def fit_from_features(seed=0, **settings):
    """This library from MNIST's pixels."""
    from s3nmf import S3NMF

    X, y = data.mnist()
    began = time.perf_counter()
    model = S3NMF(N_CLUSTERS, members="factorizations", random_state=seed, **settings).fit(X)
    return {"seconds": time.perf_counter() - began, "accuracy": _accuracy(y, model.labels_)}


def neighbors(name, search):
    """What the neighbour search takes, and the share of the true neighbours that it finds, on 1000 points.

    What is as near as the last of the true neighbours is one.
    """
    from sklearn.neighbors import NearestNeighbors

    from s3nmf.graph.neighbors import nearest_neighbors, resolve_n_neighbors

    X = data.TABLES[name]()
    k = resolve_n_neighbors("auto", len(X))
    nearest_neighbors(X[:2000], k, search=search)  # modules are loaded
    began, began_cpu = time.perf_counter(), time.process_time()
    found = nearest_neighbors(X, k, search=search).indices
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - began_cpu
    asked = np.random.default_rng(1).choice(len(X), 1000, replace=False)
    true = NearestNeighbors(n_neighbors=k + 1, algorithm="brute").fit(X).kneighbors(X[asked], return_distance=False)
    shares = []
    for i, row in zip(asked, true, strict=True):
        farthest, distances = (np.linalg.norm(X[i] - X[points], axis=1) for points in (row[row != i][:k], found[i]))
        shares.append((distances <= farthest.max() * (1 + 1e-6)).mean())
    return {
        "name": name,
        "n": len(X),
        "features": X.shape[1],
        "k": k,
        "search": search,
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "recall": float(np.mean(shares)),
    }


def iris(repeats):
    """A warm fit on 150 points, and what the first fit of a process and the import take with the loops on disk."""
    from sklearn.datasets import load_iris

    from s3nmf import S3NMF

    X = load_iris().data
    seconds = []
    for _ in range(repeats + 1):
        began = time.perf_counter()
        S3NMF(3, members="factorizations", random_state=0).fit(X)
        seconds.append(time.perf_counter() - began)
    return {"first": seconds[0], "warm": min(seconds[1:]), "import": _import_beyond_sklearn()}


def _import_beyond_sklearn():
    imports = "import sklearn.cluster, sklearn.neighbors, sklearn.metrics, scipy.sparse.csgraph, scipy.sparse.linalg"
    code = f"import time; {imports}; began = time.perf_counter(); import s3nmf; print(time.perf_counter() - began)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    return min(float(run.stdout) for run in runs)


def machine_rates():
    """Copy bandwidth, and multiply-adds a second: of float32 BLAS, and of a compiled loop over cached rows."""
    from s3nmf._core.products import product_rows
    from s3nmf._threads import team

    def copy(first, last, source, target):
        target[first:last] = source[first:last]

    def multiply_add(first, last, rows, weights, target):
        product_rows(first, last, starts, columns, weights, rows, target)

    source = np.ones((2**18, 256), np.float32)
    target = np.empty_like(source)
    rows, out = np.ones((32, 200), np.float32), np.empty((4096, 200), np.float32)
    weights, starts = np.full(32 * len(out), 1e-3, np.float32), np.arange(0, 32 * len(out) + 1, 32)
    columns = np.tile(np.arange(32), len(out))
    A = np.ones((3000, 3000), np.float32)
    with team() as threads:
        copied = _best(lambda: threads.run(lambda a, b: copy(a, b, source, target), len(source), 1e12))
        looped = _best(lambda: threads.run(lambda a, b: multiply_add(a, b, rows, weights, out), len(out), 1e12))
        n_threads = threads.n_threads
    multiplied = _best(lambda: A @ A)
    return {
        "threads": n_threads,
        "bytes_a_second": 2 * source.nbytes / copied,
        "loop_multiply_adds_a_second": len(out) * rows.size / looped,
        "blas_multiply_adds_a_second": 3000**3 / multiplied,
    }


def _best(call, repeats=7):
    best = np.inf
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - began)
    return best


def _graph(name):
    if name == "mnist":
        return data.mnist_graph(), data.mnist()[1]
    if name == "uspst":
        return data.uspst_graph(), data.uspst()[1]
    n = int(name.split("-")[1])
    return data.mixture_graph(n), data.mixture(n)[1]


def prepare(name):
    """Build the graph, so that no measurement does."""
    began = time.perf_counter()
    W, _ = _graph(name)
    return {"n": W.shape[0], "edges": W.nnz, "seconds": time.perf_counter() - began}


if __name__ == "__main__":
    import json

    warnings.simplefilter("ignore")
    logging.basicConfig(level=logging.WARNING)
    task, arguments = sys.argv[1], json.loads(sys.argv[2])
    found = globals()[task](**arguments)
    print(json.dumps({**found, "peak_bytes": peak_memory()}))
