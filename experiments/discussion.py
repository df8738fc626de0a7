"""Where the rerun agrees with the paper and where not, in sentences made of the numbers. Each may be empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from experiments.comparisons import cells_won, published_levels
from experiments.figures import curves_of, rounds_of
from experiments.levels import MEMBERS, Level, Levels
from experiments.protocols import SIZES, TAUS, Protocol
from experiments.published import ABLATION_METHODS, DATASETS, METHODS, published, published_average
from experiments.ranks import ranking
from experiments.results import Results
from experiments.tables import datasets_of, methods_of
from experiments.variants import DEFAULT, GOLDEN, SOFT, TEXTUAL, WITHOUT_ALPHA

_SAME = 0.005


def discussion(results: Results, levels: Mapping[Protocol, Levels]) -> list[str]:
    """Paragraphs of Markdown, by the levels of both protocols."""
    paragraphs = [
        graphs(levels["fixed"]),
        *(compared_methods(found, protocol) for protocol, found in levels.items()),
        *(self_supervised(results, levels["fixed"], method) for method in (DEFAULT, TEXTUAL)),
        authors_run(levels["fixed"]),
        spread(levels["fixed"]),
        contest(levels),
        ablations(levels["fixed"]),
        rounds(results),
        members(results),
        tau(results),
    ]
    return [escaped(paragraph) for paragraph in paragraphs if paragraph]


def escaped(text: str) -> str:
    """Markdown in which the asterisk of a data set is one."""
    for name in DATASETS:
        text = text.replace(name, name.replace("*", "\\*"))
    return text


def graphs(levels: Levels) -> str:
    """Whether the graphs are the paper's, by a method that depends on no seed, where it does not."""
    gaps = {}
    for name in datasets_of(levels):
        ours, paper = levels.get((name, "SR", "ACC")), published(name, "SR", "ACC")
        if ours is not None and ours.std is not None and max(ours.std, paper.std) <= _SAME:
            gaps[name] = round(ours.mean - paper.mean, 3)
    if not gaps:
        return ""
    return (
        f"**Graphs.** Where a method gives the same ACC, to {_SAME}, with every seed, here and in the paper, a gap "
        "between the two suggests another graph, or other data. SR is such a method on "
        + _listed(f"{name} ({gap:+.3f} from the paper)" for name, gap in gaps.items())
        + "."
    )


def compared_methods(levels: Levels, protocol: str) -> str:
    """How far the other methods' ACC is from the paper's."""
    cells = [
        (levels[dataset, method, "ACC"], published(dataset, method, "ACC"), method, dataset)
        for dataset in datasets_of(levels)
        for method in METHODS
        if method != DEFAULT and (dataset, method, "ACC") in levels
    ]
    if not cells:
        return ""
    near = sum(abs(ours.mean - paper.mean) <= max(ours.std or 0.0, paper.std, _SAME) for ours, paper, *_ in cells)
    above = sum(ours.mean > paper.mean for ours, paper, *_ in cells)
    far = sorted(cells, key=lambda cell: -abs(cell[0].mean - cell[1].mean))[:3]
    by_method = {
        method: float(np.mean([ours.mean - paper.mean for ours, paper, name, _ in cells if name == method]))
        for method in METHODS
        if any(name == method for _, _, name, _ in cells)
    }
    return (
        f"**Compared methods, {protocol}.** ACC is within a standard deviation of the paper's (the larger of the two, "
        f"at least {_SAME}) in {near} of {len(cells)} cells; it is higher than the paper's in {above}. Furthest apart: "
        + _listed(f"{method} on {name} ({ours.mean:.3f}, paper {paper.mean:.3f})" for ours, paper, method, name in far)
        + ". On average over data sets: "
        + _listed(f"{method} {gap:+.3f}" for method, gap in by_method.items())
        + "."
    )


