"""How good clusterings are without the number of clusters: docs/choosing-k.md and its CSV.

``python -m benchmarks.choosing_k`` from the project's root. It takes an hour, and goes on where it was stopped.
"""

import argparse
import csv
import time
import warnings
from pathlib import Path

import numpy as np
from jinja2 import Template
from joblib import Parallel, delayed
from sklearn.cluster import HDBSCAN
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from benchmarks.counted import one_cloud, scattered_rings, suite
from benchmarks.unknown_sets import all_sets, half
from s3nmf import S3NMF, choose_n_clusters
from s3nmf.affinity import nearest_neighbor_affinity

# The rule was found on seeds 0 to 9 of the generated sets; these it had never seen.
SEED = 100
MOST_COMPONENTS = 30
FIELDS = ("set", "kind", "half", "n", "true", "method", "found", "ari", "seconds")


def _ours(X, y):
    return S3NMF().fit(X).labels_


def _ours_given(X, y):
    return S3NMF(len(np.unique(y))).fit(X).labels_


def _hdbscan(X, y):
    return HDBSCAN(copy=True).fit_predict(X)


def _leiden(affinity):
    from igraph import Graph

    edges = affinity.tocoo()
    upper = edges.row < edges.col
    graph = Graph(affinity.shape[0], np.column_stack([edges.row[upper], edges.col[upper]]))
    found = graph.community_leiden("modularity", weights=edges.data[upper], n_iterations=-1)
    return np.asarray(found.membership)


def _leiden_own(X, y):
    return _leiden(nearest_neighbor_affinity(X))


def _leiden_15(X, y):
    return _leiden(nearest_neighbor_affinity(X, min(15, len(X) - 1)))


def _mixture(X, y):
    """The Gaussian mixture of the least BIC, of at most thirty components; of many columns by a diagonal covariance."""
    form = "full" if X.shape[1] <= 20 else "diag"
    numbers = range(1, min(MOST_COMPONENTS, len(X) // 5) + 1)
    fits = [GaussianMixture(k, covariance_type=form, reg_covar=1e-4, random_state=0).fit(X) for k in numbers]
    return min(fits, key=lambda fit: fit.bic(X)).predict(X)


def _evoc(X, y):
    from evoc import EVoC

    return EVoC().fit_predict(X.astype(np.float32))


def _fast_hdbscan(X, y):
    import fast_hdbscan

    return fast_hdbscan.HDBSCAN().fit_predict(X)


def _umap_hdbscan(X, y):
    from umap import UMAP

    return HDBSCAN(copy=True).fit_predict(UMAP(n_components=min(5, X.shape[1]), random_state=0).fit_transform(X))


METHODS = {
    "S3NMF": _ours,
    "S3NMF, true number given": _ours_given,
    "HDBSCAN": _hdbscan,
    "Leiden, own graph": _leiden_own,
    "Leiden, 15 neighbours": _leiden_15,
    "Gaussian mixture by BIC": _mixture,
    "EVoC": _evoc,
    "fast_hdbscan": _fast_hdbscan,
    "UMAP + HDBSCAN": _umap_hdbscan,
}


def run(number, method):
    """One row: a method on a set. Points that it leaves out count as one cluster."""
    warnings.simplefilter("ignore")
    one = all_sets()[number]
    X, y = one.make()
    X = np.asarray(X, dtype=np.float64)
    began = time.perf_counter()
    labels = METHODS[method](X, y)
    return {
        "set": one.name,
        "kind": one.kind,
        "half": half(number),
        "n": len(X),
        "true": len(np.unique(y)),
        "method": method,
        "found": int(labels.max()) + 1,
        "ari": f"{adjusted_rand_score(y, labels):.4f}",
        "seconds": f"{time.perf_counter() - began:.2f}",
    }


def counted_rightly(case):
    warnings.simplefilter("ignore")
    choice = choose_n_clusters(case.X)
    return case.kind, choice.n_clusters == case.n_clusters, case.n_clusters in (choice.n_clusters, *choice.near_ties)


def hits(cases, jobs):
    """For each kind: how often the number is right, how often it is named, of how many."""
    found = {}
    for kind, right, named in Parallel(n_jobs=jobs)(delayed(counted_rightly)(case) for case in cases):
        before = found.get(kind, (0, 0, 0))
        found[kind] = (before[0] + right, before[1] + named, before[2] + 1)
    return found


def mean(rows, method, **only):
    values = [float(row["ari"]) for row in rows
              if row["method"] == method and all(row[name] == value for name, value in only.items())]  # fmt: skip
    return float(np.mean(values)) if values else None


def page_of(rows, jobs):
    template = (Path(__file__).parent / "templates" / "choosing-k.md.j2").read_text(encoding="utf-8")
    methods = [method for method in METHODS if any(row["method"] == method for row in rows)]
    by_set = {}
    for row in rows:
        by_set.setdefault((row["set"], row["n"], row["true"]), {})[row["method"]] = row
    return Template(template, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True).render(
        rows=rows,
        methods=methods,
        mean=mean,
        kinds=list(dict.fromkeys(row["kind"] for row in rows)),
        n_sets=len(by_set),
        many=[(key, found) for key, found in by_set.items() if int(key[2]) > 12],
        generated=hits(suite(SEED), jobs),
        scattered=hits([case for seed in range(SEED, SEED + 5) for case in scattered_rings(seed)], jobs),
        clouds=hits(one_cloud(SEED), jobs),
        seed=SEED,
    )


def read(path):
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measure(path, methods, jobs):
    """All rows that are not there yet, written as they come, a set at a time."""
    known = {(row["set"], row["method"]) for row in read(path)}
    sets = all_sets()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if not known:
            writer.writeheader()
        work = [(at, method) for method in methods for at in range(len(sets)) if (sets[at].name, method) not in known]
        for row in Parallel(n_jobs=jobs, return_as="generator")(delayed(run)(*one) for one in work):
            writer.writerow(row)
            file.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("docs/choosing-k.md"))
    parser.add_argument("--redraw", action="store_true", help="write the page from the saved rows")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    saved = chosen.output.with_suffix(".csv")
    if not chosen.redraw:
        measure(saved, chosen.methods, chosen.jobs)
    chosen.output.write_text(page_of(read(saved), chosen.jobs), encoding="utf-8")


if __name__ == "__main__":
    main()
