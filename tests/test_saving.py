import io
import json
import os
import time
import zipfile
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError

from s3nmf import S3NMF, ModelFileError
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.saving import read_model
from s3nmf.solvers.alternating import hals

X, _ = make_blobs(90, centers=3, cluster_std=2.5, random_state=2)
ATTRIBUTES = (
    "labels_",
    "confidence_",
    "membership_",
    "second_choice_",
    "member_labels_",
    "weights_",
    "agreement_",
    "chosen_round_",
    "n_iter_",
    "n_features_in_",
)
SMALL = {"n_members": 4, "max_iter": 30, "random_state": 0}


def fitted(kind):
    if kind == "frame":
        return S3NMF(3, **SMALL).fit(pd.DataFrame(X, columns=["a", "b"]))
    if kind == "float32":
        return S3NMF(3, **SMALL).fit(X.astype(np.float32))
    if kind == "sparse features":
        return S3NMF(3, **SMALL).fit(sp.csr_array(np.where(np.abs(X) > 3, X, 0.0)))
    if kind in ("sparse affinity", "dense affinity"):
        W = nearest_neighbor_affinity(X)
        return S3NMF(3, affinity="precomputed", **SMALL).fit(W if kind == "sparse affinity" else W.toarray())
    if kind == "starts":
        starts = np.random.default_rng(0).random((2, 4, 90, 3))
        return S3NMF(3, n_members=4, max_rounds=2, max_iter=30, starts=starts).fit(X)
    return S3NMF(np.int64(3), tau=np.float64(1.5), kernel="jaccard", n_neighbors=9, **SMALL).fit(X)


KINDS = ["frame", "float32", "sparse features", "sparse affinity", "dense affinity", "starts", "numpy numbers"]


def new_points(model):
    width = model.n_features_in_
    return np.random.default_rng(0).random((20, width)) * (1.0 if width == 90 else 8.0)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.s3nmf"
    fitted("frame").save(path)
    return path


@pytest.fixture
def contents(saved):
    with zipfile.ZipFile(saved) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path, contents, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)


def array_bytes(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=array.dtype.hasobject)
    return file.getvalue()


def with_header(contents, **changes):
    header = json.loads(contents["header.json"])
    header.update(changes)
    return {**contents, "header.json": json.dumps(header)}


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning", "ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_a_loaded_model_is_the_saved_one(kind, tmp_path):
    model = fitted(kind)
    model.save(tmp_path / "model")
    loaded = S3NMF.load(tmp_path / "model")
    for name in ATTRIBUTES:
        before, after = np.asarray(getattr(model, name)), np.asarray(getattr(loaded, name))
        np.testing.assert_array_equal(before, after)
        assert before.dtype == after.dtype, name
    for name, value in model.get_params().items():
        np.testing.assert_array_equal(getattr(loaded, name), value)
        assert type(getattr(loaded, name)) in (type(value), int, float), name
    for before, after in zip(model.result_.history, loaded.result_.history, strict=True):
        for name in vars(before):
            np.testing.assert_array_equal(getattr(before, name), getattr(after, name))
    for name in ("affinity_matrix_", "X_fit_"):
        assert hasattr(model, name) == hasattr(loaded, name)
        if hasattr(model, name):
            before, after = getattr(model, name), getattr(loaded, name)
            assert sp.issparse(before) == sp.issparse(after)
            assert before.dtype == after.dtype
            np.testing.assert_array_equal(sp.csr_array(before).toarray(), sp.csr_array(after).toarray())
    assert getattr(loaded, "feature_names_in_", np.array([])).tolist() == (["a", "b"] if kind == "frame" else [])
    points = pd.DataFrame(new_points(model), columns=["a", "b"]) if kind == "frame" else new_points(model)
    np.testing.assert_array_equal(loaded.predict(points), model.predict(points))
    np.testing.assert_array_equal(loaded.membership(points), model.membership(points))
    np.testing.assert_array_equal(loaded.diagnose().shared, model.diagnose().shared)


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning", "ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_saving_what_was_loaded_gives_the_same_bytes(kind, tmp_path):
    fitted(kind).save(tmp_path / "one")
    S3NMF.load(tmp_path / "one").save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with zipfile.ZipFile(tmp_path / "one") as archive:
        assert {entry.date_time[0] for entry in archive.infolist()} == {1980}, "on any day"


def test_what_lives_in_a_program_only_is_not_saved(tmp_path):
    model = S3NMF(
        3,
        solver=partial(hals, penalty=0.1),
        n_members=4,
        max_iter=30,
        random_state=np.random.RandomState(0),
        callback=lambda progress: None,
    )
    model.fit(X).save(tmp_path / "model")
    loaded = S3NMF.load(tmp_path / "model")
    assert loaded.random_state is None
    assert loaded.callback is None
    assert loaded.solver == "square_root"
    np.testing.assert_array_equal(loaded.labels_, model.labels_)


