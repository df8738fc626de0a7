"""Quality with the number of clusters given: the adjusted Rand index of a fit on some 170 sets, in a minute or two.

``python -m benchmarks.given_k after.csv`` writes a row for each set; with ``--before before.csv`` it also says what
changed, by group and by half. Sets in even places are those that choices are made on; the others are looked at once a
choice is made. Of large sets 5,000 points are drawn.
"""

import argparse
import csv
import hashlib
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import scale

from benchmarks.members import data as members
from benchmarks.unknown_sets import _WORTH_A_LOOK, TEN, half
from benchmarks.unknown_sets import KEEL as WORTH_OF_KEEL

MOST_POINTS = 5000
NO_CLASS = -1


def _sampled(X, y):
    if y.size <= MOST_POINTS:
        return X, y
    rows = np.sort(np.random.default_rng(0).choice(y.size, MOST_POINTS, replace=False))
    return X[rows], y[rows]


def _case(name, draw):
    case = members.case_of(name, draw)
    return (case.affinity, case.y) if case.X is None else _sampled(np.asarray(case.X, np.float64), case.y)


def _table(number):
    y, X = members.tables_of_r()[number]
    return _sampled(X, y)


def _unequal_apart(draw):
    """Three dense blobs of 2,000 points and, far from them, five sparse ones of 100."""
    random = np.random.default_rng(draw)
    corner = np.array([30.0, 30.0])
    sparse = corner + 14.0 * np.array([[0, 0], [1, 0], [0, 1], [1, 1], [2, 0]]) + random.normal(0, 1, (5, 2))
    dense = np.array([[0, 0], [12, 0], [0, 12]]) + random.normal(0, 1, (3, 2))
    return make_blobs([2000] * 3 + [100] * 5, centers=np.vstack([dense, sparse]), cluster_std=[1.0] * 3 + [2.0] * 5,
                      random_state=draw)  # fmt: skip


def _unequal_many(draw):
    """Ten clusters of 20 to 1,000 points, in four dimensions, apart."""
    random = np.random.default_rng(100 + draw)
    sizes = np.geomspace(20, 1000, 10).astype(int)
    centers = np.array([[a, b, c, d] for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)], float)
    chosen = random.permutation(len(centers))[:10]
    return make_blobs(sizes, centers=9 * centers[chosen], random_state=draw)


def _bridged(draw):
    """Seven clusters of 34 to 273 points, two pairs of which touch by a neck."""
    random = np.random.default_rng(200 + draw)
    sizes = [273, 170, 130, 102, 102, 45, 34]
    centers = np.array([[0, 0], [6.5, 0], [20, 0], [20, 12], [5, 14], [9.5, 14], [-8, 12]], float)
    spreads = [1.5, 1.3, 1.5, 1.2, 1.2, 0.8, 0.7]
    X, y = make_blobs(sizes, centers=centers, cluster_std=spreads, random_state=draw)
    necks = [np.linspace([2.5, 0], [4.5, 0], 6), np.linspace([7.0, 14], [8.0, 14], 3)]
    extra = np.vstack(necks) + random.normal(0, 0.2, (9, 2))
    return np.vstack([X, extra]), np.append(y, [0, 0, 0, 1, 1, 1, 4, 4, 5])


def _gapped_spirals(draw):
    """Two spirals of 500 points with gaps along them."""
    random = np.random.default_rng(300 + draw)
    y = np.repeat([0, 1], 500)
    t = np.sqrt(random.uniform(0.06, 1, 1000))
    for start in random.uniform(0.3, 0.95, 3):
        inside = (t > start) & (t < start + 0.015)
        t[inside] = t[inside] - 0.02
    angle = 3.2 * np.pi * t
    sign = np.where(y == 0, 1.0, -1.0)[:, None]
    return sign * angle[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]) + random.normal(0, 0.2, (1000, 2)), y


def _nested(draw):
    """A dense cluster inside a sparse one, eight to twenty times as wide."""
    widths = (8, 12, 16, 20)
    return make_blobs([200, 400], centers=[[0, 0], [0, 0]], cluster_std=[1.0, widths[draw % 4]], random_state=draw)


def _shapes(draw):
    """Six shapes of 260 to 2,000 points among a tenth of noise, which belongs to none."""
    random = np.random.default_rng(400 + draw)
    ring, _ = make_circles((1200, 0), noise=0.02, random_state=draw)
    moons, of_moon = make_moons((500, 400), noise=0.04, random_state=draw)
    bar = np.column_stack([random.uniform(0, 4, 800), random.normal(0, 0.08, 800)])
    blobs = [random.normal([8, 6], 0.7, (1200, 2)), random.normal([11, 1], 0.35, (260, 2))]
    lines = [2.0 * ring, 1.5 * moons[of_moon == 0], 1.5 * moons[of_moon == 1], bar]
    places = np.array([[2.5, 2.5], [7, 0.5], [7, 0.2], [1, 6.5]])
    shapes = [*(line + place for line, place in zip(lines, places, strict=True)), *blobs]
    X = np.vstack(shapes)
    y = np.repeat(np.arange(len(shapes)), [len(shape) for shape in shapes])
    n_noise = X.shape[0] // 9
    noise = random.uniform(X.min(axis=0), X.max(axis=0), (n_noise, 2))
    return np.vstack([X, noise]), np.append(y, np.full(n_noise, NO_CLASS))


