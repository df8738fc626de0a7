"""
Cells of an AnnData
===================

``s3nmf.single_cell.cluster`` works in place, as scanpy's tools do. Where scanpy is installed, the cells are the
700 blood cells that come with it; else four types of cells are simulated, two of them hard to tell apart.
"""

import anndata
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from s3nmf import single_cell


def simulated(n=700, genes=300):
    random = np.random.default_rng(0)
    kinds = random.choice(4, size=n, p=[0.4, 0.3, 0.2, 0.1])
    programs = random.gamma(1.0, 1.0, size=(4, genes))
    programs[3] = 0.6 * programs[3] + 0.4 * programs[2]
    programs = 0.5 * programs + 0.5 * programs.mean(axis=0)
    counts = random.poisson(0.5 * programs[kinds])
    log = np.log1p(1e3 * counts / counts.sum(axis=1, keepdims=True))
    left, sizes, _ = np.linalg.svd(log - log.mean(axis=0), full_matrices=False)
    cells = anndata.AnnData(counts.astype(np.float32), obs={"kind": [f"type {kind}" for kind in kinds]})
    cells.obsm["X_pca"] = left[:, :20] * sizes[:20]
    return cells


try:
    import scanpy
except ImportError:
    adata, kind, n_clusters = simulated(), "kind", 4
else:
    adata, kind, n_clusters = scanpy.datasets.pbmc68k_reduced(), "bulk_labels", 8
adata

# %%
# The graph of ``scanpy.pp.neighbors`` is used where there is one. Else neighbours are found in ``obsm["X_pca"]``.
single_cell.cluster(adata, n_clusters=n_clusters)
pd.crosstab(adata.obs[kind], adata.obs["s3nmf"])

# %%
# The cells on a plane, by cluster and by confidence. Where types run into each other, the confidence is low.
place = adata.obsm["X_umap" if "X_umap" in adata.obsm else "X_pca"]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for cluster in adata.obs["s3nmf"].cat.categories:
    own = adata.obs["s3nmf"] == cluster
    left.scatter(place[own, 0], place[own, 1], s=8, linewidths=0, label=cluster)
figure.legend(title="cluster", markerscale=2, loc="outside left upper")
shade = right.scatter(place[:, 0], place[:, 1], s=8, c=adata.obs["s3nmf_confidence"], cmap="viridis", vmin=0, vmax=1)
figure.colorbar(shade, ax=right, label="confidence")
for ax, title in ((left, "Clusters"), (right, "How sure each cell is")):
    ax.set(title=title, xticks=[], yticks=[])
