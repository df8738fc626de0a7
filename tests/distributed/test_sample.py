import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from s3nmf.distributed.sample import reservoir, shares

SIZES = st.lists(st.integers(0, 1000), min_size=1, max_size=20).filter(any)


@given(SIZES, st.integers(1, 5000))
def test_every_part_has_its_share_of_the_sample(sizes, sample):
    counts = shares(sizes, sample)
    assert sum(counts) == min(sample, sum(sizes))
    assert all(0 <= count <= size for count, size in zip(counts, sizes, strict=True))
    fair = np.array(sizes) * min(1.0, sample / sum(sizes))
    assert (np.abs(counts - fair) < 1).all()


def test_a_larger_reservoir_begins_with_a_smaller_one():
    np.testing.assert_array_equal(reservoir(100, 60, seed=1, number=2)[:20], reservoir(100, 20, seed=1, number=2))
    assert sorted(reservoir(100, 100, seed=1, number=2)) == list(range(100))


def test_rows_are_drawn_by_seed_and_part():
    drawn = [reservoir(100, 20, seed, number).tolist() for seed in (0, 1) for number in (0, 1)]
    assert len({tuple(rows) for rows in drawn}) == 4
