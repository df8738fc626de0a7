import json
import os
import zipfile
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from s3nmf import S3NMF, Communities, Recipe
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.estimators.saving import read_model
from s3nmf.method.members import equal_members
from s3nmf.partitions import by_decreasing_size
from s3nmf.report import write_report
from s3nmf.solvers.alternating import hals
from saved_models import BASE, FITS, SMALL, X, contents_of, with_header, write

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
QUIET = pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning", "ignore::s3nmf.DisconnectedGraphWarning")
EVERY = pytest.mark.parametrize("kind", FITS)


def new_points(model):
    width = model.n_features_in_
    return np.random.default_rng(0).random((20, width)) * (1.0 if width == 90 else 8.0)


def assert_same_parameter(before, after):
    if isinstance(before, Recipe):
        for name, value in vars(before).items():
            assert_same_parameter(value, getattr(after, name))
    else:
        np.testing.assert_array_equal(after, before)
        assert type(after) in (type(before), int, float)


@QUIET
@EVERY
def test_a_loaded_model_is_the_saved_one(kind, tmp_path):
    model = FITS[kind]()
    model.save(tmp_path / "model")
    loaded = S3NMF.load(tmp_path / "model")
    for name in ATTRIBUTES:
        before, after = np.asarray(getattr(model, name)), np.asarray(getattr(loaded, name))
        np.testing.assert_array_equal(before, after)
        assert before.dtype == after.dtype, name
    for name, value in model.get_params(deep=False).items():
        given = name == "members" and not isinstance(value, str)  # clusters have numbers in place of names
        assert_same_parameter(model.result_.history[0].member_labels if given else value, getattr(loaded, name))
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
    assert str(loaded.judge()) == str(model.judge())


@QUIET
@EVERY
def test_saving_what_was_loaded_gives_the_same_bytes(kind, tmp_path):
    FITS[kind]().save(tmp_path / "one")
    S3NMF.load(tmp_path / "one").save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with zipfile.ZipFile(tmp_path / "one") as archive:
        assert {entry.date_time[0] for entry in archive.infolist()} == {1980}, "on any day"


@QUIET
@pytest.mark.parametrize("kind", ["frame", "factorizations", "partitions", "partitions by name", "numpy numbers"])
def test_a_loaded_model_can_be_fitted_again(kind, tmp_path):
    model = FITS[kind]()
    model.save(tmp_path / "model")
    loaded = S3NMF.load(tmp_path / "model")
    again = loaded.fit(pd.DataFrame(X, columns=["a", "b"]) if kind == "frame" else X)
    np.testing.assert_array_equal(again.labels_, model.labels_)
    np.testing.assert_array_equal(again.agreement_, model.agreement_)


def test_what_lives_in_a_program_only_is_not_saved(tmp_path):
    model = S3NMF(
        3,
        recipe=Recipe(solver=partial(hals, penalty=0.1), starts="uniform", max_iter=30, tau=3.0),
        n_members=4,
        random_state=np.random.RandomState(0),
        callback=lambda progress: None,
    )
    model.fit(X).save(tmp_path / "model")
    loaded = S3NMF.load(tmp_path / "model")
    assert loaded.random_state is None
    assert loaded.callback is None
    assert loaded.recipe == Recipe(starts="uniform", max_iter=30, tau=3.0)
    np.testing.assert_array_equal(loaded.labels_, model.labels_)


def own_partitions(task):
    return equal_members([labels + 1 for labels in BASE])


@pytest.mark.parametrize("members", [Communities(), own_partitions])
def test_a_function_that_found_the_members_is_not_saved_and_what_it_found_is(tmp_path, members):
    model = S3NMF(3, members=members, **SMALL).fit(X)
    model.save(tmp_path / "model")
    loaded = S3NMF.load(tmp_path / "model")
    assert loaded.members == "communities"
    np.testing.assert_array_equal(loaded.result_.history[0].member_labels, model.result_.history[0].member_labels)


