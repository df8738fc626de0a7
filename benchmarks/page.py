"""The page docs/performance.md and its plot, from the measurements."""

import json
from itertools import chain
from pathlib import Path

import numpy as np
from jinja2 import Template

from benchmarks.tasks import N_CLUSTERS, N_MEMBERS

SIZES = (1_000, 10_000, 100_000, 1_000_000)
# NumPy's sparse fit and spectral clustering are timed up to here.
COMPARED = SIZES[:3]


def write(results, path):
    """Write the page, and beside it the plot; with what pages in the same folder say of the default."""
    scale, large = (
        json.loads(other.read_text(encoding="utf-8")) if other.exists() else {}
        for other in (path.with_name("scale.json"), path.with_name("large-data.json"))
    )
    picture = path.with_suffix(".png")
    _plot(results, picture)
    template = (Path(__file__).parent / "templates" / "performance.md.j2").read_text(encoding="utf-8")
    page = Template(template, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True).render(
        results,
        scale=scale,
        large=large,
        n_members=N_MEMBERS,
        n_clusters=N_CLUSTERS,
        picture=picture.name,
        summary=summary(results),
        roofline=roofline(results, results["kernel"]),
        by_size=_by_size(results),
        spectral_clustering=_spectral(results),
        by_round=_rounds(results),
        parts_of_a_sweep=_parts(results),
        by_solver=_solvers(results),
        searches=_neighbors(results),
    )
    path.write_text(page, encoding="utf-8")


