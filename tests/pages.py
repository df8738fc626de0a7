"""The pages that people read, and what their blocks of code do.

`python tests/pages.py` writes anew what the pages show as output. A block is told by its language:

- `python`: run, in one namespace a page. A block of `text` right after it is what it prints.
- `console`: commands after `$`, each with what it prints. It has to succeed, unless that begins with `Error:`:
  then its exit code has to be 1.
- `sh`: commands that have to succeed. What would install, build or stay open is not run, but has to exist.

Blocks of a page run one after the other in one folder that is empty at first, as a reader would type them.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from typer.testing import CliRunner

from s3nmf.desk.cli import terminal
from s3nmf.desk.cli.commands import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
WIDTH = 80  # of the terminal that is shown
BLOCK = re.compile(
    r"^```(?P<language>\w+)\n(?P<code>.*?)^```(?:\n\n```text\n(?P<shown>.*?)^```)?", re.DOTALL | re.MULTILINE
)
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE)
# Clusters of machines that no test has; the page says that they were not run.
NOT_RUN = ("from dask_jobqueue", "from dask_kubernetes")


class PageError(AssertionError):
    """A block of a page does something else than it shows."""


def named(page):
    return str(page.relative_to(ROOT))


def needs_scanpy(page):
    """Whether a page begins with data that come with scanpy, which tests can do without."""
    return "\nimport scanpy" in page.read_text(encoding="utf-8")


def played(page):
    """The page as it would be if what its blocks print now were written into it."""
    text, names = page.read_text(encoding="utf-8"), {}

    def block(found):
        language, code, shown = found["language"], found["code"], found["shown"]
        output = "" if shown is None else f"\n\n```text\n{shown}```"
        match language:
            case "python":
                printed = run_python(code, names, named(page))
                output = output and f"\n\n```text\n{printed}```"
            case "console" if not any(start in code for start in NOT_RUN):
                code = "".join(f"$ {one['command']}\n{run_shown(one)}" for one in COMMAND.finditer(code))
            case "sh":
                for line in code.splitlines():
                    follow(line)
        return f"```{language}\n{code}```{output}"

    return BLOCK.sub(block, text)


def run_python(code, names, where):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, where, "exec"), names)
    return trimmed(printed.getvalue())


def run_shown(one):
    """What a command prints, if it ends as the page lets expect."""
    return trimmed(run(one["command"], expected=int(one["shown"].startswith("Error: "))))


def run(command, expected=0):
    """What a command prints. `s3nmf` runs in this process, for starting it anew takes seconds."""
    start, _, rest = command.partition("|") if command.startswith("(") else ("", "", command)
    own, _, then = rest.strip().partition("|")
    if not own.startswith("s3nmf "):
        return shell(command)
    given = shell(start) if start else None
    result = CliRunner().invoke(app, shlex.split(own, comments=True)[1:], input=given, prog_name="s3nmf")
    if result.exit_code != expected:
        raise PageError(f"{command}: exit code {result.exit_code}, not {expected}\n{result.output}")
    return shell(then, result.stdout) if then else result.output


def shell(command, given=None):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    program = ["bash", "-c", f"set -o pipefail; {command}"]
    done = subprocess.run(program, input=given, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise PageError(f"{command}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def follow(line):
    """Do what a line of a shell says, if this library does it; else see that it can be done."""
    match shlex.split(line, comments=True):
        case ["s3nmf", "app", *_]:  # which goes on until it is stopped; tests/desk/cli/test_app.py runs it
            run("s3nmf app --help")
        case ["s3nmf", *_]:
            run(line)
        case ["make", *targets]:
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            if not all(re.search(f"^{target}:", makefile, re.MULTILINE) for target in targets):
                raise PageError(f"{line}: no such target")
        case ["pip", "install", what]:
            extras = re.fullmatch(r"(?:s3nmf|\.)(?:\[(.*)\])?", what)[1]
            declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
            if unknown := set(extras.split(",") if extras else ()) - set(declared["project"]["optional-dependencies"]):
                raise PageError(f"{line}: no such extra: {unknown}")
        case [program, *_] if not program.startswith(".venv/bin/") and program not in {"git", "python"}:
            raise PageError(f"{line}: not known")


def trimmed(text):
    return re.sub(" +$", "", text, flags=re.MULTILINE)


def masked(text):
    """Without what differs from run to run: the last column of a table that is headed "seconds", and its width."""
    lines, timed = [], False
    for line in text.splitlines():
        timed = line.endswith(" seconds") or (timed and line != "")
        lines.append(re.sub(r" +", " ", re.sub(r"\d+\.\d\d$", "0.00", line)) if timed else line)
    return lines


def rewrite():
    terminal.line_width = lambda _stream: WIDTH
    for page in PAGES:
        if needs_scanpy(page) and find_spec("scanpy") is None:
            continue
        with TemporaryDirectory() as directory, contextlib.chdir(directory):
            now = played(page)
        if masked(now) != masked(page.read_text(encoding="utf-8")):
            page.write_text(now, encoding="utf-8")


if __name__ == "__main__":
    rewrite()
