"""
Why columns need one scale
==========================

Distances add up all columns. A column with large numbers drowns the others, whatever it means.
"""

import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler

from s3nmf import S3NMF
from s3nmf.metrics import accuracy

X, y = load_wine(return_X_y=True)
clusterings = {
    "as it is": S3NMF(3, random_state=0),
    "StandardScaler": make_pipeline(StandardScaler(), S3NMF(3, random_state=0)),
    "RobustScaler": make_pipeline(RobustScaler(), S3NMF(3, random_state=0)),
}
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    shares = {name: accuracy(y, clustering.fit_predict(X)) for name, clustering in clusterings.items()}
figure, ax = plt.subplots(figsize=(6, 2.2), layout="constrained")
bars = ax.barh(list(shares), list(shares.values()), color="#0072B2")
ax.bar_label(bars, fmt="%.2f", padding=3)
ax.set(xlim=(0, 1.1), xlabel="share of the wines with their grower")
ax.invert_yaxis()

# %%
# The first of them warned:
print(warned[0].message)

# %%
# The estimator ``S3NMF`` never scales: principal components, counts and pixels must not be. The command
# ``s3nmf cluster`` reads tables of measurements, and standardises their columns unless you say ``--scale none``.
