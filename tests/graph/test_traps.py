"""Common mistakes in data, said aloud."""

import re
import warnings
from contextlib import contextmanager

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from s3nmf import S3NMF, SuspiciousDataWarning
from s3nmf.graph.traps import traps_in_affinity, traps_in_features

RANDOM = np.random.default_rng(0)
ROWS = RANDOM.normal(size=(30, 3))


@contextmanager
def warnings_of(trap):
    """Of a trap; what else follows from such data may be warned of too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", SuspiciousDataWarning)
        with pytest.warns(SuspiciousDataWarning, match=trap):
            yield


def test_copies_are_counted():
    thrice = np.repeat(ROWS, 3, axis=0)
    with warnings_of(r"^60 rows \(67%\) are copies of others.*n_neighbors"):
        S3NMF(2, random_state=0).fit(thrice)
    assert list(traps_in_features(ROWS)) == []
    assert list(traps_in_features(sp.csr_array(thrice))) == []


def test_rows_that_have_the_same_sum_are_no_copies():
    assert list(traps_in_features(np.eye(20))) == []


@pytest.mark.parametrize(
    ("units", "said"),
    [
        ([1.0, 1.0, 20.0], r"^Column 2 is spread \d\d times as widely as all others: it decides\."),
        ([1.0, 200.0, 200.0], r"^Column [12] is spread \d\d\d times as widely as 0: it decides\."),
        ([1.0, 1.0, 5.0], None),
    ],
)
def test_columns_in_other_units_are_named(units, said):
    X = (ROWS - ROWS.mean(axis=0)) / ROWS.std(axis=0) * units
    found = list(traps_in_features(X))
    assert [bool(re.search(said, str(one))) for one in found] == [True] if said else found == []
    if said:
        with warnings_of(said):
            S3NMF(2, random_state=0).fit(X)


def test_a_constant_column_has_no_unit():
    assert list(traps_in_features(np.column_stack([ROWS, np.ones(30)]))) == []


@pytest.mark.parametrize("as_given", [np.asarray, sp.csr_array])
def test_distances_are_not_similarities(as_given):
    distances = cdist(ROWS, ROWS)
    with warnings_of("look like distances"):
        S3NMF(2, affinity="precomputed", random_state=0).fit(as_given(distances))
    similar = np.exp(-(distances**2)) - np.eye(30)
    assert list(traps_in_affinity(as_given(similar))) == []
    assert list(traps_in_affinity(as_given(np.ones((30, 30)) - np.eye(30)))) == [], "equal weights are no distances"


@pytest.mark.parametrize("shape", [(12, 11), (11, 12)])
def test_nothing_is_said_of_what_is_no_graph(shape):
    W = 1.0 - np.eye(*shape)
    assert not list(traps_in_affinity(W))
    with pytest.raises(ValueError, match=f"must be square.*{shape[0]} x {shape[1]}"):
        S3NMF(2, affinity="precomputed").fit(W)


def some_texts(lengths, columns=400, density=0.02):
    random = np.random.default_rng(0)
    X = sp.random_array((60, columns), density=density, rng=random, format="csr")
    unit = sp.diags_array(1 / np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel()))
    return sp.csr_array(sp.diags_array(lengths) @ unit @ X)


def test_texts_are_to_be_compared_by_the_cosine():
    lengths = np.linspace(1, 5, 60)
    (trap,) = traps_in_features(some_texts(lengths), metric="euclidean")
    assert "sparse, nonnegative, 400 columns" in str(trap)
    assert "metric='cosine'" in str(trap)
    for other in (
        traps_in_features(some_texts(lengths), metric="cosine"),
        traps_in_features(some_texts(np.ones(60)), metric="euclidean"),  # where both metrics say the same
        traps_in_features(some_texts(lengths, columns=100, density=0.08), metric="euclidean"),
        traps_in_features(some_texts(lengths, density=0.3), metric="euclidean"),
        traps_in_features(-some_texts(lengths), metric="euclidean"),
    ):
        assert list(other) == []
