"""Every promise about versions, kept once: `make matrix`.

Builds the package and checks it, then installs the wheel into fresh environments: every Python, the oldest
dependencies, pre-releases, each extra alone. What cannot be had here, such as a Python that is not installed and cannot
be downloaded, is said and not counted as passed. The table goes into CONTRIBUTING.md.

`make matrix TESTS=tests/desk/sources` runs a part of the tests; `ROWS=extra` the rows whose name has that in it.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from extras import USES

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "matrix"
PAGE = ROOT / "CONTRIBUTING.md"
TABLE = re.compile(r"(?<=<!-- written by make matrix -->\n).*?(?=<!-- end of the matrix -->)", re.DOTALL)
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OLDEST, USUAL, NEWEST = PYTHONS[0], "3.12", "3.13"
ALL_TESTS = ["tests"]
# What other packages call outdated in each other is theirs to mend; what this one does, and all else, is an error here
# too.
WARNINGS = "filterwarnings=error\ndefault::DeprecationWarning:(?!s3nmf)"
TOOLS = ["build", "cffconvert", "check-wheel-contents", "pyright", "pyroma", "twine"]


class CannotBeHadError(Exception):
    """Something that this machine does not have and cannot get."""


@dataclass(frozen=True)
class Row:
    """One line of the table: what is promised, and how it is tried; the check may say what it left out."""

    name: str
    check: Callable[[], str | None]


def run(*command: object, **options: object) -> str:
    """What a command prints; its last lines if it fails."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError("\n".join((done.stdout + done.stderr).strip().splitlines()[-15:]))
    return done.stdout


def uv(*arguments: object) -> str:
    """uv, which also finds the Pythons of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    path = os.pathsep.join([*(str(place) for place in pyenv.glob("3.*/bin")), os.environ["PATH"]])
    return run(sys.executable, "-m", "uv", "--quiet", *arguments, env={**os.environ, "PATH": path})


def environment(name: str, python: str, *packages: object, options: tuple[str, ...] = ()) -> Path:
    """A fresh environment with these packages; its Python."""
    place = WORK / name
    try:
        uv("venv", "--clear", "--python", python, place)
    except RuntimeError as error:
        raise CannotBeHadError(f"Python {python} is not here and cannot be downloaded") from error
    try:
        uv("pip", "install", "--python", place, *options, *packages)
    except RuntimeError as error:
        if "no wheels" in str(error) or "unsatisfiable" in str(error):
            raise CannotBeHadError(str(error).splitlines()[-1].strip()) from error
        raise
    return place / "bin" / "python"


@cache
def wheel(python: str) -> Path:
    """The wheel for a Python, built from the checkout as it is committed: compiled loops are for one version each."""
    try:
        uv("python", "find", python)
    except RuntimeError as error:
        raise CannotBeHadError(f"Python {python} is not here and cannot be downloaded") from error
    uv("build", "--wheel", "--python", python, "--out-dir", ROOT / "dist", ROOT)
    built = (ROOT / "dist").glob(f"s3nmf-*-cp{python.replace('.', '')}-*.whl")
    return max(built, key=lambda path: path.stat().st_mtime)


def with_extras(extras: str, python: str) -> str:
    return f"s3nmf[{extras}] @ {wheel(python).as_uri()}"


def check_package() -> None:
    """The source distribution and the wheel are well made, and a program that uses the wheel type-checks."""
    python = environment("tools", USUAL, *TOOLS)
    tool = python.parent
    run(tool / "python", "-m", "build", "--outdir", "dist", ROOT)
    run(tool / "twine", "check", "--strict", *sorted((ROOT / "dist").iterdir()))
    run(tool / "check-wheel-contents", wheel(USUAL))
    run(tool / "pyroma", "--min", "8", ROOT)  # of 10: nobody's e-mail address is given
    run(tool / "cffconvert", "--validate", "--infile", ROOT / "CITATION.cff")
    uses = environment("typed", USUAL, with_extras("cli", USUAL), "mypy", "pandas")
    program = ROOT / "packaging" / "typed_user.py"
    run(tool / "pyright", "--pythonpath", uses, program)
    run(uses, "-m", "mypy", "--strict", "--config-file=", program)


def check_tests(name: str, python: str, tests: list[str], *resolution: str) -> str | None:
    """The tests pass with the wheel: nothing in src/ is on the path."""
    found = environment(name, python, with_extras("test", python), options=resolution)
    options = ["-q", "-o", WARNINGS, "--numprocesses=2", "--dist=loadfile"]
    run(found, "-m", "pytest", *options, *tests)
    return None if tests == ALL_TESTS else "a part of the tests"


def check_extra(extra: str) -> None:
    """It does its own work alone, and the others are named where they are missing."""
    python = environment(f"extra-{extra}", USUAL, with_extras(extra, USUAL))
    run(python, "packaging/extras.py", "has", extra)


def check_bare() -> None:
    python = environment("bare", USUAL, wheel(USUAL))
    run(python, "-c", "import s3nmf; s3nmf.S3NMF(2).fit([[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]])")
    for extra in USES:
        run(python, "packaging/extras.py", "lacks", extra)


def rows(tests: list[str]) -> list[Row]:
    oldest = ("--resolution", "lowest-direct")
    return [
        Row("package: sdist, wheel, metadata, citation, types for users", check_package),
        *(Row(f"Python {one}, newest dependencies", lambda one=one: check_tests(one, one, tests)) for one in PYTHONS),
        Row(f"Python {OLDEST}, oldest dependencies", lambda: check_tests("oldest", OLDEST, tests, *oldest)),
        Row(f"Python {NEWEST}, pre-releases", lambda: check_tests("ahead", NEWEST, tests, "--prerelease", "allow")),
        Row("no extra: fits, and names each extra that is missing", check_bare),
        *(Row(f"extra `{one}` alone", lambda one=one: check_extra(one)) for one in USES),
    ]


def outcome(row: Row) -> str:
    try:
        part = row.check()
    except CannotBeHadError as error:
        return f"could not be had: {error}"
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return "**fails**"
    return f"passes {part}" if part else "passes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", nargs="+", default=ALL_TESTS)
    parser.add_argument("--rows", default="")
    asked = parser.parse_args()
    promised = rows(asked.tests)
    new = {}
    for row in promised:
        if asked.rows in row.name:
            new[row.name] = outcome(row)
            print(f"{row.name}: {new[row.name]}", flush=True)
    text = PAGE.read_text(encoding="utf-8")
    results = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", TABLE.search(text)[0], re.MULTILINE)) | new
    lines = [f"| {row.name} | {results.get(row.name, 'not run yet')} |\n" for row in promised]
    table = "".join(["| what | result |\n|---|---|\n", *lines])
    PAGE.write_text(TABLE.sub(lambda _: table, text), encoding="utf-8")
    sys.exit("**fails**" in new.values())


if __name__ == "__main__":
    main()
