from dataclasses import replace

import pytest

from s3nmf._messages import Parameter
from s3nmf.desk.app.choices import Reading
from s3nmf.desk.app.opening import in_words, open_file
from s3nmf.sources import SourceError


def test_text_is_left_out_names_name_the_rows_and_gaps_go(plants):
    file = open_file(str(plants))
    assert file.reading == Reading(id="plant", drop=("color",), missing="drop")
    assert file.columns == ("plant", "length", "width", "height", "color")
    data = file.read(file.reading)
    assert len(data.ids) == 89
    assert "Left out 'color': text." in data.notes
    data = file.read(replace(file.reading, drop=("height", "color")))
    assert {"Left out 'height', as asked.", "Left out 'color': text."} <= set(data.notes)
    assert "'color' has few different values: a mark before it makes a column of each." in data.notes


def test_a_column_of_text_that_is_marked_is_one_of_categories(plants):
    file = open_file(str(plants))
    data = file.read(replace(file.reading, drop=()))
    assert {"color=" in name for name in data.columns} == {True, False}
    assert any(note.startswith("Made a column of each category: 'color'") for note in data.notes)


@pytest.fixture
def opened(tmp_path):
    def write(header, cells):
        path = tmp_path / "some.csv"
        path.write_text("".join(f"{line}\n" for line in [header, *map(cells, range(20))]))
        return open_file(str(path))

    return write


@pytest.mark.parametrize(
    ("header", "cells", "said"),
    [
        ("a,b,c", lambda row: f"{row % 7},{row % 5},{'12kg' if row == 7 else row % 3}", "'12kg' in line 9"),
        ("a,b,c", lambda row: f"{row % 7},{row % 5},{'inf' if row == 7 else row % 3}", "'c' is infinite"),
        ("a,b,id", lambda row: f"{row % 7},{row % 5},{row // 2}", "10 ids come more than once in 'id'"),
    ],
    ids=["text", "infinite", "repeated"],
)
def test_a_column_with_a_mistake_is_not_left_out_by_itself(opened, header, cells, said):
    file = opened(f"{header},color", lambda row: f"{cells(row)},{'red' if row % 2 else 'blue'}")
    damaged = header[4:]
    assert file.reading == Reading(drop=("color",))
    assert file.columns == ("a", "b", "color", damaged)
    with pytest.raises(SourceError, match=said):
        file.read(file.reading)
    data = file.read(replace(file.reading, drop=("color", damaged)))
    assert data.columns == ("a", "b")
    assert {f"Left out '{damaged}', as asked.", "Left out 'color': text."} <= set(data.notes)


def test_the_column_that_names_the_rows_is_said_and_one_without_a_name_is_not_offered(opened):
    file = opened("a,ID", lambda row: f"{row % 7},{row}")
    assert (file.reading, file.columns, file.has_names) == (Reading(id="ID"), ("ID", "a"), False)
    file = opened(",a,b", lambda row: f"r{row},{row % 7},{row % 5}")
    assert (file.reading, file.columns, file.has_names) == (Reading(), ("a", "b"), True)
    file = opened("row,a", lambda row: f"{row % 5},{row % 7}")
    assert (file.reading, file.columns, file.has_names) == (Reading(), ("row", "a"), False)


def test_a_table_that_can_be_clustered_is_read_as_ever(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("a,b\n" + "".join(f"{row % 7},{row % 5}\n" for row in range(20)))
    assert open_file(str(path)).reading == Reading()


def test_a_graph_has_no_columns_to_choose(tmp_path):
    path = tmp_path / "ring.edges"
    path.write_text("".join(f"{row} {(row + 1) % 12}\n" for row in range(12)))
    assert open_file(str(path)).columns == ()


@pytest.mark.parametrize("text", ["", "a,b\n1\n2,3\n", "a\nx\nx\n"])
def test_what_nothing_mends_is_said(tmp_path, text):
    path = tmp_path / "broken.csv"
    path.write_text(text)
    with pytest.raises(SourceError, match=r"broken\.csv"):
        open_file(str(path))


def test_a_column_that_counts_the_rows_is_noted_in_the_words_of_the_page(tmp_path):
    path = tmp_path / "numbered.csv"
    path.write_text("number,a\n" + "".join(f"{row},{row % 7}\n" for row in range(20)))
    file = open_file(str(path))
    assert "say “Row names”: number." in file.read(file.reading).notes[-1]


def test_parameters_have_a_place_on_the_page():
    assert in_words(Parameter("missing", "median")) == "“Missing values”: median"
    assert in_words(Parameter("drop", list("abcdefg"))).endswith(": a, b, c, d, e, ...")
