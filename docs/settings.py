"""docs/settings.md: every number that can change a label or a verdict, from the records that hold them.

``python docs/settings.py`` writes the page.
"""

import inspect
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import s3nmf.graph.settings
import s3nmf.method.settings
import s3nmf.trust.settings

PAGE = Path(__file__).with_name("settings.md")
ROOMS = (
    ("The graph and its communities", s3nmf.graph.settings),
    ("The method", s3nmf.method.settings),
    ("Verdicts and the number of clusters", s3nmf.trust.settings),
)
HEAD = """# Settings

Every number that can change a label or a verdict, with what it is, where it comes from and what moving it does. They
are not parameters: they are the same for all data. `python docs/settings.py` writes this page from the records in
`s3nmf.graph.settings`, `s3nmf.method.settings` and `s3nmf.trust.settings`.
"""


def records(module):
    """The records of a module, in the order of its classes."""
    found = [value for value in vars(module).values() if is_dataclass(value) and not isinstance(value, type)]
    return sorted(found, key=lambda record: inspect.getsourcelines(type(record))[1])


def described(record):
    """What a record is about, and what each of its numbers is: names as keys, in the order of the docstring."""
    about, _, attributes = inspect.getdoc(type(record)).partition("\n\nAttributes\n----------\n")
    parts = re.split(r"^(\w[\w, ]*) : .*\n", attributes, flags=re.MULTILINE)
    texts = {}
    for names, text in zip(parts[1::2], parts[2::2], strict=True):
        for name in names.split(", "):
            texts[name] = " ".join(text.split())
    return " ".join(about.split()), texts


def page():
    """The page."""
    lines = [HEAD]
    for title, module in ROOMS:
        lines.append(f"## {title}\n")
        for record in records(module):
            about, texts = described(record)
            assert list(texts) == [field.name for field in fields(record)], type(record)
            lines += [f"**{type(record).__name__}.** {about}\n", "| | value | |", "|---|--:|---|"]
            lines += [f"| `{name}` | {_number(getattr(record, name))} | {text} |" for name, text in texts.items()]
            lines.append("")
    return "\n".join(lines)


def _number(value):
    if isinstance(value, tuple):
        return ", ".join(map(_number, value))
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
