import json
import zipfile

import numpy as np
import pytest

from s3nmf import S3NMF, ModelFileError
from s3nmf._archive import write_archive
from s3nmf.cli.model_file import is_model, load_clustering


@pytest.fixture
def changed(run, blobs):
    """A model file whose header was changed by a function."""
    assert run("cluster", blobs, "-k", 2, "--model", "m.s3nmf", "--out", "l.csv").exit_code == 0
    with zipfile.ZipFile("m.s3nmf") as archive:
        header = json.loads(archive.read("header.json"))
        with archive.open("model.npy") as file:
            model = np.lib.format.read_array(file)

    def write(change):
        change(header)
        write_archive("changed.s3nmf", header, {"model": model})
        return "changed.s3nmf"

    return write


def test_a_file_that_was_not_changed_is_read(changed):
    found = load_clustering(changed(lambda header: None))
    assert found.features.columns == ("x", "y")
    assert found.notes == ("Standardised 2 columns.",)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda header: header.update(format="s3nmf"), "something else"),
        (lambda header: header.update(version=2), "It has version 2; this s3nmf reads 1."),
        (lambda header: header.pop("notes"), "its header has the fields"),
        (lambda header: header.update(more=1), "its header has the fields"),
        (lambda header: header["ids"].pop(), "it must have 40 ids"),
        (lambda header: header["ids"].__setitem__(3, 3), "it must have 40 ids"),
        (lambda header: header.update(ids="x" * 40), "it must have 40 ids"),
        (lambda header: header.update(notes=5), "notes must be texts"),
        (lambda header: header.update(source=None), "names must be texts"),
        (lambda header: header.update(features=None), "only of a table it must have columns"),
        (lambda header: header.update(features=[]), "describe its columns"),
        (lambda header: header["features"].pop("medians"), "describe its columns"),
        (lambda header: header["features"]["columns"].append("z"), "it has 2 columns"),
        (lambda header: header["features"].update(medians=[0.0, "1"]), "must have a median"),
        (lambda header: header["features"].update(scalings=3), "must have a scaling"),
        (lambda header: header["features"]["scalings"].__setitem__(0, [0, 1.0]), "scalings must be numbers"),
        (lambda header: header["features"]["scalings"].__setitem__(0, [0, 0.0, 0.0, 0.0]), "spreads must be > 0"),
        (lambda header: header["features"]["scalings"].__setitem__(0, [0.5, 0.0, 0.0, 1.0]), "spreads must be > 0"),
    ],
)
def test_files_whose_parts_do_not_belong_together_are_refused(changed, change, says):
    with pytest.raises(ModelFileError, match=r"changed.s3nmf cannot be read as a model\.") as error:
        load_clustering(changed(change))
    assert says in str(error.value)


def test_no_part_of_a_file_is_taken_for_all_of_it(run, blobs, directory):
    assert run("cluster", blobs, "-k", 2, "--model", "m.s3nmf", "--out", "l.csv").exit_code == 0
    whole = (directory / "m.s3nmf").read_bytes()
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
