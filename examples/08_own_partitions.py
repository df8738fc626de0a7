"""
A consensus of your own partitions
==================================

You may have clusterings already: from several runs, several methods, or several people. They can take the place of the
first round, and S3NMF works out what they agree on.
"""

# %%
# Fifteen runs of k-means, each with many small clusters. None of them is an answer, but together they know which points
# belong together.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from s3nmf import S3NMF
from s3nmf.metrics import accuracy

X, y = make_blobs(500, random_state=170)
X = X @ np.array([[0.6, -0.6], [-0.4, 0.8]])  # three stretched clouds
runs = np.array([KMeans(9 + seed % 5, n_init=1, random_state=seed).fit_predict(X) for seed in range(15)])
single = KMeans(3, n_init=10, random_state=0).fit_predict(X)
model = S3NMF(n_clusters=3, members=runs, random_state=0).fit(X)

figure, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
titles = ["k-means, 3 clusters", "one run of 15: 9 clusters", "what the 15 runs agree on"]
for ax, labels, title in zip(axes, [single, runs[0], model.labels_], titles, strict=True):
    ax.scatter(*X.T, s=10, c=labels, cmap="tab10", vmax=9, linewidths=0)
    ax.set(xticks=[], yticks=[], title=title)
print(f"k-means {accuracy(y, single):.2f}, consensus {accuracy(y, model.labels_):.2f}")

# %%
# Labels of people
# ----------------
# Three people sorted the same 300 items into three heaps. Each made mistakes, and left some items out (-1). The
# confidence shows where they differ.
random = np.random.default_rng(0)
truth = np.repeat([0, 1, 2], 100)


def one_person(mistakes=0.15, skipped=0.05):
    heaps = np.where(random.random(300) < mistakes, random.integers(0, 3, 300), truth)
    return np.where(random.random(300) < skipped, -1, heaps)


people = np.array([one_person() for _ in range(3)])
items = truth[:, None] * 2.0 + random.normal(size=(300, 2))  # what is known of the items: two noisy measurements
model = S3NMF(n_clusters=3, members=people, random_state=0).fit(items)
alone = [accuracy(truth, np.where(person < 0, 0, person)) for person in people]
print("people:", ", ".join(f"{share:.2f}" for share in alone))
print(f"together: {accuracy(truth, model.labels_):.2f}")