def test_the_arrays_can_be_read_without_the_library(saved):
    model = S3NMF.load(saved)
    with np.load(saved, allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["labels"], model.labels_)
        np.testing.assert_array_equal(arrays["features"], X)
        assert arrays["round1_member_labels"].shape == (4, 90)
        assert arrays["labels"].dtype == np.uint8, "in as few bytes as they need"


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
def test_points_without_edges_are_known_after_loading(tmp_path):
    W = sp.block_diag([nearest_neighbor_affinity(X), sp.csr_array((2, 2))], format="csr")
    model = S3NMF(3, affinity="precomputed", **SMALL).fit(W)
    model.save(tmp_path / "model")
    loaded = S3NMF.load(tmp_path / "model")
    assert loaded.result_.isolated.tolist() == model.result_.isolated.tolist() == [90, 91]
    assert not loaded.membership_[90:].any()


def test_where_the_data_are_from_may_be_in_a_file_and_does_not_matter(saved, contents):
    plain = S3NMF.load(saved)
    write(saved, with_header(contents, origin={"ids": ["of", "another", "program"], "nested": {"more": [1, None]}}))
    np.testing.assert_array_equal(S3NMF.load(saved).labels_, plain.labels_)
    assert read_model(saved).origin["nested"] == {"more": [1, None]}


def test_a_loaded_model_can_be_fitted_again(saved):
    loaded = S3NMF.load(saved)
    labels = loaded.labels_.copy()
    np.testing.assert_array_equal(loaded.fit(pd.DataFrame(X, columns=["a", "b"])).labels_, labels)


def test_nothing_is_saved_before_a_fit(tmp_path):
    with pytest.raises(NotFittedError):
        S3NMF().save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_the_old_file_stays_if_saving_fails(saved, monkeypatch):
    before = saved.read_bytes()
    model = S3NMF.load(saved)
    monkeypatch.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        model.set_params(tol=0.5).save(saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved], "and nothing is left beside it"


def test_files_have_the_usual_permissions(saved):
    usual = saved.with_name("usual")
    usual.touch()
    assert saved.stat().st_mode == usual.stat().st_mode


def test_a_missing_file_is_missing_not_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        S3NMF.load(tmp_path / "nowhere")


HEADERS = [
    ({"format": "something else"}, "does not say"),
    ({"version": 3}, "version 3 of the format; this version of s3nmf reads 2. Update s3nmf, or cluster the data again"),
    ({"version": 1}, "version 1 of the format; this version of s3nmf reads 2. Cluster the data again and save"),
    ({"format": "s3nmf clustering", "version": 1}, "version 1 of the format; .* save the model anew"),
    ({"version": None}, "version None"),
    ({"n_samples": 91}, "shape"),
    ({"n_samples": True}, "n_samples is True"),
    ({"n_samples": 1e9}, "n_samples is 1000000000.0"),
    ({"n_samples": -4}, "n_samples is -4"),
    ({"n_samples": 10**30}, "must be an integer"),
    ({"n_clusters": 2}, "shape"),
    ({"n_clusters": 1000}, "at most n_samples"),
    ({"n_members": "4"}, "n_members is '4'"),
    ({"chosen_round": 99}, "one of the rounds"),
    ({"rounds": []}, "rounds is"),
    ({"rounds": {}}, "rounds is"),
    ({"rounds": [7]}, "round 1 is 7"),
    ({"rounds": [{"agreement": 2.0}]}, "agreement between 0 and 1"),
    ({"rounds": [{"agreement": 0.5, "n_iter": 3, "converged": "yes", "seconds": 1.0}]}, "true or false"),
    ({"affinity": "pickled"}, "affinity is 'pickled'"),
    ({"affinity": "dense"}, "affinity.npy is missing"),
    ({"affinity": ["dense"]}, "affinity is"),
    ({"features": None}, "n_features is 2"),
    ({"features": {}}, "features is"),
    ({"features": "sparse"}, "features.npy is not part"),
    ({"n_features": 3}, "feature_names is"),
    ({"feature_names": ["a"]}, "a list of 2 names"),
    ({"feature_names": [1, 2]}, "a list of 2 names"),
    ({"starts": True}, "starts.npy is missing"),
    ({"starts": 0}, "starts is 0"),
    ({"origin": []}, "origin is"),
    ({"origin": "a table"}, "origin is 'a table'; it must be an object or null"),
    ({"parameters": []}, "parameters is"),
    ({"parameters": {"n_clusters": "three"}}, "parameters are not those of a model"),
    ({"parameters": {"n_clusters": -3}}, "parameters are not those of a model"),
    ({"parameters": {"unknown": 1}}, "parameters are not those of a model"),
]


