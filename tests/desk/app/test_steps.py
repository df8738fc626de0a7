"""What is computed for a page, one step after the other."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from s3nmf import S3NMF
from s3nmf.desk.app.choices import Cut
from s3nmf.desk.app.opening import open_file
from s3nmf.desk.app.steps import Draw, Fit, Read, compute


class GivenUpError(Exception):
    pass


@pytest.fixture(scope="module")
def fitted(plants):
    """A file, and what is known once two clusters were found in it."""
    file, results = open_file(str(plants)), {}
    for step in (Read(file.reading), Fit(Cut(file.reading, 2))):
        results[step] = compute(step, file, results, lambda *told: None)
    return file, results


def test_a_file_that_was_forgotten_and_read_again_is_drawn_from_what_was_fitted(fitted):
    file, results = fitted
    read, draw = Read(file.reading), Draw(file.reading)
    before = compute(draw, file, results, lambda *told: None)
    again = {**results, read: compute(read, file, {}, lambda *told: None)}
    np.testing.assert_array_equal(compute(draw, file, again, lambda *told: None), before)


def test_a_map_that_nobody_waits_for_is_given_up_half_way(fitted):
    file, results = fitted
    shares = []

    def progress(words, share):
        shares.append(share)
        if share > 0.3:
            raise GivenUpError

    with pytest.raises(GivenUpError):
        compute(Draw(file.reading), file, results, progress)
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert shares[-1] < 0.5


@pytest.mark.filterwarnings("ignore")
def test_clusters_are_those_that_python_finds_also_of_columns_with_steps(tmp_path):
    """The graph that is kept for all numbers of clusters is that of the table, not that of the table without steps."""
    blobs, _ = make_blobs(200, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)
    values = np.column_stack([blobs, np.random.default_rng(0).integers(0, 2, (200, 2))]).round(4)
    np.savetxt(tmp_path / "t.csv", values, delimiter=",", header="a,b,sex,plan", comments="")
    file, results = open_file(str(tmp_path / "t.csv")), {}
    for step in (Read(file.reading), Fit(Cut(file.reading, 2)), Fit(Cut(file.reading, 3))):
        results[step] = compute(step, file, results, lambda *told: None)
    X = results[Read(file.reading)].values
    for number in (2, 3):
        expected = S3NMF(number, random_state=0).fit(X)
        found = results[Fit(Cut(file.reading, number))]
        np.testing.assert_array_equal(found.labels_, expected.labels_)
        assert found.judge().has_clusters == expected.judge().has_clusters