def test_a_file_says_what_rounds_factorized_and_one_that_does_not_is_read(tmp_path):
    """What has been weighed alike already is not advised to be."""
    FITS["frame"]().save(tmp_path / "model")
    assert {found.similarity for found in S3NMF.load(tmp_path / "model").result_.history[1:]} == {"collapsed"}
    contents = contents_of(tmp_path / "model")
    rounds = json.loads(contents["header.json"])["rounds"]
    for about in rounds:
        del about["similarity"]
    write(tmp_path / "former", with_header(contents, rounds=rounds))
    assert {found.similarity for found in S3NMF.load(tmp_path / "former").result_.history} == {None}


def test_given_partitions_are_in_a_file_as_the_members_of_round_1(tmp_path):
    FITS["partitions"]().save(tmp_path / "model")
    with np.load(tmp_path / "model", allow_pickle=False) as arrays:
        assert arrays["round1_member_labels"].shape == (5, 90)
        assert arrays["round1_objective"].shape == (0, 5)
        assert "round1_resolutions" not in arrays
        inside = BASE[0] >= 0
        np.testing.assert_array_equal(
            by_decreasing_size(arrays["round1_member_labels"][0][inside]), by_decreasing_size(BASE[0][inside])
        )


def test_the_arrays_can_be_read_without_the_library(saved):
    model = S3NMF.load(saved)
    with np.load(saved, allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["labels"], model.labels_)
        np.testing.assert_array_equal(arrays["features"], X)
        assert arrays["round1_member_labels"].shape == (4, 90)
        assert arrays["round1_resolutions"].shape == (4,)
        assert arrays["labels"].dtype == np.uint8, "in as few bytes as they need"


@QUIET
@pytest.mark.parametrize("members", ["communities", "factorizations"])
def test_points_without_edges_are_known_after_loading(tmp_path, members):
    W = sp.block_diag([nearest_neighbor_affinity(X), sp.csr_array((2, 2))], format="csr")
    model = S3NMF(3, members=members, affinity="precomputed", **SMALL).fit(W)
    model.save(tmp_path / "model")
    loaded = S3NMF.load(tmp_path / "model")
    assert loaded.result_.isolated.tolist() == model.result_.isolated.tolist() == [90, 91]
    assert not loaded.membership_[90:].any()


@QUIET
@pytest.mark.parametrize("kind", ["frame", "partitions", "numpy numbers"])
def test_a_loaded_model_has_a_report(kind, tmp_path):
    pytest.importorskip("jinja2", reason="needs jinja2: pip install 's3nmf[report]'")
    FITS[kind]().save(tmp_path / "model")
    write_report(S3NMF.load(tmp_path / "model"), tmp_path / "report.html")
    assert "3 clusters." in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_where_the_data_are_from_may_be_in_a_file_and_does_not_matter(saved, contents):
    plain = S3NMF.load(saved)
    write(saved, with_header(contents, origin={"ids": ["of", "another", "program"], "nested": {"more": [1, None]}}))
    np.testing.assert_array_equal(S3NMF.load(saved).labels_, plain.labels_)
    assert read_model(saved).origin["nested"] == {"more": [1, None]}


def test_how_a_fit_went_may_be_in_a_file_and_stays_there(saved, contents, tmp_path):
    trace = {"candidates": [{"name": "communities", "score": 0.25}], "rerun": None, "moved": {"by links": 3}}
    write(saved, with_header(contents, trace=trace))
    assert read_model(saved).trace == trace
    S3NMF.load(saved).save(tmp_path / "again")
    assert read_model(tmp_path / "again").trace == trace
    header = json.loads(contents["header.json"])
    del header["trace"]
    write(saved, {**contents, "header.json": json.dumps(header)})
    assert read_model(saved).trace is None, "files of earlier versions have none"


def test_nothing_is_saved_before_a_fit(tmp_path):
    with pytest.raises(NotFittedError):
        S3NMF().save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_the_old_file_stays_if_saving_fails(saved, monkeypatch):
    before = saved.read_bytes()
    model = S3NMF.load(saved)
    monkeypatch.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        model.set_params(max_rounds=5).save(saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved], "and nothing is left beside it"


def test_files_have_the_usual_permissions(saved):
    usual = saved.with_name("usual")
    usual.touch()
    assert saved.stat().st_mode == usual.stat().st_mode


def test_a_missing_file_is_missing_not_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        S3NMF.load(tmp_path / "nowhere")