def self_supervised(results: Results, levels: Levels, method: str) -> str:
    """S3NMF's members against the paper's row, and its one partition against its members."""
    found = results.rows(
        "select dataset, avg(members_acc), min(members_acc), max(members_acc), avg(acc), avg(rounds_acc[1]) "
        "from runs where method = ? and setting = '{}' group by dataset",
        method,
    )
    if not found:
        return ""
    by_name = {name: numbers for name, *numbers in found}
    below: list[str] = []
    above: list[str] = []
    reached, better, worse_than_one = [], [], []
    for name in datasets_of(levels):
        if name not in by_name:
            continue
        mean, lowest, highest, labels, first = by_name[name]
        paper = published(name, DEFAULT, "ACC").mean
        gap = round(mean - paper, 3)
        (below if gap < -_SAME else above).append(f"{name} ({gap:+.3f})")
        if round(lowest, 3) <= paper <= round(highest, 3):
            reached.append(name)
        if labels >= mean:
            better.append(name)
        if first is not None and mean < first:
            worse_than_one.append(name)
    return (
        f"**{method}.** The members' mean ACC is below the paper's on {_listed(below)}; equal, to {_SAME}, "
        f"or above on {_listed(above)}. The paper's number, which is that of one run, lies within our range over "
        f"runs on {_listed(reached)}. The partition that is handed out is at least as good as the members' mean on "
        f"{len(better)} of {len(by_name)} data sets. The rounds make the members worse than single SNMFs on "
        f"{_listed(worse_than_one)}."
    )


def authors_run(levels: Levels) -> str:
    """The golden run."""
    level = levels.get(("SEEDS", GOLDEN + MEMBERS, "ACC"))
    if level is None:
        return ""
    paper = published("SEEDS", DEFAULT, "ACC")
    same = "the paper's" if round(level.mean, 3) == paper.mean else f"not the paper's {paper.mean:.3f}"
    return f"**The authors' starts.** From them SEEDS comes out at {level.mean:.3f} ± {level.std or 0.0:.3f}, {same}."


def spread(levels: Levels) -> str:
    """Whether S3NMF hangs less on its start than SNMF, as the paper says."""
    pairs = {
        name: (levels.get((name, DEFAULT, "ACC")), levels.get((name, "SNMF", "ACC"))) for name in datasets_of(levels)
    }
    stds = {
        name: (ours.std, other.std)
        for name, (ours, other) in pairs.items()
        if ours is not None and other is not None and ours.std is not None and other.std is not None
    }
    if not stds:
        return ""
    varied = [name for name, (ours, other) in stds.items() if ours >= other]
    return (
        "**Spread.** The paper finds a smaller standard deviation than SNMF's on all data sets, within a run. Over "
        f"runs the partition that S3NMF hands out varies less than SNMF's on {len(stds) - len(varied)} of {len(stds)} "
        f"data sets; as much or more on {_listed(varied)}."
    )


def contest(levels: Mapping[Protocol, Levels]) -> str:
    """Cells won, and what the ranks say."""
    paper = cells_won(published_levels())
    won = {protocol: cells_won(found) for protocol, found in levels.items()}
    if not any(count.of for count in won.values()) or not any(len(methods_of(found)) > 1 for found in levels.values()):
        return ""
    sentences = [
        f"**Against the others.** The paper's S3NMF is best in {paper.best} of {paper.of} cells. Here it is best in "
        + " and ".join(f"{count.best} of {count.of} ({protocol})" for protocol, count in won.items())
        + "."
    ]
    for protocol, found in levels.items():
        ranks = ranking(found)
        if ranks is None or DEFAULT not in ranks.methods:
            continue
        rank = dict(zip(ranks.methods, ranks.ranks, strict=True))[DEFAULT]
        others = [name for name in ranks.methods if name != DEFAULT]
        alike = ranks.alike(DEFAULT)
        beaten = [
            name for name, level in zip(ranks.methods, ranks.ranks, strict=True) if level > rank and name not in alike
        ]
        sentences.append(
            f"By ACC ({protocol}) its average rank is {rank:.2f} of {len(ranks.methods)}, place "
            f"{ranks.methods.index(DEFAULT) + 1}; Friedman's p is {ranks.p_value:.1e}. {len(beaten)} of "
            f"{len(others)} others are significantly worse ({_listed(beaten)}); these data sets cannot tell it from "
            f"{_listed(alike)}."
        )
    return " ".join(sentences)


