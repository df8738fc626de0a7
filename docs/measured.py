"""Where the figures of a page come from, and whether the code has changed since: the site says so on top of the page.

`python docs/measured.py` prints it for all pages.
"""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Source(NamedTuple):
    """What wrote the figures of a page: a command, the file of docs/ with them, and the code that they describe."""

    command: str
    data: str
    code: tuple[str, ...]


CLUSTERS = ("src/s3nmf/method", "src/s3nmf/graph", "src/s3nmf/_core")
VERDICT = (*CLUSTERS, "src/s3nmf/trust")
PAPER = ("src/s3nmf/method/paper.py", "src/s3nmf/solvers", "src/s3nmf/baselines", "experiments")
MEASURED = {
    "members": Source("make members", "members.csv", CLUSTERS),
    "trust": Source("python -m benchmarks.trust", "trust.json", VERDICT),
    "choosing-k": Source("python -m benchmarks.choosing_k", "choosing-k.csv", VERDICT),
    "scale": Source("make scale", "scale.json", CLUSTERS),
    "performance": Source("make benchmark", "performance.json", ("src/s3nmf/solvers", "src/s3nmf/_core")),
    "large-data": Source("python -m benchmarks.distributed", "large-data.json", ("src/s3nmf/distributed",)),
    "reliability": Source("make campaign", "reliability.json", ("src/s3nmf",)),
    "noise": Source("python -m benchmarks.noise", "noise.md", ("src/s3nmf/trust/noise.py",)),
    "methods": Source("python docs/methods.py", "methods.png", (*CLUSTERS, "src/s3nmf/solvers", "src/s3nmf/baselines")),
    "reproduction": Source("python -m experiments page", "reproduction.parquet", PAPER),
    "defaults": Source("make defaults", "reproduction.parquet", PAPER),
}


def note(source, root=ROOT):
    """Which command wrote the figures, which commit has them, and what has changed since; or only the command."""
    said = f"Figures by `{source.command}`"
    try:
        commit, day = git(root, "log", "-1", "--format=%h %cs", "--", f"docs/{source.data}").split()
        version = re.search(r'__version__ = "(.+)"', git(root, "show", f"{commit}:src/s3nmf/__init__.py"))[1]
        changes = int(git(root, "rev-list", "--count", f"{commit}..HEAD", "--", *source.code))
    except (OSError, subprocess.CalledProcessError, ValueError):
        return f"{said}."
    said = f"{said}, recorded on {day} in commit `{commit}`, s3nmf {version}."
    if not changes:
        return said
    code = ", ".join(f"`{path}`" for path in source.code)
    many = "1 commit has" if changes == 1 else f"{changes} commits have"
    return f"{said} **They are older than the code:** {many} changed {code} since."


def git(root, *arguments):
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def add_note(_app, name, source):
    """For Sphinx: put the note of a page below its title."""
    if name in MEASURED:
        title, text = source[0].split("\n", 1)
        source[0] = f"{title}\n\n:::{{note}}\n{note(MEASURED[name])}\n:::\n{text}"


if __name__ == "__main__":
    for page, source in MEASURED.items():
        print(f"{page}: {note(source)}")
