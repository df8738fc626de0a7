"""Numbers, names and counts as a reader wants them: the same in messages, on the command line and in the report."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

LONGEST = 60
SHOWN = 5
_LONGEST_QUOTE = 200
# The sums of weights that are 1, or 0, but for rounding.
_ROUNDING = 1e-9
MISSING = "\N{EN DASH}"
# Control characters and lone surrogates have no place in a page; the first would be invisible, the second not UTF-8.
_NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

# Beyond so many doublings a ratio says that the smaller one is nearly nothing.
_MOST_DOUBLINGS = 9.97
_ENOUGH_TIMES = 10


def plain_text(value: Any, longest: int = LONGEST) -> str:
    """A name as text that can be shown; of a long one the beginning and the end.

    Examples
    --------
    >>> plain_text("x" * 50 + "y" * 50, 20)
    'xxxxxxxxxxxxx…yyyyyy'
    """
    text = _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", str(value))
    if len(text) <= longest:
        return text
    end = longest // 3
    return f"{text[: longest - 1 - end]}…{text[-end:]}"


def counted(n: int, thing: str) -> str:
    """How many of a thing there are.

    Examples
    --------
    >>> counted(1, "point"), counted(1797, "point")
    ('1 point', '1,797 points')
    """
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"


def listed(items: Iterable[Any], last: str = "and") -> str:
    """A list as it is read out.

    Examples
    --------
    >>> listed([3, 5, 8]), listed([2, 3], "or")
    ('3, 5 and 8', '2 or 3')
    """
    texts = [str(item) for item in items]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def begun(items: Iterable[Any], most: int = SHOWN) -> str:
    """The first few of a list, and dots for the others.

    Examples
    --------
    >>> begun([3, 5, 8], most=2), begun([3, 5])
    ('3, 5, ...', '3, 5')
    """
    texts = [str(item) for item in items]
    return ", ".join(texts[:most] + ["..."] * (len(texts) > most))


def quoted(names: Iterable[Any]) -> str:
    """The first few of the user's names, in quotes.

    Examples
    --------
    >>> quoted("abcdefg")
    "'a', 'b', 'c', 'd', 'e' and 2 more"
    """
    names = list(names)
    shown = ", ".join(shortened(repr(name)) for name in names[:SHOWN])
    return f"{shown} and {len(names) - SHOWN:,} more" if len(names) > SHOWN else shown


def shortened(text: str) -> str:
    """The beginning of a text that is too long for a message."""
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}..."


def percent(part: float, whole: float) -> str:
    """A share; never 0% of something or 100% of less than all.

    Examples
    --------
    >>> percent(1, 1000), percent(1, 3), percent(999, 1000), percent(0, 10)
    ('<1%', '33%', '>99%', '0%')
    """
    share = 100 * part / whole
    if 0 < share < 1:
        return "<1%"
    return ">99%" if 99 < share < 100 else f"{share:.0f}%"


def number(value: float) -> str:
    """Three significant digits, without an exponent where none is needed.

    Examples
    --------
    >>> number(1.4621), number(0.05), number(123456.7), number(2.5e9), number(float("inf"))
    ('1.46', '0.05', '123,457', '2.5e+09', '∞')
    """
    if math.isinf(value):
        text = "∞" if value > 0 else "-∞"
    elif math.isnan(value):
        text = MISSING
    elif 100 <= abs(value) < 1e7:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.3g}"
    return text.replace("-", "\N{MINUS SIGN}")


def signed(value: float) -> str:
    """A difference, with its sign and one digit after the point; 0 has no sign.

    Examples
    --------
    >>> signed(1.26), signed(-0.04), signed(float("inf"))
    ('+1.3', '0.0', '+∞')
    """
    text = "+∞" if value == math.inf else "-∞" if value == -math.inf else f"{value:+,.1f}"
    return "0.0" if text in {"+0.0", "-0.0"} else text.replace("-", "\N{MINUS SIGN}")


def fold(log2: float) -> str:
    """How many times as much, of its logarithm.

    Examples
    --------
    >>> fold(3.0), fold(0.5), fold(-1.0), fold(25.0)
    ('8 times', '1.4 times', '0.5 times', 'more than 1,000 times')
    """
    if log2 > _MOST_DOUBLINGS:
        return "more than 1,000 times"
    times = 2.0**log2
    return f"{times:.0f} times" if times >= _ENOUGH_TIMES or times == round(times) else f"{times:.1f} times"


def two_digits(value: float) -> str:
    """A share or an agreement; never 0 of something or 1 of less than all.

    Examples
    --------
    >>> two_digits(0.456), two_digits(1.0), two_digits(0.998), two_digits(0.001)
    ('0.46', '1.00', '>0.99', '<0.01')
    """
    if math.isnan(value):
        return MISSING
    text = f"{value:.2f}"
    if text == "1.00" and value < 1 - _ROUNDING:
        return ">0.99"
    return "<0.01" if text == "0.00" and value > _ROUNDING else text


def seconds(value: float) -> str:
    """A time.

    Examples
    --------
    >>> seconds(0.004), seconds(2.341), seconds(12.34), seconds(75), seconds(4020)
    ('<0.01 s', '2.34 s', '12.3 s', '1 min 15 s', '1 h 7 min')
    """
    if value < 0.01:
        return "<0.01 s"
    if value < 60:
        return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
