import inspect
import json

import numpy as np
import pytest
from sklearn.base import clone

from experiments.figures import chosen_round
from experiments.protocols import Run, configured, parameters_of
from experiments.variants import ALL_ROUNDS, GOLDEN, LITERAL, SOFT, TEXTUAL, WITHOUT_ALPHA, with_variants
from s3nmf import S3NMF, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.metrics import evaluate
from tiny_suite import Projecting

SUITE = with_variants({"S3NMF": S3NMF(n_members=5)})


def fitted(name, W, seed=0):
    return configured(SUITE[name], Run("IRIS", name, seed), 3).fit(W)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_the_text_is_the_function_to_the_letter(iris_affinity):
    model = fitted(TEXTUAL, iris_affinity, seed=4)
    same = self_supervised_nmf(iris_affinity, 3, random_state=4, **LITERAL)
    np.testing.assert_array_equal(model.member_labels_, same.member_labels)
    np.testing.assert_array_equal(model.agreement_, same.agreement)
    assert model.n_iter_ == sum(found.n_iter for found in same.history)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_all_rounds_begin_as_the_default_and_are_ten(iris_affinity):
    model = fitted(ALL_ROUNDS, iris_affinity)
    default = S3NMF(3, affinity="precomputed", random_state=0).fit(iris_affinity)
    assert len(model.agreement_) == 10
    np.testing.assert_array_equal(model.agreement_[: len(default.agreement_)], default.agreement_)
    assert chosen_round(model.agreement_) == default.chosen_round_


def test_the_authors_run_has_185_of_210_points_right(seeds):
    X, y = seeds
    model = fitted(GOLDEN, nearest_neighbor_affinity(X), seed=7)
    assert round(210 * evaluate(y, model.labels_).accuracy) == 185


@pytest.mark.parametrize("name", [TEXTUAL, ALL_ROUNDS, GOLDEN])
def test_a_run_is_known_by_the_defaults_too(name):
    known = set(json.loads(parameters_of(SUITE[name]))["options"])
    assert known == set(inspect.signature(self_supervised_nmf).parameters) - {
        *("affinity", "n_clusters", "random_state", "n_jobs", "callback")
    }


def test_the_ablations_are_s3nmf_but_for_one_setting():
    assert SUITE[WITHOUT_ALPHA].weighting == "uniform"
    assert SUITE[SOFT].reconstruction == "soft"
    assert SUITE[SOFT].n_members == SUITE[WITHOUT_ALPHA].n_members == 5


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
        parameters_of(clone(SUITE["S3NMF"]).set_params(starts=np.ones(3)))
