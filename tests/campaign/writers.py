"""Everything that writes a file, to where no plain file is: devices, pipes with a reader, links, directories.

Whatever is there stays what it is. What is written is complete, or it is refused in the words of the system or in ours.
"""

import os
import stat
import tempfile
import threading
import warnings
from functools import cache
from pathlib import Path

import numpy as np

from campaign.files import OLD
from campaign.outcomes import FINE, PARTIAL, REFUSED, TRACEBACK, Outcome, is_a_sentence, place_of
from s3nmf import S3NMF
from s3nmf.report import write_report
from s3nmf.sources import append_columns, write_labels


@cache
def _model():
    warnings.simplefilter("ignore")
    X = np.random.default_rng(0).normal(size=(40, 2)) + 8.0 * (np.arange(40) % 3)[:, None]
    return S3NMF(3, n_members=3, random_state=0).fit(X)


def _append(path):
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory) / "t.csv"
        source.write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
        append_columns(source, path, {"cluster": [0, 1]})


WRITERS = {
    "S3NMF.save": ("m.s3nmf", lambda path: _model().save(path)),
    "write_labels": ("l.csv", lambda path: write_labels(path, {"id": ["a", "b"], "cluster": [0, 1]})),
    "write_labels, parquet": ("l.parquet", lambda path: write_labels(path, {"id": ["a", "b"], "cluster": [0, 1]})),
    "write_report": ("r.html", lambda path: write_report(_model(), path)),
    "append_columns": ("t.csv", _append),
}


def _device(minor):
    def make(path):
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))  # a copy: that of the system is not put at risk
        path.open("wb").close()

    return make


def _circle(path):
    path.symlink_to(path.with_name("other"))
    path.with_name("other").symlink_to(path)


def _link_to(make):
    def linked(path):
        target = path.with_name(f"behind-{path.name}")
        make(target)
        path.symlink_to(target)

    return linked


PLACES = {
    "nothing": lambda path: None,
    "a file": lambda path: path.write_bytes(OLD),
    "a device that takes all": _device(3),
    "a device that is full": _device(7),
    "a pipe": os.mkfifo,
    "a directory": Path.mkdir,
    "a circle of links": _circle,
    "a link to nothing": _link_to(lambda path: None),
    "a link to a file": _link_to(lambda path: path.write_bytes(OLD)),
    "a link to a pipe": _link_to(os.mkfifo),
    "a link to a device that is full": _link_to(_device(7)),
    "a link to a directory": _link_to(Path.mkdir),
}


def trial(seed):
    """One writer, one place."""
    rng = np.random.default_rng([seed, 38])
    writer, place = str(rng.choice(list(WRITERS))), str(rng.choice(list(PLACES)))
    name, write = WRITERS[writer]
    words = f"{writer} to {place}"
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / name
        try:
            PLACES[place](path)
        except PermissionError:  # only the superuser makes devices
            return Outcome(REFUSED, seed, words, "not possible here")
        before, came = _kinds_in(directory), []
        reader = threading.Thread(target=lambda: came.append(path.read_bytes()), daemon=True)
        if place.endswith("pipe"):
            reader.start()
        try:
            write(path)
        except Exception as error:
            meant = is_a_sentence(error) or (isinstance(error, OSError) and error.strerror)
            outcome = Outcome(REFUSED if meant else TRACEBACK, seed, words, place_of(error))
        else:
            outcome = Outcome(FINE, seed, words)
        if place.endswith("pipe"):
            reader.join(30.0)
        wrong = _wrong(path, before, outcome.kind, came, write)
    return outcome if wrong is None else outcome._replace(kind=PARTIAL, said=f"{wrong}. {outcome.said}")


def _kinds_in(directory):
    """What each name in a directory is: a link, a pipe, a device, ..."""
    return {path.name: stat.S_IFMT(path.lstat().st_mode) for path in Path(directory).iterdir()}


def _wrong(path, before, kind, came, write):
    after = _kinds_in(path.parent)
    changed = [name for name, what in before.items() if after.get(name) != what]
    if changed:
        return f"{changed[0]} is not what it was"
    if any(name.endswith(".part") for name in after):
        return "a part is left"
    if kind == FINE and (came or path.is_file()):
        with tempfile.TemporaryDirectory() as elsewhere:
            write(Path(elsewhere) / path.name)
            whole = (Path(elsewhere) / path.name).read_bytes()
            there = came[0] if came else path.read_bytes()
            # A page says when it was written, so that two of them may differ in a digit.
            if len(there) != len(whole) or sum(map(int.__ne__, there, whole)) > len("2000-12-31 23:59"):
                return "it is not all there"
    return None
