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
