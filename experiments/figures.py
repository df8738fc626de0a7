"""The paper's three figures for all data sets, and the diagram of ranks. Markers and dashes do what colour may not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import matplotlib.pyplot as plt
import numpy as np

from experiments.levels import Levels
from experiments.protocols import SIZES, TAUS, Protocol
from experiments.published import DATASETS
from experiments.ranks import Ranking, ranking
from experiments.results import Results
from experiments.variants import ALL_ROUNDS, DEFAULT
from s3nmf._types import FloatArray
from s3nmf.method.vote import best_round

ROWS, COLUMNS = 2, 5
Curve: TypeAlias = dict[float, list[float]]
"""The levels of several runs, by what is on the x axis."""


def chosen_round(agreement: Sequence[float]) -> int:
    """The round that Algorithm 1 would choose, counted from 1, of a run that did not stop by its rule.

    It would stop after the first round whose members agree less than those before, or completely.

    Examples
    --------
    >>> chosen_round([0.4, 0.9, 0.95, 0.93, 0.99]), chosen_round([0.4, 1.0, 1.0]), chosen_round([0.4, 0.5])
    (3, 2, 2)
    """
    last = next(
        (
            number
            for number, (before, level) in enumerate(pairwise([agreement[0], *agreement]), 1)
            if level == 1.0 or level < before
        ),
        len(agreement),
    )
    return best_round(agreement[:last])


def rounds_of(results: Results) -> dict[str, tuple[FloatArray, FloatArray, list[int]]]:
    """Mean ACC of the members and ANMI, (runs, rounds), and the round that each run would choose, by data set."""
    found = results.rows(
        "select dataset, rounds_acc, rounds_agreement from runs where method = ? order by seed", ALL_ROUNDS
    )
    return {
        name: (
            np.array([acc for dataset, acc, _ in found if dataset == name]),
            np.array([levels for dataset, _, levels in found if dataset == name]),
            [chosen_round(levels) for dataset, _, levels in found if dataset == name],
        )
        for name in DATASETS
        if any(dataset == name for dataset, *_ in found)
    }


def curves_of(results: Results, parameter: str, values: Sequence[float]) -> dict[str, Curve]:
    """ACC of S3NMF's members by the values of one parameter, the others at their defaults; data sets with several.

    All points of a curve are over the same seeds, those that every one of them has: defaults are run more often.
    """
    found = results.rows(
        "select dataset, setting, parameters, seed, members_acc from runs where method = ? order by seed", DEFAULT
    )
    by_seed: dict[str, dict[float, dict[int, float]]] = {}
    for dataset, setting, parameters, seed, acc in found:
        value = json.loads(parameters)[parameter]
        if set(json.loads(setting)) <= {parameter} and value in values:
            by_seed.setdefault(dataset, {}).setdefault(value, {})[seed] = acc
    curves = {}
    for name in DATASETS:
        points = by_seed.get(name, {})
        shared = set.intersection(*map(set, points.values())) if points else set()
        if len(points) > 1 and shared:
            curves[name] = {value: [points[value][seed] for seed in sorted(shared)] for value in sorted(points)}
    return curves


def references_of(results: Results) -> dict[str, float]:
    """Mean ACC of SNMF by data set."""
    found = results.rows("select dataset, avg(acc) from runs where method = 'SNMF' and setting = '{}' group by dataset")
    return dict(found)


def draw_all(results: Results, levels: Mapping[Protocol, Levels], directory: Path) -> list[Path]:
    """Figures 1 to 3 and the ranks of each protocol, as PNG and SVG; those of which there are no runs are left out."""
    references = references_of(results)
    figures = {"rounds": _rounds_figure(rounds_of(results))}
    for name, parameter, values, label in (("members", "n_members", SIZES, "b"), ("tau", "tau", TAUS, "tau")):
        figures[name] = _curves_figure(curves_of(results, parameter, values), references, values, label)
    for protocol, found in levels.items():
        figures[f"ranks-{protocol}"] = rank_diagram(ranking(found), protocol)
    return [path for name, figure in figures.items() if figure is not None for path in save(figure, directory / name)]


def save(figure: Any, stem: Path) -> list[Path]:
    """Write a figure as PNG and SVG: the same bytes for the same numbers."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    with plt.rc_context({"svg.hashsalt": "s3nmf", "svg.fonttype": "none"}):
        for suffix, metadata in ((".png", {"Software": None}), (".svg", {"Date": None, "Creator": None})):
            figure.savefig(stem.with_suffix(suffix), dpi=110, metadata=metadata)
    plt.close(figure)
    return [stem.with_suffix(".png"), stem.with_suffix(".svg")]


