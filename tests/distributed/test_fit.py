import json
import os
import signal

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from s3nmf.distributed import cluster_parts
from s3nmf.metrics import accuracy
from s3nmf.sources import SourceError, read

pytestmark = pytest.mark.filterwarnings("ignore")


def labels_in(folder):
    """Bytes of the files of labels, by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


@pytest.fixture
def alone(parts, tmp_path):
    return cluster_parts(parts, 4, tmp_path / "alone", sample=200)


def test_clusters_of_very_unequal_sizes_are_found_by_their_recipe(tmp_path):
    da = pytest.importorskip("dask.array")
    X, y = make_blobs([500, 500, 60, 60], centers=[[0, 0], [4, 0], [0, 4], [4, 4]], random_state=3)
    for recipe in ("default", "unequal"):
        found = cluster_parts(
            da.from_array(X, chunks=(320, 2)), 4, tmp_path / recipe, sample=1120, recipe=recipe, scale="none"
        )
        labels = pd.concat(map(pd.read_parquet, found.files))["cluster"]
        assert found.model.recipe == recipe
        assert (adjusted_rand_score(y, labels) > 0.8) == (recipe == "unequal")


def test_the_number_of_clusters_is_found_on_the_sample(tmp_path):
    da = pytest.importorskip("dask.array")
    X, y = make_blobs(900, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    for name, asked in (("auto", "auto"), ("range", range(2, 6))):
        found = cluster_parts(da.from_array(X, chunks=(300, 2)), asked, tmp_path / name, sample=300)
        labels = pd.concat(map(pd.read_parquet, found.files))["cluster"]
        assert (len(found.sizes), adjusted_rand_score(y, labels)) == (3, 1.0)
        assert found.model.judge().has_so_many
    again = cluster_parts(da.from_array(X, chunks=(300, 2)), range(2, 6), tmp_path / "range", sample=300)
    assert again.sizes == found.sizes


def test_every_row_has_a_label_under_its_id_in_the_order_of_its_part(alone, parts, frame):
    assert [path.name for path in alone.files] == sorted(path.name for path in parts.iterdir())
    written = pd.concat(map(pd.read_parquet, alone.files))
    assert written["id"].tolist() == frame["id"].tolist()
    assert (alone.n_rows, alone.n_sampled, sum(alone.sizes)) == (640, 200, 640)
    assert written["cluster"].value_counts().sort_index().tolist() == alone.sizes
    assert written["far"].sum() == alone.n_far
    assert written["confidence"].between(0, 1).all()


def test_rows_get_the_label_that_the_model_of_the_sample_gives_them(alone, parts):
    """By the figures of all parts: the columns are scaled by the mean and spread of the whole table."""
    features = json.loads((alone.files[0].parent / "sample.json").read_text())
    assert sum(features["shares"]) == 200
    whole = pd.concat(map(pd.read_parquet, sorted(parts.iterdir())))[["a", "b", "c"]]
    X = ((whole - whole.mean()) / whole.std(ddof=0)).to_numpy()
    written = pd.concat(map(pd.read_parquet, alone.files))
    found = alone.model.assign(X)
    assert (written["cluster"].to_numpy() == found.labels).mean() > 0.995  # rounding may turn a tie
    np.testing.assert_allclose(np.median(np.abs(written["confidence"] - found.confidence)), 0, atol=1e-4)


def test_workers_write_the_same_files(two_workers, alone, parts, tmp_path):
    cluster_parts(parts, 4, tmp_path / "there", sample=200, client=two_workers)
    assert labels_in(tmp_path / "there") == labels_in(tmp_path / "alone")
    assert (tmp_path / "there" / "manifest.json").read_bytes() == (tmp_path / "alone" / "manifest.json").read_bytes()


@pytest.mark.parametrize("moment", ["looking at all parts", "writing labels"])
@pytest.mark.usefixtures("alone")
def test_a_worker_that_dies_changes_no_file(two_workers, victim, parts, tmp_path, moment):
    def kill(what, share):
        if what == moment and victim:
            os.kill(victim.pop(), signal.SIGKILL)

    cluster_parts(parts, 4, tmp_path / "there", sample=200, client=two_workers, watch=kill)
    assert not victim
    assert labels_in(tmp_path / "there") == labels_in(tmp_path / "alone")
    assert not list((tmp_path / "there").glob(".*"))


@pytest.mark.parametrize("moment", ["looking at all parts", "building the index", "writing labels"])
def test_who_was_stopped_goes_on(alone, parts, tmp_path, moment):
    done = []

    def stop(what, share):
        done.append(what)
        if what == moment and share in (0.0, 0.5):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cluster_parts(parts, 4, tmp_path / "there", sample=200, watch=stop)
    done.clear()
    cluster_parts(parts, 4, tmp_path / "there", sample=200, watch=lambda what, share: done.append(what))
    assert labels_in(tmp_path / "there") == labels_in(tmp_path / "alone")
    assert done.count("writing labels") == (4 if moment == "writing labels" else 8)
    assert ("looking at all parts" in done) == (moment == "looking at all parts")


def test_a_folder_is_of_one_run(alone, parts, tmp_path):
    again = cluster_parts(parts, 4, tmp_path / "alone", sample=200)
    assert (again.sizes, again.n_far) == (alone.sizes, alone.n_far)
    with pytest.raises(SourceError, match=r"labels of another run: random_state was 0 and is now 1\. Give another"):
        cluster_parts(parts, 4, tmp_path / "alone", sample=200, random_state=1)
    (parts / "part-3.parquet").write_bytes(b"")
    with pytest.raises(SourceError, match=r"part-3\.parquet has changed since"):
        cluster_parts(parts, 4, tmp_path / "alone", sample=200)
    with pytest.raises(SourceError, match="holds the files to cluster"):
        cluster_parts(parts, 4, parts)
    with pytest.raises(SourceError, match=r"is not empty\. Give a folder of its own for labels\."):
        cluster_parts(parts, 4, tmp_path)


def test_labels_that_are_gone_from_a_finished_folder_are_written_again(alone, parts, tmp_path):
    whole, manifest = labels_in(tmp_path / "alone"), (tmp_path / "alone" / "manifest.json").read_bytes()
    for gone in alone.files[2:4]:
        gone.unlink()
    done = []
    again = cluster_parts(parts, 4, tmp_path / "alone", sample=200, watch=lambda what, share: done.append(what))
    assert done == ["building the index", "writing labels", "writing labels"]
    assert labels_in(tmp_path / "alone") == whole
    assert (tmp_path / "alone" / "manifest.json").read_bytes() == manifest
    assert (again.sizes, again.n_far, again.n_rows) == (alone.sizes, alone.n_far, 640)


def test_the_same_run_twice_at_a_time_is_refused_and_leaves_files_alone(parts, tmp_path):
    def again(what, share):
        if what == "writing labels":
            (tmp_path / "out" / ".half.part").touch()
            with pytest.raises(SourceError, match="Another process writes labels to"):
                cluster_parts(parts, 4, tmp_path / "out", sample=200)
            assert (tmp_path / "out" / ".half.part").exists()

    cluster_parts(parts, 4, tmp_path / "out", sample=200, watch=again)
    assert not list((tmp_path / "out").glob(".*"))


def test_settings_are_checked_before_the_work(parts, tmp_path):
    for wrong in (
        *({"bad_parts": "mend"}, {"sample": 1}, {"random_state": -1}, {"scale": "up"}, {"n_neighbors": 0}),
        *({"missing": "keep"}, {"decimal": ";"}, {"header": "yes"}),
    ):
        with pytest.raises(ValueError, match=f"The '{next(iter(wrong))}' parameter of cluster_parts must be"):
            cluster_parts(parts, 4, tmp_path / "out", **wrong)
    with pytest.raises(TypeError, match="n_neighbours"):
        cluster_parts(parts, 4, tmp_path / "out", n_neighbours=7)
    assert not (tmp_path / "out").exists()


def test_options_of_files_are_refused_for_frames(frame, tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    lazy = dd.from_pandas(frame.set_index("id"), npartitions=2, sort=False)
    with pytest.raises(ValueError, match=r"header=False is for files, and says nothing of a dask collection\. Leave"):
        cluster_parts(lazy, 4, tmp_path / "out", header=False)
    with pytest.raises(TypeError, match="n_neighbours"):
        cluster_parts(lazy, 4, tmp_path / "out", n_neighbours=7)


def test_numbers_of_numpy_are_numbers(alone, parts, tmp_path):
    whole = {"sample": np.int64(200), "n_neighbors": np.int32(8), "random_state": np.uint8(0)}
    cluster_parts(parts, np.int64(4), tmp_path / "out", **whole)
    again = cluster_parts(parts, 4, tmp_path / "out", sample=200, n_neighbors=8)
    assert again.n_rows == alone.n_rows


def test_one_name_is_one_column_to_drop(parts, tmp_path):
    with pytest.raises(SourceError, match="has no column 'ab'"):
        cluster_parts(parts, 4, tmp_path / "out", sample=200, drop="ab")
    found = cluster_parts(parts, 4, tmp_path / "one", sample=200, drop="b")
    assert found.model.n_features_in_ == 2
    assert "Left out 'b', as asked." in found.notes


@pytest.fixture
def bad_parts(parts, frame):
    whole = (parts / "part-2.parquet").read_bytes()
    (parts / "part-2.parquet").write_bytes(whole[: len(whole) // 2])
    frame.iloc[:0].to_parquet(parts / "part-4.parquet", index=False)
    frame.iloc[350:500].astype({"b": str}).assign(b="much").to_parquet(parts / "part-5.parquet", index=False)
    frame.iloc[500:600].drop(columns="c").to_parquet(parts / "part-6.parquet", index=False)
    return parts


def test_bad_parts_are_counted_and_the_first_named_before_the_work(bad_parts, tmp_path):
    with pytest.raises(SourceError) as caught:
        cluster_parts(bad_parts, 4, tmp_path / "out", sample=200)
    said = str(caught.value)
    assert said.startswith("4 of 8 parts cannot be clustered.")
    assert "part-2.parquet: pyarrow cannot read it" in said
    assert said.count("part-2.parquet") == 1
    assert "part-4.parquet: it has no rows." in said
    assert "Column holds text, not numbers: 'b'" in said
    assert said.endswith("And 1 more. Correct or remove them, or leave them out (bad_parts='skip').")
    assert not list((tmp_path / "out").glob("part-*"))


def test_bad_parts_are_left_out_and_named_if_that_is_asked_for(bad_parts, tmp_path):
    found = cluster_parts(bad_parts, 4, tmp_path / "out", sample=200, bad_parts="skip")
    assert [path.name for path in found.files] == [f"part-{number}.parquet" for number in (0, 1, 3, 7)]
    assert all(path.exists() for path in found.files)
    assert len(found.skipped) == 4
    assert found.skipped[str(bad_parts / "part-6.parquet")] == "it lacks 'c', which most parts have."
    assert found.n_rows == 10 + 50 + 100 + 40


def test_rows_that_no_sampled_row_is_near_are_marked(parts, tmp_path):
    pd.DataFrame({"id": ["x", "y"], "a": 90.0, "b": 1e6, "c": 0.0}).to_parquet(parts / "part-8.parquet", index=False)
    found = cluster_parts(parts, 4, tmp_path / "out", sample=100)
    written = pd.read_parquet(found.files[-1])
    assert written["far"].tolist() == [1, 1]
    assert (written["confidence"] < 0.01).all(), "it is not sure of them"
    assert 2 <= found.n_far < 32


def test_frames_and_arrays_of_dask_are_clustered_as_files_are(alone, frame, tmp_path):
    dd, da = pytest.importorskip("dask.dataframe"), pytest.importorskip("dask.array")
    whole = pd.concat(map(pd.read_parquet, alone.files))
    lazy = dd.from_pandas(frame.set_index("id"), npartitions=5, sort=False)
    found = cluster_parts(lazy, 4, tmp_path / "frame", sample=640)
    written = pd.concat(map(pd.read_parquet, found.files))
    assert written.iloc[:, 0].tolist() == frame["id"].tolist()
    assert accuracy(written["cluster"].to_numpy(), whole["cluster"].to_numpy()) > 0.8
    blocks = da.from_array(frame[["a", "b", "c"]].to_numpy(), chunks=(128, 2))
    of_array = cluster_parts(blocks, 4, tmp_path / "array", sample=640)
    np.testing.assert_array_equal(
        pd.concat(map(pd.read_parquet, of_array.files))["cluster"].to_numpy(), written["cluster"].to_numpy()
    )
    with pytest.raises(TypeError, match="not of a DataFrame"):
        cluster_parts(frame, 4, tmp_path / "other")


def test_parts_of_text_give_labels_as_text(frame, tmp_path):
    (tmp_path / "in").mkdir()
    for number, rows in enumerate(np.array_split(np.arange(640), 3)):
        frame.iloc[rows].to_csv(tmp_path / "in" / f"part-{number}.csv", index=False)
    found = cluster_parts(str(tmp_path / "in" / "*.csv"), 4, tmp_path / "out", sample=200)
    assert [path.name for path in found.files] == ["part-0.csv", "part-1.csv", "part-2.csv"]
    assert read(found.files[0]).ids[0] == "r000"


def test_a_model_of_the_sample_is_kept_for_the_command_line(alone):
    from s3nmf.desk.cli.model_file import load_clustering  # noqa: PLC0415

    kept = load_clustering(alone.files[0].parent / "model.s3nmf")
    np.testing.assert_array_equal(kept.model.labels_, alone.model.labels_)
    assert kept.features.columns == ("a", "b", "c")
    assert all(name.startswith("r") for name in kept.ids)
