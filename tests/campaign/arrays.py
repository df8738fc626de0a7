"""Random arrays, graphs and labels of every type, layout, container and damage through every public function."""

import copy
import sys
import warnings

import numpy as np
import scipy.sparse as sp

from campaign import containers, damage, doors, series
from campaign.outcomes import FINE, REFUSED, TRACEBACK, WRONG, Outcome, is_a_sentence, place_of

SECONDS = 60.0


def tries(seeds):
    return series.tries("campaign.arrays", seeds, SECONDS)


def case(seed):
    """A door, what goes in, the random numbers left for its parameters, and all of it in words."""
    rng = np.random.default_rng([seed, 19])
    kind = rng.choice(["features", "graph", "labels"], p=[0.45, 0.45, 0.1])
    names = {"features": doors.FEATURES, "graph": doors.GRAPHS, "labels": doors.LABELS}[kind]
    door = str(rng.choice(list(names)))
    if kind == "labels":
        n = 30 if rng.random() < 0.9 else 29
        of = [containers.labels(rng, n) for _ in range(int(rng.choice([1, 2, 3])))]
        X, said = np.array([one for one, _ in of]), ", ".join(name for _, name in of)
    else:
        X, said = (containers.numbers if kind == "features" else containers.similarities)(rng)
    words = [door, said]
    if rng.random() < 0.4:
        sound = X.dtype.kind in "fi"
        kinds = damage.OF_SHAPE + damage.OF_CELLS + (damage.OF_VALUES if sound else ())
        X, said = damage.damaged(X.astype(float) if sound else X, rng, kinds)
        words.append(said)
    if isinstance(X, np.ndarray) and X.dtype.kind in "fi" and rng.random() < 0.5:
        X, said = containers.typed(X, rng)
        words.append(said)
    if isinstance(X, np.ndarray):
        for change in (containers.laid_out, containers.contained):
            X, said = change(X, rng)
            words.append(said)
    if sp.issparse(X) and rng.random() < 0.3:
        X, said = damage.damaged_indices(X, rng)
        words.append(f"indices: {said}")
    return names[door], X, rng, ", ".join(words)


def attempt(seed, door, X, rng, words):
    """What comes of it."""
    before = _bytes_of(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)  # numbers that went wrong on the way
        try:
            door(X, rng)
        except AssertionError as error:
            return Outcome(WRONG, seed, words, place_of(error))
        except Exception as error:
            return Outcome(REFUSED if is_a_sentence(error) else TRACEBACK, seed, words, place_of(error))
    if _bytes_of(X) != before:
        return Outcome(WRONG, seed, words, "the data were changed")
    return Outcome(FINE, seed, words)


def _bytes_of(X):
    if sp.issparse(X) and X.format in {"csr", "csc", "bsr", "coo"}:
        return copy.deepcopy(X.__dict__.get("data")).tobytes()
    return X.tobytes() if isinstance(X, np.ndarray) and X.dtype != object else b""


if __name__ == "__main__":
    series.carry_out(case, attempt, *sys.argv[1:], SECONDS)
