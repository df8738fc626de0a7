"""The files beside this one, as the library of the day writes them: to be run once for each release.

``python tests/old_models/make.py 0.2`` writes 0.2-*.s3nmf, and what the models say in 0.2.json. Files that are there
are never written again.
"""

import csv
import json
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.datasets import make_blobs
from typer.testing import CliRunner

from s3nmf import S3NMF
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.desk.cli.commands import app

HERE = Path(__file__).parent
X, _ = make_blobs(24, centers=3, cluster_std=1.5, random_state=2)
NEW = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), (6, 2))
SMALL = {"n_members": 3, "random_state": 0}


def of_python():
    """Models of every kind that Python saves, by name."""
    W = nearest_neighbor_affinity(X)
    yield "frame", S3NMF(3, **SMALL).fit(pd.DataFrame(X, columns=["a", "b"]))
    yield "float32", S3NMF(3, noise=True, **SMALL).fit(X.astype(np.float32))
    yield "sparse-features", S3NMF(3, **SMALL).fit(sp.csr_array(np.where(np.abs(X) > 3, X, 0.0)))
    yield "dense-affinity", S3NMF(3, affinity="precomputed", **SMALL).fit(W.toarray())
    yield "isolated", S3NMF(3, affinity="precomputed", **SMALL).fit(sp.block_diag([W, np.zeros((2, 2))], format="csr"))
    yield "factorizations", S3NMF(3, members="factorizations", recipe="text", **SMALL).fit(X)
    yield "partitions", S3NMF(3, members=np.random.default_rng(0).integers(-1, 4, (3, 24)), **SMALL).fit(X)


def of_the_command_line(path):
    """A model with names, scalings and a column that was kept."""
    with tempfile.TemporaryDirectory() as directory:
        table = Path(directory) / "people.csv"
        with table.open("w", newline="", encoding="utf-8") as file:
            rows = [[f"p{k:02}", *row, "ab"[k % 2]] for k, row in enumerate(X.round(3).tolist())]
            csv.writer(file).writerows([["name", "height", "weight", "group"], *rows])
        columns = ["--id", "name", "--keep", "group"]
        found = CliRunner().invoke(app, ["cluster", str(table), "-k", "3", *columns, "--model", str(path)])
        assert found.exit_code == 0, found.output


def said_by(path):
    """What a file says after loading."""
    model = S3NMF.load(path)
    said = {"labels": model.labels_.tolist(), "confidence": model.confidence_.round(12).tolist()}
    if model.affinity != "precomputed":
        said["predicted"] = model.predict(NEW).tolist()
    return said


def main(version):
    if (HERE / f"{version}.json").exists():
        sys.exit(f"There are files of version {version} already: they stay as they are. Give the next version.")
    warnings.simplefilter("ignore")
    for name, model in of_python():
        model.save(HERE / f"{version}-{name}.s3nmf")
    of_the_command_line(HERE / f"{version}-command-line.s3nmf")
    said = {path.stem: said_by(path) for path in sorted(HERE.glob(f"{version}-*.s3nmf"))}
    (HERE / f"{version}.json").write_text(json.dumps(said) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
