import sys
from importlib.metadata import version

import anndata
import h5py
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.utils.fixes import parse_version

from s3nmf.affinity import normalize_affinity
from s3nmf.desk.sources import h5ad
from s3nmf.sources import Graph, SourceError, Table, read
from samples import anndata_of, table, weights


@pytest.fixture
def adata():
    return anndata_of(table(), weights())


def test_the_neighbour_graph_is_read(tmp_path, adata):
    arrays_too = parse_version(version("anndata")) >= parse_version("0.11")
    for layout in (sp.csr_matrix, sp.csc_matrix, sp.csr_array if arrays_too else sp.csr_matrix, lambda W: W.toarray()):
        adata.obsp["connectivities"] = layout(weights())
        adata.write_h5ad(tmp_path / "c.h5ad")
        graph = read(tmp_path / "c.h5ad")
        assert isinstance(graph, Graph)
        assert graph.ids == list(adata.obs_names)
        np.testing.assert_allclose(graph.affinity.toarray(), normalize_affinity(weights()).toarray())
        assert graph.notes[0] == "Took the graph in obsp['connectivities']."


def test_another_graph_can_be_named(tmp_path, adata):
    adata.uns["other"] = {"connectivities_key": "mine"}
    adata.obsp["mine"] = sp.csr_matrix(weights().power(2))
    adata.write_h5ad(tmp_path / "c.h5ad")
    found = read(tmp_path / "c.h5ad", neighbors_key="other", normalize=False)
    assert (found.affinity != weights().power(2)).nnz == 0
    with pytest.raises(SourceError, match=r"uns has no 'none'. It has 'neighbors', 'other'"):
        read(tmp_path / "c.h5ad", neighbors_key="none")
    del adata.obsp["mine"]
    adata.write_h5ad(tmp_path / "c.h5ad")
    with pytest.raises(SourceError, match=r"the graph is obsp\['mine'\], which is not there"):
        read(tmp_path / "c.h5ad", neighbors_key="other")


def test_without_a_graph_the_components_or_x_are_a_table(tmp_path):
    adata = anndata_of(table())
    adata.write_h5ad(tmp_path / "c.h5ad")
    found = read(tmp_path / "c.h5ad")
    np.testing.assert_array_equal(found.values, table()[:, :2])
    assert found.ids == list(adata.obs_names)
    assert found.notes == ("Took obsm['X_pca'] as the features.", "Left 2 columns unscaled.")
    assert abs(read(tmp_path / "c.h5ad", scale="standard").values.std() - 1) < 1e-9
    for X in (table(), sp.csr_matrix(table()), sp.csc_matrix(table())):
        other = anndata.AnnData(X)
        other.write_h5ad(tmp_path / "x.h5ad")
        np.testing.assert_array_equal(read(tmp_path / "x.h5ad").values, table())
    empty = anndata.AnnData(obs=adata.obs)
    empty.write_h5ad(tmp_path / "x.h5ad")
    with pytest.raises(SourceError, match="no neighbour graph"):
        read(tmp_path / "x.h5ad")


def test_names_that_are_not_unique_are_said(tmp_path, adata):
    adata.obs_names = ["twin", "twin", *adata.obs_names[2:]]
    adata.write_h5ad(tmp_path / "c.h5ad")
    with pytest.raises(SourceError, match=r"'twin' in cell 0 and cell 1.*obs_names_make_unique"):
        read(tmp_path / "c.h5ad")


def change(path, adata, how):
    adata.write_h5ad(path)
    with h5py.File(path, "a") as store:
        how(store)
    with pytest.raises(SourceError) as error:
        read(path)
    return str(error.value)


def put(store, name, data):
    del store[name]
    store[name] = data


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (lambda s: put(s, "obsp/connectivities/indices", np.full(24, 10**9)), "must be < 12"),
        (lambda s: put(s, "obsp/connectivities/indptr", np.arange(13)[::-1]), "cannot read it"),
        (lambda s: put(s, "obsp/connectivities/data", np.full(24, -1.0)), "has the weight -1"),
        (lambda s: put(s, "obsp/connectivities/data", ["x"] * 24), "cannot read it"),
        (lambda s: put(s, "obsp/connectivities/data", h5py.Empty("f8")), "is missing or no array"),
        (lambda s: s.__delitem__("obsp/connectivities/data"), "is missing or no array"),
        (lambda s: put(s, "obsp/connectivities", h5py.SoftLink("/X")), "obsp/connectivities is a link"),
        (lambda s: put(s, "obsp/connectivities", h5py.ExternalLink("/etc/hosts", "x")), "is a link"),
        (lambda s: s["obsp/connectivities"].attrs.modify("shape", [10**12, 10**12]), "cannot read it"),
        (lambda s: s["obsp/connectivities"].attrs.modify("encoding-type", "dict"), "neither a dense nor a sparse"),
        (lambda s: put(s, "obs/_index", ["a", "b"]), "the graph has 12 nodes, and there are 2 names"),
        (lambda s: put(s, "obs", np.zeros(12)), "no group obs"),
        (lambda s: s["obs"].attrs.modify("_index", "gone"), "obs has no column 'gone'"),
        (lambda s: put(s, "obsp/connectivities", np.zeros((12, 3))), "has the shape (12, 3)"),
    ],
)
def test_a_store_is_not_trusted(tmp_path, adata, how, said):
    assert said in change(tmp_path / "c.h5ad", adata, how)


