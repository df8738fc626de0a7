"""
What the method does, in pictures
=================================

k-means draws one picture of your data from a random start. S3NMF draws twenty, in different ways, and keeps what they
agree on.
"""

# %%
# Two moons
# ---------
# k-means looks for round clusters, so it cuts both moons. It returns one answer, and nothing warns you.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_moons

from s3nmf import S3NMF

COLORS = np.array(["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999"])


def draw(ax, labels, title):
    ax.scatter(*X.T, s=12, c=COLORS[labels % len(COLORS)], linewidths=0)
    ax.set(xticks=[], yticks=[], aspect="equal")
    ax.set_title(title, fontsize=10)


X, y = make_moons(300, noise=0.09, random_state=3)
model = S3NMF(n_clusters=2, random_state=0).fit(X)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
draw(left, KMeans(2, n_init=10, random_state=0).fit_predict(X), "k-means cuts both moons")
draw(right, model.labels_, "S3NMF follows them")

# %%
# Step 1: join every point to its nearest neighbours
# --------------------------------------------------
# From here on only these links count, not the shape of a cluster.
links = model.affinity_matrix_.tocoo()
figure, ax = plt.subplots(figsize=(5, 3.2), layout="constrained")
for one, other in zip(links.row, links.col, strict=True):
    if one < other:
        ax.plot(*X[[one, other]].T, color="0.75", linewidth=0.5, zorder=0)
draw(ax, np.zeros(len(X), dtype=int), "Each point, and the links to its neighbours")

# %%
# Step 2: cut the links in twenty ways
# ------------------------------------
# These partitions are the *members* of round 1. Each looks for groups with many links inside and few between: with more
# or fewer neighbours, for finer or coarser groups, and in another order. No member is perfect.
first = model.result_.history[0].member_labels
figure, axes = plt.subplots(2, 4, figsize=(10, 4.2), layout="constrained")
for ax, member in zip(axes.flat, first[::3], strict=False):
    draw(ax, member, f"groups: {member.max() + 1}")
axes.flat[-1].set_axis_off()

# %%
# Step 3: let them vote
# ---------------------
# For every pair of points, count the members that put both into one group. That is a new, sharper similarity. It is
# factorized into two clusters by new members, which vote again, round by round, until they agree.
from s3nmf.plots import CoAssociationDisplay, RoundsDisplay

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
CoAssociationDisplay.from_estimator(model, ax=left)
RoundsDisplay.from_estimator(model, ax=right)

# %%
# Step 4: one answer, and how sure it is
# --------------------------------------
# The confidence of a point comes from the first votes, which were independent. The noise here is larger, so that the
# moons touch: the open circles are the points that the members could not agree on.
X, y = make_moons(300, noise=0.1, random_state=3)
model = S3NMF(n_clusters=2, random_state=0).fit(X)
sure = model.confidence_ >= 0.9
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.scatter(*X[sure].T, s=14, c=COLORS[model.labels_[sure]], linewidths=0)
ax.scatter(*X[~sure].T, s=24, facecolors="none", edgecolors=COLORS[model.labels_[~sure]], linewidths=1)
ax.set(xticks=[], yticks=[], aspect="equal")
ax.set_title("Open circles: confidence below 0.9", fontsize=10)

# sphinx_gallery_thumbnail_number = 3
