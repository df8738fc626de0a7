"""Clustering on workers that die, beyond the memory, and of many rows: what docs/large-data.md shows.

``python -m benchmarks.distributed`` from the project's root measures, each task in a process of its own, and writes
docs/large-data.json and docs/large-data.md; ``--redraw`` writes the page from the JSON, ``--only rows`` measures one
thing, ``--rows 2000000`` fewer rows. Files go to the folder that S3NMF_BENCHMARK_CACHE names, and are removed.
"""

import argparse
import hashlib
import json
import logging
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from jinja2 import Template

from benchmarks.data import CACHE
from benchmarks.memory import peak_memory, status_of
from s3nmf.distributed.memory import memory_need

DOCS = Path(__file__).parents[1] / "docs"
MOMENTS = 10
N_CLUSTERS, N_COLUMNS = 20, 16
SHARES = (0.01, 0.1)
WORKER_MEMORY = 4e9
# Of the address space of the one process that works out of core, and how many times as large its data are.
LIMIT = 3e9
TIMES_LARGER = 10
# Each thread reserves addresses, and so does Arrow, a gigabyte, though they may never be used. One thread of each
# library is enough for one part.
FEW_ADDRESSES = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}


def mixture(n, part, n_columns=N_COLUMNS):
    """Rows of a part: Gaussian clusters of unequal sizes, which overlap a little, and where each row is from."""
    centers = np.random.default_rng(0).normal(size=(N_CLUSTERS, n_columns)) * 1.5
    rng = np.random.default_rng((1, part))
    share = np.arange(1, N_CLUSTERS + 1) / np.arange(1, N_CLUSTERS + 1).sum()
    y = rng.choice(N_CLUSTERS, size=n, p=share)
    return centers[y] + rng.normal(size=(n, n_columns)), y


def write_parts(folder, n_rows, n_parts, n_columns=N_COLUMNS, coarse=False):
    """Parquet files; coarse numbers take little room on the disk, and as much as others in memory."""
    import pyarrow as pa
    from pyarrow import parquet

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    first = 0
    for part, rows in enumerate(np.array_split(np.arange(n_rows), n_parts)):
        X, _ = mixture(len(rows), part, n_columns)
        X = np.round(X * 4) / 4 if coarse else X
        columns = {"id": np.arange(first, first + len(rows)), **{f"x{j}": X[:, j] for j in range(n_columns)}}
        parquet.write_table(pa.table(columns), folder / f"part-{part:04}.parquet")
        first += len(rows)


def fingerprint(folder):
    """Of the files of labels and what was found in them."""
    names = [*sorted(folder.glob("part-*")), folder / "manifest.json"]
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in names)).hexdigest()


@contextmanager
def local_workers(count, **limits):
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            **limits,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def run(source, out, sample, client=None, watch=None):
    from s3nmf.distributed import cluster_parts

    shutil.rmtree(out, ignore_errors=True)
    began = time.perf_counter()
    cluster_parts(source, N_CLUSTERS, out, client=client, sample=sample, watch=watch)
    return time.perf_counter() - began


def workers(n_rows=50_000):
    """Labels of one process, of 1, 2 and 4 workers, and of 2 of which one is killed at ten moments."""
    source, out = CACHE / "few", CACHE / "few-labels"
    write_parts(source, n_rows, 20)
    sample = n_rows // 10
    run(source, out, sample)
    expected = fingerprint(out)
    found = {"rows": n_rows, "same": {}, "kills": []}
    for count in (1, 4, 2):
        with local_workers(count) as client:
            seconds = run(source, out, sample, client)
            found["same"][count] = fingerprint(out) == expected
    for moment in range(1, MOMENTS + 1):
        with local_workers(2) as client:
            victim = list(client.run(os.getpid).values())[moment % 2]
            said = killed_during(lambda watch: run(source, out, sample, client, watch), victim, seconds * moment / 11)
            found["kills"].append({"moment": moment / 11, "during": said, "same": fingerprint(out) == expected})
            print(found["kills"][-1], file=sys.stderr, flush=True)
    return found


