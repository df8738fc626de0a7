import json
from dataclasses import fields

import numpy as np
import pytest
from sklearn.base import clone

from experiments.figures import chosen_round
from experiments.protocols import Run, configured, parameters_of
from experiments.variants import ALL_ROUNDS, GOLDEN, SOFT, TEXTUAL, VARIANTS, WITHOUT_ALPHA, PaperS3NMF, with_variants
from s3nmf import S3NMF, Recipe, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.metrics import evaluate
from tiny_suite import Projecting

SUITE = with_variants({"S3NMF": S3NMF(n_members=5)})


def fitted(name, W, seed=0):
    return configured(SUITE[name], Run("IRIS", name, seed), 3).fit(W)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_the_text_is_the_function_to_the_letter(iris_affinity):
    model = fitted(TEXTUAL, iris_affinity, seed=4)
    same = self_supervised_nmf(iris_affinity, 3, members="factorizations", recipe="text", random_state=4)
    np.testing.assert_array_equal(model.member_labels_, same.member_labels)
    np.testing.assert_array_equal(model.agreement_, same.agreement)
    assert model.n_iter_ == sum(found.n_iter for found in same.history)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_all_rounds_begin_as_the_default_and_are_ten(iris_affinity):
    model = fitted(ALL_ROUNDS, iris_affinity)
    default = S3NMF(3, members="factorizations", affinity="precomputed", random_state=0).fit(iris_affinity)
    assert len(model.agreement_) == 10
    np.testing.assert_array_equal(model.agreement_[: len(default.agreement_)], default.agreement_)
    assert chosen_round(model.agreement_) == default.chosen_round_


def test_the_authors_run_has_185_of_210_points_right(seeds):
    X, y = seeds
    model = fitted(GOLDEN, nearest_neighbor_affinity(X), seed=7)
    assert round(210 * evaluate(y, model.labels_).accuracy) == 185


@pytest.mark.parametrize("name", ["S3NMF", *VARIANTS])
def test_a_run_is_known_by_the_defaults_too(name):
    known = json.loads(parameters_of(SUITE[name]))
    assert set(known) == {"n_members", "max_rounds", "tau", "recipe", "authors_starts"}
    assert set(known["recipe"]) == {field.name for field in fields(Recipe)}


def test_the_ablations_are_s3nmf_but_for_one_setting():
    assert SUITE["S3NMF"].recipe == Recipe(similarity="collapsed")
    assert SUITE[WITHOUT_ALPHA].recipe == Recipe(similarity="collapsed", weighting="uniform")
    assert SUITE[SOFT].recipe == Recipe(similarity="soft")
    assert SUITE[SOFT].n_members == SUITE[WITHOUT_ALPHA].n_members == SUITE["S3NMF"].n_members == 5


def test_ssc_is_repeated_with_its_settings():
    suite = with_variants({"SSC": Projecting(beta=0.5, max_iter=7), "S3NMF": S3NMF()})
    assert repr(suite["SSC"]) == "RepeatedSSC(beta=0.5, max_iter=7, n_clusters=2)"


def test_a_method_that_has_the_name_of_a_form_of_s3nmf_is_refused():
    with pytest.raises(ValueError, match=r"SOFT is what a form of S3NMF is called. Give the method another name"):
        with_variants({"SOFT": S3NMF(), "S3NMF": S3NMF()})


def test_settings_of_every_form_are_text_that_tells_them_apart():
    texts = {parameters_of(model) for model in SUITE.values()}
    assert len(texts) == len(SUITE)
    assert '"inner_stop": "text"' in parameters_of(SUITE[TEXTUAL])
    with pytest.raises(TypeError, match=r"array.* cannot be part of a run's settings"):
        parameters_of(clone(SUITE["S3NMF"]).set_params(recipe=Recipe(starts=np.ones(3))))


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("tau", [1.5, 5.0])
def test_tau_stands_in_for_that_of_the_recipe(iris_affinity, tau):
    model = PaperS3NMF(3, n_members=4, max_rounds=2, tau=tau, recipe=Recipe(tau=9.0), random_state=0).fit(iris_affinity)
    same = self_supervised_nmf(
        iris_affinity,
        3,
        members="factorizations",
        n_members=4,
        max_rounds=2,
        recipe=Recipe(tau=tau),
        random_state=0,
    )
    np.testing.assert_array_equal(model.result_.weights, same.weights)
    assert clone(model).get_params()["recipe"] == Recipe(tau=9.0)
