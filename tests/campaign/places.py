"""A full disk, directories that cannot be written to, no home, a clock that jumps.

Disks are small file systems in memory that only this program sees, where the system lets it mount one (`unshare`).
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

import s3nmf
from campaign import files
from campaign.outcomes import FINE, REFUSED, WRONG, Outcome
from campaign.processes import COMMAND_LINE, environment, judged, run

_ALONE = ("unshare", "--user", "--map-root-user", "--mount")
N = 200
JUMPING = """
import random, sys, time
now, jump = time.time, random.Random(int(sys.argv.pop(1)))
time.time = lambda: now() + jump.choice([0.0, -1e9, 1e9, -3600.0, 3600.0, 0.5])
time.time_ns = lambda: int(1e9 * time.time())
from s3nmf.desk.cli.main import main
main()
"""


@cache
def can_mount():
    """Whether this system lets us have file systems of our own."""
    with tempfile.TemporaryDirectory() as directory:
        mount = [*_ALONE, "mount", "-t", "tmpfs", "none", directory]
        try:
            return subprocess.run(mount, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


def full_disk(seed):
    """`s3nmf cluster --out --report --model` onto a disk with so much room; else under a limit of files."""
    room = int(np.random.default_rng([seed, 4]).integers(4, 400)) * 4096  # at least for the three old files
    if can_mount():
        return _mounted("full_disk", seed, str(room))
    with tempfile.TemporaryDirectory() as directory:
        how = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))}
        return _written(Path(directory), seed, f"files of at most {room} bytes", **how)


def read_only(seed):
    """The same into a directory that cannot be written to, though one may be the superuser."""
    return _mounted("read_only", seed)


def no_home(seed):
    """The same without a home, and with the library's own directory read-only."""
    return _mounted("no_home", seed)


def jumping_clock(seed):
    """The same while the clock jumps by hours and decades, and the data are from 1975 or from 2099."""
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, "-c", JUMPING, str(seed)]
        return _written(Path(directory), seed, "a clock that jumps", command=command, expected=FINE)


def _mounted(kind, seed, *room):
    with tempfile.TemporaryDirectory() as directory:
        arguments = [kind, str(seed), directory, *room]
        ended = run([*_ALONE, sys.executable, "-m", "campaign.places", *arguments], within=300.0)
    if ended.code != 0:
        return judged(ended, seed, kind)
    return Outcome(**json.loads(ended.stdout.splitlines()[-1]))


def _written(directory, seed, words, command=COMMAND_LINE, expected=None, **how):
    """Cluster a file into that directory, over old files half of the time, and look at what is there."""
    rng = np.random.default_rng([seed, 5])
    with tempfile.TemporaryDirectory() as elsewhere:
        data = Path(elsewhere) / "data.csv"
        files.table(data, rng, N)
        os.utime(data, (rng.choice([1.6e8, 4.1e9]),) * 2)
        names = [directory / name for name in ("labels.csv", "model.s3nmf", "page.html")]
        if rng.random() < 0.5 and os.access(directory, os.W_OK):
            for name in names:
                name.write_bytes(files.OLD)
        arguments = ["cluster", data, "-k", "3", "--id", "name", "--out", names[0], "--model", names[1]]
        ended = run([*command, *arguments, "--report", names[2]], within=240.0, **how)
    outcome = files.after(judged(ended, seed, words), directory, N)
    if expected is not None and outcome.kind in {FINE, REFUSED} and outcome.kind != expected:
        return outcome._replace(kind=WRONG, said=f"{expected} was expected. {outcome.said}")
    return outcome


def _inside(kind, seed, directory, room="1M"):
    """In a world of mounts of its own, which is gone when the program ends."""
    if kind == "no_home":
        package = Path(s3nmf.__file__).parent
        subprocess.run(["mount", "--bind", package, package], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", package], check=True)
        nowhere = environment(HOME="/dev/null", XDG_CACHE_HOME=None)
        return _written(directory, seed, "no home, a read-only library", expected=FINE, env=nowhere)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}", "none", directory], check=True)
    if kind == "read_only":
        subprocess.run(["mount", "-o", "remount,ro", directory], check=True)
        return _written(directory, seed, "a read-only directory", expected=REFUSED)
    return _written(directory, seed, f"a disk of {room} bytes")


def main(kind, seed, directory, *room):
    outcome = _inside(kind, int(seed), Path(directory), *room)
    sys.stdout.write(json.dumps(outcome._asdict()) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
