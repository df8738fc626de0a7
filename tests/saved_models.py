"""Fitted models of every kind that a file can hold, and files that are changed by hand."""

import io
import json
import zipfile

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.datasets import make_blobs

from s3nmf import S3NMF, Recipe
from s3nmf.affinity import nearest_neighbor_affinity

X, _ = make_blobs(90, centers=3, cluster_std=2.5, random_state=2)
SMALL = {"n_members": 4, "random_state": 0}
BASE = np.random.default_rng(0).integers(-1, 4, (5, 90))
FITS = {
    "frame": lambda: S3NMF(3, **SMALL).fit(pd.DataFrame(X, columns=["a", "b"])),
    "float32": lambda: S3NMF(3, **SMALL).fit(X.astype(np.float32)),
    "sparse features": lambda: S3NMF(3, **SMALL).fit(sp.csr_array(np.where(np.abs(X) > 3, X, 0.0))),
    "sparse affinity": lambda: S3NMF(3, affinity="precomputed", **SMALL).fit(nearest_neighbor_affinity(X)),
    "dense affinity": lambda: S3NMF(3, affinity="precomputed", **SMALL).fit(nearest_neighbor_affinity(X).toarray()),
    "factorizations": lambda: S3NMF(3, members="factorizations", recipe="text", **SMALL).fit(X),
    "partitions": lambda: S3NMF(3, members=BASE, **SMALL).fit(X),
    "partitions by name": lambda: S3NMF(3, members=np.array(list("-abcd"))[BASE + 1], **SMALL).fit(X),
    "starts": lambda: S3NMF(
        3,
        members="factorizations",
        n_members=4,
        max_rounds=2,
        recipe=Recipe(max_iter=30, starts=np.random.default_rng(0).random((2, 4, 90, 3))),
    ).fit(X),
    "numpy numbers": lambda: S3NMF(
        np.int64(3), recipe=Recipe(tau=np.float64(1.5), max_iter=np.int32(30)), kernel="jaccard", n_neighbors=9, **SMALL
    ).fit(X),
}


def contents_of(path):
    """What is in a file, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path, contents, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)


def array_bytes(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=array.dtype.hasobject)
    return file.getvalue()


def with_header(contents, **changes):
    header = json.loads(contents["header.json"])
    header.update(changes)
    return {**contents, "header.json": json.dumps(header)}
