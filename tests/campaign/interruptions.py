"""SIGKILL, SIGTERM and SIGINT at a random moment: of a command that writes three files, of saves, of the experiments.

Afterwards every file is what it was or all that it should be, and but for SIGKILL nothing else is left behind.
"""

import signal
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np

import tiny_suite
from campaign import files
from campaign.outcomes import CRASH, FINE, HANG, PARTIAL, REFUSED, TRACEBACK, WRONG, Outcome
from campaign.processes import COMMAND_LINE, run, start, wait
from experiments.results import Results

# Where a shell has started this program aside, SIGINT is ignored, and by what this program starts as well.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
N = 300
SAVES = """
import sys
from campaign.interruptions import model
model = model()
print("saving", flush=True)
for _ in range(2000):
    model.save(sys.argv[1])
"""


def of_a_command(seed):
    """`s3nmf cluster --out --report --model`, half of the time over old files."""
    rng = np.random.default_rng([seed, 1])
    number, moment = SIGNALS[seed % 3], float(rng.random())
    with tempfile.TemporaryDirectory() as directory:
        data, out = Path(directory) / "data.csv", Path(directory) / "out"
        files.table(data, np.random.default_rng(0), N)
        out.mkdir()
        if rng.random() < 0.5:
            for name in ("labels.csv", "model.s3nmf", "page.html"):
                (out / name).write_bytes(files.OLD)
        ended = _interrupted(start(_command(data, out)), number, moment * 1.05 * _seconds_of_a_command())
        words = f"{number.name} at {moment:.2f} of s3nmf cluster"
        return files.after(_judged(ended, number, seed, words), out, N, leftovers=number == signal.SIGKILL)


def of_a_save(seed):
    """A model that is saved again and again to one name."""
    rng = np.random.default_rng([seed, 2])
    number = SIGNALS[seed % 3]
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "model.s3nmf"
        model().save(path)
        process = start([sys.executable, "-c", SAVES, path])
        process.stdout.readline()
        wait_for = float(rng.random() * 0.3)
        ended = _interrupted(process, number, wait_for)
        # A library leaves it to its caller what a signal does: the traceback of KeyboardInterrupt is Python's.
        kind = HANG if ended.hung else FINE
        outcome = Outcome(kind, seed, f"{number.name} {wait_for:.2f} s into saves", ended.stderr[-500:])
        # Python ends at once on SIGTERM, and nobody can tidy up.
        return files.after(outcome, directory, 60, leftovers=number != signal.SIGINT)


def of_experiments(seed):
    """A run of the experiments, which goes on afterwards as if nothing had been."""
    rng = np.random.default_rng([seed, 3])
    number, moment = SIGNALS[seed % 3], float(rng.random())
    words = f"{number.name} at {moment:.2f} of the experiments"
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, tiny_suite.__file__, directory, "SC,SR"]
        ended = _interrupted(start(command), number, moment * 1.05 * _seconds_of_experiments())
        if ended.hung:
            return Outcome(HANG, seed, words)
        again = run(command)
        if again.code != 0:
            return Outcome(TRACEBACK, seed, words, f"It does not go on: {again.stderr[-500:]}")
        rows = Results(directory).outcomes()
        if len(rows) != 12:
            return Outcome(WRONG, seed, words, f"{len(rows)} of 12 runs are there.")
        aside = list(Path(directory).glob("aside/*"))
        return Outcome(PARTIAL if aside else FINE, seed, words, " ".join(map(str, aside)))


@cache
def model():
    """What is saved."""
    from s3nmf import S3NMF  # noqa: PLC0415

    X = np.random.default_rng(0).normal(size=(60, 3))
    return S3NMF(3, n_members=4, random_state=0).fit(X)


def _command(data, out):
    return [*COMMAND_LINE, "cluster", data, "-k", "3", "--id", "name", "--out", out / "labels.csv",
            "--report", out / "page.html", "--model", out / "model.s3nmf"]  # fmt: skip


@cache
def _seconds_of_a_command():
    """How long it takes when nobody disturbs it, so that moments are all over it."""
    with tempfile.TemporaryDirectory() as directory:
        data = Path(directory) / "data.csv"
        files.table(data, np.random.default_rng(0), N)
        return _seconds(_command(data, Path(directory)))


@cache
def _seconds_of_experiments():
    with tempfile.TemporaryDirectory() as directory:
        return _seconds([sys.executable, tiny_suite.__file__, directory, "SC,SR"])


def _seconds(command):
    for _ in range(2):  # the first may compile
        began = time.monotonic()
        ended = run(command)
        seconds = time.monotonic() - began
    assert ended.code == 0, ended.stderr
    return seconds


def _interrupted(process, number, seconds):
    time.sleep(seconds)
    process.send_signal(number)
    return wait(process, within=60.0)


def _judged(ended, number, seed, words):
    if ended.hung:
        return Outcome(HANG, seed, words, ended.stderr[-1000:])
    # Before the first line of the library runs, Python ends in its own way.
    if "Traceback" in ended.stderr and "s3nmf" in ended.stderr:
        return Outcome(TRACEBACK, seed, words, ended.stderr[-1000:])
    if ended.code < 0 and -ended.code != number:
        return Outcome(CRASH, seed, words, ended.stderr[-1000:])
    return Outcome(FINE if ended.code == 0 else REFUSED, seed, words, ended.stderr[-200:])
