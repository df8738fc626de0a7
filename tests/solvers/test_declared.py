"""Solvers declare what they take: nothing that a user asks for is dropped, and nothing else lists them by name."""

import re
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from s3nmf import S3NMF, Recipe, SymNMF, self_supervised_nmf, solvers, symmetric_nmf
from s3nmf._discovery import import_files_of
from s3nmf.graph.operators import AffinityOperator
from s3nmf.solvers.alternating import hals
from s3nmf.solvers.base import StepBelow, misfit
from s3nmf.solvers.declared import declared, solver
from s3nmf.solvers.multiplicative import multiplicative
from s3nmf.solvers.named import SOLVERS
from s3nmf.solvers.symmetric_nmf import SymNMFResult

EVERY = pytest.mark.parametrize("name", SOLVERS)
pytestmark = pytest.mark.filterwarnings(
    "ignore::s3nmf.DisconnectedGraphWarning",
    "ignore::s3nmf.EmptyClusterWarning",
    "ignore::sklearn.exceptions.ConvergenceWarning",
)
NEW_SOLVER = """
from s3nmf.solvers.declared import solver
from s3nmf.solvers.multiplicative import multiplicative

@solver("unheard_of", stops_jointly=True)
def unheard_of(operator, starts, **settings):
    return multiplicative(operator, starts, **settings)
"""


@pytest.fixture
def registry(monkeypatch):
    """Solvers that are declared within the test are forgotten after it."""
    for name in SOLVERS:
        monkeypatch.setitem(SOLVERS, name, SOLVERS[name])
    yield SOLVERS
    for name in ["unheard_of", "mine"]:
        SOLVERS.pop(name, None)
    sys.modules.pop("s3nmf.solvers.unheard_of", None)


def test_adding_a_solver_is_adding_a_file(tmp_path, monkeypatch, registry, iris_affinity):
    (tmp_path / "unheard_of.py").write_text(NEW_SOLVER)
    given = {"affinity": "precomputed", "random_state": 0}
    precomputed = {**given, "max_iter": 20}
    with pytest.raises(ValueError, match="'solver' parameter of SymNMF must be a str among"):
        SymNMF(3, solver="unheard_of", **precomputed).fit(iris_affinity)
    monkeypatch.setattr(solvers, "__path__", [*solvers.__path__, str(tmp_path)])
    import_files_of(solvers)
    wanted = SymNMF(3, **precomputed).fit(iris_affinity).labels_
    np.testing.assert_array_equal(SymNMF(3, solver="unheard_of", **precomputed).fit(iris_affinity).labels_, wanted)
    recipe = Recipe(solver="unheard_of", max_iter=20)
    for members in ("communities", "factorizations"):
        model = S3NMF(3, members=members, recipe=recipe, n_members=4, **given).fit(iris_affinity)
        assert model.labels_.shape == (150,)
    with pytest.raises(ValueError, match=r"'solver' parameter of Recipe must be a str among .*'unheard_of'"):
        Recipe(solver="nobody")


def test_a_name_belongs_to_one_solver(registry):
    with pytest.raises(ValueError, match=r"solver='hals' is <function hals .* already"):
        solver("hals")(lambda operator, starts, **settings: None)


@pytest.mark.parametrize("regularized", [hals, partial(multiplicative), lambda *given, **settings: None])
def test_a_function_that_does_not_regularize_is_refused_not_ignored(regularized, iris_affinity):
    with pytest.raises(ValueError, match=r"graph_regularization=1.0 needs solver='greedy' or 'multiplicative'; it is "):
        symmetric_nmf(iris_affinity, 3, graph_regularization=1.0, solver=regularized)


def test_a_function_takes_what_its_name_takes(iris_affinity):
    def factor(**settings):
        return symmetric_nmf(iris_affinity, 3, random_state=0, max_iter=20, **settings).factor

    np.testing.assert_array_equal(factor(solver=hals, penalty=0.1), factor(solver="hals", penalty=0.1))
    np.testing.assert_array_equal(
        factor(solver=multiplicative, graph_regularization=1.0), factor(graph_regularization=1.0)
    )
    own = partial(hals, penalty=0.1)
    np.testing.assert_array_equal(factor(solver=own), factor(solver="hals", penalty=0.1))


def test_a_penalty_that_nothing_would_heed_is_refused(iris_affinity):
    with pytest.raises(ValueError, match=r"penalty=0.1 needs solver='anls' or 'hals'; it is 'newton'"):
        symmetric_nmf(iris_affinity, 3, penalty=0.1, solver="newton")


@EVERY
def test_solvers_stop_together_if_their_objective_is_the_misfit(name, iris_affinity):
    starts = np.random.default_rng(0).random((4, 150, 3))
    operator = AffinityOperator(iris_affinity)
    run = SOLVERS[name](operator, starts, max_iter=3, stop=StepBelow(0.0))
    is_misfit = np.allclose(run.objective[-1], [misfit(operator, V) for V in run.factors])
    assert is_misfit == declared(name).stops_jointly


@EVERY
def test_the_rule_of_the_text_is_for_solvers_that_stop_together(name, iris_affinity):
    settings = {"members": "factorizations", "n_members": 4, "max_rounds": 2, "random_state": 0}
    text = replace(Recipe.named("text"), max_iter=20)
    if declared(name).stops_jointly:
        recipe = replace(text, solver=name)
        assert self_supervised_nmf(iris_affinity, 3, recipe=recipe, **settings).labels.shape == (150,)
    else:
        with pytest.raises(ValueError, match=rf"solver='{name}' cannot stop by inner_stop='text'.*'multiplicative'"):
            replace(text, solver=name)


def test_the_docstring_names_every_solver():
    def names(pattern, documented=symmetric_nmf):
        return set(re.findall(r'"(\w+)"', re.search(pattern, documented.__doc__, re.DOTALL)[1]))

    assert names(r"\n *solver : \{(.*?)\}") == set(SOLVERS)
    assert names(r"two factors of (.*?), relative") == {name for name in SOLVERS if declared(name).takes_penalty}
    assert names(r"similar rows of V; for(.*?)\n *max_iter") == {
        name for name in SOLVERS if declared(name).takes_graph_regularization
    }
    is_not_monotone = {name for name in SOLVERS if not declared(name).monotone}
    assert names(r"never increases, but by (.*?)\.\n", SymNMFResult) == is_not_monotone


@pytest.mark.parametrize("documented", [Recipe, SymNMF])
def test_others_say_where_solvers_are_described(documented):
    assert re.search(r"\n *solver : .*?`s3nmf\.symmetric_nmf`.*?\n *(max_iter|penalty)", documented.__doc__, re.DOTALL)
