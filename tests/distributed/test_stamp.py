"""A frame of dask is known again in another process."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from s3nmf.distributed import cluster_parts
from s3nmf.distributed.stamp import stamp_of
from s3nmf.sources import SourceError

dd, da = pytest.importorskip("dask.dataframe"), pytest.importorskip("dask.array")
pytestmark = pytest.mark.filterwarnings("ignore")

COLLECTIONS = {
    "parquet": 'dd.read_parquet("in")',
    "some columns": 'dd.read_parquet("in")[["b", "a"]]',
    "by arrow": 'dd.read_parquet(os.path.abspath("in"), filesystem="arrow")',
    "computed": 'dd.read_parquet("in").assign(d=1.0).repartition(npartitions=2)',
    "csv": 'dd.read_csv("text/*.csv")',
    "frame in memory": 'dd.from_pandas(pd.DataFrame({"a": np.arange(9.0)}), npartitions=2)',
    "array": "da.from_array(np.arange(20.0).reshape(10, 2), chunks=(5, 2))",
}


@pytest.fixture
def directory(frame, tmp_path, monkeypatch):
    """With a folder of Parquet files, and one of CSV files."""
    monkeypatch.chdir(tmp_path)
    for folder in ("in", "text"):
        (tmp_path / folder).mkdir()
    for number in range(4):
        some = frame.iloc[160 * number : 160 * (number + 1)]
        some.to_parquet(f"in/part-{number}.parquet", index=False)
        some.to_csv(f"text/part-{number}.csv", index=False)
    return tmp_path


def stamps_elsewhere():
    code = "import os, numpy as np, pandas as pd, dask.array as da, dask.dataframe as dd\n"
    code += "from s3nmf.distributed.stamp import stamp_of\n"
    code += "\n".join(f"print(stamp_of({collection}))" for collection in COLLECTIONS.values())
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    return dict(zip(COLLECTIONS, done.stdout.split(), strict=True))


def stamps_here():
    names = {"os": os, "np": np, "pd": pd, "da": da, "dd": dd}
    return {kind: stamp_of(eval(collection, names)) for kind, collection in COLLECTIONS.items()}


@pytest.mark.usefixtures("directory")
def test_stamps_are_the_same_in_every_process_and_differ_from_each_other():
    here = stamps_here()
    assert here == stamps_elsewhere()
    assert len(set(here.values())) == len(here)


def test_stamps_differ_once_files_have_changed(directory):
    before = stamps_here()
    for changed in (directory / "in" / "part-2.parquet", directory / "text" / "part-2.csv"):
        os.utime(changed, (0, 0))
    after = stamps_here()
    assert {kind for kind in before if before[kind] == after[kind]} == {"frame in memory", "array"}


@pytest.mark.usefixtures("directory")
def test_a_frame_of_files_goes_on_where_another_process_was_stopped():
    code = """
import dask.dataframe as dd
from s3nmf.distributed import cluster_parts
def stop(what, share):
    if what == "writing labels" and share == 0.5:
        raise SystemExit
cluster_parts(dd.read_parquet("in"), 4, "labels", sample=200, watch=stop)
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)
    done = []
    cluster_parts(dd.read_parquet("in"), 4, "labels", sample=200, watch=lambda what, share: done.append(what))
    assert set(done) == {"building the index", "writing labels"}
    assert done.count("writing labels") == 2


def test_what_dask_cannot_know_again_is_refused_in_words(frame, tmp_path):
    import dask  # noqa: PLC0415

    def read(number):
        return frame.iloc[320 * number : 320 * (number + 1)]

    for out in (tmp_path / "one", tmp_path / "other"):
        cluster_parts(dd.from_delayed([dask.delayed(read)(number) for number in range(2)]), 4, out, sample=200)
    with pytest.raises(SourceError, match="or is one that dask cannot know again in another process: see"):
        cluster_parts(dd.from_delayed([dask.delayed(read)(number) for number in range(2)]), 4, out, sample=200)
