"""What may lie in a directory after a program was stopped: old files, new files, nothing in between."""

import csv
import io
from pathlib import Path

import numpy as np

from campaign.outcomes import PARTIAL
from s3nmf import S3NMF

OLD = b"what was there before"


def table(path, rng, n=300):
    """A CSV file of points around three centres, with names."""
    X = rng.normal(size=(n, 4)) + 7.0 * np.eye(3, 4)[rng.integers(0, 3, size=n)]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["name", *"abcd"], *([f"point {row}", *x] for row, x in enumerate(X.tolist()))])
    return n


def wrong_with(directory, n, leftovers=False):
    """What is wrong with labels, model and report of a run on n points that may have been stopped; None if nothing."""
    for path in Path(directory).iterdir():
        content = path.read_bytes()
        if path.name.endswith(".part"):
            if not leftovers:
                return f"{path.name} is left"
        elif path.suffix in _WHOLE and content != OLD and not _WHOLE[path.suffix](path, content, n):
            return f"{path.name} is not whole: {len(content)} bytes"
    return None


def after(outcome, directory, n, leftovers=False):
    """The outcome, or that of the files if there is something wrong with them."""
    wrong = wrong_with(directory, n, leftovers)
    return outcome if wrong is None else outcome._replace(kind=PARTIAL, said=f"{wrong}. {outcome.said}")


def _all_rows(path, content, n):
    return len(list(csv.reader(io.StringIO(content.decode())))) == n + 1 and content.endswith(b"\n")


def _loads(path, content, n):
    return S3NMF.load(path).labels_.size == n


def _ends(path, content, n):
    return content.rstrip().endswith(b"</html>")


_WHOLE = {".csv": _all_rows, ".s3nmf": _loads, ".html": _ends}
