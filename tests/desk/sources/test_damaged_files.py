"""Two thousand damaged files: each is read, or refused with a reason, in no time, and never half written out."""

import time
import zlib

import numpy as np
import pytest

from s3nmf._validation import check_affinity
from s3nmf.desk.sources import h5ad
from s3nmf.sources import Graph, SourceError, Table, read, write_labels
from samples import NAMED, damaged, valid_files

FILES = valid_files()
# A process is started for each .h5ad file.
COPIES = {name: 20 if name.endswith(".h5ad") else 104 for name in FILES}
SECONDS = 5.0


def test_there_are_two_thousand():
    assert sum(COPIES.values()) >= 2000


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_read_or_refused_with_a_reason(name, tmp_path, monkeypatch):
    monkeypatch.setattr(h5ad, "_SECONDS", SECONDS - 2)
    path, labels = tmp_path / name, tmp_path / "out" / "labels.csv"
    labels.parent.mkdir()
    options = {"id": "name"} if name in NAMED else {}
    outcomes = set()
    for seed in range(COPIES[name]):
        rng = np.random.default_rng([zlib.crc32(name.encode()), seed])
        path.write_bytes(damaged(FILES[name], rng))
        began = time.perf_counter()
        try:
            found = read(path, **options)
            write_labels(labels, {found.id_name: found.ids, "cluster": np.zeros(len(found.ids), int)})
        except SourceError:
            outcomes.add("refused")
            assert not list(labels.parent.iterdir()), "nothing is written"
        else:
            outcomes.add("read")
            check(found)
            assert [file.name for file in labels.parent.iterdir()] == ["labels.csv"]
            labels.unlink()
        assert time.perf_counter() - began < SECONDS, f"seed {seed}"
    assert outcomes == {"read", "refused"}, "the damage is neither fatal nor harmless"


def check(found):
    assert len(set(found.ids)) == len(found.ids) >= 2
    assert all(isinstance(name, str) for name in found.ids)
    assert all(note.endswith(".") for note in found.notes)
    if isinstance(found, Table):
        assert found.values.shape == (len(found.ids), len(found.columns))
        assert np.isfinite(found.values).all()
        assert (found.values.min(axis=0) < found.values.max(axis=0)).all()
    else:
        assert isinstance(found, Graph)
        assert found.affinity.shape == (len(found.ids), len(found.ids))
        assert not found.affinity.diagonal().any()
        check_affinity(found.affinity)
