import warnings

import anndata
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs

from s3nmf import S3NMF, single_cell
from s3nmf.affinity import nearest_neighbor_affinity, normalize_affinity
from s3nmf.metrics import accuracy
from s3nmf.sources import SourceError
from samples import anndata_of

X, TRUTH = make_blobs(90, n_features=4, centers=3, cluster_std=3.0, random_state=2)
GRAPH = nearest_neighbor_affinity(X, kernel="binary", n_neighbors=12).power(1.5)
FAST = {"n_members": 6}


def cells(with_graph=True):
    return anndata_of(X, GRAPH if with_graph else None)


def labels(adata, key="s3nmf"):
    return adata.obs[key].astype(int).to_numpy()


def test_the_graph_of_scanpy_is_clustered_normalised():
    adata = cells()
    assert single_cell.cluster(adata, 3, **FAST) is None
    model = S3NMF(3, affinity="precomputed", random_state=0, **FAST).fit(normalize_affinity(GRAPH))
    np.testing.assert_array_equal(labels(adata), model.labels_)
    np.testing.assert_allclose(adata.obs["s3nmf_confidence"], model.confidence_, rtol=1e-12)
    np.testing.assert_array_equal(adata.uns["s3nmf"]["agreement"], model.agreement_)
    assert adata.uns["s3nmf"]["chosen_round"] == model.chosen_round_
    assert adata.uns["s3nmf"]["params"] == {"n_clusters": 3, "random_state": 0, **FAST}
    assert adata.uns["s3nmf"]["graph"] == "uns['neighbors']"


def test_clusters_are_a_categorical_of_text_as_those_of_leiden():
    adata = cells()
    single_cell.cluster(adata, 3, **FAST)
    found = adata.obs["s3nmf"]
    assert isinstance(found.dtype, pd.CategoricalDtype)
    assert found.cat.categories.tolist() == ["0", "1", "2"]
    assert all(isinstance(name, str) for name in found)
    assert found.value_counts().index.tolist() == ["0", "1", "2"], "the largest first"


def test_a_neighbors_key_names_another_graph():
    adata = cells()
    other = nearest_neighbor_affinity(X, n_neighbors=4, kernel="binary")
    adata.uns["mine"] = {"connectivities_key": "mine_connectivities"}
    adata.obsp["mine_connectivities"] = sp.csr_matrix(other)
    single_cell.cluster(adata, 3, neighbors_key="mine", key_added="other", **FAST)
    expected = S3NMF(3, affinity="precomputed", random_state=0, **FAST).fit(other)
    np.testing.assert_array_equal(labels(adata, "other"), expected.labels_)
    assert adata.uns["other"]["graph"] == "uns['mine']"
    with pytest.raises(SourceError, match=r"uns has no 'none'. It has 'neighbors', 'mine', 'other'"):
        single_cell.cluster(adata, 3, neighbors_key="none")
    del adata.obsp["mine_connectivities"]
    with pytest.raises(
        SourceError, match=r"obsp\['mine_connectivities'\], which is not there. Run scanpy.pp.neighbors"
    ):
        single_cell.cluster(adata, 3, neighbors_key="mine")


def test_without_a_graph_one_is_built():
    adata = cells(with_graph=False)
    single_cell.cluster(adata, 3, n_neighbors=9, **FAST)
    expected = S3NMF(3, random_state=0, n_neighbors=9, **FAST).fit(adata.obsm["X_pca"])
    np.testing.assert_array_equal(labels(adata), expected.labels_)
    assert adata.uns["s3nmf"]["graph"] == "obsm['X_pca']"
    for given in (X, sp.csr_matrix(X)):
        adata = anndata.AnnData(given)
        single_cell.cluster(adata, 3, **FAST)
        np.testing.assert_array_equal(labels(adata), S3NMF(3, random_state=0, **FAST).fit_predict(X))
        assert adata.uns["s3nmf"]["graph"] == "X"


def test_the_result_survives_a_file(tmp_path):
    adata = cells()
    single_cell.cluster(
        adata, 3, callback=lambda _: None, random_state=np.random.RandomState(1), recipe="text", n_jobs=None, **FAST
    )
    adata.write_h5ad(tmp_path / "cells.h5ad")
    back = anndata.read_h5ad(tmp_path / "cells.h5ad")
    pd.testing.assert_frame_equal(back.obs, adata.obs)
    np.testing.assert_array_equal(back.uns["s3nmf"]["agreement"], adata.uns["s3nmf"]["agreement"])
    assert back.uns["s3nmf"]["params"] == {"n_clusters": 3, "recipe": "text", **FAST}


@pytest.mark.parametrize("backed", ["r", "r+"])
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_matrix])
def test_a_file_that_is_only_opened_can_be_clustered(tmp_path, backed, convert):
    anndata.AnnData(convert(X)).write_h5ad(tmp_path / "cells.h5ad")
    adata = anndata.read_h5ad(tmp_path / "cells.h5ad", backed=backed)
    single_cell.cluster(adata, 3, **FAST)
    np.testing.assert_array_equal(labels(adata), S3NMF(3, random_state=0, **FAST).fit_predict(X))


