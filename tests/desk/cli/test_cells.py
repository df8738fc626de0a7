"""Options for cells, as scanpy calls them."""

import numpy as np
import pandas as pd
import pytest

from samples import anndata_of


@pytest.fixture
def cells(directory):
    values = np.random.default_rng(0).normal(size=(40, 3)) + np.repeat([[0, 0, 0], [4, 4, 4]], 20, axis=0)
    adata = anndata_of(values)
    adata.obs["kind"] = pd.Categorical(["a", "b"] * 20)
    adata.layers["twice"] = 2 * values
    adata.write_h5ad(directory / "cells.h5ad")
    return "cells.h5ad"


def test_cells_are_chosen_and_their_features_named(run, cells, read_csv, directory):
    arguments = ("--layer", "twice", "--restrict-to", "kind=a", "--out", "l.csv")
    found = run("cluster", cells, "-k", 2, *arguments)
    assert found.exit_code == 0, found.output
    assert "- Took the cells that are 'a' in obs['kind'].\n- Took layers['twice'] as the features." in found.stdout
    assert [row["cell"] for row in read_csv(directory / "l.csv")] == [f"cell {k}" for k in range(0, 40, 2)]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--restrict-to", "kind"), 2, "does not name groups of one column. Write louvain=3."),
        (("--restrict-to", "kind=a", "--restrict-to", "sort=a"), 2, "does not name groups of one column"),
        (("--restrict-to", "kind=c"), 1, "obs['kind'] has no 'c'. Its groups are 'a', 'b'"),
        (("--use-rep", "X", "--layer", "twice"), 1, "--use-rep X and --layer twice cannot both be"),
        (("--use-rep", "X_umap"), 1, "obsm has no 'X_umap'. It has 'X_pca'."),
    ],
)
def test_what_there_is_not_is_said(run, cells, arguments, code, said):
    found = run("cluster", cells, "-k", 2, *arguments, "--out", "l.csv")
    assert found.exit_code == code
    assert said in found.stderr


@pytest.fixture
def genes(directory):
    """Sixty cells of two kinds with a gene each, a UMAP, and scaled values in X."""
    import anndata  # noqa: PLC0415

    random = np.random.default_rng(0)
    kinds = np.repeat([0, 1], 30)
    counts = random.poisson(0.5 + 8 * np.eye(2)[kinds] @ np.eye(2, 4)).astype(np.float32)
    adata = anndata.AnnData(counts)
    adata.var_names = ["ENSG1", "ENSG2", "ENSG3", "ENSG4"]
    adata.var["gene_symbols"] = ["MS4A1", "CD3D", "ACTB", "GAPDH"]
    adata.layers["counts"] = counts
    adata.X = counts - counts.mean(axis=0)
    adata.obsm["X_pca"] = random.normal(size=(60, 3)) + 2 * kinds[:, None]
    adata.obsm["X_umap"] = random.normal(size=(60, 2)) + 9 * kinds[:, None]
    adata.obs["sample"] = pd.Categorical(["a", "a", "b"] * 20)
    adata.write_h5ad(directory / "genes.h5ad")
    return "genes.h5ad"


def test_the_page_names_marker_genes_and_draws_the_users_own_map(run, genes, directory):
    found = run("cluster", genes, "-k", 2, "--report", "p.html", "--out", "l.csv")
    assert found.exit_code == 0, found.output
    assert "Took layers['counts'] for the expression of genes: counts, normalised to 10,000 a cell" in found.stdout
    page = (directory / "p.html").read_text(encoding="utf-8")
    assert "MS4A1" in page
    assert '<svg class="dots"' in page
    assert "Cells are drawn at the coordinates that came with the data" in page
    assert "column 1" not in page, "principal components are not what sets clusters apart"
    assert run("report", genes, "-k", 2, "--out", "q.html").exit_code == 0
    again = (directory / "q.html").read_text(encoding="utf-8")
    assert '<svg class="dots"' in again


def test_clusters_go_back_into_the_file_as_scanpy_has_them(run, genes, directory):
    import anndata  # noqa: PLC0415

    arguments = ("--append", "out.h5ad", "--levels", "--out", "l.csv", "--restrict-to", "sample=a")
    found = run("cluster", genes, "-k", 3, *arguments)
    assert found.exit_code == 0, found.output
    before, after = (anndata.read_h5ad(directory / name) for name in (genes, "out.h5ad"))
    np.testing.assert_array_equal(after.X, before.X)
    table = pd.read_csv(directory / "l.csv", index_col="cell", dtype=str)
    taken = (before.obs["sample"] == "a").to_numpy()
    assert after.obs["s3nmf"].cat.categories.tolist() == ["0", "1", "2"]
    assert after.obs["s3nmf"].isna().to_numpy().tolist() == (~taken).tolist()
    assert after.obs["s3nmf"][taken].tolist() == table["cluster"].tolist()
    assert after.obs["s3nmf_confidence"][taken].round(4).astype(str).tolist() == table["confidence"].tolist()
    assert {"s3nmf_second_cluster", "s3nmf_level_2", "sample"} <= set(after.obs.columns)
    assert after.uns["s3nmf"]["n_clusters"] == 3
    assert after.uns["s3nmf"]["params"]["n_members"] == 20
    again = run("cluster", "out.h5ad", "-k", 2, "--append", "more.h5ad", "--out", "l.csv")
    assert again.exit_code == 0, again.output
    assert anndata.read_h5ad(directory / "more.h5ad").obs["s3nmf"].cat.categories.tolist() == ["0", "1"]
    assert "let its name end in .h5ad" in run("cluster", genes, "-k", 2, "--append", "out.csv").stderr
