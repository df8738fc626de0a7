"""What the walkthroughs show is what happens. `python tests/desk/cli/test_walkthroughs.py` writes their output anew."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from difflib import SequenceMatcher, unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from typer.testing import CliRunner

from s3nmf.desk.cli import terminal
from s3nmf.desk.cli.commands import app

DOCS = Path(__file__).parents[3] / "docs"
PAGES = [*sorted(DOCS.glob("walkthrough-*.md")), DOCS / "commands.md"]
# Python, and what it prints in a block behind it; or commands, each with what it prints.
BLOCK = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n.*?```)?|```console\n(?P<commands>.*?)```", re.DOTALL)
COMMAND = re.compile(r"^\$ (.*\n)", re.MULTILINE)


def play(command):
    """What a command prints. `s3nmf` runs in this process, for starting it anew takes seconds."""
    start, _, rest = command.partition("|") if command.startswith("(") else ("", "", command)
    given = shell(start) if start else None
    own, _, then = rest.strip().partition("|")
    if not own.startswith("s3nmf "):
        return shell(command)
    result = CliRunner().invoke(app, shlex.split(own)[1:], input=given, prog_name="s3nmf")
    return shell(then, result.stdout) if then else result.output


def shell(command, given=None):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    run = subprocess.run(
        ["bash", "-c", command], input=given, capture_output=True, text=True, env=environment, check=True
    )
    return run.stdout


def trimmed(text):
    return re.sub(" +$", "", text, flags=re.MULTILINE)


def played(text):
    """The page with the output of every command as it is now."""

    def block(found):
        if found["code"] is not None:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(found["code"], {})
            said = trimmed(printed.getvalue())
            return f"```python\n{found['code']}```" + (f"\n\n```text\n{said}```" if said else "")
        lines = [f"$ {command}{trimmed(play(command))}" for command in COMMAND.findall(found["commands"])]
        return f"```console\n{''.join(lines)}```"

    return BLOCK.sub(block, text)


def masked(text):
    """Without times, the only thing that differs from run to run; and the width of their column."""
    return re.sub(r" +", " ", re.sub(r"(?<=[A-Za-z\d] ) *\d+\.\d\d$", "0.00", text, flags=re.MULTILINE))


def without_numbers(lines):
    return [re.sub(r"\d[\d.]*", "#", line) for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_walkthroughs_show_what_happens(page, directory, monkeypatch):
    """In words to a line or two, and nearly all in digits: another processor may round a confidence differently."""
    monkeypatch.setattr(terminal, "line_width", lambda stream: 80)
    text = page.read_text(encoding="utf-8")
    shown, found = masked(text).splitlines(), masked(played(text)).splitlines()
    report = "\n".join(unified_diff(shown, found, "in the page", "now", lineterm=""))
    assert SequenceMatcher(None, *map(without_numbers, (shown, found))).ratio() > 0.97, report
    assert SequenceMatcher(None, shown, found).ratio() > 0.9, report


def rewrite():
    terminal.line_width = lambda stream: 80
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        with TemporaryDirectory() as directory, contextlib.chdir(directory):
            page.write_text(played(text), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
