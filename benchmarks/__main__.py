"""Run all measurements one after the other, each in a process of its own, and write the table, the JSON and the page.

``python -m benchmarks`` from the project's root; ``--redraw`` writes the page from the saved JSON.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks import data, page
from benchmarks.data import CACHE

SOLVERS = ("arpack", "lobpcg", "amg")
LIMIT = 900
FIT_LIMIT = 1800
SOLVER_LIMIT = 90


def measure(task, limit=LIMIT, **arguments):
    """Run a task in a new process, and keep what it found, so that a run that was stopped can go on."""
    kept = CACHE / "measured" / f"{task} {json.dumps(arguments)}.json".replace("/", "-")
    if kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    found = _run(task, limit, arguments)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(found), encoding="utf-8")
    return found


def _run(task, limit, arguments):
    """The result of a task, or why there is none."""
    command = [sys.executable, "-m", "benchmarks.tasks", task, json.dumps(arguments)]
    print(f"{task} {arguments}", end=": ", flush=True)
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired:
        print(f"over {limit} s")
        return {"over": limit}
    except subprocess.CalledProcessError as error:
        reason = error.stderr.strip().splitlines()[-1] if error.stderr.strip() else f"exit {error.returncode}"
        print(reason)
        return {"failed": reason}
    found = json.loads(run.stdout.splitlines()[-1])
    print({key: value for key, value in found.items() if key in {"seconds", "seconds_a_sweep", "accuracy", "recall"}})
    return found


def measure_all():
    """Every measurement of the page."""
    mixtures = [f"mixture-{n}" for n in page.SIZES]
    results = {"machine": machine(), "rates": measure("machine_rates")}
    results["graphs"] = {name: measure("prepare", 3600, name=name) for name in ("uspst", "mnist", *mixtures)}
    results["kernel"] = measure("kernel_against_numpy", name="mnist", repeats=10)
    results["kernel-mixture"] = measure("kernel_against_numpy", name="mixture-100000", repeats=5)
    results["parts"] = [measure("parts", name=name, repeats=5) for name in ("mnist", "mixture-1000000")]
    results["solvers"] = measure("solvers", name="uspst", sweeps=100, repeats=3)
    results["fits"] = {name: measure("fit", FIT_LIMIT, name=name) for name in ("uspst", *mixtures)}
    results["rivals"] = {
        f"{name} {kind} {dtype}": measure("rival", name=name, kind=kind, dtype=dtype, repeats=3)
        for name, kinds in {
            "uspst": ("dense", "sparse"),
            "mixture-1000": ("dense", "sparse"),
            "mixture-10000": ("dense", "sparse"),
            "mixture-100000": ("sparse",),
        }.items()
        for kind in kinds
        for dtype in ("float64", "float32")
    }
    results["spectral"] = {
        f"{name} {solver}": measure("spectral", SOLVER_LIMIT, name=name, solver=solver)
        for name in ("uspst", *mixtures[:-1], "mnist")
        for solver in SOLVERS
    }
    results["mnist"] = [measure("fit", name="mnist", seed=seed) for seed in range(4)]
    on_mnist = {solver: results["spectral"][f"mnist {solver}"] for solver in SOLVERS}
    fastest = min(SOLVERS, key=lambda solver: on_mnist[solver].get("seconds", float("inf")))
    results["features"] = {
        "solver": fastest,
        "spectral": measure("spectral_from_features", 1800, solver=fastest),
        "ours": measure("fit_from_features"),
    }
    results["neighbors"] = [
        measure("neighbors", 1800, name="MNIST", search="exact"),
        *(measure("neighbors", 1800, name=name, search="auto") for name in data.TABLES),
    ]
    results["iris"] = measure("iris", repeats=5)
    return results


def machine():
    """What the numbers were measured on."""
    lines = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout.splitlines()
    cpu = dict(line.split(":", 1) for line in lines if ":" in line)
    cpu = {key.strip(): value.strip() for key, value in cpu.items()}
    return {
        "processor": cpu.get("Model name", platform.processor()),
        "cores": os.cpu_count(),
        "caches": {level: cpu[f"{level} cache"] for level in ("L1d", "L2", "L3") if f"{level} cache" in cpu},
        "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("numpy", "scipy", "scikit-learn", "s3nmf")},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("docs/performance.md"))
    parser.add_argument("--redraw", action="store_true", help="write the page from the saved JSON")
    parser.add_argument("--resume", action="store_true", help="go on with a run that was stopped")
    chosen = parser.parse_args()
    saved = chosen.output.with_suffix(".json")
    if not chosen.redraw:
        if not chosen.resume:
            shutil.rmtree(CACHE / "measured", ignore_errors=True)
        saved.write_text(json.dumps(measure_all(), indent=1) + "\n", encoding="utf-8")
    results = json.loads(saved.read_text(encoding="utf-8"))
    page.write(results, chosen.output)
    print(page.summary(results))


if __name__ == "__main__":
    main()
