"""All tries, the table of what happened (docs/reliability.md and its JSON), and every failure with its seed.

``make campaign``, or ``python -m campaign`` with ``tests`` on the path. Goes on where it was stopped, kind by kind.
"""

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jinja2 import Template

import s3nmf
from campaign.kinds import KINDS
from campaign.memory import SHAPES, Shape, compared
from campaign.outcomes import FAILURES, OUTCOMES
from campaign.processes import ROOT
from experiments.code_state import digest_of

# Not the seeds that were used while faults were mended: those begin at 0.
FIRST_SEED = 1_000_000


def carried_out(name, seed, tries, jobs):
    """Do the tries of a kind, and count what happened."""
    kind = KINDS[name]
    if not kind.is_possible():
        return {"seed": seed, "counts": {}, "failures": [], "seconds": 0.0}
    began = time.monotonic()
    starts = range(seed, seed + tries, kind.at_once)
    batches = [range(start, min(start + kind.at_once, seed + tries)) for start in starts]
    counts, failures = Counter(), []
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(kind.run, batches):
            counts.update(outcome.kind for outcome in found)
            failures += [outcome._asdict() for outcome in found if outcome.kind in FAILURES]
    for failure in failures:
        say(f"{failure['kind']}: {name}, seed {failure['seed']}: {failure['input']}\n  {failure['said']}")
    return {"seed": seed, "counts": counts, "failures": failures, "seconds": time.monotonic() - began}


def is_done(found, seed, tries):
    """Whether a kind has been tried as often, or nearly: examples are shared out among tests evenly."""
    return found is not None and found["seed"] == seed and sum(found["counts"].values()) >= 0.9 * tries


def page_of(results):
    """docs/reliability.md."""
    template = (Path(__file__).parent / "reliability.md.j2").read_text(encoding="utf-8")
    rows = [(KINDS[name].words, results["kinds"][name]["counts"]) for name in KINDS]
    shapes = [(Shape(*shape), estimate, peak) for shape, estimate, peak in results.get("shapes", [])]
    return Template(template, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True).render(
        rows=rows,
        total=sum((Counter(counts) for _, counts in rows), Counter()),
        outcomes=OUTCOMES,
        failed=FAILURES,
        failures=[(name, one) for name, found in results["kinds"].items() for one in found["failures"]],
        shapes=shapes,
        seed=min(found["seed"] for found in results["kinds"].values()),
        minutes=sum(found["seconds"] for found in results["kinds"].values()) / 60,
    )


def say(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--tries", type=int, help="of each kind at most")
    parser.add_argument("--only", choices=KINDS, action="append", help="a kind; the page is not written then")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "reliability.md")
    parser.add_argument("--redraw", action="store_true", help="write the page from the saved results")
    chosen = parser.parse_args()
    saved = chosen.output.with_suffix(".json")
    known = json.loads(saved.read_text(encoding="utf-8")) if saved.exists() else {}
    state = digest_of(Path(s3nmf.__file__).parent)
    results = known if known.get("state") == state or chosen.redraw else {"state": state, "kinds": {}}
    if not chosen.redraw:
        for name in chosen.only or KINDS:
            tries = min(chosen.tries, KINDS[name].tries) if chosen.tries else KINDS[name].tries
            if not chosen.only and is_done(results["kinds"].get(name), chosen.seed, tries):
                continue
            found = carried_out(name, chosen.seed, tries, chosen.jobs)
            say(f"{name}: {dict(found['counts'])} in {found['seconds']:.0f} s")
            results["kinds"][name] = found
            if not chosen.only:
                saved.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if chosen.only:
        return any(results["kinds"][name]["failures"] for name in chosen.only)
    if not chosen.redraw and "shapes" not in results:
        results["shapes"] = [(shape, *compared(shape).values()) for shape in SHAPES]
        saved.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    chosen.output.write_text(page_of(results), encoding="utf-8")
    return any(found["failures"] for found in results["kinds"].values())


if __name__ == "__main__":
    sys.exit(main())
