"""The authors' own run on SEEDS, from their random starts: the paper's S3NMF row, to the last point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from experiments.datasets import load
from experiments.published import METRICS, published
from experiments.wording import rendered
from s3nmf._types import FloatArray
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.method import Recipe, S3NMFResult, self_supervised_nmf
from s3nmf.metrics import Scores, evaluate

N_ROUNDS, N_MEMBERS = 10, 20


def authors_starts(n: int, n_clusters: int) -> FloatArray:
    """The starts of the published script, rand(n, c, 20, 10) after rng(102), as (rounds, members, n, c).

    numpy's legacy generator is the same Mersenne twister and makes the same doubles of it, in column-major order.
    """
    stream = np.random.RandomState(102).random_sample(n * n_clusters * N_MEMBERS * N_ROUNDS)
    return stream.reshape((n, n_clusters, N_MEMBERS, N_ROUNDS), order="F").transpose(3, 2, 0, 1)


def golden_run() -> tuple[S3NMFResult, list[Scores]]:
    """The run from the raw features, and the scores of the members of the chosen round."""
    _, X, y = load("SEEDS")
    result = self_supervised_nmf(
        nearest_neighbor_affinity(X),
        3,
        members="factorizations",
        recipe=replace(Recipe.named("authors"), starts=authors_starts(len(X), 3)),
    )
    return result, [evaluate(y, labels) for labels in result.member_labels]


def beside_the_paper(result: S3NMFResult, scores: list[Scores]) -> str:
    """The run in words, beside the paper's row."""
    means, stds = np.mean(scores, axis=0), np.std(scores, axis=0)
    return rendered(
        "golden.txt.j2",
        result=result,
        here=dict(zip(METRICS, zip(means, stds, strict=True), strict=True)),
        paper={metric: published("SEEDS", "S3NMF", metric) for metric in METRICS},
        points_right=sorted({round(score.accuracy * result.labels.size) for score in scores}),
    )
