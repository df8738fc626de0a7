"""Text becomes numbers where it can, is left out where it should, and is refused with advice that does no harm."""

import numpy as np
import pandas as pd
import pytest

from s3nmf.sources import SourceError, read, table_of

PENGUINS = (
    "species,island,bill,mass,sex,tagged,seen\n"
    "Adelie,Torgersen,39.1,3750,MALE,yes,2007-11-11\n"
    "Adelie,Torgersen,39.5,3800,FEMALE,no,2007-11-12\n"
    "Gentoo,Biscoe,46.1,4500,FEMALE,no,2007-11-27\n"
    "Gentoo,Biscoe,50.0,5700,MALE,yes,2007-11-27\n"
    "Gentoo,Biscoe,48.7,4450,FEMALE,yes,2008-11-04\n"
    "Adelie,Dream,39.5,3250,FEMALE,no,2008-11-09\n"
)


@pytest.fixture
def write(tmp_path):
    def write_text(text, name="t.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write_text


def test_categories_become_columns_of_0_and_1(write):
    table = read(write(PENGUINS), categories=True, scale="none")
    assert table.columns == (
        "species=Adelie", "species=Gentoo", "island=Biscoe", "island=Dream", "island=Torgersen", "bill", "mass",
        "sex=FEMALE", "sex=MALE", "tagged",
    )  # fmt: skip
    assert table.values[0].tolist() == [1, 0, 0, 0, 1, 39.1, 3750, 0, 1, 1]
    assert "Made a column of each category: 'species' (2), 'island' (3), 'sex' (2)." in table.notes


def test_a_column_of_categories_counts_half_as_much_as_one_of_numbers(write):
    """The squared distance of two rows drawn at random is 1 on average, and 2 by standardised numbers."""
    table = read(write(PENGUINS), categories=True)
    for prefix, distance in (("species", 1), ("island", 1), ("sex", 1), ("bill", 2), ("tagged", 2)):
        values = table.values[:, [name.split("=")[0] == prefix for name in table.columns]]
        differences = values[:, None] - values[None]
        np.testing.assert_allclose((differences**2).sum(axis=2).mean(), distance)
        np.testing.assert_allclose(values.mean(axis=0), 0, atol=1e-12)
    table = read(write(PENGUINS), columns=["island"], categories=True, scale="minmax")
    np.testing.assert_allclose(np.linalg.norm(table.values[0] - table.values[2]), 1)
    restored = table.features.unscaled(table.values)
    np.testing.assert_allclose(
        restored, read(write(PENGUINS), columns=["island"], categories=True, scale="none").values
    )


def test_gaps_among_categories_are_gaps(write):
    path = write(PENGUINS.replace("5700,MALE", "5700,NA"))
    with pytest.raises(SourceError, match=r"missing 1 value in 1 row: 1 in 'sex', first in line 5 \(row 3\)"):
        read(path, categories=True)
    assert len(read(path, categories=True, missing="drop").ids) == 5
    filled = read(path, categories=True, missing="median", scale="none")
    assert dict(zip(filled.columns, filled.values[3], strict=True))["sex=FEMALE"] == 1, "the commonest"


def test_a_category_without_rows_is_no_column(write):
    path = write("a,b,kind\n1,2,x\n2,3,x\n3,4,y\n4,7,y\n,5,z\n5,5,x\n")
    table = read(path, categories=True, missing="drop")
    assert table.columns == ("a", "b", "kind=x", "kind=y")


def test_new_rows_have_the_categories_of_the_first(write):
    first = read(write(PENGUINS), categories=True, drop=["seen"])
    new = read(write("sex,tagged,mass,bill,island,species\nMALE,yes,3750,39.1,Torgersen,Adelie\n"), like=first.features)
    np.testing.assert_array_equal(new.values, first.values[:1])
    text = "sex,tagged,mass,bill,island,species\n,yes,3750,39.1,Torgersen,Adelie\n"
    filled = read(write(text), like=first.features, missing="median")
    np.testing.assert_array_equal(filled.values[0, -3:-1], first.values[1, -3:-1])
    with pytest.raises(SourceError, match=r"'Elsewhere' in line 2 .* of 'island' is none of the categories"):
        read(write(text.replace("Torgersen", "Elsewhere")), like=first.features)


def test_names_are_no_categories(write):
    path = write("name,a,kind\n" + "".join(f"car {k},{k * k},{'xy'[k % 2]}\n" for k in range(9)))
    with pytest.raises(SourceError, match="'name': too many different values for categories"):
        read(path, categories=True)
    assert read(path, categories=True, drop_text=True).columns == ("a", "kind=x", "kind=y")
    assert read(path, categories=True, id="name").columns == ("a", "kind=x", "kind=y")


def test_text_is_left_out_on_request(write):
    table = read(write(PENGUINS), drop_text=True)
    assert table.columns == ("bill", "mass", "tagged")
    assert "Left out 'species', 'island', 'sex': text." in table.notes


def test_a_typing_error_is_not_left_out_with_its_column(write):
    path = write("a,b\n1,2\n2,many\n3,5\n4,4\n")
    for options in ({"drop_text": True}, {"categories": True}, {}):
        with pytest.raises(SourceError, match=r"'many' in line 3 \(row 1\) of 'b', which has text in 1 of 4") as error:
            read(path, **options)
        assert "Correct the text in 'b', or leave the column out (drop=['b'])" in str(error.value)


def test_dates_are_said_to_be_no_features(write):
    table = read(write(PENGUINS), drop_text=True)
    assert any(note.startswith("Left out 'seen': dates and times are no features.") for note in table.notes)
    with pytest.raises(SourceError, match=r"no column of features left\. Left out 'day'"):
        read(write("day\n2020-01-01\n2020-01-02\n"))


@pytest.mark.parametrize(
    "days",
    [
        ("2024-01-31", "2024-12-01T10:00:00Z", "2024-02-29 23:59:59.5"),
        ("31.01.2024", "1.2.2024"),
        ("01/31/2024", "12/1/24 5:30 PM"),
        ("5 Jan 2024", "17-Mar-24"),
        ("January 5, 2024", "Mar 17 2024"),
        ("2024-01", "2024-02"),
        ("Jan 2024", "Feb-2024"),
        ("12:30", "8:05:59"),
    ],
)
def test_dates_come_in_many_forms(write, days):
    text = "day;a;b\n" + "".join(f"{day};{k};{k * k}\n" for k, day in enumerate(days))
    assert read(write(text)).columns == ("a", "b")


@pytest.mark.parametrize("pair", [("yes", "no"), ("Y", "N"), ("TRUE", "False"), ("t", "f"), ("On", "off")])
def test_answers_are_1_and_0(write, pair):
    table = read(write(f"q,a\n{pair[0]},1\n{pair[1]},2\n,4\n"), missing="drop", scale="none")
    assert table.values.tolist() == [[1, 1], [0, 2]]
    assert pair[0] == "TRUE" or f"Read {pair[0].lower()!r} as 1 and {pair[1].lower()!r} as 0 in 'q'." in table.notes


def test_answers_among_other_numbers_are_text(write):
    with pytest.raises(SourceError, match="'true' in line 2"):
        read(write("q,a\ntrue,1\n5,2\n7,4\n"))


def test_columns_are_kept_by_name(write):
    table = read(write(PENGUINS), columns=["mass", "bill"])
    assert table.columns == ("bill", "mass")
    assert "Took 'mass', 'bill' of 7 columns, as asked." in table.notes
    assert read(write("id,a\n7,1\n8,2\n9,4\n"), columns=["id", "a"]).columns == ("id", "a"), "asked for by name"
    with pytest.raises(SourceError, match="no column 'weight'"):
        read(write(PENGUINS), columns="weight")
    for options in ({"id": "bill"}, {"drop": ["bill"]}, {"truth": "bill"}):
        with pytest.raises(SourceError, match=r"'bill' cannot both .* and be clustered by"):
            read(write(PENGUINS), columns=["bill", "mass"], **options)


def test_advice_names_what_helps(write):
    with pytest.raises(SourceError) as error:
        read(write(PENGUINS))
    said = str(error.value)
    assert "'species', 'island', 'sex' have few different values: categories=True makes a column of each." in said
    assert "drop=['species', 'island', 'sex']; drop_text=True for all text" in said


def test_a_price_is_not_advised_as_a_name(write):
    text = "price,a\n$5,1\n€6,2\n$7.5,4\n£8,5\n"
    with pytest.raises(SourceError) as error:
        read(write(text))
    assert "id" not in str(error.value).partition("t.csv")[2].replace("different", "")


@pytest.mark.parametrize("cells", ["5kg 6kg 7kg", "<5 6 7", "½ 2 3", "$(2) 3 4", "2024-01-01 unknown 2024-01-02"])
def test_measurements_are_not_advised_as_names(write, cells):
    with pytest.raises(SourceError, match="Column holds text, not numbers: 'x'") as error:
        read(write("x,a\n" + "".join(f"{cell},{k * k}\n" for k, cell in enumerate(cells.split()))))
    assert "as the id" not in str(error.value)


def test_edges_with_more_about_them_are_not_advised_to_be_dropped(write):
    with pytest.raises(
        SourceError, match="format='edges' reads a file of these two and a column of weights as a graph"
    ):
        read(write("Source,Target,Type,Id,Weight\na,b,Directed,1,1.0\nb,c,Directed,2,1.0\n"))


@pytest.mark.parametrize(
    "text",
    [
        "source,target\n1,2\n2,3\n3,1\n",
        "From,To,weight\nann,bob,1\nbob,eve,2\n",
        "ann,bob\nbob,eve\neve,ann\n",
        "ann\tbob\t1\nbob\teve\t2.5\neve\tann\t3\n",
    ],
)
def test_edges_are_not_taken_for_a_table(write, text):
    for name in ("t.csv", "t.txt"):
        with pytest.raises(SourceError, match="format='edges' reads it as a graph, format='csv' as a table") as error:
            read(write(text, name))
        assert "drop" not in str(error.value)
        assert len(read(write(text, name), format="edges").ids) == 3


def test_published_graphs_of_numbers_are_not_taken_for_a_table(write):
    text = "0 1\n0 2\n1 2\n2 3\n3 0\n"
    with pytest.raises(SourceError, match=r"columns 1 and 2 name the two ends\. format='edges'"):
        read(write(text, "t.txt"))
    assert read(write(text, "t.txt"), format="csv").columns == ("1", "2")
    assert read(write(text.replace(" ", ","))).columns == ("1", "2"), "between commas it is a table"
    assert read(write("a b\n0.5 1\n0 2\n1 2\n", "t.txt")).columns == ("a", "b")


def test_whoever_names_columns_means_a_table(write):
    assert read(write("source,target\n1,2\n2,3\n3,1\n"), id="source").columns == ("target",)


GAPS = "a;b\n1,5;2\n#NV;3\nk.A.;<0,6\n3,5;-999\n2,5;<0,6\n4,5;5\n"


def test_words_for_missing_values_are_known_and_others_can_be_named(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(GAPS, encoding="utf-8")
    with pytest.raises(SourceError) as error:
        read(path)
    said = str(error.value)
    assert "Among the numbers of 'b': '<0,6' (2 times)." in said, "all of them, not the first only"
    assert "name them (na=['<0,6'])" in said
    table = read(path, na=["<0,6", "-999"], missing="median", scale="none")
    assert table.columns == ("a", "b")
    assert table.values[:, 0].tolist() == [1.5, 2.5, 2.5, 3.5, 2.5, 4.5]
    assert table.values[:, 1].tolist() == [2, 3, 3, 3, 3, 5]
    assert read(path, na="<0,6", missing="median", scale="none").values[3, 1] == -999


def test_many_different_cells_among_numbers_are_counted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a\n" + "\n".join([*map(str, range(30)), *(f"x{k}" for k in range(9))]), encoding="utf-8")
    with pytest.raises(SourceError, match=r"'x4' and 4 others"):
        read(path)


@pytest.mark.parametrize(
    "word", ["#NV", "k.A.", "n/a", "N.V.", "-", "\N{EN DASH}", "Keine Angabe", "#WERT!", "missing"]
)
def test_what_people_write_for_missing_values_is_no_text(word, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n1,2\n{word},3\n4,5\n", encoding="utf-8")
    assert read(path, missing="drop", scale="none").values.tolist() == [[1, 2], [4, 5]]


def test_numbers_that_mean_nothing_can_be_named_in_frames_too():
    frame = pd.DataFrame({"a": [1.0, -9.0, 3.0, 4.0], "b": [1, 2, -9, 4]})
    assert table_of(frame, na=["-9"], missing="drop", scale="none").values.tolist() == [[1, 1], [4, 4]]
