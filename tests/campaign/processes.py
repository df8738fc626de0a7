"""Programs that end: by themselves, or when their time is over."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from campaign.outcomes import CRASH, FINE, HANG, REFUSED, TRACEBACK, Outcome

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
COMMAND_LINE = (sys.executable, "-m", "s3nmf")


class Ended(NamedTuple):
    """How a program ended."""

    code: int
    stdout: str
    stderr: str
    hung: bool = False


def environment(**changes):
    """That of this program, with all that trials import; what is None is not set."""
    paths = os.pathsep.join(map(str, (ROOT, TESTS)))
    found = {**os.environ, "PYTHONPATH": paths, "PYTHONFAULTHANDLER": "1", **changes}
    return {name: value for name, value in found.items() if value is not None}


def start(command, **how):
    """A program in a group of its own, so that it can be ended with all that it started."""
    return subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        start_new_session=True,
        **{"env": environment(), **how},
    )


def wait(process, within):
    """How it ended; what is still there after so many seconds is killed, and hung."""
    try:
        stdout, stderr = process.communicate(timeout=within)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return Ended(process.wait(), *process.communicate(), hung=True)
    return Ended(process.returncode, stdout, stderr)


def run(command, within=120.0, **how):
    return wait(start(command, **how), within)


def program(module, *arguments, within=120.0, **how):
    """A module of the campaign as a program."""
    return run([sys.executable, "-m", module, *arguments], within, **how)


def judged(ended, seed, words):
    """The outcome of a program that nobody disturbed: done, or ended with a sentence."""
    return Outcome(_kind(ended), seed, words, ended.stderr[-1000:])


def _kind(ended):
    if ended.hung:
        return HANG
    if ended.code < 0:
        return CRASH
    if "Traceback" in ended.stderr or "fault in s3nmf" in ended.stderr:
        return TRACEBACK
    if ended.code == 0:
        return FINE
    return REFUSED if ended.stderr.startswith(("Error: ", "Usage: ")) else TRACEBACK
