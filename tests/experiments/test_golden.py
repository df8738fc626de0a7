from dataclasses import replace

import numpy as np
import pytest

from experiments import golden
from s3nmf import Recipe, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.metrics import evaluate


@pytest.fixture(scope="module")
def golden_run(data_directory):
    return golden.golden_run()


def test_the_agreement_by_round_is_the_authors(golden_run):
    np.testing.assert_allclose(golden_run[0].agreement, [0.4006, 0.9327, 1.0], atol=5e-5)
    assert golden_run[0].chosen_round == 3


def test_every_member_has_185_of_210_points_right(golden_run, seeds):
    result, scores = golden_run
    assert [round(210 * score.accuracy) for score in scores] == [185] * 20
    assert [round(value, 3) for value in evaluate(seeds[1], result.labels)] == [0.881, 0.668, 0.881, 0.689, 0.793]


def test_every_round_of_the_authors_code_has_301_sweeps(golden_run):
    assert [found.n_iter for found in golden_run[0].history] == [301, 301, 301]


def test_the_texts_stop_from_the_same_starts_takes_fewer_sweeps(seeds):
    X, y = seeds
    recipe = replace(Recipe.named("text"), starts=golden.authors_starts(210, 3))
    result = self_supervised_nmf(nearest_neighbor_affinity(X), 3, members="factorizations", recipe=recipe)
    assert [found.n_iter for found in result.history] == [209, 233, 143]
    assert round(210 * evaluate(y, result.labels).accuracy) == 187


def test_without_weights_the_golden_run_is_the_same(seeds):
    X, y = seeds
    recipe = replace(Recipe.named("authors"), starts=golden.authors_starts(210, 3), weighting="uniform")
    result = self_supervised_nmf(nearest_neighbor_affinity(X), 3, members="factorizations", recipe=recipe)
    assert round(210 * evaluate(y, result.labels).accuracy) == 185


def test_the_run_is_printed_beside_the_paper(golden_run):
    printed = golden.beside_the_paper(*golden_run)
    assert "round 3: ANMI 1.0000, 301 sweeps" in printed
    assert "of 210, in the members: 185." in printed
    assert printed.count("0.881 ± 0.000") == 4