def _rounds_figure(rounds: dict[str, tuple[FloatArray, FloatArray, list[int]]]) -> Any:
    def draw(axis: Any, name: str) -> list[Any]:
        acc, anmi, stops = rounds[name]
        x = np.arange(1, acc.shape[1] + 1)
        (line,) = axis.plot(x, acc.mean(axis=0), "o-", color="black", markersize=4, label="ACC of the members (left)")
        right = axis.twinx()
        right.tick_params(labelsize=8)
        (other,) = right.plot(x, anmi.mean(axis=0), "s--", color="tab:blue", markersize=3, label="ANMI (right)")
        stopped, counts = np.unique(stops, return_counts=True)
        rings = right.scatter(
            stopped,
            anmi.mean(axis=0)[stopped - 1],
            s=220 * counts / len(stops),
            facecolors="none",
            edgecolors="tab:red",
            linewidths=1.4,
            zorder=3,
            label="stop (area: share of runs)",
        )
        axis.set_xticks(x[::2])
        return [line, other, rings]

    return _panels(list(rounds), draw, "round")


def _curves_figure(curves: dict[str, Curve], references: dict[str, float], values: Sequence[float], label: str) -> Any:
    def draw(axis: Any, name: str) -> list[Any]:
        places = [values.index(value) for value in curves[name]]
        means = [float(np.mean(levels)) for levels in curves[name].values()]
        # One run has no spread, and no bar.
        spread = [float(np.std(levels, ddof=1)) if len(levels) > 1 else np.nan for levels in curves[name].values()]
        lines = [axis.errorbar(places, means, spread, fmt="o-", color="black", markersize=4, capsize=2, label="S3NMF")]
        if name in references:
            lines.append(axis.axhline(references[name], color="black", linestyle="--", linewidth=1, label="SNMF"))
        axis.set_xticks(range(len(values)), [f"{value:g}" for value in values])
        return lines

    return _panels(list(curves), draw, label)


def _panels(names: list[str], draw: Callable[[Any, str], list[Any]], label: str) -> Any:
    """The paper's two rows of five, one panel a data set, and one legend."""
    if not names:
        return None
    figure, axes = plt.subplots(ROWS, COLUMNS, figsize=(14, 5.2), layout="constrained")
    handles: list[Any] = []
    for axis, name in zip(axes.flat, names, strict=False):
        handles = draw(axis, name)
        axis.set_title(name, fontsize=10)
        axis.set_xlabel(label, fontsize=9)
        axis.tick_params(labelsize=8)
    for axis in axes.flat[len(names) :]:
        axis.set_axis_off()
    for row in axes:
        row[0].set_ylabel("ACC", fontsize=9)
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=9, frameon=False)
    return figure


def rank_diagram(found: Ranking | None, protocol: Protocol) -> Any:
    """The critical-difference diagram: methods at their average ranks, bars over those that are alike."""
    if found is None:
        return None
    k = len(found.methods)
    half, groups = (k + 1) // 2, found.groups()
    top = 0.6 + 0.25 * len(groups)
    bottom = top + 0.55 * half
    figure, axis = plt.subplots(figsize=(8, 1 + 0.45 * bottom), layout="constrained")
    axis.set_xlim(-0.8, k + 1.8)
    axis.set_ylim(bottom, -1.7)
    axis.set_axis_off()
    axis.set_title(f"Average rank by ACC over {found.n_datasets} data sets ({protocol})", fontsize=10)
    axis.plot([1, k], [0, 0], color="black", linewidth=1)
    for tick in range(1, k + 1):
        axis.plot([tick, tick], [0, -0.15], color="black", linewidth=1)
        axis.text(tick, -0.25, str(tick), ha="center", va="bottom", fontsize=8)
    axis.plot([1, 1 + found.critical_difference], [-1, -1], color="black", linewidth=2)
    axis.text(1 + found.critical_difference / 2, -1.1, f"CD = {found.critical_difference:.2f}", ha="center", fontsize=8)
    for place, (method, level) in enumerate(zip(found.methods, found.ranks, strict=True)):
        left = place < half
        y, end = top + 0.55 * (place if left else k - 1 - place), 0.8 if left else k + 0.2
        axis.plot([level, level, end], [0, y, y], color="0.4", linewidth=0.8)
        text = f"{method}  {level:.2f}" if left else f"{level:.2f}  {method}"
        axis.text(end, y, text, ha="right" if left else "left", va="center", fontsize=8)
    for depth, (first, last) in enumerate(groups):
        y = 0.3 + 0.25 * depth
        axis.plot([found.ranks[first] - 0.04, found.ranks[last] + 0.04], [y, y], color="black", linewidth=3)
    return figure
