from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest

from graphs import connected_affinity
from s3nmf import S3NMF, Recipe, self_supervised_nmf
from s3nmf.method.recipe import RECIPES

FACTORIZED = {"members": "factorizations", "max_rounds": 1, "random_state": 0}


@pytest.mark.parametrize("name", ["default", "unequal", "text", "authors"])
def test_a_name_stands_for_its_recipe(blobs_affinity, name):
    settings = {"members": "factorizations", "n_members": 4, "max_rounds": 2, "random_state": 0}
    named = self_supervised_nmf(blobs_affinity, 6, recipe=name, **settings)
    given = self_supervised_nmf(blobs_affinity, 6, recipe=Recipe.named(name), **settings)
    for one, other in zip(named.history, given.history, strict=True):
        np.testing.assert_array_equal(one.objective, other.objective)
        np.testing.assert_array_equal(one.weights, other.weights)
        assert one.agreement == other.agreement


def test_the_default_is_a_recipe_without_settings():
    assert Recipe.named("default") == Recipe()
    assert len({Recipe.named(name) for name in RECIPES}) == 4


def test_starts_for_every_point_are_refused_where_points_share_a_row():
    with pytest.raises(
        ValueError, match=r"similarity='normalized' has one row for all points.*Use similarity='literal'"
    ):
        replace(Recipe.named("unequal"), starts=np.ones((1, 2, 8, 2)))


def test_the_text_and_the_authors_code_differ_where_the_paper_does_from_its_code():
    text, authors = Recipe.named("text"), Recipe.named("authors")
    differ = {field.name for field in fields(Recipe) if getattr(text, field.name) != getattr(authors, field.name)}
    assert differ == {"residual_norm", "inner_stop", "nmi_average", "pairs"}


@pytest.mark.parametrize("name", ["paper", "TEXT", "", None, 3, {"tau": 2.0}])
def test_a_recipe_that_does_not_exist_is_refused_with_those_that_do(name):
    with pytest.raises(ValueError, match=r"'recipe' parameter of S3NMF must be (?=.*'authors').*'text'.*Recipe.* Got"):
        S3NMF(2, recipe=name).fit(connected_affinity(0, 8))
    with pytest.raises(ValueError, match=r"'recipe' parameter of self_supervised_nmf must be "):
        self_supervised_nmf(connected_affinity(0, 8), 2, recipe=name)


@pytest.mark.parametrize("name", ["paper", "TEXT"])
def test_a_name_that_no_recipe_has_is_refused_with_those_that_there_are(name):
    with pytest.raises(ValueError, match=rf"{name}.*'default'.*'text'.*'authors'"):
        Recipe.named(name)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"tau": 1.0}, r"'tau' parameter of Recipe must be a float in the range \(1.0, inf\). Got 1.0"),
        ({"tau": 0.5}, "Got 0.5"),
        ({"max_iter": 0}, r"'max_iter' parameter of Recipe must be an int in the range \[1, inf\). Got 0"),
        ({"tol": -1e-3}, "Got -0.001"),
        ({"trials": 0}, "'trials' parameter of Recipe .* Got 0"),
        ({"precision": "float16"}, "'precision' parameter of Recipe .*'float32'.* Got 'float16'"),
        ({"solver": "lbfgs"}, "'solver' parameter of Recipe must be a str among .*'square_root'.* Got 'lbfgs'"),
        ({"starts": "svd"}, "'starts' parameter of Recipe .*'kuang'.* Got 'svd'"),
        ({"starts": None}, "'starts' parameter of Recipe .* Got None"),
        ({"weighting": "best"}, "Got 'best'"),
        ({"similarity": "medium"}, "'similarity' parameter of Recipe .*'collapsed'.* Got 'medium'"),
    ],
)
def test_settings_that_cannot_be_are_refused_when_a_recipe_is_made(settings, words):
    with pytest.raises(ValueError, match=words):
        Recipe(**settings)
    with pytest.raises(ValueError, match=words):
        replace(Recipe.named("text"), **settings)


@pytest.mark.parametrize("field", ["residual_norm", "inner_stop", "outer_stop", "nmi_average", "pairs"])
def test_a_convention_that_does_not_exist_is_refused(field):
    with pytest.raises(ValueError, match=rf"'{field}' parameter of Recipe must be a str among .* Got 'author'"):
        Recipe(**{field: "author"})


def test_members_are_not_stopped_together_by_a_solver_whose_objective_is_another():
    with pytest.raises(ValueError, match=r"solver='hals' cannot stop by inner_stop='text'.*Or use inner_stop='each'"):
        Recipe(solver="hals", inner_stop="text")


def test_a_recipe_is_frozen():
    with pytest.raises(FrozenInstanceError):
        Recipe().tau = 3.0


def test_ways_to_average_change_the_agreement(blobs_affinity):
    levels = [
        self_supervised_nmf(blobs_affinity, 6, recipe=Recipe(max_iter=20, **averages), **FACTORIZED).agreement[0]
        for averages in ({}, {"nmi_average": "max"}, {"pairs": "all"})
    ]
    assert levels[1] < levels[0] < levels[2]


@pytest.mark.parametrize("members", ["communities", [[0] * 10 + [1] * 10]])
@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (Recipe(starts=np.ones((10, 20, 20, 2))), "A recipe with starts needs round 1 to factorize"),
        (Recipe(similarity="soft"), "A recipe with similarity='soft' needs round 1 to factorize"),
    ],
)
def test_what_only_factorizations_can_heed_is_refused_with_other_members(members, recipe, words):
    with pytest.raises(ValueError, match=words + r".*Use members='factorizations'"):
        self_supervised_nmf(connected_affinity(0, 20), 2, members=members, recipe=recipe)
