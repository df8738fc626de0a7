"""A table of text with marks, and its four renderings: Markdown, HTML, LaTeX and CSV."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

Mark: TypeAlias = Literal["", "best", "second"]


class Entry(NamedTuple):
    """The text of a cell, and whether it is the best or second of its kind."""

    text: str
    mark: Mark = ""


@dataclass(frozen=True)
class Grid:
    """A table.

    Attributes
    ----------
    name : str
        Of its file.
    title : str
    header : tuple of str
    rows : tuple of tuples of Entry
    note : str
        What a reader must know, below the table.
    n_labels : int
        Columns at the left that name the row; the others hold numbers.
    """

    name: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    note: str = ""
    n_labels: int = 1


def markdown(grid: Grid) -> str:
    """With the best in bold and the second underlined; the title is left to the page."""
    rule = [":--" if j < grid.n_labels else "--:" for j in range(len(grid.header))]
    frames = {"": "{}", "best": "**{}**", "second": "<u>{}</u>"}
    lines = [[_markdown_text(text) for text in grid.header], rule]
    lines += [[frames[entry.mark].format(_markdown_text(entry.text)) for entry in row] for row in grid.rows]
    note = f"\n\n{_markdown_text(grid.note)}" if grid.note else ""
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + note


def html_table(grid: Grid) -> str:
    """A table element with its title as the caption."""
    frames = {"": "{}", "best": "<b>{}</b>", "second": "<u>{}</u>"}
    head = "".join(f"<th>{html.escape(text)}</th>" for text in grid.header)
    body = "\n".join(
        "<tr>"
        + "".join(
            f"<{tag}>{frames[entry.mark].format(html.escape(entry.text))}</{tag}>"
            for tag, entry in zip(["th"] * grid.n_labels + ["td"] * len(row), row, strict=False)
        )
        + "</tr>"
        for row in grid.rows
    )
    note = f"\n<p>{html.escape(grid.note)}</p>" if grid.note else ""
    return (
        f"<table>\n<caption>{html.escape(grid.title)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>{note}"
    )


def latex(grid: Grid) -> str:
    """A table environment in the paper's layout, small enough for a page on its side; it needs no package."""
    frames = {"": "{}", "best": r"\textbf{{{}}}", "second": r"\underline{{{}}}"}
    columns = "l" * grid.n_labels + "c" * (len(grid.header) - grid.n_labels)
    lines = [" & ".join(map(_latex_text, grid.header)) + r" \\", r"\hline"]
    lines += [
        " & ".join(frames[entry.mark].format(_latex_text(entry.text)) for entry in row) + r" \\" for row in grid.rows
    ]
    note = f"\n{_latex_text(grid.note)}" if grid.note else ""
    body = "\n".join(lines)
    return (
        f"\\begin{{table}}[t]\n\\caption{{{_latex_text(grid.title)}}}\n\\label{{table-{grid.name}}}\n"
        f"\\centering\\scriptsize\\setlength{{\\tabcolsep}}{{3pt}}\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\hline\\hline\n{body}\n\\hline\\hline\n\\end{{tabular}}{note}\n\\end{{table}}"
    )


def csv_text(grid: Grid) -> str:
    """The texts, without marks."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(grid.header)
    writer.writerows([entry.text for entry in row] for row in grid.rows)
    return buffer.getvalue()


def write(grids: Sequence[Grid], directory: Path) -> list[Path]:
    """All tables in one file each of Markdown, HTML and LaTeX, and in one CSV file a table."""
    styled = '<!doctype html>\n<meta charset="utf-8">\n<title>Tables</title>\n<style>{}</style>\n'.format(
        "table{border-collapse:collapse;margin:2em 0 .5em}caption{font-weight:bold;text-align:left}"
        "td,th{padding:.15em .6em;text-align:right}tbody th,thead th:first-child{text-align:left;font-weight:normal}"
        "thead,tbody{border-top:1px solid;border-bottom:1px solid}body{font:14px sans-serif}"
    )
    together: dict[str, tuple[str, Callable[[Grid], str]]] = {
        "tables.md": ("", lambda grid: f"## {_markdown_text(grid.title)}\n{markdown(grid)}"),
        "tables.html": (styled, html_table),
        "tables.tex": ("", latex),
    }
    contents = {
        directory / name: start + "\n\n".join(map(render, grids)) + "\n" for name, (start, render) in together.items()
    }
    contents |= {directory / "csv" / f"{grid.name}.csv": csv_text(grid) for grid in grids}
    for path, content in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return list(contents)


def _markdown_text(text: str) -> str:
    return text.replace("*", "\\*").replace("|", "\\|")


_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "↗": r"$\nearrow$",
    "↘": r"$\searrow$",
    "⋯": r"$\cdots$",
}


def _latex_text(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
