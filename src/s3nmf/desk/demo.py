"""Cluster 1797 images of digits that come with scikit-learn. Run it with ``python -m s3nmf.desk.demo``."""

from __future__ import annotations

import time

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from s3nmf import S3NMF, SymNMF
from s3nmf.metrics import accuracy, correct

SEEDS = range(5)


def main() -> None:
    """Fit, print what was found and which points to doubt, and compare with two other ways."""
    digits = load_digits()
    print(f"{len(digits.data)} images of handwritten digits, 8 x 8 pixels, 10 clusters, no label used.\n")
    began = time.perf_counter()
    model = S3NMF(n_clusters=10, random_state=0).fit(digits.data)
    seconds = time.perf_counter() - began
    for found in model.result_.history:
        mark = "  <- chosen" if found.number == model.chosen_round_ else ""
        print(f"round {found.number}: {len(found.weights)} members, agreement {found.agreement:.3f}{mark}")
    print(f"\nFitted in {seconds:.1f} s. Cluster sizes: {', '.join(map(str, np.bincount(model.labels_)))}.")
    print(f"Least certain images: {', '.join(map(str, np.argsort(model.confidence_)[:8]))}.\n")

    right = correct(digits.target, model.labels_)
    doubted = model.confidence_ <= np.quantile(model.confidence_, 0.2)
    print("Against the true digits, which the method never saw:")
    print(f"  {'S3NMF, all points':36}accuracy {right.mean():.3f}")
    print(f"  {'S3NMF, the surer 80 % of the points':36}accuracy {right[~doubted].mean():.3f}")
    for name, single in (("one symmetric NMF", SymNMF), ("k-means", KMeans)):
        scores = [
            accuracy(digits.target, single(n_clusters=10, random_state=seed).fit_predict(digits.data)) for seed in SEEDS
        ]
        print(f"  {f'{name}, {len(SEEDS)} seeds':36}accuracy {min(scores):.3f} to {max(scores):.3f}")


if __name__ == "__main__":
    main()
