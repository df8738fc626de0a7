"""How often the recommended number of clusters is right: docs/choosing-k.md and its CSV.

``python -m benchmarks.choosing_k`` from the project's root. The rule was found with seeds 0 to 9 of the generated sets.
"""

import argparse
import csv
import time
import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
from jinja2 import Template
from joblib import Parallel, delayed
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, silhouette_score
from sklearn.preprocessing import scale

from benchmarks.counted import one_cloud, scattered_rings, suite
from s3nmf import choose_n_clusters, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity

NUMBERS = range(2, 13)
# The rule was found on seeds 0 to 9; these it had never seen.
SEED = 100
SPREAD = range(100, 110)
# Statistics that a number could be chosen by, and what they are.
STATISTICS = {
    "recommended": "**support: what is recommended**",
    "gap": "gap ratio alone",
    "persistence": "range of resolutions alone",
    "eigenvalue_gap": "difference of neighbouring eigenvalues",
    "silhouette": "silhouette of k-means, as a yardstick",
    "stability": "stability of the least stable cluster",
    "ari": "agreement of the members of round 1, by adjusted Rand index",
    "ami": "the same by adjusted mutual information",
    "agreement": "the same by NMI (ANMI)",
    "ambiguous_pairs": "share of pairs that at least 90 % of the members agree on (PAC)",
}
FIELDS = [
    "case",
    "kind",
    "clusters",
    "detail",
    "points",
    "near_ties",
    "clear",
    "clusters_at_all",
    *STATISTICS,
    "seconds",
]


def run(number, case):
    """What `choose_n_clusters` recommends, and what other statistics of the same graph would have."""
    warnings.simplefilter("ignore")
    began = time.perf_counter()
    choice = choose_n_clusters(case.X, NUMBERS, random_state=number)
    seconds = time.perf_counter() - began
    return {
        "case": number,
        "kind": case.kind,
        "clusters": case.n_clusters,
        "detail": case.detail,
        "points": len(case.X),
        "near_ties": " ".join(map(str, choice.near_ties)),
        "clear": int(choice.clear),
        "clusters_at_all": int(bool(choice.has_clusters)),
        "recommended": choice.n_clusters,
        **{name: NUMBERS[int(np.argmax(values))] for name, values in others(number, case, choice).items()},
        "seconds": f"{seconds:.1f}",
    }


def others(number, case, choice):
    """For each other statistic its value for all numbers, larger is better."""
    W = nearest_neighbor_affinity(case.X)
    plain = np.linalg.eigvalsh(W.toarray())[::-1]
    found = {name: choice.column(name) for name in ("gap", "persistence", "agreement", "stability")}
    found |= {"eigenvalue_gap": [plain[k - 1] - plain[k] for k in NUMBERS]}
    found |= {name: [] for name in ("ami", "ari", "ambiguous_pairs", "silhouette")}
    for k in NUMBERS:
        members = self_supervised_nmf(W, k, n_members=10, max_rounds=1, random_state=number).member_labels
        pairs = list(combinations(members, 2))
        found["ami"].append(np.mean([adjusted_mutual_info_score(*pair) for pair in pairs]))
        found["ari"].append(np.mean([adjusted_rand_score(*pair) for pair in pairs]))
        together = np.mean([labels[:, None] == labels for labels in members], axis=0)
        found["ambiguous_pairs"].append(-np.mean((together > 0.1) & (together < 0.9)))
        labels = KMeans(k, n_init=3, random_state=0).fit_predict(case.X)
        found["silhouette"].append(silhouette_score(case.X, labels))
    return found


def recommended(case, numbers):
    """The recommendation and the near-ties, as quickly as can be; with 1 among the numbers, chance is looked at."""
    warnings.simplefilter("ignore")
    choice = choose_n_clusters(case.X, numbers, n_members=2, against_chance=1 in numbers, random_state=0)
    return case.kind, case.n_clusters == choice.n_clusters, case.n_clusters in (choice.n_clusters, *choice.near_ties)


def real_sets():
    yield "iris", *load_iris(return_X_y=True)
    yield "iris, standardised", scale(load_iris().data), load_iris().target
    yield "wine, standardised", scale(load_wine().data), load_wine().target
    yield "breast cancer, standardised", scale(load_breast_cancer().data), load_breast_cancer().target
    yield "digits", *load_digits(return_X_y=True)
    try:
        from palmerpenguins import load_penguins
    except ImportError:
        print("pip install palmerpenguins, and the page has penguins too.")
        return
    rows = load_penguins().dropna(subset=["bill_length_mm"])
    yield "penguins, standardised", scale(rows.iloc[:, 2:6].to_numpy(float)), rows["species"].to_numpy()


def real_row(name, X, y):
    warnings.simplefilter("ignore")
    choice = choose_n_clusters(X, random_state=0)
    near = " or ".join(map(str, sorted(choice.near_ties))) or "none"
    return name, len(y), len(np.unique(y)), choice.n_clusters, near


def right(runs, name="recommended"):
    return sum(one[name] == one["clusters"] for one in runs)


def named(runs):
    """How often the number is recommended or named as fitting about as well."""
    return sum(one["clusters"] in (one["recommended"], *one["near_ties"].split()) for one in runs)


def groups(runs, name):
    found = {}
    for one in runs:
        found.setdefault(one[name], []).append(one)
    return found


def hits(found):
    """For each kind how often the recommendation is right, of how many."""
    kinds = dict.fromkeys(kind for kind, *_ in found)
    return {kind: (sum(hit for one, hit, _ in found if one == kind), sum(one == kind for one, *_ in found))
            for kind in kinds}  # fmt: skip


def page_of(runs, jobs):
    work = Parallel(n_jobs=jobs)
    spread = [work(delayed(recommended)(case, NUMBERS) for case in suite(seed)) for seed in SPREAD]
    scattered = work(delayed(recommended)(case, NUMBERS) for seed in SPREAD for case in scattered_rings(seed))
    clouds = work(delayed(recommended)(case, range(1, 13)) for case in one_cloud(SEED))
    template = (Path(__file__).parent / "templates" / "choosing-k.md.j2").read_text(encoding="utf-8")
    return Template(template, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True).render(
        runs=runs,
        right=right,
        named=named,
        groups=groups,
        statistics=STATISTICS,
        seed=SEED,
        seeds=SPREAD,
        spread=[sum(hit for _, hit, _ in found) for found in spread],
        spread_named=[sum(hit for *_, hit in found) for found in spread],
        scattered=hits(scattered),
        clouds=(sum(hit for _, hit, _ in clouds), len(clouds)),
        real=[real_row(*one) for one in real_sets()],
        seconds=np.mean([float(one["seconds"]) for one in runs]),
    )


def measure(jobs):
    found = Parallel(n_jobs=jobs)(delayed(run)(number, case) for number, case in enumerate(suite(SEED)))
    return [{name: str(value) for name, value in one.items()} for one in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("docs/choosing-k.md"))
    parser.add_argument("--redraw", action="store_true", help="write the page from the saved runs")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    saved = chosen.output.with_suffix(".csv")
    if not chosen.redraw:
        with saved.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(measure(chosen.jobs))
    with saved.open(encoding="utf-8", newline="") as file:
        chosen.output.write_text(page_of(list(csv.DictReader(file)), chosen.jobs), encoding="utf-8")


if __name__ == "__main__":
    main()