@pytest.mark.parametrize(("changes", "message"), HEADERS, ids=[str(changes)[:40] for changes, _ in HEADERS])
def test_headers_that_are_wrong_are_refused(changes, message, saved, contents):
    write(saved, with_header(contents, **changes))
    with pytest.raises(ModelFileError, match=message):
        S3NMF.load(saved)


def test_headers_with_more_or_less_are_refused(saved, contents):
    for name in json.loads(contents["header.json"]):
        header = json.loads(contents["header.json"])
        del header[name]
        write(saved, {**contents, "header.json": json.dumps(header)})
        with pytest.raises(ModelFileError, match=f"lacks {name}|does not say|version None"):
            S3NMF.load(saved)
    write(saved, with_header(contents, more=1))
    with pytest.raises(ModelFileError, match="unknown field, more"):
        S3NMF.load(saved)


TEXTS = [
    b"",
    b"[1, 2",
    b"null",
    b"3",
    b"[]",
    b'"text"',
    b"{}",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"format": NaN}',
    b"9" * 9000,
]


@pytest.mark.parametrize("text", TEXTS, ids=[str(text[:16]) for text in TEXTS])
def test_headers_that_are_no_headers_are_refused(text, saved, contents):
    write(saved, {**contents, "header.json": text})
    with pytest.raises(ModelFileError):
        S3NMF.load(saved)


def changed(contents, name, change):
    array = np.load(io.BytesIO(contents[f"{name}.npy"]))
    return {**contents, f"{name}.npy": array_bytes(change(array.copy()))}


def put(at, value):
    def change(array):
        array[at] = value
        return array

    return change


ARRAYS = [
    ("labels", put(0, 200), "labels are not those of the chosen"),
    ("labels", lambda labels: labels.astype(np.int64), "dtype"),
    ("labels", lambda labels: labels.astype(object), "not a plain array"),
    ("labels", lambda labels: labels[:-1], "shape"),
    ("labels", lambda labels: labels[:, None], "shape"),
    ("confidence", put(3, np.nan), "confidence is not what the members of round 1 say"),
    ("confidence", put(3, 0.0), "confidence is not"),
    ("confidence", lambda sure: sure.astype(complex), "not a plain array"),
    ("confidence", lambda sure: sure.astype(">f8"), "not a plain array"),
    ("membership", put((0, 1), np.nan), "membership is not what"),
    ("membership", put((0, 1), -0.5), "membership is not what"),
    ("membership", np.asfortranarray, "not a plain array"),
    ("round1_member_labels", put((0, 0), 250), "with n_samples=90"),
    ("round1_member_labels", put((1, slice(None)), 5), "numbered by decreasing size"),
    ("round1_weights", put(0, np.nan), "not shares of 1"),
    ("round1_weights", put(0, 2.0), "not shares of 1"),
    ("round1_objective", put((0, 0), np.inf), "not finite"),
    ("affinity_data", put(0, np.nan), "NaN"),
    ("affinity_data", put(0, -1.0), "negative"),
    ("affinity_data", put(0, 9.0), "not symmetric"),
    ("affinity_data", lambda data: data[:-1], "do not fit"),
    ("affinity_indices", put(0, 90), "outside of its 90 columns"),
    ("affinity_indices", put(0, -1), "outside of its 90 columns"),
    ("affinity_indptr", put(-1, 10**6), "do not fit"),
    ("affinity_indptr", put(-1, -5), "do not fit"),
    ("affinity_indptr", put(4, 2**31 - 1), "do not fit"),
    ("affinity_indptr", put(0, 1), "do not fit"),
    ("features", put((5, 1), np.inf), "not finite"),
    ("features", put((5, 1), np.nan), "not finite"),
]


@pytest.mark.parametrize(("name", "change", "message"), ARRAYS)
def test_arrays_that_are_wrong_are_refused(name, change, message, saved, contents):
    write(saved, changed(contents, name, change))
    with pytest.raises(ModelFileError, match=message):
        S3NMF.load(saved)


def test_arrays_that_are_missing_or_too_many_are_refused(saved, contents):
    for name in contents:
        write(saved, {other: data for other, data in contents.items() if other != name})
        with pytest.raises(ModelFileError, match=f"{name} is missing|has no header"):
            S3NMF.load(saved)
    write(saved, {**contents, "more.npy": contents["labels.npy"]})
    with pytest.raises(ModelFileError, match=r"more\.npy is not part of a saved model"):
        S3NMF.load(saved)


def test_a_pickle_is_never_opened(saved, contents, tmp_path):
    class Trap:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "sprung"),))

    trap = np.empty(90, dtype=object)
    trap[0] = Trap()
    write(saved, {**contents, "labels.npy": array_bytes(trap)})
    with pytest.raises(ModelFileError, match="not a plain array"):
        S3NMF.load(saved)
    assert not (tmp_path / "sprung").exists()


