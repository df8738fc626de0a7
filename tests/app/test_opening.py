import pytest

from s3nmf._messages import Parameter
from s3nmf.app.choices import Reading
from s3nmf.app.opening import in_words, open_file
from s3nmf.sources import SourceError


def test_text_is_left_out_names_name_the_rows_and_gaps_go(plants):
    file = open_file(str(plants))
    assert file.reading == Reading(id="plant", drop=("color",), missing="drop")
    assert file.columns == ("plant", "length", "width", "height", "color")
    data = file.read(file.reading)
    assert len(data.ids) == 89
    assert "Left out 'color', as asked." in data.notes


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
    assert "say “Rows are named by”: number." in file.read(file.reading).notes[-1]


def test_parameters_have_a_place_on_the_page():
    assert in_words(Parameter("missing", "median")) == "“Missing values”: median"
    assert in_words(Parameter("drop", list("abcdefg"))).endswith(": a, b, c, d, e, ...")
