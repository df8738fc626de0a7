"""
Images of digits in doubt
=========================

1797 images of handwritten digits, without their names. Which ones should a person look at?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from s3nmf import S3NMF
from s3nmf.metrics import correct

digits = load_digits()
model = S3NMF(n_clusters=10, random_state=0).fit(digits.data)
print(model.judge())

# %%
# The most typical image of each cluster on the left, and the images that the members disagreed about most.
order = np.argsort(model.confidence_, kind="stable")
figure, axes = plt.subplots(10, 9, figsize=(7, 8), layout="constrained")
for cluster, row in enumerate(axes):
    own = order[model.labels_[order] == cluster]
    row[0].set_ylabel(f"cluster {cluster}", rotation=0, ha="right", va="center")
    for ax, image in zip(row, [own[-1], *own[:8]], strict=True):
        ax.imshow(digits.images[image], cmap="gray_r")
        ax.set(xticks=[], yticks=[])
        if image != own[-1]:
            ax.set_title(f"{model.confidence_[image]:.2f}", fontsize=8)
axes[0, 0].set_title("typical", fontsize=8)

# %%
# Is the doubt well placed? The names of the digits are known here. Sort the images by confidence, and count how many
# are with their kind.
right = correct(digits.target, model.labels_)
for low, high in [(0, 100), (100, 300), (300, 900), (900, 1797)]:
    part = order[low:high]
    print(f"images {low:4} to {high:4}, least sure first: {right[part].mean():.0%} right")

# sphinx_gallery_thumbnail_number = 1
