"""What the runs amount to: means, ranges, and whether targets were met."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from benchmarks.members.data import SETS
from benchmarks.members.rivals import FACTORIZATIONS, LEFT_OUT, LEIDEN, METHODS, OTHER_ORDERS, OURS, SHUFFLED, UNEQUAL

_POINTS = ("ten", "more", "toy", "mnist")
# An ARI below says that the classes of a set are not its clusters.
FINDABLE = 0.2
# An ARI that is this much higher is worth advice.
_WORTH_ADVICE = 0.05


@dataclass(frozen=True)
class Summary:
    """Numbers of the runs of a method on a set."""

    mean: float
    least: float
    most: float
    runs: int


@dataclass(frozen=True)
class Target:
    """What was wanted, what was measured, and where it was worst."""

    wanted: float
    measured: float
    where: str = ""

    @property
    def met(self):
        return self.measured >= self.wanted


class Results:
    """The runs of a file, by set and method."""

    def __init__(self, rows):
        self._rows = defaultdict(list)
        for row in rows:
            self._rows[row["set"], row["method"]].append(row)

    def sets(self, *groups):
        """Those that were run, of some groups, in their order."""
        return [name for name, found in SETS.items() if found.group in groups and (name, OURS) in self._rows]

    def methods(self, sets):
        """Those that were run on any of the sets, in their order, but for forms that are shown by themselves."""
        shown = (m for m in METHODS if m not in {SHUFFLED, UNEQUAL, OTHER_ORDERS, *LEFT_OUT.values()})
        return [m for m in shown if any((name, m) in self._rows for name in sets)]

    def values(self, name, method, field):
        found = np.array([row[field] for row in self._rows.get((name, method), ())])
        return found[~np.isnan(found)] if found.size else found

    def summary(self, name, method, field):
        """Mean and range; nothing where there is no number."""
        found = self.values(name, method, field)
        return Summary(found.mean(), found.min(), found.max(), found.size) if found.size else None

    def mean(self, sets, method, field):
        """The mean over sets of the mean over runs; nothing unless the method was run on all of them."""
        found = [self.summary(name, method, field) for name in sets]
        return float(np.mean([one.mean for one in found])) if found and None not in found else None

    def common_mean(self, sets, method, field, other):
        """The mean over the sets that another method has a number for, too."""
        both = [name for name in sets if self.summary(name, other, field) and self.summary(name, method, field)]
        return self.mean(both, method, field)

    def best(self, name, field):
        """The largest mean of any method on a set."""
        found = [self.summary(name, method, field) for method in self.methods([name])]
        return max(one.mean for one in found if one)

    def first(self, name, field):
        return self._rows[name, OURS][0][field]

    def runs(self, name, method):
        """The rows of a method on a set, by draw and seed."""
        return {(row["draw"], row["seed"]): row for row in self._rows.get((name, method), ())}

    def by_draw(self, name, method, field):
        """The mean over seeds on each draw of a set."""
        rows = self._rows.get((name, method), ())
        draws = sorted({row["draw"] for row in rows})
        return {draw: float(np.mean([row[field] for row in rows if row["draw"] == draw])) for draw in draws}

    def failures(self):
        return [row for rows in self._rows.values() for row in rows if row["failed"]]


def targets(results):
    """Every target by name; those whose sets were not run are missing."""
    points = results.sets(*_POINTS)
    ten = results.sets("ten")
    found = {
        "toys": _lowest(results, results.sets("toy"), 0.95),
        "ten": Target(0.82, results.mean(ten, OURS, "accuracy")),
        "factorizations": _smallest_lead(results, points, FACTORIZATIONS, "accuracy", -0.03),
        "steady": Target(0.95, results.mean(points, OURS, "seed_ari")),
        "steadier": _smallest(steadiness(results)),
        "left_out": _smallest(steadiness_of_parts(results)),
        "auc": Target(0.80, results.mean(ten, OURS, "auc")),
    }
    if results.sets("mnist"):
        found["mnist"] = _lowest(results, results.sets("mnist"), 0.96)
    if results.sets("lfr"):
        found["lfr"] = _smallest_lead(results, results.sets("lfr"), LEIDEN, "nmi", 0.0)
    return found


def steadiness(results):
    """For each rival with a seed, the mean ARI between its seeds, and that of S3NMF on the same sets."""
    points = results.sets(*_POINTS)
    rivals = [name for name in results.methods(points) if METHODS[name].seeded and name != OURS]
    return {
        name: (
            results.common_mean(points, name, "seed_ari", OURS),
            results.common_mean(points, OURS, "seed_ari", name),
            sum(results.summary(one, name, "seed_ari") is not None for one in points),
        )
        for name in rivals
    }


def steadiness_of_parts(results):
    """The same where a part of the points is left out each time."""
    points = results.sets(*_POINTS)
    ours = LEFT_OUT[OURS]
    return {
        name: (
            results.common_mean(points, part, "seed_ari", ours),
            results.common_mean(points, ours, "seed_ari", part),
            sum(results.summary(one, part, "seed_ari") is not None for one in points),
        )
        for name, part in LEFT_OUT.items()
        if name != OURS and any(results.summary(one, part, "seed_ari") for one in points)
    }


def on_findable(results, name):
    """The mean ARI of each method over the draws that all have, and over those on which some method has a fair one.

    Returns
    -------
    dict of str to (float, float)
    int, int
        How many draws either mean is over.
    """
    found = {method: results.by_draw(name, method, "ari") for method in results.methods([name])}
    everywhere = set.intersection(*({draw for draw, ari in one.items() if not np.isnan(ari)} for one in found.values()))
    findable = [draw for draw in everywhere if max(one[draw] for one in found.values()) >= FINDABLE]
    means = {
        method: tuple(float(np.mean([one[draw] for draw in draws])) for draws in (everywhere, findable))
        for method, one in found.items()
    }
    return means, len(everywhere), len(findable)


def advice(results, sets):
    """How often the recipe for unequal sizes is advised where it is better, alike and worse: counts of runs by kind."""
    found = {kind: [0, 0] for kind in ("better", "alike", "worse")}
    for name in sets:
        default, unequal = (results.runs(name, method) for method in (OURS, UNEQUAL))
        for key in default.keys() & unequal.keys():
            gain = unequal[key]["ari"] - default[key]["ari"]
            kind = "better" if gain > _WORTH_ADVICE else "worse" if gain < -_WORTH_ADVICE else "alike"
            found[kind][0] += int(default[key]["advised"])
            found[kind][1] += 1
    return found


def _lowest(results, sets, wanted):
    """The lowest accuracy of any run, in any order; groups on a line, of which some points lie among others, by ARI."""
    lowest = {
        name: min(one.least for method in (OURS, OTHER_ORDERS) if (one := results.summary(name, method, _right(name))))
        for name in sets
    }
    where = min(lowest, key=lowest.get)
    return Target(wanted, lowest[where], where)


def _right(name):
    return "ari" if name == "line" else "accuracy"


def _smallest_lead(results, sets, rival, field, wanted):
    leads = {
        name: results.summary(name, OURS, field).mean - results.summary(name, rival, field).mean
        for name in sets
        if results.summary(name, rival, field)
    }
    where = min(leads, key=leads.get)
    return Target(wanted, leads[where], where)


def _smallest(steadiness):
    """Our lead over the steadiest rival; nothing where none was run."""
    leads = {name: own - theirs for name, (theirs, own, _) in steadiness.items()}
    if not leads:
        return None
    where = min(leads, key=leads.get)
    return Target(0.0, leads[where], where)
