"""What a user writes, for type checkers: the wheel's annotations are found and say what they should."""

import numpy as np

from s3nmf import S3NMF, Verdict, choose_n_clusters
from s3nmf.metrics import accuracy

points = np.random.default_rng(0).normal(size=(100, 2))
model: S3NMF = S3NMF(n_clusters=2, random_state=0).fit(points)
verdict: Verdict = model.judge()
sure: bool | None = verdict.has_clusters
number: int = choose_n_clusters(points).n_clusters
share: float = accuracy([0, 1], [1, 0])
