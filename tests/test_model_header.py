"""What is not a model is refused, by what its header says."""

import json

import numpy as np
import pytest

from s3nmf import S3NMF, ModelFileError
from saved_models import FITS, contents_of, with_header, write

HEADERS = [
    ({"format": "something else"}, "does not say"),
    ({"version": 4}, "version 4 of the format; this version of s3nmf reads 3. Update s3nmf, or cluster the data again"),
    ({"version": 2}, "version 2 of the format; this version of s3nmf reads 3. Cluster the data again and save"),
    ({"format": "s3nmf clustering", "version": 1}, "version 1 of the format; .* save the model anew"),
    ({"version": None}, "version None"),
    ({"n_samples": 91}, "shape"),
    ({"n_samples": True}, "n_samples is True"),
    ({"n_samples": 1e9}, "n_samples is 1000000000.0"),
    ({"n_samples": -4}, "n_samples is -4"),
    ({"n_samples": 10**30}, "must be an integer"),
    ({"n_clusters": 2}, "shape"),
    ({"n_clusters": 1000}, "at most n_samples"),
    ({"n_members": 4}, "unknown field, n_members"),
    ({"chosen_round": 99}, "one of the rounds"),
    ({"rounds": []}, "rounds is"),
    ({"rounds": {}}, "rounds is"),
    ({"rounds": [7]}, "round 1 is 7"),
    ({"affinity": "pickled"}, "affinity is 'pickled'"),
    ({"affinity": "dense"}, "affinity.npy is missing"),
    ({"affinity": ["dense"]}, "affinity is"),
    ({"features": None}, "n_features is 2"),
    ({"features": {}}, "features is"),
    ({"features": "sparse"}, "features.npy is not part"),
    ({"n_features": 3}, "feature_names is"),
    ({"feature_names": ["a"]}, "a list of 2 names"),
    ({"feature_names": [1, 2]}, "a list of 2 names"),
    ({"feature_names": ["a", "a"]}, "a list of names that differ"),
    ({"trace": [1]}, r"trace is \[1\]; it must be an object or null"),
    ({"parameters": {"metric": "nope"}}, "parameters are not those of a model: .*metric.*'nope'"),
    ({"parameters": {"metric": "seuclidean"}}, "parameters are not those of a model"),
    ({"starts": True}, "starts.npy is missing"),
    ({"starts": 0}, "starts is 0"),
    ({"partitions": 0}, "partitions is 0; it must be true or false"),
    ({"partitions": None}, "partitions is None"),
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
    for name in set(json.loads(contents["header.json"])) - {"trace"}:
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


ROUND = {"agreement": 0.5, "n_iter": 3, "converged": True, "seconds": 1.0, "resolutions": True}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agreement": 2.0}, "agreement between 0 and 1"),
        ({"agreement": None}, "agreement between 0 and 1"),
        ({"n_iter": -1}, "some sweeps, n_iter"),
        ({"n_iter": 1.5}, "some sweeps, n_iter"),
        ({"seconds": -1}, "took some seconds"),
        ({"converged": "yes"}, "converged, true or false"),
        ({"resolutions": 1}, "resolutions, true or false"),
        ({"similarity": 1}, "a similarity by its name, or null"),
        ({"resolutions": None}, "resolutions, true or false"),
        ({"resolutions": False}, "round1_resolutions.npy is not part"),
    ],
)
def test_rounds_that_cannot_be_are_refused(change, message, saved, contents):
    _, *others = json.loads(contents["header.json"])["rounds"]
    write(saved, with_header(contents, rounds=[{**ROUND, **change}, *others]))
    with pytest.raises(ModelFileError, match=message):
        S3NMF.load(saved)


RECIPES = [
    {"recipe": "paper"},
    {"recipe": ["text"]},
    {"recipe": 3},
    {"recipe": {"tau": 0.5}},
    {"recipe": {"tau": None}},
    {"recipe": {"solver": "nobody"}},
    {"recipe": {"unknown": 1}},
    {"recipe": {"solver": "hals", "inner_stop": "text"}},
]


@pytest.mark.parametrize("parameters", RECIPES, ids=str)
def test_recipes_that_cannot_be_are_refused(parameters, saved, contents):
    write(saved, with_header(contents, parameters=parameters))
    with pytest.raises(ModelFileError):
        S3NMF.load(saved)


@pytest.mark.parametrize("members", ["leiden", 3, None], ids=str)
def test_members_that_cannot_be_are_refused(members, saved, contents):
    write(saved, with_header(contents, parameters={"members": members}))
    with pytest.raises(ModelFileError, match="parameters are not those of a model"):
        S3NMF.load(saved)


@pytest.mark.parametrize(
    "parameters",
    [
        {"affinity": "precomputed"},
        {"n_neighbors": 1000},
        {"metric": "haversine"},
        {"metric": "seuclidean"},
        {"n_clusters": {}},
        {"n_clusters": True},
    ],
    ids=str,
)
def test_parameters_that_these_features_cannot_have_are_refused(parameters, tmp_path):
    path = tmp_path / "model"
    S3NMF(2).fit(np.random.default_rng(0).normal(size=(30, 3))).save(path)
    write(path, with_header(contents_of(path), parameters=parameters))
    with pytest.raises(ModelFileError, match="parameters are not those of a model"):
        S3NMF.load(path)


def test_starts_in_the_header_and_beside_it_are_refused(tmp_path):
    path = tmp_path / "model"
    FITS["starts"]().save(path)
    recipe = {"starts": "kuang"}
    write(path, with_header(contents_of(path), parameters={"members": "factorizations", "recipe": recipe}))
    with pytest.raises(ModelFileError):
        S3NMF.load(path)
