import io
import pickle
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from s3nmf.desk.sources import opening
from s3nmf.sources import Graph, SourceError, read
from samples import table, weights

DTYPES = st.sampled_from(["f8", "f4", ">f8", "i4", "u1", "i8", ">i2"])


def npy(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


def header(text):
    """An .npy file with this header and no data to speak of."""
    encoded = text.encode("latin-1").ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(encoded).to_bytes(2, "little") + encoded + b"\0" * 16


def said_about(path, data, **options):
    path.write_bytes(data)
    with pytest.raises(SourceError) as error:
        read(path, **options)
    return str(error.value)


@given(DTYPES.flatmap(lambda dtype: arrays(dtype, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5))))
def test_arrays_of_every_type_and_order_are_read(tmp_path_factory, array):
    path = tmp_path_factory.getbasetemp() / "x.npy"
    for stored in (np.ascontiguousarray(array), np.asfortranarray(array)):
        path.write_bytes(npy(stored))
        try:
            found = read(path, format="npy", scale="none")
        except SourceError:
            continue  # constant, infinite or missing values
        assert found.columns == tuple(str(j) for j in range(array.shape[1]) if str(j) in found.columns)
        np.testing.assert_array_equal(found.values, array[:, [int(name) for name in found.columns]].astype(float))


def test_columns_are_numbered_and_can_be_dropped(tmp_path):
    np.save(tmp_path / "x.npy", table())
    found = read(tmp_path / "x.npy", drop=["1"])
    assert found.columns == ("0", "2")
    assert found.ids[:2] == ["0", "1"]
    assert "no column '7'" in said_about(tmp_path / "x.npy", npy(table()), drop=["7"])
    assert "Leave out id" in said_about(tmp_path / "x.npy", npy(table()), id="0")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (npy(np.array([[1, None], [2, 3]], dtype=object)), "pickled Python objects, which are never loaded"),
        (npy(np.array([["a", "b"], ["c", "d"]])), "not numbers"),
        (npy(np.array([[1j, 2], [3, 4]])), "type complex128, not numbers"),
        (npy(np.zeros(3)), "shape (3,)"),
        (npy(np.zeros((3, 0))), "it has no columns"),
        (npy(np.zeros((2, 2, 2))), "shape (2, 2, 2)"),
        (npy(table())[:-1], "announces an array of shape (12, 3), 288 bytes, and has 287"),
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 1000)}"), "announces an array"),
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2)}"), "announces an array"),
        *(
            (header(f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}"), "announces an array of shape")
            for shape in ((0, 10**30), (2**62, 0), (3, 0, 2**63), (2**62, 2**62))
        ),
        (header("{'descr': '|V0', 'fortran_order': False, 'shape': (10**12, 2)}"), "numpy cannot read it"),
        (header("{'descr': '|O', 'fortran_order': False, 'shape': (1, 2)}"), "pickled"),
        (pickle.dumps([[1, 2], [3, 4]]), "numpy cannot read it"),
    ],
)
def test_a_header_is_believed_only_as_far_as_the_file_goes(tmp_path, data, said):
    assert said in said_about(tmp_path / "x.npy", data)


def test_a_symmetric_matrix_is_asked_about(tmp_path):
    W = weights().toarray()
    assert "similarities, features or distances?" in said_about(tmp_path / "w.npy", npy(W))
    assert read(tmp_path / "w.npy", format="npy").values.shape == W.shape
    graph = read(tmp_path / "w.npy", format="affinity", normalize=False)
    np.testing.assert_array_equal(graph.affinity.toarray(), W)
    np.savez(tmp_path / "w.npz", W=W)
    for options in ({"format": "affinity"}, {"format": "npz"}):
        assert read(tmp_path / "w.npz", **options)
    sp.save_npz(tmp_path / "s.npz", weights())
    assert isinstance(read(tmp_path / "s.npz", format="affinity"), Graph)
    np.savez(tmp_path / "two.npz", W=W, V=W)
    with pytest.raises(SourceError, match="Save the similarities alone"):
        read(tmp_path / "two.npz", format="affinity")


def test_the_features_of_an_npz_are_found(tmp_path):
    X, path = table(), tmp_path / "x.npz"
    np.savez(path, X=X, Z=X[:, :2], y=np.arange(len(X)))
    assert read(path).notes[0] == "Took array 'X' of 'X', 'Z', 'y'."
    np.savez_compressed(path, anything=X)
    np.testing.assert_array_equal(read(path, scale="none").values, X)
    np.savez(path, A=X, B=X)
    with pytest.raises(SourceError, match=r"holds 'A' \(12, 3\), 'B' \(12, 3\). Save the features as 'X'"):
        read(path)