def test_indices_of_sparse_features_are_not_trusted(tmp_path):
    adata = anndata.AnnData(sp.csr_matrix(table()))
    said = change(tmp_path / "c.h5ad", adata, lambda s: put(s, "X/indices", np.full(36, 10**9)))
    assert "must be < 3" in said


def test_arrays_that_are_announced_or_elsewhere_are_not_read(tmp_path, adata):
    def giant(store):
        del store["obsp/connectivities"]
        store.create_dataset("obsp/connectivities", shape=(10**6, 10**6), chunks=(10, 10), dtype="f8")

    def elsewhere(store):
        del store["obsp/connectivities"]
        store.create_dataset("obsp/connectivities", shape=(12, 12), dtype="f8", external=[("/etc/hosts", 0, 1152)])

    assert "takes 8,000.0 GB" in change(tmp_path / "c.h5ad", adata, giant)
    assert "lies in another file" in change(tmp_path / "c.h5ad", adata, elsewhere)


def test_a_reader_that_crashes_or_never_ends_is_reported(tmp_path, adata, monkeypatch):
    adata.write_h5ad(tmp_path / "c.h5ad")
    script = tmp_path / "script.py"
    monkeypatch.setattr(h5ad, "_SCRIPT", script)
    script.write_text("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(SourceError, match="made the HDF5 library crash: it is damaged"):
        read(tmp_path / "c.h5ad")
    script.write_text("while True: pass")
    monkeypatch.setattr(h5ad, "_SECONDS", 0.3)
    with pytest.raises(SourceError, match="was not read within 0 seconds: it is damaged"):
        read(tmp_path / "c.h5ad")


def test_what_is_no_h5ad_is_said(tmp_path):
    path = tmp_path / "c.h5ad"
    with pytest.raises(SourceError, match="does not exist"):
        read(path)
    path.write_bytes(b"")
    with pytest.raises(SourceError, match="h5py cannot read it"):
        read(path)
    with h5py.File(path, "w") as store:
        store["x"] = 1
    with pytest.raises(SourceError, match="no group obs"):
        read(path)


def test_a_missing_library_names_its_extra(tmp_path, monkeypatch):
    (tmp_path / "c.h5ad").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match=r"needs h5py. .*s3nmf\[single-cell\]"):
        read(tmp_path / "c.h5ad")


def test_a_representation_or_a_layer_can_be_named(tmp_path, adata):
    adata.obsm["X_other"], adata.layers["counts"] = table()[:, 1:], sp.csr_matrix(abs(table()))
    adata.write_h5ad(tmp_path / "c.h5ad")
    for how, values in (
        ({"use_rep": "X_other"}, table()[:, 1:]),
        ({"use_rep": "X"}, table()),
        ({"layer": "counts"}, abs(table())),
    ):
        found = read(tmp_path / "c.h5ad", **how)
        assert isinstance(found, Table)
        np.testing.assert_allclose(found.values, values)
    with pytest.raises(SourceError, match=r"obsm has no 'X_none'. It has 'X_other', 'X_pca'"):
        read(tmp_path / "c.h5ad", use_rep="X_none")
    with pytest.raises(SourceError, match=r"layers has no 'none'. It has 'counts'"):
        read(tmp_path / "c.h5ad", layer="none")
    with pytest.raises(SourceError, match="layer='counts' cannot both be"):
        read(tmp_path / "c.h5ad", layer="counts", use_rep="X")


@pytest.mark.parametrize("kind", [str, "category"])
def test_cells_of_some_groups_can_be_taken(tmp_path, adata, kind):
    adata.obs["kind"] = pd.Series(list("abc") * 4, index=adata.obs_names).astype(kind)
    adata.layers["sparse"] = sp.csc_matrix(table())
    adata.write_h5ad(tmp_path / "c.h5ad")
    rows = [0, 1, 3, 4, 6, 7, 9, 10]
    graph = read(tmp_path / "c.h5ad", restrict_to=("kind", ["a", "b"]), normalize=False)
    assert graph.ids == [adata.obs_names[row] for row in rows]
    np.testing.assert_allclose(graph.affinity.toarray(), weights().toarray()[np.ix_(rows, rows)])
    assert graph.notes[0] == "Took the cells that are 'a', 'b' in obs['kind']."
    for how in ({"use_rep": "X"}, {"layer": "sparse"}):
        np.testing.assert_allclose(
            read(tmp_path / "c.h5ad", restrict_to=("kind", ["a", "b"]), **how).values, table()[rows]
        )
    with pytest.raises(SourceError, match=r"obs\['kind'\] has no 'd'. Its groups are 'a', 'b', 'c'"):
        read(tmp_path / "c.h5ad", restrict_to=("kind", ["d"]))
    with pytest.raises(SourceError, match="obs has no 'sort'"):
        read(tmp_path / "c.h5ad", restrict_to=("sort", ["d"]))


def test_options_of_cells_are_for_cells(tmp_path):
    for name, value in (("use_rep", "X"), ("layer", "x"), ("restrict_to", ("a", ["b"])), ("neighbors_key", "x")):
        with pytest.raises(SourceError, match=f"{name} does not apply to the format csv"):
            read(tmp_path / "t.csv", **{name: value})
