"""A tiny store whose every number can be checked by hand."""

import json

import pytest

from experiments.outcome import SCORES
from experiments.results import Results
from experiments.store import Store
from outcomes import keyed, outcome

# Scores of all five metrics, by data set, method and setting, one a seed.
PLAIN = {
    ("SEEDS", "SC", "{}"): [0.80, 0.90],
    ("SEEDS", "SR", "{}"): [0.85, 0.85],
    ("SEEDS", "SSC", "{}"): [0.60, 0.70],
    ("SEEDS", "SSC", '{"beta": 0.01}'): [0.88, 0.90],
    ("SEEDS", "SSC", '{"beta": 0.1}'): [0.90, 0.70],
    ("SEEDS", "SNMF", "{}"): [0.50, 0.60],
    ("IRIS", "SC", "{}"): [0.70, 0.90],
    ("IRIS", "SR", "{}"): [0.60, 0.60],
    ("IRIS", "SSC", "{}"): [0.50, 0.80],
    ("IRIS", "SNMF", "{}"): [0.60, 0.70],
}
# The same of the partition handed out; and mean and standard deviation of the members of each run.
WITH_MEMBERS = {
    ("SEEDS", "S3NMF", "{}"): ([0.86, 0.90], [0.84, 0.88], [0.01, 0.03]),
    ("SEEDS", "S3NMF (text)", "{}"): ([0.80, 0.90], [0.82, 0.92], [0.00, 0.02]),
    ("SEEDS", "S3NMF (authors' starts)", "{}"): ([0.881], [0.881], [0.0]),
    ("SEEDS", "SOFT", "{}"): ([0.70, 0.80], [0.60, 0.70], [0.1, 0.1]),
    ("SEEDS", "w/o alpha", "{}"): ([0.99, 0.99], [0.84, 0.88], [0.0, 0.0]),
    ("IRIS", "S3NMF", "{}"): ([0.70, 0.72], [0.70, 0.72], [0.0, 0.0]),
    ("IRIS", "S3NMF (text)", "{}"): ([0.60, 0.62], [0.61, 0.63], [0.0, 0.0]),
    ("IRIS", "SOFT", "{}"): ([0.80, 0.80], [0.80, 0.80], [0.0, 0.0]),
    ("IRIS", "w/o alpha", "{}"): ([0.70, 0.70], [0.70, 0.70], [0.0, 0.0]),
    **{("SEEDS", "S3NMF", f'{{"n_members": {b}}}'): ([x], [x], [0.0]) for b, x in ((1, 0.5), (2, 0.6), (50, 0.95))},
    **{("SEEDS", "S3NMF", f'{{"tau": {t}}}'): ([0.99], [x], [0.0]) for t, x in ((1.2, 0.8), (1.5, 0.81), (5.0, 0.85))},
    **{("SEEDS", "S3NMF", f'{{"tau": {t}}}'): ([0.99], [x], [0.0]) for t, x in ((10.0, 0.9), (20.0, 0.9))},
}
DEFAULTS = {"n_members": 20, "tau": 2.0}


def rows():
    found = []
    for (dataset, method, setting), scores in PLAIN.items():
        for seed, score in enumerate(scores):
            row = {"dataset": dataset, "method": method, "setting": setting, "seed": seed, "score": score}
            found.append({**row, "shared_seconds": 1.75 if method == "SSC" else 0.0})
    for (dataset, method, setting), (scores, means, spreads) in WITH_MEMBERS.items():
        for seed, (score, mean, spread) in enumerate(zip(scores, means, spreads, strict=True)):
            members = {f"members_{name}": mean for name in SCORES} | {f"spread_{name}": spread for name in SCORES}
            parameters = json.dumps(DEFAULTS | json.loads(setting), sort_keys=True) if method == "S3NMF" else "{}"
            row = {"dataset": dataset, "method": method, "setting": setting, "seed": seed, "score": score}
            rounds = {"rounds_acc": [0.5, mean], "rounds_agreement": [0.5, 1.0], "chosen_round": 2}
            found.append({**row, **members, **rounds, "n_members": 20, "parameters": parameters})
    for seed, (acc, agreement) in enumerate([([0.5, 0.7, 0.8], [0.4, 0.9, 0.8]), ([0.6, 0.9, 0.7], [0.5, 0.6, 1.0])]):
        row = {"dataset": "SEEDS", "method": "S3NMF (all rounds)", "setting": "{}", "seed": seed, "score": acc[-1]}
        found.append({**row, "n_members": 20, "rounds_acc": acc, "rounds_agreement": agreement})
    return found


@pytest.fixture(scope="session")
def by_hand(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("by-hand"))
    for number, row in enumerate(rows()):
        scores = dict.fromkeys(SCORES, row.pop("score"))
        store.save(outcome(keyed(number), **scores, **row))
    return Results(store.directory)
