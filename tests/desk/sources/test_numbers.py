"""A number that is written in any of the usual ways is read back as that number."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from s3nmf.desk.sources.numbers import is_gap, plain, written

NUMBERS = st.decimals(-(10**9), 10**9, places=2, allow_nan=False).map(lambda number: number + 0)
GROUPS = st.sampled_from([",", ".", "'", "\N{RIGHT SINGLE QUOTATION MARK}", " ", "\N{NO-BREAK SPACE}", "\u202f"])


def grouped(digits, mark):
    return f"{int(digits):,}".replace(",", mark)


@given(NUMBERS, GROUPS, st.sampled_from([".", ","]))
def test_groups_and_decimals_are_read_back(number, mark, decimal):
    assume(mark != decimal)
    whole, digits = f"{abs(number):.2f}".split(".")
    cell = ("-" if number < 0 else "") + grouped(whole, mark) + decimal + digits
    assert written(cell).value(decimal) == float(number)


@given(NUMBERS, st.sampled_from(["${}", "€ {}", "{} €", "{} EUR", "CHF {}", "US$ {}", "{} kr", "£{}"]))
def test_amounts_are_read_back(number, form):
    cell = form.format(f"{abs(number):,.2f}")
    assert written(cell).by_point == float(abs(number))
    assert written(f"-{cell}").by_point == -float(abs(number))
    assert written(f"({cell})").by_point == -float(abs(number))
    assert written(f"({cell})").in_brackets
    assert written(cell).currency


@given(st.integers(-(10**6), 10**6), st.sampled_from(["{}%", "{} %"]))
def test_percents_are_shares(number, form):
    found = written(form.format(number))
    assert found.is_percent
    assert found.by_point == found.by_comma == number / 100


@given(st.floats(allow_nan=False))
def test_what_programs_write_is_what_they_mean(number):
    assert plain(repr(number)) == number
    assert written(repr(number)).by_point == number


@given(st.text(max_size=70))
def test_any_text_is_a_number_or_none(text):
    found = written(text)
    if found is not None:
        assert any(value is not None for value in (found.by_point, found.by_comma))
        assert any(sign.isdigit() for sign in text) or math.isinf(found.by_point) or math.isnan(found.by_point)


@pytest.mark.parametrize(
    ("cell", "by_point", "by_comma"),
    [
        ("1,234", 1234, 1.234),
        ("1.234", 1.234, 1234),
        ("1,234,567", 1234567, None),
        ("1.234.567", None, 1234567),
        ("0,123", None, 0.123),
        ("1234,567", None, 1234.567),
        ("12,50", None, 12.5),
        ("1,234.5", 1234.5, None),
        ("1.234,5", None, 1234.5),
        ("1'234", 1234, 1234),
        (".5", 0.5, None),
        ("1e3", 1000, 1000),
        ("\N{MINUS SIGN}5", -5, -5),
    ],
)
def test_a_cell_may_say_two_things(cell, by_point, by_comma):
    assert (written(cell).by_point, written(cell).by_comma) == (by_point, by_comma)


@pytest.mark.parametrize(
    "cell",
    [
        *("12 Main St", "1-2", "31.01.2024", "1.2.3", "12,34,56", "1,2,3", "1_000", "5 kg", "1,234.567,8", "1 2"),
        *("(5", "5)", "--5", "-(5)", "$5€", "e5", "$", "%", "12:30", "A3", "0x10"),
    ],
)
def test_names_codes_and_dates_are_no_numbers(cell):
    assert written(cell) is None


@pytest.mark.parametrize("cell", ["", " ", "NA", "n/a", "N.A.", "#DIV/0!", "None", "--", "\N{EM DASH}", "?"])
def test_gaps_have_many_names(cell):
    assert is_gap(cell)
