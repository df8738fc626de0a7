"""docs/members.md from the runs: facts from here, sentences from page.md.j2."""

from importlib.metadata import version
from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmarks.members.data import SETS
from benchmarks.members.results import (
    FINDABLE,
    Results,
    advice,
    on_findable,
    steadiness,
    steadiness_of_parts,
    targets,
)
from benchmarks.members.rivals import (
    FACTORIZATIONS,
    LEFT_OUT,
    METHODS,
    OTHER_ORDERS,
    OURS,
    SHARE_LEFT_OUT,
    SHUFFLED,
    SPECTRAL,
    UNEQUAL,
)

# Two tables are legible where one of all methods would not be.
_COLUMNS = 7
_TIMED = ("USPST", "PALM", "USPS", "MNIST")
_PACKAGES = ("scikit-learn", "igraph", "umap-learn", "partition-igraph")


def write(rows, path: Path):
    path.write_text(document(Results(rows)), encoding="utf-8")


def document(results):
    """The page."""
    points = results.sets("ten", "more", "toy", "mnist")
    graphs = results.sets("lfr", "blocks")
    drawn = results.sets("drawn")
    unequal = results.sets("unequal")
    unseen = results.sets("unseen")
    rivals = [name for name in results.methods(points) if name != OURS]
    return _TEMPLATES.get_template("page.md.j2").render(
        targets=targets(results),
        results=results,
        ten=results.sets("ten"),
        toys=results.sets("toy"),
        points=points,
        graphs=graphs,
        unseen=unseen,
        unseen_bands=_bands([name for name in results.methods(unseen) if name != OURS], OURS),
        findable=[name for name in unseen if results.best(name, "ari") >= FINDABLE],
        tables=on_findable(results, "tables of R") if results.sets("tables") else None,
        drawn=drawn,
        drawn_bands=_bands([name for name in results.methods(drawn) if name != OURS], OURS),
        unequal=unequal,
        unequal_bands=_bands([name for name in results.methods(unequal) if name != OURS], OURS, UNEQUAL),
        advice_there=advice(results, unequal),
        advice_elsewhere=advice(results, points),
        bands=_bands(rivals, OURS, OTHER_ORDERS),
        rivals=rivals,
        graph_methods=results.methods(graphs),
        timed=[name for name in _TIMED if name in points],
        steadiness=steadiness(results),
        of_parts=steadiness_of_parts(results),
        left_out=LEFT_OUT,
        share_left_out=SHARE_LEFT_OUT,
        other_orders=OTHER_ORDERS,
        seeds=seeds_by_method(results, points),
        failures=results.failures(),
        versions={name: version(name) for name in _PACKAGES},
        ours=OURS,
        factorizations=FACTORIZATIONS,
        shuffled=SHUFFLED,
        seeded={name for name, method in METHODS.items() if method.seeded},
        unequal_sizes=UNEQUAL,
        spectral=SPECTRAL,
    )


def _bands(rivals, *ours):
    """The columns of tables that are narrow enough, ours in each."""
    return [[*ours, *rivals[first : first + _COLUMNS]] for first in range(0, len(rivals), _COLUMNS)]


def seeds_by_method(results, points):
    """For each method the seeds of most sets of a group, and the sets that have another number."""
    found = {}
    for method in results.methods(points):
        if METHODS[method].seeded:
            found[method] = {
                group: _usual(results, method, results.sets(group)) for group in ("ten", "more", "toy", "mnist")
            }
    return found


def _usual(results, method, sets):
    counts = {name: one.runs for name in sets if (one := results.summary(name, method, "accuracy"))}
    if not counts:
        return None
    usual = max(set(counts.values()), key=list(counts.values()).count)
    return usual, {name: count for name, count in counts.items() if count != usual}


def digits(value, n=3):
    """A share without the zero before its point: .853, 1.000, -.021."""
    if value is None:
        return ""
    text = f"{value:.{n}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("0.", ".", 1) if abs(value) < 1 else text


def spread(summary, n=3):
    """Mean and range, or the mean alone where all runs are alike."""
    if summary is None:
        return ""
    mean, least, most = digits(summary.mean, n), digits(summary.least, 2), digits(summary.most, 2)
    return mean if least == most else f"{mean} ({least} to {most})"


def median(values, n=1):
    return f"{np.median(values):.{n}f}" if len(values) else ""


def escaped(text):
    """Markdown in which the asterisk of a data set is one."""
    return text.replace("*", "\\*")


def group_of(name):
    return SETS[name].group


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,  # Markdown
)
_TEMPLATES.filters |= {"digits": digits, "spread": spread, "median": median, "escaped": escaped, "group_of": group_of}
