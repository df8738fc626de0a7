"""One notation for a column, found out from all of its cells, and from the other columns where they do not say it."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s3nmf.desk.sources.delimited import read_delimited
from s3nmf.desk.sources.options import Options
from s3nmf.sources import SourceError, read


def parse(text, **options):
    return read_delimited(io.BytesIO(text.encode()), "t.csv", Options(**{"scale": "none", **options}))


def column(*cells, delimiter=";", **options):
    """A column of these cells beside one that counts."""
    text = delimiter.join(("x", "n")) + "\n" + "".join(f'"{cell}"{delimiter}{k}\n' for k, cell in enumerate(cells))
    return parse(text, **options)


def values(table):
    return table.values[:, 0].tolist()


@given(st.lists(st.decimals(-(10**7), 10**7, places=2), min_size=2, max_size=20, unique=True), st.sampled_from(".,"))
def test_one_cell_decides_for_its_column(numbers, decimal):
    """Where any number has thousands and decimals, or decimals that are not three, all are read right."""
    other = "," if decimal == "." else "."
    cells = [f"{number:,.2f}".translate(str.maketrans(",.", other + decimal)) for number in numbers]
    assert values(column(*cells)) == [float(number) for number in numbers]


@given(st.lists(st.integers(1000, 10**6 - 1), min_size=2, max_size=9, unique=True))
def test_a_later_cell_decides_for_the_earlier_ones(numbers):
    """Plain numbers to a program, 1.234 to 999.999, until the last cell says that they are thousands."""
    cells = [f"{number:,}".replace(",", ".") for number in numbers]
    assert values(column(*cells, "0,5")) == [*map(float, numbers), 0.5]


def test_amounts_of_a_bank_statement_are_read_and_said():
    table = parse('balance,rate,n\n"$2,978.18",5 %,"7,000"\n"($120.00)",12.5%,"12,000"\n$3,0%,"900"\n')
    assert table.values.tolist() == [[2978.18, 0.05, 7000], [-120, 0.125, 12000], [3, 0, 900]]
    assert table.notes[0] == "Read '($120.00)' in 'balance' as -120, '5 %' in 'rate' as 0.05, '7,000' in 'n' as 7000."
    assert len(table.notes) == 2, "the decimals of the others say that 7,000 are thousands"


def test_what_nothing_decides_is_said_with_the_choice_and_the_option():
    table = column("1,234", "5,678", delimiter=",")
    assert values(table) == [1234, 5678]
    said = (
        "'1,234' in 'x' may be 1234 or 1.234, and nothing in the file decides which. It was read as 1234; decimal=','"
    )
    assert any(note.startswith(said) for note in table.notes)
    assert values(column("1,234", "5,678", delimiter=",", decimal=",")) == [1.234, 5.678]
    assert values(column("1,234", "5,678", delimiter=";")) == [1.234, 5.678], "as Excel writes decimal commas"
    assert values(column("1,234", "5,678", delimiter=";", decimal=".")) == [1234, 5678]
    assert not any("decides" in note for note in column("1,234", "5,678", decimal=".").notes)


def test_one_doubt_is_said_once_for_all_columns_that_have_it():
    table = parse('lat,lon,n\n"52,520","13,405",1\n"48,137","11,575",2\n')
    doubts = [note for note in table.notes if "decides" in note]
    assert len(doubts) == 1
    assert "in 'lat' may be 52520 or 52.52, and nothing in the file decides which; likewise 'lon'. It" in doubts[0]


def test_other_columns_decide_where_a_column_does_not():
    by_comma = parse("city;people;share\nA;1.234;0,5\nB;12.345;0,25\n", id="city")
    assert by_comma.values.tolist() == [[1234, 0.5], [12345, 0.25]]
    assert "'12.345' in 'people' as 12345" in by_comma.notes[0] or "'1.234' in 'people' as 1234" in by_comma.notes[0]
    by_point = parse("city;people;share\nA;1,234;0.5\nB;12,345;0.25\n", id="city")
    assert by_point.values.tolist() == [[1234, 0.5], [12345, 0.25]]
    given = parse("city;people;share\nA;1.234;0,5\nB;12.345;0,25\n", id="city", drop=["people"], decimal=",")
    assert given.values.tolist() == [[0.5], [0.25]]


def test_columns_that_do_not_agree_leave_the_doubt():
    table = parse("a;b;c\n0,5;0.5;1.234\n1,5;2.5;5.678\n")
    assert table.values.tolist() == [[0.5, 0.5, 1.234], [1.5, 2.5, 5.678]]
    assert any("'1.234' in 'c' may be 1.234 or 1234" in note for note in table.notes)


def test_plain_numbers_stay_what_they_are():
    table = column("1.234", "5.678")
    assert values(table) == [1.234, 5.678]
    assert table.notes == ("Left 2 columns unscaled.",)


@pytest.mark.parametrize(
    "cells",
    [
        ("$5", "€5", "$7"),
        ("5%", "7%", "0.3"),
        ("1,5", "2,5", "3.5"),
        ("(5)", "(7)", "-3"),
    ],
)
def test_what_cannot_be_compared_is_refused(cells):
    """Two currencies, shares and numbers, two decimal marks, two ways of writing less than nothing."""
    with pytest.raises(SourceError, match="a number, but in another notation, unit or currency than others") as error:
        column(*cells)
    assert "as the id" not in str(error.value), "amounts are no names"


def test_a_mark_that_is_given_holds_for_all():
    with pytest.raises(SourceError, match=r"'1\.5' in line 2"):
        column("1.5", "2,25", decimal=",")
    with pytest.raises(SourceError, match="'2,25' in line 3"):
        column("1.5", "2,25", decimal=".")
    with pytest.raises(ValueError, match="decimal"):
        column("1.5", "2,25", decimal=";")


def test_new_rows_are_read_as_the_first_ones(tmp_path):
    (tmp_path / "first.csv").write_text('a,b\n"1,234",0.5\n"5,678",2.5\n')
    (tmp_path / "new.tsv").write_text("a\tb\n1,234\t1\n")
    first = read(tmp_path / "first.csv", scale="none")
    assert read(tmp_path / "new.tsv", like=first.features).values.tolist() == [[1234, 1]]
    (tmp_path / "first.csv").write_text("a;b\n1,234;0,5\n5,678;2,5\n")
    first = read(tmp_path / "first.csv", scale="none")
    new = read(tmp_path / "new.tsv", like=first.features)
    assert new.values.tolist() == [[1.234, 1]]
    assert any("may be 1.234 or 1234" in note for note in new.notes)
