"""A sheet as people keep it: with a title above, a second sheet beside, dates and amounts in it."""

import datetime as dt
import io
import zipfile

import openpyxl
import pytest

from s3nmf.sources import SourceError, read


@pytest.fixture
def write(tmp_path):
    def write_sheets(name="t.xlsx", **sheets):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        book.save(tmp_path / name)
        return tmp_path / name

    return write_sheets


CARS = [
    ["name", "price", "km", "bought", "electric"],
    ["a", "$1,500.00", 10_000, dt.date(2020, 1, 31), True],
    ["b", "$900.50", 12_500.5, dt.datetime(2021, 1, 31, 12, 30), False],
    ["c", "$3,000.00", 0, dt.date(2022, 1, 31), True],
]


def test_a_sheet_is_a_table(write):
    table = read(write(Cars=CARS), id="name", scale="none")
    assert table.ids == ["a", "b", "c"]
    assert table.columns == ("price", "km", "electric")
    assert table.values.tolist() == [[1500, 10_000, 1], [900.5, 12_500.5, 0], [3000, 0, 1]]
    assert any(note.startswith("Left out 'bought': dates") for note in table.notes)


def test_titles_and_empty_lines_and_columns_are_skipped(write):
    rows = [["Our cars"], [], *([None, *row] for row in CARS[:2]), [], *([None, *row] for row in CARS[2:])]
    table = read(write(Cars=rows), id="name")
    assert table.ids == ["a", "b", "c"]
    assert "Skipped 1 line above the table." in table.notes
    rows[-1][2] = "much"
    with pytest.raises(SourceError, match="'much' in line 7 of 'price'"):
        read(write(Cars=rows), id="name")


def test_the_first_sheet_that_is_not_empty_is_taken_and_another_on_request(write):
    other = [["x", "y"], [1, 2], [3, 5]]
    path = write(Empty=[], Cars=CARS, Other=other)
    table = read(path, id="name")
    assert "Took the sheet 'Cars' of 'Empty', 'Cars', 'Other'." in table.notes
    assert read(path, sheet="Other").columns == ("x", "y")
    with pytest.raises(SourceError, match=r"no sheet 'cars'. Its sheets are 'Empty', 'Cars', 'Other'"):
        read(path, sheet="cars")
    with pytest.raises(SourceError, match=r"has nothing in that sheet. Its sheets are 'Empty', 'Cars', 'Other'"):
        read(path, sheet="Empty")
    with pytest.raises(SourceError, match="no sheet with anything in it"):
        read(write(Empty=[]))
    with pytest.raises(SourceError, match="sheet does not apply to the format csv"):
        read(path.with_suffix(".csv"), sheet="Cars")


def test_ids_that_are_whole_numbers_stay_whole(write):
    assert read(write(A=[["id", "a"], [1.0, 2], [2, 3], ["x", 5]])).ids == ["1", "2", "x"]


def test_a_workbook_that_defines_entities_is_refused(write, tmp_path):
    with zipfile.ZipFile(write(Cars=CARS)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["xl/workbook.xml"] = b'<!DOCTYPE x [<!ENTITY e "e">]>' + members["xl/workbook.xml"]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    (tmp_path / "t.xlsx").write_bytes(stream.getvalue())
    with pytest.raises(SourceError, match="document type declaration"):
        read(tmp_path / "t.xlsx")
