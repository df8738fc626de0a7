"""The page docs/performance.md and its plot, from the measurements."""

import numpy as np

from benchmarks.tasks import N_CLUSTERS, N_MEMBERS

SIZES = (1_000, 10_000, 100_000, 1_000_000)
# NumPy's sparse fit and spectral clustering are timed up to here.
COMPARED = SIZES[:3]


def write(results, path):
    """Write the page, and beside it the plot."""
    _plot(results, path.with_suffix(".png"))
    path.write_text(_document(results, path.with_suffix(".png").name), encoding="utf-8")


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
    fits, features, iris = results["fits"], results["features"], results["iris"]
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
    seconds = results["solvers"]["seconds"]
    yield (
        "sweeps of sBSUM / of the multiplicative update, USPST",
        "<= 3",
        f"{seconds['sbsum'] / seconds['multiplicative']:.1f}",
    )
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


def _document(results, picture):
    machine, rates, kernel = results["machine"], results["rates"], results["kernel"]
    dense = results["rivals"]["uspst dense float64"]
    caches = ", ".join(f"{level} {size}" for level, size in machine["caches"].items())
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    return f"""# Performance

Made by `make benchmark`: every measurement in a process of its own, one after the other, {N_MEMBERS} members,
{N_CLUSTERS} clusters; all numbers are in [performance.json](performance.json). The machine is shared and its speed
varies by tens of per cent, so trust ratios more than seconds. A run can be stopped and resumed, so rows may be hours
apart. A measurement that reached its time limit says so.

- {machine["processor"]}, {machine["cores"]} cores, {caches}; {machine["memory_bytes"] / 1e9:.0f} GB; Python
  {machine["python"]}, {versions}.
- Measured there: copy {rates["bytes_a_second"] / 1e9:.0f} GB/s; multiply-adds of float32 a second,
  {rates["loop_multiply_adds_a_second"] / 1e9:.0f}e9 in a compiled loop over cached rows and
  {rates["blas_multiply_adds_a_second"] / 1e9:.0f}e9 in BLAS.

{summary(results)}

"Dense BLAS" is the paper's algorithm in NumPy with members stacked and the objective by its trace form
([rivals.py](../benchmarks/rivals.py)). Its sweep is timed, and multiplied by the sweeps that the fit made: an n x n
similarity costs the same in every round. The other side of these ratios runs in float64, as NumPy does unless told
otherwise; in brackets, in this library's float32. Both sides are given the same number of sweeps, although the square
root that this library takes by default reaches in half of them what the paper's fourth root does.

What falls short, and what bounds it: BLAS multiplies at several times the rate of a compiled loop, which makes the
dense rival fast while its n x n matrix is small. "At the roofline" is what these ratios could reach with the same
sweeps if round 1 ran at the speed of arithmetic and memory, and all else took no time. The first two targets were set
when a dense sweep over USPST took 64 ms; here it takes {1e3 * dense["seconds_a_sweep"]:.0f} ms. From 10,000 to 100,000
points V outgrows the cache, and a sweep costs more a point; beyond it does not. Accuracy on MNIST depends on the seed.
Spectral clustering with lobpcg is the fastest method where its accuracy is enough.

The roofline is the time for one pass over V and the graph at the copy bandwidth plus that for the multiply-adds at the
rate of a compiled loop: {1e3 * roofline(results, kernel):.0f} ms, against {1e3 * kernel["seconds_a_sweep"]:.0f} ms
measured ({1e3 * kernel["seconds_a_sweep_on_one_thread"]:.0f} ms on one thread). What is above it is mostly the gather:
each edge reads a neighbour's row of {4 * N_MEMBERS * N_CLUSTERS} bytes from whichever cache holds it,
{4e-9 * N_MEMBERS * N_CLUSTERS * kernel["edges"]:.1f} GB a sweep.

## Fits by size

Gaussian mixture in 32 dimensions, graph given; seconds, and peak memory of the process in GB.

{_by_size(results)}

![Time of a fit by number of points]({picture})

Quality of the same fits and of scikit-learn's SpectralClustering on the same graph (accuracy; seconds):

{_spectral(results)}

## Where the time of a fit goes

{_rounds(results)}

Rounds after the first see only the distinct label tuples ("tuples": how many the round left), so a fit costs little
more than its first round.

What a point costs in a sweep of round 1, in microseconds on one thread, each part by itself: the product with the
graph, that with V'V, the roots and quotients, the next V'V.

{_parts(results)}

## Solvers

{results["solvers"]["sweeps"]} sweeps of {N_MEMBERS} members on USPST, float64:

{_solvers(results)}

## Neighbours

{_neighbors(results)}

Recall is the share of the true neighbours found, on 1000 points.
"""


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
    lines = ["| points | features | k | search | seconds | recall |", "|--:|--:|--:|---|--:|--:|"]
    for found, search in zip(results["neighbors"], ("exact", "approximate", "approximate"), strict=True):
        lines.append(
            f"| {found['n']:,} | {found['features']} | {found['k']} | {search} | {found['seconds']:.0f} "
            f"| {found['recall']:.4f} |"
        )
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
