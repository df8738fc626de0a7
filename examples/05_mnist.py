"""
Images of MNIST
===============

Four thousand larger images of digits, straight from their pixels. The data are read from the directory that
``S3NMF_DATA`` names; where there are none, the small digits of scikit-learn take their place.
"""

import os
from pathlib import Path
from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from s3nmf import S3NMF
from s3nmf.metrics import accuracy

file = Path(os.environ.get("S3NMF_DATA", "")) / "mnist.npz"
if file.is_file():
    with np.load(file) as data:
        chosen = np.random.default_rng(0).permutation(len(data["y"]))[:4_000]
        X, y = data["X"][chosen].astype(np.float32), data["y"][chosen]
else:
    X, y = load_digits(return_X_y=True)
side = int(X.shape[1] ** 0.5)
print(f"{len(X)} images of {side} x {side} pixels")

# %%
began = perf_counter()
model = S3NMF(n_clusters=10, random_state=0).fit(X)
print(f"S3NMF:   {accuracy(y, model.labels_):.2f} of the images with their kind, {perf_counter() - began:.0f} s")
began = perf_counter()
labels = KMeans(10, n_init=1, random_state=0).fit_predict(X)
print(f"k-means: {accuracy(y, labels):.2f} of the images with their kind, {perf_counter() - began:.0f} s")

# %%
# The mean image of each cluster. Where k-means mixes kinds, its means are blurred.
figure, axes = plt.subplots(2, 10, figsize=(11, 2.7), layout="constrained")
for row, (name, found) in zip(axes, [("S3NMF", model.labels_), ("k-means", labels)], strict=True):
    row[0].set_ylabel(name)
    for cluster, ax in enumerate(row):
        ax.imshow(X[found == cluster].mean(axis=0).reshape(side, side), cmap="gray_r")
        ax.set(xticks=[], yticks=[])
