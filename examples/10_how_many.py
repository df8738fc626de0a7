"""
How many clusters?
==================

``choose_n_clusters`` recommends a number, says how clear that is, and says 1 where there are no clusters.
"""

import numpy as np
from sklearn.datasets import load_iris, make_blobs

from s3nmf import choose_n_clusters
from s3nmf.plots import ChoiceDisplay

sets = {
    "Five blobs": make_blobs(300, centers=5, cluster_std=0.7, random_state=3)[0],
    "Iris": load_iris().data,
    "One cloud": np.random.default_rng(0).normal(size=(300, 3)),
}
choices = {name: choose_n_clusters(X, range(1, 9), random_state=0) for name, X in sets.items()}
for name, choice in choices.items():
    print(f"{name}. {choice}\n")

# %%
# The species of iris are three, but two of them lie so close together that no method which does not know their names
# can be sure of more than two clusters.
for name, choice in choices.items():
    display = ChoiceDisplay.from_choice(choice)
    display.figure_.suptitle(name)