def test_sizes_are_checked_before_anything_is_allocated(saved, contents, monkeypatch):
    """A header of a few bytes that asks for 8 TB, and a deflated member that would become a thousand times as large."""
    huge = with_header(contents, n_samples=10**6, n_clusters=10**6)
    claim = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }".ljust(117) + b"\n"
    huge["labels.npy"] = array_bytes(np.zeros(10**6, np.uint8))
    huge["confidence.npy"] = array_bytes(np.zeros(10**6))
    huge["membership.npy"] = b"\x93NUMPY\x01\x00" + len(claim).to_bytes(2, "little") + claim
    write(saved, huge)
    with pytest.raises(ModelFileError, match="membership has 128 bytes, which is not the size"):
        S3NMF.load(saved)
    write(saved, contents, zipfile.ZIP_DEFLATED)
    with pytest.raises(ModelFileError, match="is compressed"):
        S3NMF.load(saved)


def test_a_sparse_table_may_be_as_wide_as_it_says(tmp_path):
    """Its width is in the header only, and costs nothing."""
    path = tmp_path / "model"
    model = fitted("sparse features")
    model.save(path)
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    write(path, with_header(contents, n_features=2**40))
    assert S3NMF.load(path).n_features_in_ == 2**40


def test_members_that_share_their_bytes_are_refused(saved):
    """A directory whose entries all point at one large member claims more than the file holds."""
    data = bytearray(saved.read_bytes())
    with zipfile.ZipFile(saved) as archive:
        entries = archive.infolist()
        largest = max(entries, key=lambda entry: entry.file_size)
        size, offset = largest.file_size.to_bytes(4, "little"), largest.header_offset.to_bytes(4, "little")
        at = archive.start_dir
    for entry in entries:
        data[at + 20 : at + 28] = size + size
        data[at + 42 : at + 46] = offset
        at += 46 + len(entry.filename) + len(entry.extra)
    saved.write_bytes(data)
    with pytest.raises(ModelFileError, match="says that it holds"):
        S3NMF.load(saved)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_arrays_of_one_name_are_refused(saved):
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr("labels.npy", b"")
    with pytest.raises(ModelFileError, match="two arrays of one name"):
        S3NMF.load(saved)


def load_or_refuse(path, data):
    """Whether the bytes are a model; anything but a model or a ModelFileError fails the test, and so does slowness."""
    path.write_bytes(data)
    began = time.perf_counter()
    try:
        S3NMF.load(path).diagnose()
    except ModelFileError:
        return False
    finally:
        assert time.perf_counter() - began < 2.0
    return True


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_give_a_model_or_one_kind_of_error(seed, saved):
    whole = saved.read_bytes()
    random = np.random.default_rng(seed)
    with zipfile.ZipFile(saved) as archive:
        directory = archive.start_dir
    refused = 0
    for trial in range(100):
        data = bytearray(whole)
        # Half of the damage goes to the directory of the archive, where it is harder to find.
        first = directory if trial % 2 else 0
        for _ in range(random.integers(1, 4)):
            data[random.integers(first, len(data))] ^= 1 << random.integers(8)
        refused += not load_or_refuse(saved, data)
    for _ in range(25):
        assert not load_or_refuse(saved, whole[: random.integers(len(whole))])
        cut = np.sort(random.integers(0, len(whole), 2))
        assert not load_or_refuse(saved, whole[: cut[0]] + whole[cut[1] + 1 :])
    assert refused > 50, "most damage is found"


@pytest.mark.parametrize("seed", range(2))
def test_arrays_and_headers_that_were_made_up_give_a_model_or_one_kind_of_error(seed, saved, contents):
    """With checksums that fit: what is damaged was put into the archive like that."""
    random = np.random.default_rng(seed)
    names = sorted(contents)
    for trial in range(100):
        changed = dict(contents)
        one, other = random.choice(names, 2, replace=False)
        if trial % 3 == 0:
            changed[one], changed[other] = changed[other], changed[one]
        else:
            data = bytearray(changed[one])
            first = 0 if trial % 3 == 1 else min(128, len(data) - 1)
            for _ in range(random.integers(1, 6)):
                data[random.integers(first, len(data))] = random.integers(256)
            changed[one] = bytes(data)
        buffer = io.BytesIO()
        write(buffer, changed)
        load_or_refuse(saved, buffer.getvalue())


@pytest.mark.parametrize("data", [b"", b"PK", b"hello", b"PK\x05\x06" + b"\0" * 18, b"\x80\x04K\x01."], ids=str)
def test_other_files_are_refused(data, tmp_path):
    (tmp_path / "model").write_bytes(data)
    with pytest.raises(ModelFileError):
        S3NMF.load(tmp_path / "model")
