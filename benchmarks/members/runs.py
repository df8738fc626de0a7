"""Runs of methods on cases, each kept in a file of its own as soon as it is over, and the table of all of them.

What was run is not run again: stop it and go on at will.
"""

import csv
import json
import time
import warnings
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, roc_auc_score

from benchmarks.data import CACHE
from benchmarks.members.data import SETS, case_of
from benchmarks.members.rivals import COMPILED, METHODS, OUT
from s3nmf._files import written_whole
from s3nmf.metrics import accuracy, correct

STORE = CACHE / "members"
FIELDS = [
    "set", "draw", "method", "seed", "points", "clusters", "found", "accuracy", "nmi", "ari", "auc", "advised",
    "seed_ari", "cpu_seconds", "failed",
]  # fmt: skip


def run_all(plan, n_jobs):
    """Do the runs that the store has not yet; a process for each core, with one thread."""
    todo = [(*task, seeds) for *task, seeds in plan if not all(path_of(*task, seed).exists() for seed in seeds)]
    for name in dict.fromkeys(name for name, *_ in todo):
        if SETS[name].group == "mnist":
            _ = case_of(name, 0).graph
    for message in Parallel(n_jobs=n_jobs, return_as="generator_unordered")(delayed(run_seeds)(*task) for task in todo):
        print(message, flush=True)


def run_seeds(name, draw, method, seeds):
    """Do the missing runs of a method on a case; return a line about all of them."""
    warnings.simplefilter("ignore")
    for seed in seeds:
        path = path_of(name, draw, method, seed)
        if not path.exists():
            _warm_up(method)
            save(path, *run(case_of(name, draw), METHODS[method], seed))
    facts = [read(path_of(name, draw, method, seed))[0] for seed in seeds]
    scores = [found["accuracy"] for found in facts if "accuracy" in found]
    seconds = sum(found.get("cpu_seconds", 0) for found in facts)
    failed = next((f", failed: {found['failed']}" for found in facts if "failed" in found), "")
    return f"{name} {draw}, {method}: {np.mean(scores) if scores else np.nan:.3f}, {seconds:.0f} s{failed}"


def run(case, method, seed):
    """What is known of a run, and its labels; a method that fails has labels of no point."""
    _ = case.graph if method.takes == "graph" else None
    known = {"points": case.y.size, "clusters": int(np.unique(case.y).size)}
    began = time.process_time()
    try:
        found = method.run(case, seed)
    except Exception as error:  # any failure of any method is a result
        return known | {"failed": f"{type(error).__name__}: {error}"}, np.empty(0, int)
    seconds = time.process_time() - began
    labels, confidence, advised = found if isinstance(found, tuple) else (found, None, None)
    y, given = case.y[labels != OUT], labels[labels != OUT]
    facts = known | {
        "found": int(np.unique(given).size),
        "accuracy": accuracy(y, given),
        "nmi": float(normalized_mutual_info_score(y, given)),
        "ari": float(adjusted_rand_score(y, given)),
        "cpu_seconds": seconds,
    }
    right = correct(y, given)
    if confidence is not None and right.any() and not right.all():
        facts["auc"] = float(roc_auc_score(right, confidence))
    if advised is not None:
        facts["advised"] = int(advised)
    return facts, labels


@lru_cache
def _warm_up(method):
    """Compile what a method compiles, so that the seconds are its own."""
    if method in COMPILED:
        run(case_of("wine", 0), METHODS[method], seed=0)


def path_of(name, draw, method, seed):
    return STORE / name / str(draw) / method / f"{seed}.npz"


def save(path, facts, labels):
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as file:
        np.savez_compressed(file, labels=labels.astype(np.int32), facts=json.dumps(facts))


def read(path):
    with np.load(path) as file:
        return json.loads(str(file["facts"])), file["labels"]


def forget(plan):
    """Remove runs from the store, to have them again."""
    for *task, seeds in plan:
        for seed in seeds:
            path_of(*task, seed).unlink(missing_ok=True)


def rows():
    """All runs of the store, in the order of the sets and methods; `seed_ari` is the mean ARI with the other seeds."""
    for found, method in product(SETS.values(), METHODS):
        for draw in range(found.draws):
            paths = sorted((STORE / found.name / str(draw) / method).glob("*.npz"), key=lambda path: int(path.stem))
            if not paths:
                continue
            runs = [read(path) for path in paths]
            steadiness = _mutual_ari([labels for _, labels in runs])
            for path, (facts, _), ari in zip(paths, runs, steadiness, strict=True):
                named = {"set": found.name, "draw": draw, "method": method, "seed": int(path.stem)}
                yield named | facts | {"seed_ari": ari}


def _mutual_ari(partitions):
    """The mean ARI of each partition with all others, on the points of both; nothing where there are no others."""
    if len(partitions) < 2 or not all(labels.size for labels in partitions):
        return [None] * len(partitions)
    table = np.array([[_ari_of_common(a, b) for b in partitions] for a in partitions])
    return ((table.sum(axis=1) - 1) / (len(partitions) - 1)).tolist()


def _ari_of_common(one, other):
    both = (one != OUT) & (other != OUT)
    return adjusted_rand_score(one[both], other[both])


def write(path: Path):
    """Keep all runs in a file that the page is drawn from; runs of a method that the store lacks stay as they are."""
    known = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                known.setdefault((row["set"], row["draw"], row["method"]), []).append(row)
    new = {}
    for row in rows():
        plain = {key: f"{value:.4g}" if isinstance(value, float) else value for key, value in row.items()}
        new.setdefault((row["set"], str(row["draw"]), row["method"]), []).append(plain)
    known |= new
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for found, method in product(SETS.values(), METHODS):
            for draw in range(found.draws):
                writer.writerows(known.get((found.name, str(draw), method), []))


def load(path: Path):
    """The runs of a file, numbers as numbers."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {key: value if key in {"set", "method", "failed"} else float(value or "nan") for key, value in row.items()}
            for row in csv.DictReader(file)
        ]