def test_a_copy_leaves_the_original():
    adata = cells()
    changed = single_cell.cluster(adata, 3, copy=True, **FAST)
    assert "s3nmf" in changed.obs
    assert "s3nmf" not in adata.obs
    assert "s3nmf" not in adata.uns


def test_the_seed_decides_where_round_1_factorizes():
    one, same, other = (
        single_cell.cluster(cells(), 3, members="factorizations", random_state=seed, copy=True, **FAST)
        for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(one.obs["s3nmf_confidence"], same.obs["s3nmf_confidence"])
    assert (one.obs["s3nmf_confidence"] != other.obs["s3nmf_confidence"]).any()


def test_parameters_without_an_effect_are_refused():
    with pytest.raises(SourceError, match="'n_neighbors', 'kernel' would build a graph, but the one of uns"):
        single_cell.cluster(cells(), 3, kernel="jaccard", n_neighbors=5)
    with pytest.raises(TypeError, match="takes an AnnData, not ndarray"):
        single_cell.cluster(X, 3)
    with pytest.raises(SourceError, match="no neighbour graph"):
        single_cell.cluster(anndata.AnnData(obs=cells().obs), 3)
    adata = cells()
    adata.obsp["connectivities"] = -sp.csr_matrix(GRAPH)
    with pytest.raises(SourceError, match="the edge from 'cell 0' to"):
        single_cell.cluster(adata, 3)
    with pytest.raises(ValueError, match="n_clusters"):
        single_cell.cluster(cells(), 0)


def test_a_representation_or_a_layer_can_be_named_though_there_is_a_graph():
    adata = cells()
    adata.obsm["X_other"], adata.layers["scaled"] = X[:, :1] * 2, X * 3
    for how, data, used in (
        ({"use_rep": "X_other"}, X[:, :1] * 2, "obsm['X_other']"),
        ({"use_rep": "X"}, X, "X"),
        ({"layer": "scaled"}, X * 3, "layers['scaled']"),
    ):
        single_cell.cluster(adata, 3, n_neighbors=9, **how, **FAST)
        np.testing.assert_array_equal(
            labels(adata), S3NMF(3, random_state=0, n_neighbors=9, **FAST).fit_predict(data.astype(float))
        )
        assert adata.uns["s3nmf"]["graph"] == used
    with pytest.raises(SourceError, match=r"obsm has no 'X_none'. It has 'X_pca', 'X_other'"):
        single_cell.cluster(adata, 3, use_rep="X_none")
    with pytest.raises(SourceError, match=r"layers has no 'none'. It has 'scaled'"):
        single_cell.cluster(adata, 3, layer="none")
    for two in ({"use_rep": "X", "layer": "scaled"}, {"use_rep": "X", "neighbors_key": "neighbors"}):
        with pytest.raises(SourceError, match="cannot both be what cells are clustered by"):
            single_cell.cluster(adata, 3, **two)


def test_a_subset_is_clustered_by_its_part_of_the_graph_and_the_others_keep_their_groups():
    """As scanpy's leiden does it, with its names."""
    adata = cells()
    kinds = np.array(["a", "b", "c"])[np.arange(len(X)) % 3]
    adata.obs["kind"] = pd.Categorical(kinds)
    single_cell.cluster(adata, 2, restrict_to=("kind", ["a", "b"]), **FAST)
    inside = np.flatnonzero(kinds != "c")
    part = normalize_affinity(sp.csr_array(GRAPH)[inside][:, inside])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a part of a graph may be in pieces
        expected = S3NMF(2, affinity="precomputed", random_state=0, **FAST).fit(part)
    assert adata.obs["s3nmf_R"].to_numpy()[inside].tolist() == [f"a-b,{label}" for label in expected.labels_]
    assert set(adata.obs["s3nmf_R"].to_numpy()[kinds == "c"]) == {"c"}
    np.testing.assert_allclose(adata.obs["s3nmf_R_confidence"].to_numpy()[inside], expected.confidence_)
    assert adata.obs["s3nmf_R_confidence"][kinds == "c"].isna().all()
    assert "s3nmf_R" in adata.uns
    single_cell.cluster(adata, 2, restrict_to=("kind", ["a"]), key_added="mine", use_rep="X", **FAST)
    assert set(adata.obs["mine"].cat.categories) == {"a,0", "a,1", "b", "c"}
    with pytest.raises(SourceError, match=r"obs\['kind'\] has no 'd'. Its groups are 'a', 'b', 'c'"):
        single_cell.cluster(adata, 2, restrict_to=("kind", ["d"]))
    with pytest.raises(SourceError, match=r"obs has no 'sort'\. It has 'kind'"):
        single_cell.cluster(adata, 2, restrict_to=("sort", ["d"]))


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("asked", [(), ("auto",), (range(2, 6),)])
def test_the_number_of_clusters_is_found(asked):
    X, y = make_blobs(240, n_features=4, centers=3, cluster_std=0.6, random_state=2)
    adata = anndata.AnnData(X)
    single_cell.cluster(adata, *asked)
    assert adata.uns["s3nmf"]["n_clusters"] == 3
    assert accuracy(y, adata.obs["s3nmf"].astype(int).to_numpy()) == 1.0


def expressed():
    """Ninety cells of three kinds, with a gene for each kind, scaled in X, as counts in raw."""
    random = np.random.default_rng(0)
    kinds = np.repeat([0, 1, 2], 30)
    counts = random.poisson(0.5 + 8 * np.eye(3)[kinds] @ np.eye(3, 5)).astype(np.float32)
    adata = anndata.AnnData(counts)
    adata.var_names = ["MS4A1", "CD3D", "LYZ", "ACTB", "GAPDH"]
    adata.raw = adata.copy()
    adata.X = (counts - counts.mean(axis=0)) / counts.std(axis=0)
    adata.obsm["X_pca"] = adata.X[:, :3] + random.normal(0, 0.1, (90, 3))
    adata.obs["kind"] = pd.Categorical.from_codes(kinds, ["B", "T", "mono"])
    return adata


def test_markers_are_named_whatever_cells_were_clustered_by():
    adata = expressed()
    found = single_cell.markers(adata, "kind")
    assert [found.of(k)[0].gene for k in range(3)] == ["MS4A1", "CD3D", "LYZ"]
    assert str(found).startswith("B: MS4A1")
    single_cell.cluster(adata, 3, use_rep="X_pca", key_added="found", **FAST)
    assert {one.gene for k in range(3) for one in single_cell.markers(adata, "found").of(k, 1)} == {
        "MS4A1",
        "CD3D",
        "LYZ",
    }
    adata.layers["lognorm"] = np.log1p(adata.raw.X)
    assert single_cell.markers(adata, "kind", layer="lognorm").genes == found.genes
    adata.raw = None
    del adata.layers["lognorm"]
    with pytest.raises(
        SourceError, match=r"no expression that is not scaled: keep it in raw, or name a layer \(layer\)"
    ):
        single_cell.markers(adata, "kind")
    with pytest.raises(SourceError, match=r"obs has no 's3nmf'. It has 'kind', 'found'"):
        single_cell.markers(adata)
    with pytest.raises(SourceError, match=r"layers has no 'counts'"):
        single_cell.markers(adata, "kind", layer="counts")


def test_markers_have_the_numbers_of_scanpy_and_are_kept_as_it_keeps_them(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scanpy = pytest.importorskip("scanpy", reason="needs scanpy, of the extra docs")
    adata = expressed()
    values = np.log1p(adata.raw.X / adata.raw.X.sum(axis=1, keepdims=True) * 1e4)
    adata.layers["lognorm"] = values.astype(np.float64)
    found = single_cell.markers(adata, "kind", layer="lognorm", key_added="ours")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        how = {"method": "wilcoxon", "tie_correct": True, "pts": True, "use_raw": False, "layer": "lognorm"}
        scanpy.tl.rank_genes_groups(adata, "kind", key_added="theirs", **how)
        one, other = (scanpy.get.rank_genes_groups_df(adata, None, key=key) for key in ("ours", "theirs"))
    assert one.columns.tolist() == other.columns.tolist()
    columns = ["group", "names"]
    one, other = (frame.astype({"group": str}).sort_values(columns).reset_index(drop=True) for frame in (one, other))
    pd.testing.assert_frame_equal(one, other, check_dtype=False, rtol=1e-5, atol=1e-6)
    assert found.clusters == ("B", "T", "mono")
    adata.write_h5ad(tmp_path / "a.h5ad")
    again = anndata.read_h5ad(tmp_path / "a.h5ad")
    assert again.uns["ours"]["names"]["T"][0] == "CD3D"


def test_clusters_keep_their_names_when_there_are_more_cells():
    few = cells()[:75].copy()
    single_cell.cluster(few, 3, use_rep="X", **FAST)
    named = few.obs["s3nmf"].cat.rename_categories({"0": "2", "1": "T cell", "2": "0"})
    adata = cells()
    adata.obs["before"] = named.reindex(adata.obs_names)
    single_cell.cluster(adata, 4, use_rep="X", names_from="before", **FAST)
    found = adata.obs["s3nmf"]
    assert set(found.cat.categories) == {"0", "2", "T cell", "1"}, "the new one has the first free number"
    assert found.cat.categories.tolist() == ["T cell", "0", "1", "2"]
    assert (found[:75] == named.to_numpy()).mean() > 0.6
    with pytest.raises(SourceError, match="obs has no 'after'"):
        single_cell.cluster(adata, 3, names_from="after", **FAST)
