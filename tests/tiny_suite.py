"""The paper's experiments in small: two data sets, a few methods. As a program, it does them into a store."""

import sys
import time

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs, make_moons

from experiments.datasets import DataSet
from experiments.problems import problem_of
from experiments.protocols import plan
from experiments.runs import execute_all, missing
from experiments.store import Store
from s3nmf import S3NMF, Recipe, SymNMF

DATASETS = {
    "SEEDS": DataSet("SEEDS", *make_blobs(60, centers=3, cluster_std=2.0, random_state=1)),
    "IRIS": DataSet("IRIS", *make_moons(50, noise=0.1, random_state=0)),
}


class Rows(KMeans):
    """k-means of the rows of the affinity."""

    def fit(self, W):
        return super().fit(W.toarray())


class Slow(ClusterMixin, BaseEstimator):
    """Takes its time, and puts every point where the first coordinate of a seeded stream says."""

    def __init__(self, n_clusters=2, *, seconds=0.05, random_state=None):
        self.n_clusters = n_clusters
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, W):
        time.sleep(self.seconds)
        self.labels_ = np.random.default_rng(self.random_state).integers(0, self.n_clusters, W.shape[0])
        return self


class Voting(ClusterMixin, BaseEstimator):
    """An ensemble method that asks for partitions, and hands out the first."""

    def __init__(self, n_clusters=2, *, theta=0.4, n_members=20, max_iter=500, tol=1e-3, random_state=None):
        self.n_clusters = n_clusters
        self.theta = theta
        self.n_members = n_members
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, W, partitions=None):
        self.labels_ = partitions[0]
        return self


class Projecting(ClusterMixin, BaseEstimator):
    """A method that asks for a projection, which does not depend on the seed."""

    def __init__(self, n_clusters=2, *, beta=1e-6, max_iter=500, tol=1e-6, random_state=None):
        self.n_clusters = n_clusters
        self.beta = beta
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, W, projection=None):
        self.labels_ = np.asarray(projection) % self.n_clusters
        return self


class Failing(Slow):
    def fit(self, W):
        raise FloatingPointError("the factor overflowed")


def methods():
    return {
        "SNMF": SymNMF(max_iter=60, tol=1e-2),
        "SC": Rows(n_init=1),
        "SR": Slow(),
        "S3NMF": S3NMF(members="factorizations", n_members=3, max_rounds=3, recipe=Recipe(max_iter=60)),
    }


def problems():
    return {name: problem_of(data) for name, data in DATASETS.items()}


def main(directory, names="SNMF,SC,SR,S3NMF", *, jobs=1):
    suite = {name: methods()[name] for name in names.split(",")}
    runs = plan(suite, list(DATASETS), repetitions=3, sweep_repetitions=0)
    to_do = missing(runs, problems(), suite, Store(directory))
    return list(execute_all(to_do, problems(), suite, Store(directory), jobs=jobs))


if __name__ == "__main__":
    main(*sys.argv[1:])
