"""What is not a model is refused, by what its arrays hold."""

import io
import os

import numpy as np
import pytest

from s3nmf import S3NMF, ModelFileError
from saved_models import FITS, array_bytes, contents_of, write


def changed(contents, name, change):
    array = np.load(io.BytesIO(contents[f"{name}.npy"]))
    return {**contents, f"{name}.npy": array_bytes(change(array.copy()))}


def put(at, value):
    def change(array):
        array[at] = value
        return array

    return change


ARRAYS = [
    ("labels", put(0, 200), "not numbered by decreasing size"),
    ("labels", lambda labels: 2 - labels, "not numbered by decreasing size"),
    ("labels", np.zeros_like, "labels go up to 0, with n_clusters=3"),
    ("labels", lambda labels: labels.astype(np.int8) - np.int8(2), "not numbered by decreasing size"),
    ("labels", lambda labels: np.full_like(labels, -1, dtype=np.int8), "damaged"),
    ("labels", lambda labels: labels.astype(np.int64), "dtype"),
    ("labels", lambda labels: labels.astype(object), "not a plain array"),
    ("labels", lambda labels: labels[:-1], "shape"),
    ("labels", lambda labels: labels[:, None], "shape"),
    ("confidence", put(3, np.nan), "confidence has a point whose shares are not between 0 and 1"),
    ("confidence", put(3, 1.5), "confidence has a point"),
    ("confidence", lambda sure: sure.astype(complex), "not a plain array"),
    ("confidence", lambda sure: sure.astype(">f8"), "not a plain array"),
    ("membership", put((0, 1), np.nan), "membership has a point whose shares are not between 0 and 1"),
    ("membership", put((0, 1), -0.5), "membership has a point"),
    ("membership", lambda shares: shares + 0.5, "add up to more than 1"),
    ("membership", np.asfortranarray, "not a plain array"),
    ("round1_member_labels", put((0, 0), 250), "with n_samples=90"),
    ("round1_member_labels", put((1, slice(None)), 5), "numbered by decreasing size"),
    ("round1_weights", put(0, np.nan), "not shares of 1"),
    ("round1_weights", put(0, 2.0), "not shares of 1"),
    ("round1_weights", lambda weights: weights[:-1], "different numbers of members"),
    ("round1_objective", lambda objective: objective[:, :-1], "different numbers of members"),
    ("round1_resolutions", put(0, np.nan), "resolutions of round 1 .* not finite"),
    ("round1_resolutions", lambda resolutions: resolutions[:-1], "different numbers of members"),
    ("round1_resolutions", lambda resolutions: resolutions.astype(int), "dtype"),
    ("round2_objective", put((0, 0), np.inf), "not finite"),
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
    ("features", lambda X: X * 1e306, r"features has the value .*e\+30\d; distances need values up to 1e\+150"),
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


def test_given_partitions_must_be_partitions(tmp_path):
    path = tmp_path / "model"
    FITS["partitions"]().save(path)
    write(path, changed(contents_of(path), "round1_member_labels", put((0, 0), 250)))
    with pytest.raises(ModelFileError, match="A label of round 1 is 250, with n_samples=90"):
        S3NMF.load(path)
