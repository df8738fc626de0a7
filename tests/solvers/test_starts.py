import numpy as np
import pytest

from ensembles import planted_ensemble
from graphs import connected_affinity
from s3nmf.graph.operators import AffinityOperator, CoAssociation, collapsed_co_association
from s3nmf.solvers.starts import SpreadStarts, check_starts, start_source

W = AffinityOperator(connected_affinity(0, 12))
SHAPE = (4, 5, 12, 3)
SIZES = (5, 3)


def drawn(starts, n_members, n_clusters, seed=None, *, number=1, operator=W):
    return np.array(list(start_source(starts, n_members, n_clusters, seed)(number, operator)))


def test_the_same_seed_gives_the_same_starts():
    one, two = drawn(None, *SIZES, 7, number=2), drawn("uniform", *SIZES, 7, number=2)
    np.testing.assert_array_equal(one, two)
    assert one.shape == (5, 12, 3)
    assert 0 <= one.min() < one.max() < 1


def test_every_member_of_every_round_of_every_seed_has_its_own_start():
    starts = [drawn(None, *SIZES, seed, number=number) for seed in (0, 1) for number in (1, 2)]
    assert len(np.unique(np.concatenate(starts)[:, 0, 0])) == 20


def test_more_members_do_not_change_the_first_ones():
    few, many = drawn(None, *SIZES, 3), drawn(None, 9, 3, 3)
    np.testing.assert_array_equal(many[:5], few)


def test_kuang_starts_have_the_scale_of_the_solution():
    uniform, scaled = drawn("uniform", *SIZES, 3), drawn("kuang", *SIZES, 3)
    np.testing.assert_allclose(scaled, uniform * 2 * np.sqrt(connected_affinity(0, 12).mean() / 3))


def test_given_starts_are_used_by_round():
    given = np.random.default_rng(0).random(SHAPE)
    np.testing.assert_array_equal(start_source(given, *SIZES)(3, W), given[2])


def test_without_a_seed_starts_differ():
    assert drawn(None, *SIZES)[0, 0, 0] != pytest.approx(drawn(None, *SIZES)[0, 0, 0])


def test_a_part_of_the_members_starts_where_they_start_in_the_whole():
    whole = start_source(None, *SIZES, 3)(1, W)
    np.testing.assert_array_equal(list(whole[2:4]), [whole[2], whole[3]])


@pytest.mark.parametrize(
    ("starts", "words"),
    [
        (np.ones((3, 2)), r"starts has shape \(3, 2\); it must be \(n_samples, n_clusters\) = \(4, 2\)"),
        (
            np.where(np.arange(8).reshape(4, 2) == 5, -0.5, 1.0),
            r"starts is -0\.5 at \[2, 1\]; it must be finite and >= 0",
        ),
        (np.where(np.arange(8).reshape(4, 2) == 5, np.nan, 1.0), r"starts is nan at \[2, 1\]"),
        (np.ones((4, 2)) * 1j, "dtype complex128"),
        (np.zeros((4, 2)), "zeros only"),
    ],
)
def test_starts_that_cannot_be_used_are_refused(starts, words):
    with pytest.raises(ValueError, match=words):
        check_starts(starts, n_samples=4, n_clusters=2)


def test_starts_are_copied():
    given = np.ones((4, 2))
    checked = check_starts(given, n_samples=4, n_clusters=2)
    assert not np.shares_memory(given, checked)


def test_a_row_that_stands_for_many_points_starts_as_they_would_together():
    counts = np.array([1.0, 9.0, 4.0])
    rows = AffinityOperator(np.ones((3, 3)), counts)
    alone = AffinityOperator(np.ones((3, 3)))
    together = drawn(None, *SIZES, 3, operator=rows)
    np.testing.assert_allclose(together, drawn(None, *SIZES, 3, operator=alone) * np.sqrt(counts)[:, None])


BLOCK_OF = np.repeat(np.arange(6), [1, 2, 5, 20, 60, 300])
BLOCKS = BLOCK_OF[None].repeat(3, axis=0), np.full(3, 1 / 3)


@pytest.mark.parametrize("collapsed", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_of_blocks_a_spread_start_draws_each_once_however_small(seed, collapsed):
    operator, row_of = collapsed_co_association(*BLOCKS) if collapsed else (CoAssociation(*BLOCKS), np.arange(388))
    for start in start_source("spread", 4, 6, seed)(2, operator):
        similar = (start / np.sqrt(operator.multiplicity)[:, None])[row_of] >= 1.0
        assert (similar.sum(axis=1) == 1).all(), "each point is like one that was drawn"
        drawn = np.array([np.unique(BLOCK_OF[column]).item() for column in similar.T])
        assert sorted(drawn) == list(range(6))


def test_a_spread_start_has_no_zero_which_would_stay_one():
    for start in start_source("spread", 4, 6, 0)(2, CoAssociation(*BLOCKS)):
        assert (start > 0).all()


def test_more_columns_than_blocks_can_be_drawn():
    starts = start_source("spread", 2, 9, 0)(2, CoAssociation(*BLOCKS))
    assert np.isfinite(list(starts)).all()
    assert starts[0].shape == (388, 9)


def test_spread_starts_depend_on_the_seed_the_round_and_the_member_only():
    _, partitions = planted_ensemble(0, 60, 4)
    operator, _ = collapsed_co_association(partitions, np.full(20, 0.05))
    few, many = (start_source("spread", n_members, 4, 3)(2, operator) for n_members in (5, 9))
    assert isinstance(few, SpreadStarts)
    assert (len(few), len(many)) == (5, 9)
    np.testing.assert_array_equal(list(many)[:5], list(few), "more members do not change the first ones")
    np.testing.assert_array_equal(list(many[2:4]), [many[2], many[3]])
    np.testing.assert_array_equal(list(many[4:][1:3]), [many[5], many[6]])
    np.testing.assert_array_equal(many[2], many[2])
    others = [*few, *start_source("spread", 5, 4, 3)(3, operator), *start_source("spread", 5, 4, 4)(2, operator)]
    assert len({start[0, 0] for start in others}) == 15


def test_a_first_round_has_no_similarities_to_spread_by():
    np.testing.assert_array_equal(drawn("spread", *SIZES, 3), drawn("uniform", *SIZES, 3))
