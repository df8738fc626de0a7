"""Columns that are kept beside the clusters, and rows that are images."""

import anndata as ad
import networkx as nx
import numpy as np
import pandas as pd
import pytest

from s3nmf.sources import SourceError, read

TEXT = "name,kind,a,b\nx,red,1,2\ny,,2,3\nz,blue,3,\nw,blue,4,4\n"


@pytest.fixture
def write(tmp_path):
    def write(text):
        (tmp_path / "t.csv").write_text(text, encoding="utf-8")
        return tmp_path / "t.csv"

    return write


def test_a_kept_column_is_no_feature_and_goes_along_with_its_rows(write):
    table = read(write(TEXT), id="name", keep="kind", missing="drop")
    assert table.columns == ("a", "b")
    assert table.ids == ["x", "y", "w"]
    assert table.kept == {"kind": ["red", "", "blue"]}
    assert "Kept 'kind' to compare with; not clustered by." in table.notes


def test_a_column_may_be_kept_and_hold_known_groups(write):
    table = read(write(TEXT.replace("y,,", "y,red,")), id="name", keep=["kind", "b"], truth="kind")
    assert table.columns == ("a",)
    assert table.truth == table.kept["kind"] == ["red", "red", "blue", "blue"]
    assert table.kept["b"] == ["2", "3", "", "4"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": ["Kind"]}, "has no column 'Kind'. Did you mean 'kind'?"),
        ({"keep": ["kind"], "drop": ["kind"]}, "'kind' cannot both be kept beside the clusters and be dropped"),
        ({"keep": ["name"], "id": "name"}, "'name' cannot both name the rows and be kept beside the clusters"),
    ],
)
def test_what_cannot_be_kept_is_refused(write, options, message):
    with pytest.raises(SourceError, match=message.replace("?", r"\?")):
        read(write(TEXT), **options)


def test_every_format_that_has_more_than_features_keeps_some(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [2.0, 1.0, 1.0], "kind": list("ppq")})
    frame.to_parquet(tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet", keep=["kind"]).kept == {"kind": list("ppq")}
    np.savez(tmp_path / "t.npz", X=frame[["a", "b"]].to_numpy(), y=[0, 0, 1])
    assert read(tmp_path / "t.npz", keep=["y"]).kept == {"y": ["0", "0", "1"]}
    graph = nx.karate_club_graph()
    del graph.nodes[3]["club"]
    nx.write_graphml(graph, tmp_path / "t.graphml")
    kept = read(tmp_path / "t.graphml", keep=["club"]).kept["club"]
    assert list(kept) == [graph.nodes[node].get("club") for node in graph]


def test_cells_keep_columns_of_obs_of_every_kind(tmp_path):
    obs = pd.DataFrame(
        {
            "kind": pd.Categorical(["B", None, "T", "B"]),
            "batch": ["one", "two", "two", "one"],
            "depth": [1.5, 2.0, 3.0, 4.0],
            "count": pd.array([1, None, 3, 4], dtype="Int64"),
        },
        index=list("abcd"),
    )
    ad.AnnData(np.random.default_rng(0).normal(size=(4, 3)), obs=obs).write_h5ad(tmp_path / "t.h5ad")
    table = read(tmp_path / "t.h5ad", keep=list(obs), truth="batch")
    assert table.kept["kind"] == ["B", None, "T", "B"]
    assert table.kept["batch"] == table.truth == ["one", "two", "two", "one"]
    assert table.kept["depth"] == ["1.5", "2.0", "3.0", "4.0"]
    assert table.kept["count"] == ["1", None, "3", "4"]
    with pytest.raises(SourceError, match="obs has no column 'Kind'"):
        read(tmp_path / "t.h5ad", keep=["Kind"])


def test_a_format_without_columns_keeps_none(tmp_path):
    (tmp_path / "t.edges").write_text("a b\nb c\n", encoding="utf-8")
    with pytest.raises(SourceError, match=": keep does not apply to the format edges"):
        read(tmp_path / "t.edges", keep=["club"])


def test_images_keep_all_their_pixels_and_are_not_scaled(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 17, (20, 6)).astype(float)
    pixels[:, 2] = 0.0
    np.save(tmp_path / "t.npy", pixels)
    assert read(tmp_path / "t.npy").values.shape == (20, 5)
    table = read(tmp_path / "t.npy", image=(2, 3))
    np.testing.assert_array_equal(table.values, pixels)
    scaled = read(tmp_path / "t.npy", image=(2, 3), scale="standard").values
    np.testing.assert_array_equal(scaled[:, 2], 0.0)
    np.testing.assert_allclose(np.delete(scaled, 2, axis=1).std(axis=0), 1.0)
    with pytest.raises(SourceError, match=r"has 6 columns of features, and images of 2 x 2 pixels have 4\."):
        read(tmp_path / "t.npy", image=(2, 2))
