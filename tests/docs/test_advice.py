"""How often the verdict's advice is right, as the comparison counts it."""

from benchmarks.members.results import Results, advice
from benchmarks.members.rivals import OURS, UNEQUAL

# ARI by default and by the other recipe, and whether that was advised.
RUNS = [(0.5, 0.9, 1), (0.5, 0.9, 0), (0.9, 0.9, 0), (0.9, 0.94, 1), (0.9, 0.5, 0)]


def rows():
    for seed, (default, unequal, advised) in enumerate(RUNS):
        run = {"set": "two, 10:1", "draw": 0, "seed": seed, "failed": ""}
        yield run | {"method": OURS, "ari": default, "advised": advised}
        yield run | {"method": UNEQUAL, "ari": unequal, "advised": 0}
    yield {"set": "two, 10:1", "draw": 1, "seed": 0, "failed": "", "method": OURS, "ari": 0.1, "advised": 1}


def test_advice_is_counted_where_both_recipes_were_run():
    assert advice(Results(rows()), ["two, 10:1"]) == {"better": [1, 2], "alike": [1, 2], "worse": [0, 1]}
