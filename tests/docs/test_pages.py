"""What the pages of the site and the README show can be done: every block of code runs, every command exists.

What a block of Python prints is what the block of text after it shows, where there is one.

Blocks of a page run one after the other, as a reader would type them, in a directory that holds `wine.csv` alone.
Walkthroughs, which show output as well, are in tests/desk/cli/test_walkthroughs.py.
"""

import re
import shlex
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from sklearn.datasets import load_wine
from typer.testing import CliRunner

from s3nmf.desk.cli.commands import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PYPROJECT, MAKEFILE = ((ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "Makefile"))


def blocks(page):
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def named(page):
    return str(page.relative_to(ROOT))


@pytest.fixture
def wine(tmp_path, monkeypatch):
    """The table of the walkthrough, in a directory of its own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    table = load_wine(as_frame=True).frame.rename(columns={"target": "cultivar"})
    table.rename_axis(index="wine").to_csv("wine.csv")


def follow(line):
    """Do what a line of a shell says, if this library does it; else see that it can be done."""
    match shlex.split(line, comments=True):
        case ["s3nmf", "app", *_]:  # which goes on until it is stopped; tests/desk/cli/test_app.py runs it
            assert CliRunner().invoke(app, ["app", "--help"]).exit_code == 0
        case ["s3nmf", *arguments]:
            result = CliRunner().invoke(app, arguments)
            assert result.exit_code == 0, result.output
        case ["make", *targets]:
            assert all(re.search(f"^{target}:", MAKEFILE, re.MULTILINE) for target in targets), line
        case ["pip", "install", what]:
            extras = re.fullmatch(r"(?:s3nmf|\.)(?:\[(.*)\])?", what)[1] or "cli"
            assert set(extras.split(",")) <= set(tomllib.loads(PYPROJECT)["project"]["optional-dependencies"]), line
        case [program, *_]:
            assert program.startswith(".venv/bin/") or program in {"git", "python"}, line


@pytest.mark.usefixtures("wine")
@pytest.mark.filterwarnings("ignore::UserWarning")  # said to the reader, too
@pytest.mark.parametrize("page", [page for page in PAGES if {"python", "sh"} & set(dict(blocks(page)))], ids=named)
def test_what_a_page_shows_can_be_done(page):
    names, printed = {}, ""
    for language, text in blocks(page):
        if language == "python" and not page.stem.startswith("walkthrough-"):
            with redirect_stdout(StringIO()) as output:
                exec(compile(text, named(page), "exec"), names)
            printed = output.getvalue()
        elif language == "text" and printed:
            assert text == printed
            printed = ""
        elif language == "sh":
            for line in text.splitlines():
                follow(line)


def test_no_block_escapes_by_its_language():
    for page in PAGES:
        assert set(dict(blocks(page))) <= {"python", "sh", "console", "text", "mermaid"}, page
