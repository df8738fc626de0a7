"""Run the comparison and write its page: ``python -m benchmarks.members`` from the project's root.

It goes on where it was stopped; ``--redraw`` writes the page from the saved runs.
"""

import argparse
import os
from pathlib import Path

from benchmarks.members import page, runs
from benchmarks.members.plan import GROUPS, wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20, help="the most seeds of a method on a set")
    parser.add_argument("--only", default="", help="names of sets, groups of sets or methods, with semicolons between")
    parser.add_argument("--mnist", action="store_true", help="all of MNIST, too")
    parser.add_argument("--again", action="store_true", help="forget these runs first")
    parser.add_argument("--redraw", action="store_true", help="write the page from the saved runs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=Path, default=Path("docs/members.md"))
    chosen = parser.parse_args()
    saved = chosen.output.with_suffix(".csv")
    if not chosen.redraw:
        only = [name.strip() for name in chosen.only.split(";") if name.strip()]
        groups = (*GROUPS, "mnist") if chosen.mnist else GROUPS
        plan = list(wanted(only, groups, chosen.seeds))
        if chosen.again:
            runs.forget(plan)
        runs.run_all(plan, chosen.jobs)
        runs.write(saved)
    page.write(runs.load(saved), chosen.output)


if __name__ == "__main__":
    main()
