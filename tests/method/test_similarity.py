import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from s3nmf import Recipe, self_supervised_nmf
from s3nmf._threads import ALONE
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.graph.operators import CoAssociation, collapsed_co_association
from s3nmf.method.factorize import factorize
from s3nmf.partitions import by_decreasing_size, partition
from s3nmf.solvers.multiplicative import multiplicative
from s3nmf.solvers.starts import start_source


@pytest.mark.parametrize("members", ["communities", "factorizations"])
@pytest.mark.parametrize("name", ["text", "authors"])
def test_collapsed_rounds_are_literal_rounds_from_equal_starts_for_equal_tuples(blobs_affinity, name, members):
    """The collapse ties starts together and changes nothing else: sweeps, objective, weights and labels stay."""
    literal_recipe = Recipe.named(name)
    recipe = replace(literal_recipe, similarity="collapsed")
    collapsed = self_supervised_nmf(
        blobs_affinity, 6, members=members, n_members=6, max_rounds=2, recipe=recipe, random_state=2
    )
    first, second = collapsed.history
    factorizes = members == "factorizations"
    place = None if factorizes else weighted_graph(blobs_affinity).row_of
    rows, row_of = collapsed_co_association(first.member_labels, first.weights, place=place)
    seed = int(np.random.RandomState(2 if factorizes else 0).randint(np.iinfo(np.int32).max))
    norms = np.sqrt(rows.multiplicity)[:, None]
    tied = np.array([start / norms for start in start_source("uniform", 6, 6, seed)(2, rows)])
    literal, weights = factorize(
        CoAssociation(first.member_labels, first.weights),
        tied[:, row_of],
        multiplicative,
        literal_recipe,
        threads=ALONE,
    )
    assert second.n_iter == literal.n_iter
    np.testing.assert_allclose(second.objective, literal.objective, rtol=1e-6)
    np.testing.assert_allclose(second.weights, weights, rtol=1e-4)
    np.testing.assert_array_equal(second.member_labels, [by_decreasing_size(partition(V)) for V in literal.factors])


@pytest.mark.parametrize("members", ["communities", "factorizations"])
def test_without_collapse_points_with_equal_labels_may_part(blobs_affinity, members):
    collapsed, literal = (
        self_supervised_nmf(
            blobs_affinity,
            6,
            members=members,
            max_rounds=2,
            recipe=Recipe(similarity=similarity, max_iter=3),
            random_state=0,
        )
        for similarity in ("collapsed", "literal")
    )
    np.testing.assert_array_equal(literal.history[0].member_labels, collapsed.history[0].member_labels)
    both = [
        len(np.unique(np.concatenate([run.history[0].member_labels, run.history[1].member_labels]), axis=1).T)
        for run in (collapsed, literal)
    ]
    tuples = len(np.unique(collapsed.history[0].member_labels, axis=1).T)
    assert both[0] == tuples < both[1]


@pytest.mark.parametrize(
    ("members", "similarity"),
    [
        ("communities", "collapsed"),
        ("communities", "literal"),
        ("factorizations", "collapsed"),
        ("factorizations", "literal"),
        ("factorizations", "soft"),
    ],
)
def test_nothing_n_by_n_is_allocated(members, similarity):
    """8000 points: a dense similarity has 512 MB, all members' factors 1.3 MB each."""
    n = 8000
    ring = sp.diags_array([np.ones(n - 1), np.ones(n - 1), [1.0], [1.0]], offsets=[1, -1, n - 1, 1 - n], format="csr")
    settings = {"n_members": 5, "random_state": 0, "recipe": Recipe(similarity=similarity, max_iter=3)}
    self_supervised_nmf(ring[:20, :20], 2, members=members, max_rounds=3, **settings)  # what is compiled is not counted
    tracemalloc.start()
    self_supervised_nmf(ring, 2, members=members, max_rounds=3, **settings)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6
