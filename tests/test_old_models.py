"""Files of every released version open, with the labels and confidences they were saved with."""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest

from old_models.make import HERE, NEW
from s3nmf import S3NMF
from s3nmf.method import confidence, result

FILES = sorted(HERE.glob("*.s3nmf"))


@cache
def said():
    """What each file said when it was written."""
    return {name: one for path in HERE.glob("*.json") for name, one in json.loads(path.read_text("utf-8")).items()}


def test_no_file_was_lost():
    assert {path.stem for path in FILES} == set(said())
    assert len(FILES) >= 8


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_says_what_it_said_when_it_was_written(path, tmp_path):
    model, before = S3NMF.load(path), said()[path.stem]
    np.testing.assert_array_equal(model.labels_, before["labels"])
    np.testing.assert_allclose(model.confidence_, before["confidence"], rtol=0, atol=1e-12)
    if "predicted" in before:
        named = pd.DataFrame(NEW, columns=getattr(model, "feature_names_in_", None))
        np.testing.assert_array_equal(model.predict(named if path.stem.endswith("frame") else NEW), before["predicted"])
    assert model.judge(borders=False).count
    model.save(tmp_path / "again")
    np.testing.assert_array_equal(S3NMF.load(tmp_path / "again").membership_, model.membership_)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reading_does_not_compute_memberships_anew(path, monkeypatch):
    """Constants move, and so do formulas: a file keeps what it says."""
    for name in ("_VOICE", "_SHARPNESS", "_HOLD"):
        monkeypatch.setattr(confidence, name, 0.7, raising=False)
    monkeypatch.setattr(result, "own_share", lambda shares, labels: np.zeros(labels.size))
    np.testing.assert_allclose(S3NMF.load(path).confidence_, said()[path.stem]["confidence"], rtol=0, atol=1e-12)
