"""Texts for people's programs: cells that no spreadsheet takes for a formula, and no terminal for an order."""

from __future__ import annotations

import re
from typing import Any

# What a spreadsheet may take for a formula: more than a sign, and not just a number.
# Some take the wide signs of East Asian scripts for the same, and look past white space and marks that are not seen.
_UNSEEN = r"[\s\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069]*"
_FORMULA = re.compile(
    rf"(?!{_UNSEEN}[+-]?[\d.,]+(?:[eE][+-]?\d+)?%?\Z)(?:[\t\r\n]|{_UNSEEN}[=+\-@\uff1d\uff0b\uff0d\uff20])(?s:.)"
)
# What moves the cursor of a terminal, or asks it to do something, when a file is shown there.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def as_text(cell: Any) -> Any:
    r"""A cell that no spreadsheet runs, and no terminal obeys. Numbers stay as they are.

    Texts that begin like a formula begin with ' instead, and control characters are spelled out.

    Examples
    --------
    >>> as_text("=1+1"), as_text("@eve"), as_text("-5"), as_text("+1.5e3"), as_text("a=b"), as_text(-0.5)
    ("'=1+1", "'@eve", '-5', '+1.5e3', 'a=b', -0.5)
    >>> print(as_text("a\x1b[2J"))
    a\x1b[2J
    """
    if not isinstance(cell, str):
        return cell
    text = _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), cell)
    return f"'{text}" if _FORMULA.match(text) else text
