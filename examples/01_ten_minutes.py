"""
Ten minutes
===========

From a table to clusters that you can explain: how many there are, whether they are real, which rows to check, and where
a new row belongs. You need some scikit-learn, and nothing about the method.

The table has 150 flowers with four measurements each. Their species are known, but the clustering does not see them.
"""

# %%
# Bring the columns to one scale
# ------------------------------
# Clustering compares rows by distance, so a column with a large spread counts more. ``S3NMF`` uses the numbers as they
# are; put a scaler in front of it. (The command ``s3nmf cluster`` scales columns by itself.)
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

iris = load_iris()
scaler = StandardScaler().fit(iris.data)
X = scaler.transform(iris.data)

# %%
# With a file of your own, take its columns of numbers:
# ``pandas.read_csv("yours.csv").select_dtypes("number").dropna()`` in place of ``iris.data``.
#
# Cluster
# -------
# The number of clusters is found. The largest cluster has the number 0.
from s3nmf import S3NMF

model = S3NMF().fit(X)
print(model.n_clusters_)
print(model.labels_[:10])

# %%
# Why this number?
# ----------------
# Clusters are counted by the borders between them. Other numbers may be nearly as good; one cluster means that the data
# show no clear clusters. If you know the number, give it: ``S3NMF(3)``.
print(model.choice_)

# %%
# Are these clusters real?
# ------------------------
# The verdict says whether the borders between the clusters are real, and what to check.
print(model.judge())

# %%
# Every row has a confidence from 0 to 1. Check the rows with the lowest one first.
import matplotlib.pyplot as plt

from s3nmf.plots import ConfidenceDisplay, EmbeddingDisplay

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
EmbeddingDisplay.from_estimator(model, ax=left)
ConfidenceDisplay.from_estimator(model, ax=right)

# %%
for row in model.confidence_.argsort()[:5]:
    other = model.second_choice_[row]
    print(f"flower {row}: cluster {model.labels_[row]}, confidence {model.confidence_[row]:.2f}, else cluster {other}")

# %%
# A new flower
# ------------
# Scale new rows as the first ones were scaled. They get the cluster of their nearest neighbours, and a confidence.
new = scaler.transform([iris.data[0] * 1.02])
found = model.assign(new)
print(f"cluster {found.labels[0]}, confidence {found.confidence[0]:.2f}")

# %%
# Keep it, and show it
# --------------------
# Python and the command line read the same model files. The report is a single page for a browser, which you can send.
from pathlib import Path
from tempfile import TemporaryDirectory

from s3nmf.report import write_report

with TemporaryDirectory() as directory:
    model.save(Path(directory) / "iris.s3nmf")
    again = S3NMF.load(Path(directory) / "iris.s3nmf")
    page = Path(directory) / "iris.html"
    write_report(again, page, values=iris.data, feature_names=iris.feature_names, title="Flowers")
    print(f"{page.name}: {page.stat().st_size // 1000} kB")

# %%
# Was it right?
# -------------
# Here the species are known, so the clusters can be checked. Two of the species overlap, which is why the verdict tells
# you to check the points between two clusters. With your own data you will not have this line.
from s3nmf.metrics import accuracy

print(f"{accuracy(iris.target, model.labels_):.0%} of the flowers are in the cluster of their species.")

# sphinx_gallery_thumbnail_number = 1
