"""How often the verdict is right, and what the confidence means: docs/trust.md and its JSON.

``python -m benchmarks.trust`` from the project's root. Limits were found with other seeds than those of the page.
"""

import argparse
import json
import time
import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from jinja2 import Template
from joblib import Parallel, delayed
from scipy.optimize import linear_sum_assignment
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_moons
from sklearn.metrics import confusion_matrix
from sklearn.preprocessing import scale

from benchmarks import structureless
from benchmarks.counted import centers, rings, stretched_blobs, unequal_blobs
from benchmarks.members.data import SETS
from experiments.datasets import SHAPES, load
from s3nmf import S3NMF, choose_n_clusters
from s3nmf.trust.blocks import rewired
from s3nmf.trust.thresholds import MIXED_UP

# Not those that limits were found with.
FIRST_SEED = 300_000
# Draws of noise; limits were chosen on draws below 24, and the rule on groups after a look at those below 220.
DRAWS = range(220, 244)
N_CLUSTERED, N_CALIBRATED = 150, 1000
N_HALVES, N_HALVES_OF_REAL = 4, 10
PARTS = ("noise", "gapped", "clustered", "graphs", "rewired", "real", "tenths", "real_tenths", "cost")
# A true cluster and a found one are the same if they share most of their points.
SAME = 0.8


def clustered(seed):
    """A kind of data with clusters, the points, and the clusters they are in, if they are known."""
    random = np.random.default_rng(seed)
    kind = ("blobs", "blobs that touch", "unequal blobs", "stretched blobs", "moons", "rings")[seed % 6]
    k, d = int(random.integers(2, 11)), int(random.choice([2, 3, 5, 10]))
    if kind in {"blobs", "blobs that touch"}:
        labels = np.arange(max(int(random.choice([100, 200, 400, 1000])), 25 * k)) % k
        X = centers(random, k, d, 6 if kind == "blobs" else 4)[labels] + random.normal(size=(labels.size, d))
        return kind, X, k, labels
    if kind == "unequal blobs":
        return kind, unequal_blobs(random, k, d, 5), k, None
    if kind == "stretched blobs":
        return kind, stretched_blobs(random, k, d, 6.4), k, np.arange(min(max(40 * k, 200), 400)) % k
    if kind == "moons":
        X, labels = make_moons(int(random.choice([200, 500, 1000])), noise=0.07, random_state=seed)
        return kind, X, 2, labels
    k = int(random.choice([2, 3]))
    return kind, rings(random, k, 0.08, even=True), k, None


def real():
    """The paper's ten sets, and four of scikit-learn's."""
    for name in SHAPES:
        yield (name, *load(name)[1:])
    for name, loader, standardised in (
        ("iris, standardised", load_iris, True),
        ("wine", load_wine, True),
        ("digits", load_digits, False),
        ("breast cancer", load_breast_cancer, True),
    ):
        X, y = loader(return_X_y=True)
        yield name, scale(X) if standardised else X, y


def verdict_on(X, k, labels=None, **how):
    """What is said of a fit: clusters at all, so many; and how many pairs of true clusters that it found are one."""
    warnings.simplefilter("ignore")
    model = S3NMF(k, random_state=0, **how).fit(X)
    verdict = model.judge()
    found = {"any": bool(verdict.has_clusters), "so_many": bool(verdict.has_so_many)}
    if labels is not None and model.labels_.max() + 1 == k:
        table = confusion_matrix(labels, model.labels_)
        rows, columns = linear_sum_assignment(-table)
        same = [
            c for r, c in zip(rows, columns, strict=True) if table[r, c] > SAME * max(table[r].sum(), table[:, c].sum())
        ]
        mixing = model.diagnose().mixing
        pairs = [max(mixing[a, b], mixing[b, a]) for a, b in combinations(same, 2)]
        found |= {"pairs": len(pairs), "joined": int(np.sum(np.array(pairs) >= MIXED_UP))}
    return found