def ablations(levels: Levels) -> str:
    """What learned weights and hard reconstruction bring, on average."""
    datasets = [name for name in datasets_of(levels) if _ablation(levels, name) is not None]
    if not datasets:
        return ""
    rows = np.array([_ablation(levels, name) for name in datasets])
    ours = dict(zip(ABLATION_METHODS, rows.mean(axis=0), strict=True))
    theirs = {method: published_average(datasets, method, "ACC") for method in ABLATION_METHODS}
    gaps = dict(zip(datasets, rows[:, 3] - rows[:, 2], strict=True))
    return (
        f"**Ablation.** Members' mean ACC over {len(datasets)} data sets: "
        + _listed(f"{method} {ours[method]:.3f} (paper {theirs[method]:.3f})" for method in ABLATION_METHODS)
        + f". Learned weights bring {ours[DEFAULT] - ours[WITHOUT_ALPHA]:+.3f}, in the paper "
        f"{theirs[DEFAULT] - theirs[WITHOUT_ALPHA]:+.3f}; more than a hundredth on "
        f"{_listed(name for name, gap in gaps.items() if round(gap, 3) > 0.01)}. Hard instead of soft reconstruction "
        f"brings {ours[DEFAULT] - ours[SOFT]:+.3f}, in the paper {theirs[DEFAULT] - theirs[SOFT]:+.3f}."
    )


def rounds(results: Results) -> str:
    """Whether the stop finds the best round, and soon."""
    found = rounds_of(results)
    if not found:
        return ""
    gains, losses, late = {}, {}, []
    for name, (acc, _, stops) in found.items():
        at_stop = float(np.mean([levels[stop - 1] for levels, stop in zip(acc, stops, strict=True)]))
        gains[name] = at_stop - float(acc[:, 0].mean())
        losses[name] = float(acc.max(axis=1).mean()) - at_stop
        if np.mean(stops) > 5:
            late.append(name)
    worst = max(losses, key=lambda name: losses[name])
    return (
        f"**Rounds.** From round 1 to the stop ACC rises by {np.mean(list(gains.values())):.3f} on average over "
        f"{len(found)} data sets; it falls on {_listed(name for name, gain in gains.items() if gain < 0)}. The best of "
        f"ten rounds is {np.mean(list(losses.values())):.3f} better than the stop, at most {losses[worst]:.3f} "
        f"({worst}). The stop comes after the fifth round, on average over runs, on {_listed(late)}; the paper says "
        "that it usually comes within five."
    )


def members(results: Results) -> str:
    """Whether more members help, and whether twenty are enough."""
    means = {
        name: {size: float(np.mean(levels)) for size, levels in curve.items()}
        for name, curve in curves_of(results, "n_members", SIZES).items()
    }
    complete = {name: curve for name, curve in means.items() if {1, 20, 50} <= set(curve)}
    if not complete:
        return ""
    up = np.mean([curve[20] - curve[1] for curve in complete.values()])
    on = np.mean([curve[50] - curve[20] for curve in complete.values()])
    return (
        f"**Members.** From b = 1 to 20 ACC changes by {up:+.3f} on average over {len(complete)} data sets, from 20 to "
        f"50 by {on:+.3f}; twenty are not better than one on "
        f"{_listed(name for name, curve in complete.items() if curve[20] <= curve[1])}. The paper finds that more are "
        "generally better and twenty enough."
    )


def tau(results: Results) -> str:
    """Whether tau matters."""
    means = {
        name: [float(np.mean(levels)) for levels in curve.values()]
        for name, curve in curves_of(results, "tau", TAUS).items()
        if len(curve) == len(TAUS)
    }
    if not means:
        return ""
    ranges = {name: max(levels) - min(levels) for name, levels in means.items()}
    widest = max(ranges, key=lambda name: ranges[name])
    return (
        f"**tau.** Between {TAUS[0]:g} and {TAUS[-1]:g}, mean ACC moves by {np.mean(list(ranges.values())):.3f} on "
        f"average over {len(ranges)} data sets, at most by {ranges[widest]:.3f} ({widest}). The paper calls its "
        "curves flat on most data sets."
    )


def _ablation(levels: Levels, dataset: str) -> list[float] | None:
    names = [method if method == "SNMF" else method + MEMBERS for method in ABLATION_METHODS]
    found: list[Level | None] = [levels.get((dataset, name, "ACC")) for name in names]
    return None if None in found else [level.mean for level in found if level is not None]


def _listed(items: Iterable[str]) -> str:
    return ", ".join(items) or "none"
