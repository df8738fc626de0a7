"""Model files whose header or arrays were changed: each is refused, or all that is asked of the model has an answer."""

import io
import json
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np

from campaign.outcomes import FINE, REFUSED, TRACEBACK, Outcome, is_a_sentence, place_of
from s3nmf import S3NMF, ModelFileError
from saved_models import FITS, array_bytes, contents_of, write

_VALUES = (
    *(None, True, False, -1, 0, 1, 2, 3, 7, 10**6, 2**40, 0.5, 1e300),
    *("", "auto", "nope", "euclidean", "haversine", "cosine", "seuclidean", "precomputed", "dense", "sparse", "text"),
    *("communities", "factorizations", "\x1b[2J"),
    *([], [2, 3], [[1]], ["a", "a"], ["a", "b"], {}, {"tau": 2}, {"a": [[[]]]}),
)


@cache
def _sound(kind):
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "m.s3nmf"
        FITS[kind]().save(path)
        return contents_of(path)


def _with_another_header(contents, rng):
    header = json.loads(contents["header.json"])
    inside = rng.random() < 0.6
    target = header["parameters"] if inside else header
    name = str(rng.choice(list(target)))
    target[name] = _VALUES[int(rng.integers(len(_VALUES)))]
    return contents | {"header.json": json.dumps(header).encode()}, f"{name} = {target[name]!r}"


def _with_another_array(contents, rng):
    name = str(rng.choice([name for name in contents if name.endswith(".npy")]))
    array = np.load(io.BytesIO(contents[name]))
    top = np.iinfo(array.dtype).max if array.dtype.kind in "iu" else np.finfo(array.dtype).max
    with np.errstate(all="ignore"):
        changed = {
            "largest": lambda: np.full_like(array, top),
            "zeros": lambda: np.zeros_like(array),
            "negative": lambda: np.negative(array),
            "backwards": lambda: np.flip(array, axis=0),
            "shorter": lambda: array[:-1],
            "none": lambda: array[:0],
            "huge": lambda: (array * 1e300).astype(array.dtype),
            "tiny": lambda: (array * 1e-300).astype(array.dtype),
            "one": lambda: np.where(np.arange(array.size).reshape(array.shape) == 0, top, array).astype(array.dtype),
            "other dtype": lambda: array.astype(np.float32),
        }
        kind = str(rng.choice(list(changed)))
        return contents | {name: array_bytes(changed[kind]())}, f"{name}: {kind}"


def trial(seed):
    """One change of one file."""
    rng = np.random.default_rng([seed, 41])
    kind = str(rng.choice(list(FITS)))
    change = _with_another_header if rng.random() < 0.6 else _with_another_array
    contents, words = change(_sound(kind), rng)
    words = f"{kind}, {words}"
    with tempfile.TemporaryDirectory() as directory, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(directory) / "m.s3nmf"
        write(path, contents)
        try:
            model = S3NMF.load(path)
        except ModelFileError as error:
            fine = is_a_sentence(error)
            return Outcome(REFUSED if fine else TRACEBACK, seed, words, place_of(error))
        except Exception as error:
            return Outcome(TRACEBACK, seed, words, place_of(error))
        try:
            X = model.affinity_matrix_ if model.affinity == "precomputed" else model.X_fit_
            model.predict(X)
            model.assign(X[:5] if model.affinity == "precomputed" else X[:5] / 2)
            assert str(model.judge(borders=bool(rng.random() < 0.1)))
            model.save(Path(directory) / "again.s3nmf")
        except Exception as error:  # what was taken must work
            return Outcome(TRACEBACK, seed, words, place_of(error))
    return Outcome(FINE, seed, words)
