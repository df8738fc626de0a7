"""Results as notebooks show them: a sentence and a table, which need no other package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_CELL = "text-align: left; padding: 0.2em 0.8em"


def html_table(sentences: Iterable[str], header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Sentences above a table, whose first column names its rows.

    Examples
    --------
    >>> html_table(["<1 cluster"], ["cluster", "size"], [["0", "7"]]).count("&lt;1 cluster")
    1
    """
    above = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    head = "".join(f'<th scope="col" style="{_CELL}">{escape(name)}</th>' for name in header)
    body = "".join(
        f'<tr><th scope="row" style="{_CELL}">{escape(first)}</th>'
        + "".join(f'<td style="{_CELL}">{escape(cell)}</td>' for cell in cells)
        + "</tr>"
        for first, *cells in rows
    )
    return f"<div>{above}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
