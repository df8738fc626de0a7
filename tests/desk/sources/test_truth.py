"""Known groups are read beside the features, never among them."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from s3nmf.sources import SourceError, read

TEXT = "kind,a,b\nred,1,2\nred,2,\nblue,3,3\nblue,5,3\n"


@pytest.fixture
def write(tmp_path):
    def write_text(text, name="t.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_text


def test_groups_follow_their_rows(write):
    table = read(write(TEXT), truth="kind", missing="drop")
    assert table.truth == ["red", "blue", "blue"]
    assert table.columns == ("a", "b")
    assert read(write(TEXT), drop=["kind"], missing="drop").truth is None


def test_a_group_may_be_a_number_and_is_no_id(write):
    table = read(write("id,a,b\n1,1,2\n1,2,3\n0,3,3\n"), truth="id")
    assert table.truth == ["1", "1", "0"]
    assert table.ids == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (TEXT, {"truth": "Kind"}, "has no column 'Kind'. Did you mean 'kind'?"),
        (TEXT, {"truth": "kind", "id": "kind"}, "cannot both name the rows and hold known groups"),
        (
            TEXT.replace("blue,3", ",3"),
            {"truth": "kind"},
            "the known group in line 4 (row 2) of 'kind' is missing. Fill it in",
        ),
    ],
)
def test_groups_that_cannot_be_had_are_explained(write, text, options, said):
    with pytest.raises(SourceError) as error:
        read(write(text), missing="drop", **options)
    assert said in str(error.value)


def test_every_format_that_names_things_can_name_groups(tmp_path):
    frame = pd.DataFrame({"kind": list("ppq"), "a": [1.0, 2, 3], "b": [1.0, 3, 2]})
    frame.to_parquet(tmp_path / "t.parquet", index=False)
    assert read(tmp_path / "t.parquet", truth="kind").truth == list("ppq")
    np.savez(tmp_path / "t.npz", X=frame[["a", "b"]].to_numpy(), y=[0, 0, 1])
    assert read(tmp_path / "t.npz", truth="y").truth == ["0", "0", "1"]
    with pytest.raises(SourceError, match=r"has no array 'z' for groups\. It has 'X', 'y'"):
        read(tmp_path / "t.npz", truth="z")
    graph = nx.karate_club_graph()
    nx.write_graphml(graph, tmp_path / "t.graphml")
    assert list(read(tmp_path / "t.graphml", truth="club").truth) == [graph.nodes[node]["club"] for node in graph]


def test_formats_that_name_no_groups_say_so(tmp_path):
    (tmp_path / "t.edges").write_text("a b\nb c\n", encoding="utf-8")
    with pytest.raises(SourceError, match=": truth does not apply to the format edges"):
        read(tmp_path / "t.edges", truth="club")