@pytest.mark.parametrize("ids", [np.array(["007", "née", "🦊"]), np.arange(3), np.array([b"a", b"b", b"c"])])
def test_an_array_of_an_npz_can_name_the_rows(tmp_path, ids):
    np.savez(tmp_path / "x.npz", X=np.array([[1.0, 2], [3, 4], [5, 7]]), who=ids)
    found = read(tmp_path / "x.npz", id="who")
    assert found.ids == [name.decode() if isinstance(name, bytes) else str(name) for name in ids.tolist()]
    with pytest.raises(SourceError, match="no array 'whom' for ids"):
        read(tmp_path / "x.npz", id="whom")
    with pytest.raises(SourceError, match=r"must be \(3,\)"):
        read(tmp_path / "x.npz", id="X")


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_graphs_of_scipy_are_read(tmp_path, layout):
    for kind in (sp.csr_array, sp.csr_matrix):
        sp.save_npz(tmp_path / "w.npz", kind(weights()).asformat(layout))
        graph = read(tmp_path / "w.npz", normalize=False)
        assert (graph.affinity != weights()).nnz == 0
        assert graph.ids == [str(k) for k in range(12)]
    with pytest.raises(SourceError, match=r"Leave out drop\."):
        read(tmp_path / "w.npz", drop=["1"])
    sp.save_npz(tmp_path / "w.npz", weights().todia())
    with pytest.raises(SourceError, match=r"DIA form. Save it as CSR"):
        read(tmp_path / "w.npz")


def archive(path, **members):
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)


def test_indices_of_a_sparse_matrix_are_not_trusted(tmp_path):
    parts = {"format": np.array(b"csr"), "shape": np.array([3, 3]), "data": np.ones(2)}
    sound = {**parts, "indices": np.array([1, 0]), "indptr": np.array([0, 1, 2, 2])}
    for name, wrong, said in (
        ("indices", np.array([1, 10**6]), "indices must be < 3"),
        ("indptr", np.array([0, 2, 1, 2]), "non-decreasing"),
        ("indptr", np.array([0, 1]), "cannot read it"),
        ("shape", np.array([10**12, 10**12]), "cannot read it"),
        ("data", np.array([1.0, -1.0]), "the edge from '1' to '0' has the weight -1"),
        ("data", np.array([1.0, np.nan]), "weight nan"),
        ("data", np.array([1j, 2]), "not numbers"),
    ):
        np.savez(tmp_path / "w.npz", **{**sound, name: wrong})
        with pytest.raises(SourceError) as error:
            read(tmp_path / "w.npz")
        assert said in str(error.value)
    np.savez(tmp_path / "w.npz", **sound)
    assert read(tmp_path / "w.npz").affinity.nnz == 2


def test_a_coordinate_matrix_cannot_announce_nodes_without_edges(tmp_path):
    sp.save_npz(tmp_path / "w.npz", sp.coo_array(([1.0], ([0], [1])), shape=(10**12, 10**12)))
    with pytest.raises(SourceError, match=r"announces 1,000,000,000,000 nodes and has 1 edge"):
        read(tmp_path / "w.npz")


@pytest.mark.parametrize("name", ["../../X.npy", "a/X.npy", "C:\\X.npy", "X.txt"])
def test_an_archive_with_paths_is_refused(tmp_path, name):
    archive(tmp_path / "x.npz", **{name: npy(table())})
    with pytest.raises(SourceError, match="not the name of an array"):
        read(tmp_path / "x.npz")


def test_an_archive_that_unpacks_to_more_than_the_memory_is_refused(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "x.npz", X=np.zeros((1000, 100)))
    monkeypatch.setattr(opening, "available_bytes", lambda: 4 * 700_000)
    with pytest.raises(SourceError, match="its unpacked content takes"):
        read(tmp_path / "x.npz")


def test_texts_without_a_letter_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("X.npy", npy(table()))
        archive.writestr("names.npy", header("{'descr': '<U0', 'fortran_order': False, 'shape': (12,)}"))
    with pytest.raises(SourceError, match=r"'names' holds texts without a single letter"):
        read(tmp_path / "x.npz", id="names")


def test_pickles_in_an_archive_are_not_loaded(tmp_path):
    np.savez(tmp_path / "x.npz", X=table(), evil=np.array([{"a": 1}], dtype=object))
    with pytest.raises(SourceError, match="array 'evil' holds pickled Python objects"):
        read(tmp_path / "x.npz")