def killed_during(work, pid, after):
    """Do the work, kill a process so many seconds after it has begun, and return what was being done."""
    from threading import Timer

    doing, killed = ["beginning"], []

    def kill():
        killed.append(doing[-1])
        os.kill(pid, signal.SIGKILL)

    timer = Timer(after, kill)
    timer.start()
    work(lambda what, share: doing.append(what.partition(", ")[0]))
    timer.cancel()
    return killed[0] if killed else "over before"


def driver(n_rows=50_000):
    """The command killed at ten moments, and given again."""
    source, out = CACHE / "few", CACHE / "few-labels"
    write_parts(source, n_rows, 20)
    command = [sys.executable, "-m", "s3nmf", "cluster", str(source / "part-*.parquet"), "-k", str(N_CLUSTERS)]
    command += ["--sample", str(n_rows // 10), "--out", str(out), "--quiet"]
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run(command, check=True)
    shutil.rmtree(out)
    began = time.perf_counter()
    subprocess.run(command, check=True)
    seconds, expected, found = time.perf_counter() - began, fingerprint(out), []
    for moment in range(1, MOMENTS + 1):
        shutil.rmtree(out)
        process = subprocess.Popen(command)
        try:
            process.wait(seconds * moment / 11)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        kept = len(list(out.glob("part-*"))) if out.exists() else 0
        subprocess.run(command, check=True)
        same = fingerprint(out) == expected and not list(out.glob(".*"))
        found.append({"moment": moment / 11, "kept": kept, "same": same})
        print(found[-1], file=sys.stderr, flush=True)
    return {"rows": n_rows, "kills": found}


def out_of_core(limit=LIMIT, times=TIMES_LARGER, n_columns=1000, rows_a_part=2500):
    """The command in a process whose address space is limited, on data ten times as large in memory."""
    source, out = CACHE / "wide", CACHE / "wide-labels"
    n_rows = int(times * limit / 8 / n_columns)
    write_parts(source, n_rows, -(-n_rows // rows_a_part), n_columns, coarse=True)
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "s3nmf", "cluster", str(source), "-k", str(N_CLUSTERS), "--sample", "5000"]
    limited = f"ulimit -v {int(limit / 1024)}; exec " + " ".join(f"'{word}'" for word in [*command, "--out", str(out)])
    began = time.perf_counter()
    process = subprocess.Popen(["bash", "-c", limited], env=os.environ | FEW_ADDRESSES)
    peak, addresses = watched(process)
    found = json.loads((out / "manifest.json").read_text())["result"] if process.returncode == 0 else {}
    size = sum(path.stat().st_size for path in source.iterdir())
    shutil.rmtree(source)
    return {
        "limit": limit,
        "data": n_rows * n_columns * 8,
        "files": size,
        "columns": n_columns,
        "code": process.returncode,
        "rows": found.get("n_rows", 0),
        "peak": peak,
        "addresses": addresses,
        "seconds": time.perf_counter() - began,
    }


def watched(process):
    """The most memory, and the most addresses, of a process until it ends."""
    peak = addresses = 0
    while process.poll() is None:
        peak, addresses = max(peak, status_of(process.pid, "VmHWM")), max(addresses, status_of(process.pid, "VmPeak"))
        time.sleep(0.5)
    return peak, addresses


def rows(n_rows, n_parts=40):
    """Labels of all rows by two workers with a limit, from a sample of 1 % and of 10 %: time, memory, and how good."""
    source = CACHE / "rows"
    write_parts(source, n_rows, n_parts)
    found = {"rows": n_rows, "parts": n_parts, "runs": []}
    for share in SHARES:
        found["runs"].append(one_sample(source, n_rows, share))
        print(found["runs"][-1], file=sys.stderr, flush=True)
    compare(found, n_rows, n_parts)
    for folder in (source, *(CACHE / f"rows-{share}" for share in SHARES)):
        shutil.rmtree(folder)
    return found


def one_sample(source, n_rows, share):
    began: dict[str, float] = {}

    def watch(what, _):
        stage = what.split()[0]
        began.setdefault(stage, time.perf_counter())

    with local_workers(2, memory_limit=WORKER_MEMORY) as client:
        pids = client.run(os.getpid)
        first = time.perf_counter()
        run(source, CACHE / f"rows-{share}", int(n_rows * share), client, watch)
        last = time.perf_counter()
        peaks = [status_of(pid, "VmHWM") for pid in pids.values()]
        restarted = sorted(client.run(os.getpid).values()) != sorted(pids.values())
    result = json.loads((CACHE / f"rows-{share}" / "manifest.json").read_text())["result"]
    notes = next(iter(model_notes(CACHE / f"rows-{share}" / "model.s3nmf")))
    return {
        "share": share,
        "sample": int(n_rows * share),
        "seconds": last - first,
        "scan": began["fitting"] - first,
        "fit": began["building"] - began["fitting"],
        "place": last - began["building"],
        "workers": peaks,
        "restarted": restarted,
        "driver": peak_memory(),
        "estimate": notes,
        **{name: result[name] for name in ("n_rows", "n_far", "n_doubtful")},
    }


def model_notes(path):
    from s3nmf.estimators.saving import read_model

    return [note for note in (read_model(path).origin or {})["notes"] if note.startswith("Memory")]


def compare(found, n_rows, n_parts):
    """ARI of the labels of both samples, and of each with the truth."""
    from pyarrow import parquet
    from sklearn.metrics import adjusted_rand_score

    sizes = [len(part) for part in np.array_split(np.arange(n_rows), n_parts)]
    truth = np.concatenate([mixture(size, part)[1].astype(np.int8) for part, size in enumerate(sizes)])
    labels = []
    for each in found["runs"]:
        files = sorted((CACHE / f"rows-{each['share']}").glob("part-*"))
        labels.append(
            np.concatenate([parquet.read_table(file)["cluster"].to_numpy().astype(np.int8) for file in files])
        )
        each["ari"] = adjusted_rand_score(truth, labels[-1])
    found["ari_between"] = adjusted_rand_score(*labels)


TASKS = {"workers": workers, "driver": driver, "out_of_core": out_of_core, "rows": rows}


def subprocess_of(task, **arguments):
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.distributed", "--task", task, json.dumps(arguments)]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout.splitlines()[-1])


def page_of(results):
    template = (Path(__file__).parent / "templates" / "large-data.md.j2").read_text(encoding="utf-8")
    environment = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    need = memory_need(1_000_000, N_COLUMNS, N_CLUSTERS, 20, largest_part=1_000_000)
    billion = memory_need(1_000_000, N_COLUMNS, N_CLUSTERS, 20, largest_part=500_000)
    return Template(template, **environment).render(results, need=need, billion=billion, few_addresses=FEW_ADDRESSES)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", nargs=2, metavar=("NAME", "JSON"))
    parser.add_argument("--only", choices=TASKS)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--redraw", action="store_true")
    chosen = parser.parse_args()
    if chosen.task:
        print(json.dumps(TASKS[chosen.task[0]](**json.loads(chosen.task[1]))))
        return
    kept = DOCS / "large-data.json"
    results = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for task in () if chosen.redraw else [chosen.only] if chosen.only else TASKS:
        results[task] = subprocess_of(task, **({"n_rows": chosen.rows} if task == "rows" else {}))
        results["machine"] = {"cores": os.cpu_count(), "processor": platform.machine()}
        kept.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (DOCS / "large-data.md").write_text(page_of(results), encoding="utf-8")


if __name__ == "__main__":
    main()
