"""
Ten minutes
===========

From a table to clusters that you can explain: how many there are, which rows to doubt, and what a new row belongs to.
You need to know scikit-learn a little. You do not need to know the method.

The table here has 178 wines with 13 measurements each. The growers are known, but the clustering is not told.
"""

# %%
# Bring the columns to one scale
# ------------------------------
# Clustering compares rows by distance. In this table proline is counted in hundreds and ash in single units, so without
# scaling proline alone would decide. ``S3NMF`` uses the numbers as they are; put a scaler in front of it. (The command
# ``s3nmf cluster`` scales columns by itself.)
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

wine = load_wine()
scaler = StandardScaler().fit(wine.data)
X = scaler.transform(wine.data)

# %%
# How many clusters?
# ------------------
# If you do not know, ask. The answer is 1 where there are no clusters.
from s3nmf import choose_n_clusters

choice = choose_n_clusters(X, random_state=0)
print(choice)

# %%
# Cluster
# -------
# The largest cluster has the number 0.
from s3nmf import S3NMF

model = S3NMF(n_clusters=choice.n_clusters, random_state=0).fit(X)
model.labels_[:10]

# %%
# Should you believe it?
# ----------------------
# The verdict says whether the borders between clusters are real, and names what to doubt.
print(model.judge())

# %%
# Every row has a confidence from 0 to 1. The rows with the lowest one are those to look at first.
import matplotlib.pyplot as plt

from s3nmf.plots import ConfidenceDisplay, EmbeddingDisplay

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
EmbeddingDisplay.from_estimator(model, ax=left)
ConfidenceDisplay.from_estimator(model, ax=right)

# %%
for row in model.confidence_.argsort()[:5]:
    other = model.second_choice_[row]
    print(f"wine {row}: cluster {model.labels_[row]}, confidence {model.confidence_[row]:.2f}, else cluster {other}")

# %%
# A new wine
# ----------
# New rows are scaled as the first ones were. They go where their nearest neighbours are, and get a confidence, too.
new = scaler.transform([wine.data[0] * 1.02])
found = model.assign(new)
print(f"cluster {found.labels[0]}, confidence {found.confidence[0]:.2f}")

# %%
# Keep it, and show it
# --------------------
# The file can be read by Python and by the command line. The report is a single page for a browser, which you can send.
from pathlib import Path
from tempfile import TemporaryDirectory

from s3nmf.report import write_report

with TemporaryDirectory() as directory:
    model.save(Path(directory) / "wine.s3nmf")
    again = S3NMF.load(Path(directory) / "wine.s3nmf")
    page = Path(directory) / "wine.html"
    write_report(again, page, values=wine.data, feature_names=wine.feature_names, title="Wines")
    print(f"{page.name}: {page.stat().st_size // 1000} kB")

# %%
# Was it right?
# -------------
# Here the growers are known, so the answer can be checked. With your own data you will not have this line.
from s3nmf.metrics import accuracy

print(f"{accuracy(wine.target, model.labels_):.0%} of the wines are with their grower.")

# sphinx_gallery_thumbnail_number = 1
