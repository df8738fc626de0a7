"""Rows of a store, made up."""

from dataclasses import replace

from experiments.outcome import SCORES, Outcome


def outcome(key="a" * 32, **changes):
    none = dict.fromkeys(Outcome.__dataclass_fields__)
    text = dict.fromkeys(("data_hash", "s3nmf", "python", "numpy", "scipy", "scikit_learn", "numba", "machine"), "1")
    what = {"dataset": "SEEDS", "method": "SC", "setting": "{}", "parameters": "{}", "seed": 0, "key": key}
    sizes = {"n_samples": 10, "n_clusters": 2, "components": 1, "clusters": 2, "seconds": 0.25, "shared_seconds": 0.0}
    plain = {**none, **text, **what, **sizes, **dict.fromkeys(SCORES, 0.5), "finished": "2026-01-01T00:00:00"}
    return replace(Outcome(**plain), **changes)


def keyed(number):
    return f"{number:032x}"