def kept_in_blobs(seed):
    random = np.random.default_rng(seed)
    k, d = int(random.integers(2, 11)), int(random.choice([2, 3, 5, 10]))
    n = max(int(random.choice([200, 400, 800])), 30 * k)
    y = np.arange(n) % k
    X = centers(random, k, d, float(random.choice([2.5, 3, 3.5, 4, 5, 6])))[y] + random.normal(size=(n, d))
    return kept(X, k, N_HALVES, random)


def kept_in_real(name, X, y):
    return kept(np.asarray(X, float), len(np.unique(y)), N_HALVES_OF_REAL, np.random.default_rng(FIRST_SEED))


def kept(X, k, n_halves, random):
    """Confidence of points, and whether each keeps its cluster when a random half of the data is clustered alone."""
    warnings.simplefilter("ignore")
    model = S3NMF(k, random_state=0).fit(X)
    said, seen = [], []
    for half in range(n_halves):
        rows = random.choice(len(X), len(X) // 2, replace=False)
        labels = S3NMF(k, random_state=1 + half).fit(X[rows]).labels_
        table = confusion_matrix(model.labels_[rows], labels, labels=range(k))
        name_of = np.argsort(linear_sum_assignment(-table)[1])
        said.append(model.confidence_[rows])
        seen.append(name_of[labels] == model.labels_[rows])
    return np.concatenate(said), np.concatenate(seen)


def graph_case(name, draw):
    case = SETS[name].make(draw)
    return {"kind": name, **verdict_on(case.affinity, case.n_clusters, affinity="precomputed")}


def rewired_case(name, draw):
    """Whether clusters are seen in a random graph whose nodes have the same degrees."""
    warnings.simplefilter("ignore")
    case = SETS[name].make(draw)
    first, second = sp.triu(case.affinity, k=1).nonzero()
    nowhere = np.zeros(case.y.size, dtype=np.intp)
    first, second = rewired(first, second, nowhere, np.random.default_rng(FIRST_SEED + draw))
    half = sp.coo_array((np.ones(first.size), (first, second)), shape=case.affinity.shape).tocsr()
    return {"kind": name, "any": bool(choose_n_clusters(half + half.T, affinity="precomputed").has_clusters)}


def noise_case(kind, draw):
    """Whether the verdict sees clusters in a table without any; if so, whether it names them as a column's values."""
    warnings.simplefilter("ignore")
    X = structureless.table(kind, draw)
    found = {"kind": kind, "n": X.shape[0], "d": X.shape[1], "any": bool(choose_n_clusters(X).has_clusters)}
    if found["any"]:
        found["named"] = any(
            doubt.what.startswith("These clusters are the values") for doubt in S3NMF().fit(X).judge().doubts
        )
    return found


def clustered_case(seed):
    kind, X, k, labels = clustered(seed)
    return {"kind": kind, "n": X.shape[0], "d": X.shape[1], "k": k, **verdict_on(X, k, labels)}


def real_case(name, X, y):
    return {"kind": name, "n": len(X), "k": len(np.unique(y)), **verdict_on(np.asarray(X, float), len(np.unique(y)))}


def measure(n_jobs, only):
    """The parts of the page that are asked for."""
    seeds = range(FIRST_SEED, FIRST_SEED + max(N_CLUSTERED, N_CALIBRATED))
    graphs = [(name, draw) for name, found in SETS.items() for draw in range(3)
              if found.group == "blocks" or name.startswith("LFR 1000 ")]  # fmt: skip
    work = Parallel(n_jobs=n_jobs)
    parts = {
        "noise": lambda: work(delayed(noise_case)(kind, draw) for kind in structureless.KINDS for draw in DRAWS),
        "gapped": lambda: work(delayed(noise_case)(kind, draw) for kind in structureless.GAPPED for draw in DRAWS),
        "clustered": lambda: work(delayed(clustered_case)(seed) for seed in seeds[:N_CLUSTERED]),
        "graphs": lambda: work(delayed(graph_case)(*one) for one in graphs),
        "rewired": lambda: work(delayed(rewired_case)(*one) for one in graphs),
        "real": lambda: work(delayed(real_case)(*one) for one in real()),
        "tenths": lambda: tenths(work(delayed(kept_in_blobs)(seed) for seed in seeds[:N_CALIBRATED])),
        "real_tenths": lambda: tenths(work(delayed(kept_in_real)(*one) for one in real())),
        "cost": cost,
    }
    return {name: part() for name, part in parts.items() if name in only}


def tenths(calibration):
    """For the points between each two tenths of confidence, its mean and how many keep their cluster."""
    said, seen = (np.concatenate(parts) for parts in zip(*calibration, strict=True))
    tenth = np.minimum((10 * said).astype(int), 9)
    return [{"from": at / 10, "points": int((tenth == at).sum()), "said": float(said[tenth == at].mean()),
             "kept": float(seen[tenth == at].mean())} for at in range(10) if (tenth == at).any()]  # fmt: skip


def cost():
    """Seconds of a fit of 10,000 points and of its verdict, the least of five, one after the other."""
    warnings.simplefilter("ignore")
    random = np.random.default_rng(FIRST_SEED)
    y = np.arange(10_000) % 10
    cases = {
        "10 clusters apart, 5 dimensions": (10, centers(random, 10, 5, 6.0)[y] + random.normal(size=(y.size, 5))),
        "10 clusters that touch, 20 dimensions": (
            10,
            centers(random, 10, 20, 4.0)[y] + random.normal(size=(y.size, 20)),
        ),
        "no clusters, 10 dimensions": (5, random.normal(size=(y.size, 10))),
    }
    found = []
    for name, (k, X) in cases.items():
        seconds = []
        for _ in range(6):  # the first compiles
            began = time.perf_counter()
            model = S3NMF(k, random_state=0).fit(X)
            fitted = time.perf_counter()
            model.judge()
            seconds.append((fitted - began, time.perf_counter() - fitted))
        fit, verdict = np.min(seconds[1:], axis=0)
        found.append({"data": name, "fit": float(fit), "verdict": float(verdict)})
    return found


def by_kind(cases):
    """For each kind how many cases there are, and in how many clusters, and so many, are said to be."""
    kinds = {}
    for case in cases:
        kinds.setdefault(case["kind"], []).append(case)
    return [(kind, len(found), sum(one["any"] for one in found), sum(one["so_many"] for one in found))
            for kind, found in kinds.items()]  # fmt: skip


def without_clusters(cases):
    """For each kind: the tables, those with clusters by the verdict, and those of them named as a column's values."""
    kinds = {}
    for case in cases:
        kinds.setdefault(case["kind"], []).append(case)
    return [(kind, len(found), sum(one["any"] for one in found), sum(one.get("named", False) for one in found))
            for kind, found in kinds.items()]  # fmt: skip


def largest_gap(tenths):
    return max(abs(one["said"] - one["kept"]) for one in tenths if one["points"] >= 100)


def page_of(results):
    template = (Path(__file__).parent / "templates" / "trust.md.j2").read_text(encoding="utf-8")
    return Template(template, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True).render(
        results,
        by_kind=by_kind,
        without_clusters=without_clusters,
        draws=DRAWS,
        largest_gap=largest_gap,
        pairs=sum(one.get("pairs", 0) for one in results["clustered"]),
        joined=sum(one.get("joined", 0) for one in results["clustered"]),
        first_seed=FIRST_SEED,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("docs/trust.md"))
    parser.add_argument("--redraw", action="store_true", help="write the page from the saved results")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="measure these parts again, and keep the rest")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    saved = chosen.output.with_suffix(".json")
    if not chosen.redraw:
        known = json.loads(saved.read_text(encoding="utf-8")) if chosen.only else {}
        found = known | measure(chosen.jobs, chosen.only or PARTS)
        saved.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    chosen.output.write_text(page_of(json.loads(saved.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
