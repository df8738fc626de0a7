"""Files that are damaged, or were made to harm, give a model or one kind of error."""

import io
import os
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from s3nmf import S3NMF, ModelFileError
from saved_models import FITS, array_bytes, contents_of, with_header, write


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
    FITS["sparse features"]().save(path)
    write(path, with_header(contents_of(path), n_features=2**40))
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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and devices as on Unix")
def test_a_pipe_or_a_device_is_no_model(tmp_path):
    """One has nobody who writes, and the other no end."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(ModelFileError, match="is a pipe or a device; a model is read from a file"):
            S3NMF.load(path)
