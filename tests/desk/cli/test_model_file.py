import contextlib
import io
import json
import zipfile

import numpy as np
import pytest

from s3nmf import S3NMF, ModelFileError
from s3nmf._archive import write_archive
from s3nmf.desk.cli.model_file import is_model, load_clustering


def parts_of(path):
    """The header and the arrays of a file."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".npy")]
        arrays = {name.removesuffix(".npy"): np.load(io.BytesIO(archive.read(name))) for name in names}
        return json.loads(archive.read("header.json")), arrays


@pytest.fixture
def model(run, blobs, directory):
    assert run("cluster", blobs, "-k", 2, "--model", "m.s3nmf", "--out", "l.csv").exit_code == 0
    return directory / "m.s3nmf"


@pytest.fixture
def changed(model):
    """A model file whose header was changed by a function."""
    header, arrays = parts_of(model)

    def write(change):
        change(header)
        write_archive("changed.s3nmf", header, arrays)
        return "changed.s3nmf"

    return write


def test_python_reads_what_the_command_line_wrote(model):
    found, loaded = load_clustering(model), S3NMF.load(model)
    np.testing.assert_array_equal(loaded.labels_, found.model.labels_)
    np.testing.assert_array_equal(loaded.predict(loaded.X_fit_), loaded.labels_)
    assert loaded.judge().sentences == found.model.judge().sentences


def test_both_write_the_same_file_but_for_the_names(run, model, directory):
    header, arrays = parts_of(model)
    S3NMF.load(model).save("python.s3nmf")
    bare, same = parts_of("python.s3nmf")
    assert {**header, "origin": None} == bare
    assert header["origin"]["ids"] == [str(row) for row in range(40)]
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, same[name])
    assert run("report", "python.s3nmf", "--quiet").exit_code == 0
    assert "The model was saved in Python" in (directory / "report.html").read_text(encoding="utf-8")


def test_a_file_that_was_not_changed_is_read(changed):
    found = load_clustering(changed(lambda header: None))
    assert found.features.columns == ("x", "y")
    assert found.notes == ("Standardised 2 columns.",)


def test_columns_that_were_kept_come_back_and_earlier_files_have_none(changed):
    kept = {"kind": ["a", None] * 20}
    assert load_clustering(changed(lambda header: header["origin"].update(kept=kept))).kept == kept
    assert load_clustering(changed(lambda header: header["origin"].pop("kept"))).kept == {}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda header: header.update(format="s3nmf"), "does not say that this is a saved model"),
        (lambda header: header.update(version=2), "version 2 of the format; this version of s3nmf reads 3. Cluster"),
        (lambda header: header.update(format="s3nmf clustering", version=1), "version 1 of the format"),
        (lambda header: header.update(more=1), "unknown field, more"),
        (lambda header: header["origin"].pop("notes"), "its origin has the fields"),
        (lambda header: header["origin"].update(more=1), "its origin has the fields"),
        (lambda header: header.update(origin={}), "its origin has the fields"),
        (lambda header: header["origin"]["ids"].pop(), "it must have 40 ids"),
        (lambda header: header["origin"]["ids"].__setitem__(3, 3), "it must have 40 ids"),
        (lambda header: header["origin"].update(ids="x" * 40), "it must have 40 ids"),
        (lambda header: header["origin"].update(notes=5), "notes must be texts"),
        (lambda header: header["origin"].update(kept=[]), "each column that it kept must have 40 texts"),
        (lambda header: header["origin"].update(kept={"kind": ["a"]}), "each column that it kept must have 40 texts"),
        (
            lambda header: header["origin"].update(kept={"kind": [1] * 40}),
            "each column that it kept must have 40 texts",
        ),
        (lambda header: header["origin"].update(source=None), "names must be texts"),
        (lambda header: header["origin"].update(features=None), "only of a table it must have columns"),
        (lambda header: header["origin"].update(features=[]), "describe its columns"),
        (lambda header: header["origin"]["features"].pop("medians"), "describe its columns"),
        (lambda header: header["origin"]["features"]["columns"].append("z"), "it has 2 columns"),
        (lambda header: header["origin"]["features"].update(columns=["x", "x"]), "names that differ"),
        (lambda header: header["origin"]["features"].update(medians=[0.0, "1"]), "must have a median"),
        (lambda header: header["origin"]["features"].update(scalings=3), "must have a scaling"),
        (lambda header: header["origin"]["features"].update(scalings=[[0, 1.0]] * 2), "scalings must be numbers"),
        (lambda header: header["origin"]["features"].update(scalings=[[0, 0.0, 0.0, 0.0]] * 2), "spreads must be > 0"),
        (lambda header: header["origin"]["features"].update(scalings=[[0.5, 0.0, 0.0, 1.0]] * 2), "must be integers"),
        (lambda header: header["origin"]["features"].update(scalings=[[9999, 0.0, 0.0, 1.0]] * 2), "must be integers"),
        (lambda header: header["origin"]["features"].update(medians=[10**400, 0.0]), "must have a median"),
    ],
)
def test_files_whose_parts_do_not_belong_together_are_refused(changed, change, says):
    with pytest.raises(ModelFileError, match=r"changed.s3nmf cannot be read as a model\.") as error:
        load_clustering(changed(change))
    assert says in str(error.value)


@pytest.mark.parametrize("seed", range(2))
def test_damaged_names_and_scalings_give_a_clustering_or_one_kind_of_error(seed, model):
    """With checksums that fit: what is damaged was put into the archive like that."""
    random = np.random.default_rng(seed)
    with zipfile.ZipFile(model) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(contents["header.json"])
    rest, whole = json.dumps({**header, "origin": None}), json.dumps(header["origin"]).encode()
    read = 0
    for _ in range(100):
        damaged = bytearray(whole)
        for at in random.integers(len(damaged), size=random.integers(1, 4)):
            damaged[at] = random.choice(list(b'0129-."[]{},:e'))
        contents["header.json"] = rest.replace('"origin": null', f'"origin": {damaged.decode()}')
        with zipfile.ZipFile("changed.s3nmf", "w") as archive:
            for name, data in contents.items():
                archive.writestr(name, data)
        with contextlib.suppress(ModelFileError):
            features = load_clustering("changed.s3nmf").features
            assert np.isfinite([*features.medians, *np.ravel(features.scalings)]).all()
            read += 1
    assert 0 < read < 100


def test_no_part_of_a_file_is_taken_for_all_of_it(model, directory):
    whole = model.read_bytes()
    for length in range(0, len(whole), 499):
        (directory / "cut.s3nmf").write_bytes(whole[:length])
        with pytest.raises(ModelFileError):
            load_clustering("cut.s3nmf")


def test_models_are_told_from_data_by_name_or_content(directory, blobs):
    np.savez(directory / "t.npz", X=np.eye(3))
    (directory / "broken.s3nmf").write_bytes(b"PK")
    X = np.loadtxt(blobs, delimiter=",", skiprows=1)
    S3NMF(2, random_state=0).fit(X).save("python")
    assert [is_model(name) for name in ("t.npz", "blobs.csv", "broken.s3nmf", "python")] == [False, False, True, True]


def test_a_graph_that_was_fitted_in_python_is_read_with_numbers_for_names(directory):
    W = np.kron(np.eye(2), np.ones((5, 5))) + 0.01
    S3NMF(2, affinity="precomputed", random_state=0).fit(W).save("python.s3nmf")
    found = load_clustering("python.s3nmf")
    assert (found.thing, found.ids[:2], found.features) == ("node", ["0", "1"], None)
