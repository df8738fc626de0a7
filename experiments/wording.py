"""Facts into words: the sentences are in templates/, and what they say of numbers and lists is here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from experiments.published import DATASETS


def rendered(template: str, **facts: Any) -> str:
    """The text of a template."""
    return _TEMPLATES.get_template(template).render(facts)


def note(table: str, **facts: Any) -> str:
    """What is said below a table, by the macro of its name in notes.txt.j2."""
    return paragraphs(getattr(_TEMPLATES.get_template("notes.txt.j2").module, table)(**facts))


def digits(value: float, n: int = 3) -> str:
    return f"{value:.{n}f}"


def signed(value: float, n: int = 3) -> str:
    return f"{value:+.{n}f}"


def listed(items: Iterable[str]) -> str:
    """The items, or that there are none.

    Examples
    --------
    >>> listed(["SC", "SR"]), listed([])
    ('SC, SR', 'none')
    """
    return ", ".join(items) or "none"


def paragraphs(text: str) -> str:
    r"""Every paragraph on one line, so that a template may break lines where it reads well.

    Examples
    --------
    >>> paragraphs("one\n   line\n\n\n\nand another\n")
    'one line\n\nand another'
    """
    lines = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text)]
    return "\n\n".join(line for line in lines if line)


def escaped(text: str) -> str:
    """Markdown in which the asterisk of a data set is one."""
    for name in DATASETS:
        text = text.replace(name, name.replace("*", "\\*"))
    return text


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,  # Markdown and plain text
)
_TEMPLATES.filters |= {
    "digits": digits,
    "signed": signed,
    "listed": listed,
    "paragraphs": paragraphs,
    "escaped": escaped,
}
