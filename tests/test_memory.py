import numpy as np
import pytest
import scipy.sparse as sp

from graphs import connected_affinity
from s3nmf import S3NMF, _memory, self_supervised_nmf
from s3nmf._validation import check_features
from s3nmf.method.members import Communities
from s3nmf.method.too_large import Size, refuse_large_fit


@pytest.mark.parametrize(
    ("members", "grows_with"), [("factorizations", "n_members=20, n_clusters=3"), ("communities", "n_members=20")]
)
def test_a_fit_that_does_not_fit_is_refused_before_it_starts(monkeypatch, members, grows_with):
    monkeypatch.setattr(_memory, "available_bytes", lambda: 1_000)
    told = []
    with pytest.raises(MemoryError, match=rf"needs about 0\.\d MB.*0\.0 MB are available.*{grows_with}"):
        self_supervised_nmf(connected_affinity(0, 40), 3, members=members, callback=told.append)
    assert not told, "before anything is computed"


@pytest.mark.parametrize("members", ["factorizations", "communities"])
@pytest.mark.parametrize("affinity", ["nearest_neighbors", "precomputed"])
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_it_is_refused_before_the_data_are_looked_at(monkeypatch, members, affinity, convert):
    monkeypatch.setattr(_memory, "available_bytes", lambda: 1_000)
    with pytest.raises(MemoryError, match=r"needs about .*n_samples=40"):
        S3NMF(3, members=members, affinity=affinity).fit(convert(np.full((40, 40), np.nan)))


def test_edges_count_as_much_as_was_measured(monkeypatch):
    """Ten million points with 26 edges each took 6.5 GB beyond their graph."""
    size = Size(10_000_000, 260_000_000, 20.0 * 260_000_000)
    monkeypatch.setattr(_memory, "available_bytes", lambda: 6.5e9)
    with pytest.raises(MemoryError, match=r"about 7\.0 GB.*260000000 entries"):
        refuse_large_fit(Communities(), "float32", size, 20, 10)
    monkeypatch.setattr(_memory, "available_bytes", lambda: 7.1e9)
    refuse_large_fit(Communities(), "float32", size, 20, 10)


def test_shares_of_many_clusters_count_as_much_as_was_measured(monkeypatch):
    """100,000 points with 12 edges each, in 100 clusters by 60 members, took 177 MB beyond their graph."""
    size = Size(100_000, 1_200_000, 20.0 * 1_200_000)
    monkeypatch.setattr(_memory, "available_bytes", lambda: 177e6)
    with pytest.raises(MemoryError, match=r"about 186.* MB.*n_clusters=100"):
        refuse_large_fit(Communities(), "float32", size, 60, 100)
    refuse_large_fit(Communities(), "float32", size, 60, 10)


def test_where_memory_is_unknown_nothing_is_refused(monkeypatch):
    monkeypatch.setattr(_memory, "available_bytes", lambda: None)
    _memory.refuse_if_too_large(1e30, "")


def test_the_limit_of_a_container_counts(monkeypatch, tmp_path):
    for name, text in {
        "memory.max": "5000\n",
        "memory.current": "1000\n",
        "memory.stat": "inactive_file 300\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(_memory, "_CONTROL_GROUP", tmp_path)
    assert _memory.available_bytes() == 4300
    (tmp_path / "memory.max").write_text("max\n", encoding="ascii")
    assert _memory.available_bytes() != 4300


def test_a_limit_of_the_process_counts(monkeypatch):
    resource = pytest.importorskip("resource")
    free = _memory.available_bytes()
    used = int(_memory._OWN_PAGES.read_text().split()[0]) * resource.getpagesize()
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (used + 10**8, resource.RLIM_INFINITY))
    assert 0.8 * 10**8 < _memory.available_bytes() < 1.2 * 10**8 < free
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1000, 1000))
    assert _memory.available_bytes() == 0


def test_single_precision_and_memory_maps_are_used_as_they_are(tmp_path):
    X = np.random.default_rng(0).random((100, 5), dtype=np.float32)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert np.shares_memory(check_features(mapped), mapped)
    one, other = (S3NMF(3, random_state=0).fit(table).labels_ for table in (X, mapped))
    np.testing.assert_array_equal(one, other)
