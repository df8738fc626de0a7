"""Numbers as people write them: 7,000 and 7.000,50, $2,978.18, 5 %, (120.00), 1 234,5.

A cell alone may say two things: 1,234 is a number of thousands to some, and little more than one to others. It is read
in both ways here; `s3nmf.desk.sources.notation` looks at the other cells to choose.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

Decimal: TypeAlias = Literal[".", ","]

MISSING = frozenset(
    {"", "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "null", "none", "?", "-", "--", ".", "\N{EN DASH}", "\N{EM DASH}"}
    | {"k.a.", "k. a.", "keine angabe", "n.v.", "n. v.", "fehlt", "missing", "not available", "no data", "n.d."}
    | {"#value!", "#div/0!", "#ref!", "#num!", "#name?", "#null!"}  # what Excel has for a formula that failed
    | {
        "#nv",
        "#wert!",
        "#bezug!",
        "#zahl!",
        "#valeur!",
        "#nombre!",
        "#nom?",
        "#nul!",
        "#\N{INVERTED EXCLAMATION MARK}valor!",
    }
)

_LONGEST = 60
_CODES = (
    "usd|eur|gbp|jpy|cny|rmb|chf|cad|aud|nzd|inr|sek|nok|dkk|pln|czk|huf|brl|mxn|zar|krw|sgd|hkd|try|rub|ils|thb|kr|zł"
)
_SIGNS = r"(?:[a-z]{1,2})?[$€£¥₹₽₩₺₪₫฿₦₴]"
_CURRENCY = rf"(?:{_SIGNS}|{_CODES})"
_MINUS = r"\-\N{MINUS SIGN}\N{EN DASH}"
_CELL = re.compile(
    rf"(?P<open>\()?(?P<sign>[+{_MINUS}])?\s?(?P<before>{_CURRENCY})?\s?(?P<inner>[{_MINUS}])?"
    r"(?P<body>[\d.,'\N{RIGHT SINGLE QUOTATION MARK}\s]*\d[.]?(?:e[+-]?\d+)?)"
    rf"\s?(?P<after>{_CURRENCY})?(?P<percent>\s?%)?(?P<close>\))?"
)
_GROUPS = r"'\N{RIGHT SINGLE QUOTATION MARK}\s"
_OTHER: dict[Decimal, Decimal] = {".": ",", ",": "."}
_SHAPES = {
    decimal: re.compile(
        rf"(?:\d+|[1-9]\d{{0,2}}(?P<mark>[{other}{_GROUPS}])\d{{3}}(?:(?P=mark)\d{{3}})*)?"
        rf"(?:[{decimal}]\d*)?(?:e[+-]?\d+)?"
    )
    for decimal, other in _OTHER.items()
}
_MARKS = re.compile(rf"[{_GROUPS}]")


class Written(NamedTuple):
    """A number as it is written in a cell: its value in either notation, and what stands around it."""

    by_point: float | None
    """Where a point stands before the decimals; None if it is no number so."""
    by_comma: float | None
    """Where a comma does."""
    currency: str = ""
    is_percent: bool = False
    in_brackets: bool = False
    has_minus: bool = False

    def value(self, decimal: Decimal) -> float | None:
        return self.by_point if decimal == "." else self.by_comma


def written(cell: str) -> Written | None:
    """What a cell says, if it is a number in any notation.

    Examples
    --------
    >>> written("1.234,50 €"), written("1,234").value("."), written("1,234").value(","), written("12 Main St")
    (Written(by_point=None, by_comma=1234.5, currency='€', ...), 1234.0, 1.234, None)
    """
    token = cell.strip().casefold()
    found = _CELL.fullmatch(token) if len(token) <= _LONGEST else None
    if found is None:
        number = plain(token)
        return None if number is None else Written(number, number)
    signs = [sign for sign in (found["sign"], found["inner"]) if sign]
    if bool(found["open"]) != bool(found["close"]) or len(signs) + bool(found["open"]) > 1:
        return None
    if found["before"] and found["after"]:
        return None
    has_minus = bool(signs) and signs != ["+"]
    factor = -1.0 if has_minus or found["open"] else 1.0
    values = [_value(found["body"], decimal) for decimal in _OTHER]
    if found["percent"]:
        values = [None if value is None else value / 100 for value in values]
    by_point, by_comma = (None if value is None else factor * value for value in values)
    if by_point is None and by_comma is None:
        return None
    currency = found["before"] or found["after"] or ""
    return Written(by_point, by_comma, currency, bool(found["percent"]), bool(found["open"]), has_minus)


def plain(cell: str) -> float | None:
    """The number that a cell holds as programs write it; None if it holds none."""
    if "_" in cell:  # Python's own spelling of 1000 as 1_000 is a name to everybody else
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def is_gap(cell: str) -> bool:
    """Whether a cell is empty, or says that there is no value."""
    return cell.strip().casefold() in MISSING


def _value(body: str, decimal: Decimal) -> float | None:
    if not _SHAPES[decimal].fullmatch(body):
        return None
    digits = _MARKS.sub("", body.replace(_OTHER[decimal], ""))
    return float(digits.replace(decimal, "."))