def summary(results):
    """The targets and what was reached, as a table."""
    rows = [(what, target, reached) for what, target, reached in _targets(results)]
    return "\n".join(["| what | target | measured |", "|---|--:|--:|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)])


def roofline(results, found, rate="loop"):
    """Seconds of a sweep if it did its multiplications at the machine's rate and read and wrote everything once."""
    rates = results["rates"]
    entries = found["n"] * N_CLUSTERS * N_MEMBERS
    multiply_adds = found["edges"] * N_CLUSTERS * N_MEMBERS + 1.5 * entries * N_CLUSTERS
    # V is read, the next V is written (which reads it first), an edge is an index and a weight.
    moved = 3 * 4 * entries + 8 * found["edges"]
    return moved / rates["bytes_a_second"] + multiply_adds / rates[f"{rate}_multiply_adds_a_second"]


def exponent(results, first, last):
    """The power of n that the time of a fit grows with."""
    seconds = [results["fits"][f"mixture-{n}"]["seconds"] for n in (first, last)]
    return float(np.log(seconds[1] / seconds[0]) / np.log(last / first))


def rival_fit(results, name, kind, dtype):
    """Seconds that a NumPy fit with the same sweeps and rounds takes: its sweeps cost the same in every round."""
    sweep = results["rivals"][f"{name} {kind} {dtype}"]
    return sweep["seconds_a_sweep"] * sum(results["fits"][name]["sweeps"])


def most(results, name, dtype):
    """What dense BLAS / ours could reach if round 1 ran at its roofline and all else took no time."""
    fit = results["fits"][name]
    return rival_fit(results, name, "dense", dtype) / (fit["sweeps"][0] * roofline(results, fit))


def _targets(results):
    """What was asked for, and what was reached."""
    return chain(_against_blas(results), _of_a_sweep(results), _on_mnist(results), _by_growth(results), _small(results))


def _against_blas(results):
    fits = results["fits"]
    for name, target in (("uspst", 100), ("mixture-10000", 200)):
        double, single = (
            rival_fit(results, name, "dense", dtype) / fits[name]["seconds"] for dtype in ("float64", "float32")
        )
        what = "USPST (2007 points)" if name == "uspst" else "10,000 points"
        yield (
            f"{what}: dense BLAS / ours, same sweeps and rounds",
            f">= {target}",
            f"{double:.0f} (float32: {single:.0f}); at the roofline {most(results, name, 'float64'):.0f} "
            f"({most(results, name, 'float32'):.0f})",
        )


def _of_a_sweep(results):
    kernel = results["kernel"]
    ratio = kernel["numpy32"] / kernel["seconds_a_sweep"]
    double = kernel["numpy64"] / kernel["seconds_a_sweep"]
    edges = kernel["edges"] / kernel["n"]
    yield (
        f"sweep of 70,000 points, {edges:.0f} edges a point: NumPy + SciPy / ours",
        ">= 5",
        f"{double:.1f} (float32: {ratio:.1f})",
    )
    yield (
        "the same sweep / its roofline",
        "<= 4",
        f"{kernel['seconds_a_sweep'] / roofline(results, kernel):.1f} (with BLAS's rate: "
        f"{kernel['seconds_a_sweep'] / roofline(results, kernel, rate='blas'):.1f})",
    )
    seconds = results["solvers"]["seconds"]
    yield (
        "sweeps of sBSUM / of the multiplicative update, USPST",
        "<= 3",
        f"{seconds['sbsum'] / seconds['multiplicative']:.1f}",
    )


def _on_mnist(results):
    features = results["features"]
    ours, theirs = features["ours"], features["spectral"]
    yield (
        f"MNIST from its pixels: SpectralClustering ({features['solver']}) / ours",
        ">= 1",
        f"{theirs['seconds'] / ours['seconds']:.1f} ({theirs['seconds']:.0f} s / {ours['seconds']:.0f} s, ACC "
        f"{theirs['accuracy']:.3f} / {ours['accuracy']:.3f})",
    )
    runs = results["mnist"]
    yield (
        f"MNIST, graph given: seconds and ACC, {len(runs)} seeds",
        "<= 25 s, >= .85",
        "; ".join(f"{run['seconds']:.1f} s, {run['accuracy']:.3f}" for run in runs)
        + f"; mean {np.mean([run['seconds'] for run in runs]):.1f} s, {np.mean([run['accuracy'] for run in runs]):.3f}",
    )


def _by_growth(results):
    fits = results["fits"]
    million = fits["mixture-1000000"]
    reached = (
        f"{million['seconds'] / 60:.1f} min, {million['peak_bytes'] / 1e9:.1f} GB"
        if "seconds" in million
        else f"more than {million['over'] / 60:.0f} min"
    )
    yield "1,000,000 points, graph given: time, peak memory", "<= 15 min, <= 8 GB", reached
    for first, last in ((10_000, 100_000), (10_000, 1_000_000)):
        if "seconds" in fits[f"mixture-{last}"]:
            what = f"growth of fit time from {first:,} to {last:,} points: exponent"
            yield what, "<= 1.15", f"{exponent(results, first, last):.2f}"


def _small(results):
    iris = results["iris"]
    yield "warm fit on iris (150 points)", "<= 0.3 s", f"{iris['warm']:.2f} s"
    yield "first fit in a process, loops on disk", "< 1 s", f"{iris['first']:.2f} s"
    yield "import beyond scikit-learn's", "< 0.5 s", f"{iris['import']:.2f} s"


def _parts(results):
    lines = ["| points | " + " | ".join(results["parts"][0]["seconds"]) + " |", "|--:|--:|--:|--:|--:|"]
    for found in results["parts"]:
        cells = " | ".join(f"{1e6 * seconds / found['n']:.2f}" for seconds in found["seconds"].values())
        lines.append(f"| {found['n']:,} | {cells} |")
    return "\n".join(lines)


def _solvers(results):
    found = results["solvers"]
    base = found["seconds"]["multiplicative"]
    lines = ["| solver | seconds | of the multiplicative update |", "|---|--:|--:|"]
    for solver, seconds in found["seconds"].items():
        lines.append(f"| {solver} | {seconds:.2f} | {seconds / base:.1f} |")
    return "\n".join(lines)


def _by_size(results):
    lines = [
        "| points | edges | s3nmf | memory | NumPy + SciPy | dense BLAS | arpack | lobpcg | amg |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n in (size for size in SIZES if "seconds" in results["fits"][f"mixture-{size}"]):
        name, fit = f"mixture-{n}", results["fits"][f"mixture-{n}"]
        if n not in COMPARED:
            cells = f"{n:,} | {fit['edges']:,} | {fit['seconds']:.1f} | {fit['peak_bytes'] / 1e9:.1f}"
            lines.append(f"| {cells} | | | | | |")
            continue
        sparse = f"{rival_fit(results, name, 'sparse', 'float64'):.0f}"
        dense = f"{rival_fit(results, name, 'dense', 'float64'):.0f}" if n <= 10_000 else f"({8 * n * n / 1e9:.0f} GB)"
        solvers = " | ".join(_seconds(results["spectral"][f"{name} {s}"]) for s in ("arpack", "lobpcg", "amg"))
        lines.append(
            f"| {n:,} | {fit['edges']:,} | {fit['seconds']:.1f} | {fit['peak_bytes'] / 1e9:.1f} | {sparse} | {dense} "
            f"| {solvers} |"
        )
    return "\n".join(lines)


def _seconds(found):
    if "seconds" in found:
        return f"{found['seconds']:.1f}"
    return f"> {found['over']}" if "over" in found else "failed"


def _spectral(results):
    lines = ["| data | s3nmf | arpack | lobpcg | amg |", "|---|--:|--:|--:|--:|"]
    ours = {**results["fits"], "mnist": results["mnist"][0]}
    for name in ("uspst", *(f"mixture-{n}" for n in COMPARED), "mnist"):
        cells = [_quality(results["spectral"][f"{name} {solver}"]) for solver in ("arpack", "lobpcg", "amg")]
        lines.append(f"| {name} | {_quality(ours[name])} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _quality(found):
    return f"{found['accuracy']:.3f}; {found['seconds']:.1f}" if "accuracy" in found else _seconds(found)


def _rounds(results):
    lines = ["| data | round | sweeps | seconds | agreement | tuples |", "|---|--:|--:|--:|--:|--:|"]
    for name, fit in (("USPST", results["fits"]["uspst"]), ("MNIST", results["mnist"][0])):
        for number, (sweeps, seconds, level) in enumerate(
            zip(fit["sweeps"], fit["seconds_of_rounds"], fit["agreement"], strict=True), start=1
        ):
            tuples = fit["tuples"][number - 1] if fit["tuples"] else ""
            lines.append(f"| {name} | {number} | {sweeps} | {seconds:.2f} | {level:.3f} | {tuples} |")
    return "\n".join(lines)


def _neighbors(results):
    lines = ["| table | points | features | k | search | CPU s | recall |", "|---|--:|--:|--:|---|--:|--:|"]
    lines += [
        f"| {found['name']} | {found['n']:,} | {found['features']} | {found['k']} | {found['search']} "
        f"| {found['cpu_seconds']:.1f} | {found['recall']:.4f} |"
        for found in results["neighbors"]
    ]
    return "\n".join(lines)


def _plot(results, path):
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    ours = [(n, results["fits"][f"mixture-{n}"].get("seconds")) for n in SIZES]
    curves = {"s3nmf": ([point for point in ours if point[1]], "#0072B2", "o", "-")}
    for kind, sizes, color, marker, label in (
        ("sparse", COMPARED, "#E69F00", "s", "NumPy + SciPy, same sweeps"),
        ("dense", SIZES[:2], "#D55E00", "^", "dense BLAS, same sweeps"),
    ):
        points = [(n, rival_fit(results, f"mixture-{n}", kind, "float64")) for n in sizes]
        curves[label] = (points, color, marker, "--")
    for solver, color, marker in (("arpack", "#009E73", "v"), ("lobpcg", "#CC79A7", "D"), ("amg", "#56B4E9", "P")):
        found = [(n, results["spectral"][f"mixture-{n} {solver}"].get("seconds")) for n in COMPARED]
        curves[f"SpectralClustering, {solver}"] = ([point for point in found if point[1]], color, marker, ":")
    for label, (points, color, marker, style) in curves.items():
        if points:
            n, seconds = zip(*points, strict=True)
            axes.loglog(
                n,
                seconds,
                color=color,
                marker=marker,
                linestyle=style,
                label=label,
                linewidth=2 if label == "s3nmf" else 1.2,
            )
    axes.set(xlabel="points", ylabel="seconds", title="Whole fit, graph given: 10 clusters, 20 members")
    axes.grid(which="major", alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=150)
    plt.close(figure)
