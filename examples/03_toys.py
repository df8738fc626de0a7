"""
Six toy sets beside other methods
=================================

scikit-learn compares clusterings on six small sets. Here are some of its methods and S3NMF on the same data. All are
told the number of clusters, but for HDBSCAN, which finds its own and leaves out points that it takes for noise (grey).
Toy sets show what shapes a method can follow. They do not show which method is best on your data.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.preprocessing import StandardScaler

from s3nmf import S3NMF

COLORS = np.array(["#0072B2", "#E69F00", "#009E73", "#BBBBBB"])  # the last one, -1, is noise


def data_sets(n=400, seed=30):
    yield "circles", 2, make_circles(n, factor=0.5, noise=0.05, random_state=seed)[0]
    yield "moons", 2, make_moons(n, noise=0.05, random_state=seed)[0]
    yield "unequal widths", 3, make_blobs(n, cluster_std=[1.0, 2.5, 0.5], random_state=170)[0]
    yield "stretched", 3, make_blobs(n, random_state=170)[0] @ np.array([[0.6, -0.6], [-0.4, 0.8]])
    yield "blobs", 3, make_blobs(n, random_state=8)[0]
    yield "no clusters", 3, np.random.default_rng(seed).random((n, 2))


def methods(n_clusters):
    yield "k-means", KMeans(n_clusters, n_init=10, random_state=0)
    yield "spectral", SpectralClustering(n_clusters, affinity="nearest_neighbors", random_state=0)
    yield "HDBSCAN", HDBSCAN(min_cluster_size=15, copy=True)
    yield "S3NMF", S3NMF(n_clusters, random_state=0)


figure, axes = plt.subplots(6, 4, figsize=(8, 11.5), layout="constrained")
for row, (name, n_clusters, points) in zip(axes, data_sets(), strict=True):
    X = StandardScaler().fit_transform(points)
    row[0].set_ylabel(name)
    for ax, (method, estimator) in zip(row, methods(n_clusters), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # graphs in pieces: here the pieces are the clusters
            labels = estimator.fit_predict(X)
        ax.scatter(*X.T, s=5, c=COLORS[np.where(labels < 0, 3, labels % 3)], linewidths=0)
        ax.set(xticks=[], yticks=[], title=method if name == "circles" else "")

# %%
# Every method that is asked for three clusters in the last row cuts the square in three. So does S3NMF, but it says
# that it does not believe in them:
print(S3NMF(3, random_state=0).fit(X).judge().judgement)
