"""The law of the time of cases that once took long: each at a size, twice that and four times that, on one thread.

``python -m benchmarks.slow_cases`` from the project's root measures, each fit in a process of its own, and writes what
it found into docs/scale.json and docs/scale.md; ``--only star-10`` measures one case, ``--limit 60`` gives up after so
many seconds. Seconds are those of the processor: what else runs on the machine hardly changes them.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path
from resource import RLIMIT_CPU, setrlimit
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from benchmarks import scale
from benchmarks.memory import peak_memory

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Case(NamedTuple):
    """A case: what is fitted at a size, the sizes, and for how many clusters."""

    title: str
    task: str
    sizes: tuple[int, ...]
    arguments: dict


def blobs(n, n_blobs=20):
    from sklearn.datasets import make_blobs

    return make_blobs(n, centers=n_blobs, n_features=8, center_box=(-30, 30), random_state=0)[0]


def pairs(n):
    """Pairs of nodes, joined to each other and to no other."""
    first = np.arange(n)
    return sp.csr_array((np.ones(n), (first, first ^ 1)), shape=(n, n))


def star(n):
    """One node that is joined to all others."""
    leaves = np.arange(1, n)
    half = sp.csr_array((np.ones(n - 1), (np.zeros(n - 1, np.int64), leaves)), shape=(n, n))
    return sp.csr_array(half + half.T)


def heavy_tailed(n, edges_a_node=5, exponent=2.1):
    """A graph in which few nodes have most of the edges: both ends drawn by weights of a power law."""
    rng = np.random.default_rng(0)
    weight = np.arange(1, n + 1) ** (-1 / (exponent - 1))
    ends = rng.choice(n, (2, edges_a_node * n), p=weight / weight.sum())
    ends = ends[:, ends[0] != ends[1]]
    half = sp.csr_array((np.ones(ends.shape[1]), tuple(ends)), shape=(n, n))
    both = sp.csr_array(half + half.T)
    both.data[:] = 1.0
    return both


def words(n, n_words=60):
    """Counts of words drawn by a power law, so many for each of n texts, from a vocabulary of n; no clusters."""
    rng = np.random.default_rng(0)
    often = 1 / np.arange(1, n + 1)
    drawn = rng.choice(n, (n, n_words), p=often / often.sum()).ravel()
    return sp.csr_array((np.ones(drawn.size), (np.repeat(np.arange(n), n_words), drawn)), shape=(n, n))


def noise(n, n_columns=5000):
    return np.random.default_rng(0).normal(size=(n, n_columns))


DATA = {maker.__name__: maker for maker in (blobs, pairs, star, heavy_tailed, words, noise)}


def fit(n, data, clusters, judged=False, **settings):
    """A fit, and its verdict if that is asked for."""
    from s3nmf import S3NMF

    X = DATA[data](n)
    S3NMF(2).fit(np.random.default_rng(0).normal(size=(50, 2)))  # modules are loaded
    began = time.process_time()
    model = S3NMF(clusters, **settings).fit(X)
    if judged:
        model.judge()
    return {"seconds": time.process_time() - began, "gigabytes": peak_memory() / 1e9, "found": model.n_clusters_}


def command(n, rows=20):
    """The command line, on a table of n columns: all of its time, start and import included."""
    with TemporaryDirectory() as folder:
        table = Path(folder) / "wide.csv"
        values = np.random.default_rng(0).normal(size=(rows, n))
        with table.open("w") as file:
            file.write(",".join(f"c{j}" for j in range(n)) + "\n")
            np.savetxt(file, values, delimiter=",", fmt="%.4f")
        before = os.times()
        run = [
            sys.executable,
            "-m",
            "s3nmf",
            "cluster",
            str(table),
            "--clusters",
            "2",
            "--output",
            f"{folder}/labels.csv",
        ]
        subprocess.run(run, check=True, capture_output=True)
        after = os.times()
    return {"seconds": after.children_user + after.children_system - before.children_user - before.children_system}


TASKS = {"fit": fit, "command": command}
GRAPH = {"affinity": "precomputed"}
CASES = {
    **{
        f"blobs-{k}": Case(
            f"20 blobs, asked for {k} clusters", "fit", (25_000, 50_000, 100_000), {"data": "blobs", "clusters": k}
        )
        for k in (100, 200, 400)
    },
    "few-150": Case("points for 150 clusters", "fit", (300, 600, 1200), {"data": "blobs", "clusters": 150}),
    "few-299": Case("points for 299 clusters", "fit", (300, 600, 1200), {"data": "blobs", "clusters": 299}),
    **{
        f"{data}-{k}": Case(title, "fit", sizes, {"data": data, "clusters": k, **GRAPH})
        for data, title, sizes in (
            ("heavy_tailed", "heavy-tailed graph", (20_000, 50_000, 100_000, 200_000)),
            ("pairs", "separate pairs", (50_000, 100_000, 200_000)),
            ("star", "star", (50_000, 100_000, 200_000)),
        )
        for k in (10, "auto")
    },
    "words": Case("sparse text without clusters", "fit", (5000, 10_000, 20_000), {"data": "words", "clusters": 10}),
    "words-auto": Case(
        "sparse text, number chosen", "fit", (5000, 10_000, 20_000), {"data": "words", "clusters": "auto"}
    ),
    "wide": Case(
        "table of 5,000 columns, verdict", "fit", (500, 1000, 2000), {"data": "noise", "clusters": 5, "judged": True}
    ),
    "columns": Case("CSV of so many columns", "command", (80_000, 250_000, 1_000_000), {}),
}


def measured(task, n, arguments, limit):
    """What a task found, in a process of its own."""
    run = [sys.executable, "-m", "benchmarks.slow_cases", "--task", task, json.dumps({"n": n, **arguments})]
    alone = os.environ | ONE_THREAD
    done = subprocess.run(
        run, capture_output=True, text=True, env=alone, preexec_fn=lambda: setrlimit(RLIMIT_CPU, (limit, limit))
    )
    if done.returncode:
        print(done.stderr[-2000:])
        return {"n": n, "over": limit}
    return {"n": n, **json.loads(done.stdout.splitlines()[-1])}


def exponent_of(rows):
    """By which power of the size the time grows over the last doubling; None where one of them was given up."""
    done = [row for row in rows if "seconds" in row]
    if len(done) < 2 or len(done) < len(rows):
        return None
    first, last = done[-2:]
    return math.log(last["seconds"] / first["seconds"]) / math.log(last["n"] / first["n"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", nargs=2, metavar=("NAME", "JSON"))
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--dry", action="store_true", help="write no page")
    chosen = parser.parse_args()
    if chosen.task:
        warnings.simplefilter("ignore")
        print(json.dumps(TASKS[chosen.task[0]](**json.loads(chosen.task[1]))))
        return
    kept = scale.DOCS / "scale.json"
    results = json.loads(kept.read_text(encoding="utf-8"))
    cases = results.setdefault("slow_cases", {})
    for name in chosen.only:
        case = CASES[name]
        rows = []
        for n in case.sizes:
            rows.append(measured(case.task, n, case.arguments, chosen.limit))
            print(name, rows[-1], flush=True)
            if "over" in rows[-1]:
                break
        clusters = case.arguments.get("clusters")
        cases[name] = {"title": case.title, "clusters": clusters, "rows": rows, "exponent": exponent_of(rows)}
        print(name, "exponent", cases[name]["exponent"], flush=True)
        if not chosen.dry:
            kept.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
            (scale.DOCS / "scale.md").write_text(scale.page_of(results), encoding="utf-8")


if __name__ == "__main__":
    main()