def _few_columns(draw):
    """Five blobs six standard deviations apart in 5 of 50 columns, all standardised."""
    random = np.random.default_rng(500 + draw)
    centers = 6 / np.sqrt(2) * np.eye(5)
    X, y = make_blobs([120] * 5, centers=centers, random_state=draw)
    return scale(np.hstack([X, random.normal(size=(600, 45))])), y


def _three_directions(draw):
    """Three elongated Gaussians in three directions."""
    random = np.random.default_rng(600 + draw)
    X = []
    for at, turn in enumerate((0.0, np.pi / 3, 2 * np.pi / 3)):
        c, s = np.cos(turn), np.sin(turn)
        points = random.normal(size=(200, 2)) * [4.0, 0.6]
        center = 5.5 * np.array([np.cos(2.1 * at), np.sin(2.1 * at)])
        X.append(points @ np.array([[c, s], [-s, c]]) + center)
    return np.vstack(X), np.repeat([0, 1, 2], 200)


HARD = {
    "unequal, apart": _unequal_apart,
    "ten of 20 to 1000": _unequal_many,
    "bridged": _bridged,
    "spirals with gaps": _gapped_spirals,
    "nested": _nested,
    "shapes in noise": _shapes,
    "5 of 50 columns": _few_columns,
    "three directions": _three_directions,
}
TOYS = ("circles", "moons", "varied", "stretched", "blobs", "rings", "moons, 5000", "circles, 5000", "line")
DRAWN = ("moons that come close", "blobs that touch", "stretched blobs that touch")


def _in_groups(*groups):
    return [found.name for found in members.SETS.values() if found.group in groups and "10000" not in found.name]


def all_sets():
    """Name, group and maker of every set, in a fixed order."""
    kinds = (
        ("ten", TEN, 1),
        ("real", ("digits", "breast cancer", "wine", "USPS"), 1),
        ("keel", WORTH_OF_KEEL, 1),
        ("toy", TOYS, 1),
        ("drawn", DRAWN, 8),
        ("unequal", _in_groups("unequal"), 2),
        ("graphs", _in_groups("lfr", "blocks"), 1),
    )
    found = [
        (f"{name} {draw}" if draws > 1 else name, group, partial(_case, name, draw))
        for group, names, draws in kinds
        for name in names
        for draw in range(draws)
    ]
    found += [(f"R {number}", "tables", partial(_table, number)) for number in _WORTH_A_LOOK]
    found += [(f"{name} {draw}", "hard", partial(make, draw)) for name, make in HARD.items() for draw in range(4)]
    return found


def run(fit, names=None):
    """A row for every set; `labels` is a hash by which equal labels are seen."""
    for place, (name, group, make) in enumerate(all_sets()):
        if names and name not in names:
            continue
        X, y = make()
        known = y != NO_CLASS
        n_clusters = int(np.unique(y[known]).size)
        began = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            labels, said = fit(X, n_clusters, is_graph=sp.issparse(X))
        seconds = time.process_time() - began
        yield {
            "place": place,
            "name": name,
            "group": group,
            "half": half(place),
            "clusters": n_clusters,
            "ari": round(adjusted_rand_score(y[known], labels[known]), 4),
            "seconds": round(seconds, 2),
            "labels": hashlib.sha256(np.asarray(labels, np.int64).tobytes()).hexdigest()[:12],
            "said": said,
        }


def ours(X, n_clusters, *, is_graph):
    """The labels of the default, before points in doubt are marked, and which way they came."""
    from s3nmf import S3NMF

    model = S3NMF(n_clusters, affinity="precomputed" if is_graph else "nearest_neighbors").fit(X)
    return model.result_.labels, getattr(getattr(model.result_, "trace", None), "chosen", "")


def compared(before, after):
    """What changed, in sentences: means of groups and halves, and the sets that moved by more than .02."""
    old = {row["name"]: float(row["ari"]) for row in before}
    shared = [row for row in after if row["name"] in old]

    def line(what, rows):
        was, now = np.mean([old[row["name"]] for row in rows]), np.mean([float(row["ari"]) for row in rows])
        return f"{what:28s} {len(rows):4d}  {was:.4f} -> {now:.4f}  {now - was:+.4f}"

    for group in dict.fromkeys(row["group"] for row in shared):
        yield line(group, [row for row in shared if row["group"] == group])
    for word in ("chosen on", "unseen"):
        yield line(word, [row for row in shared if row["half"] == word])
    yield line("all", shared)
    for row in sorted(shared, key=lambda row: float(row["ari"]) - old[row["name"]]):
        if abs(float(row["ari"]) - old[row["name"]]) > 0.02:
            moved = f"{row['name']:30s} {old[row['name']]:.3f} -> {float(row['ari']):.3f}"
            yield f"  {moved}  {row['said']}  ({row['half']})"


def main():
    """Run all, write them, and say what changed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--before", type=Path)
    given = parser.parse_args()
    rows = list(run(ours))
    with given.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    if given.before:
        with given.before.open(encoding="utf-8") as file:
            print("\n".join(compared(list(csv.DictReader(file)), rows)))


if __name__ == "__main__":
    main()
