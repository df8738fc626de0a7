"""Everything that reads a file, from where no plain file is: devices, pipes, links to anything, and directories."""

import os
import tempfile
import threading
import warnings
from functools import cache
from pathlib import Path

import numpy as np

from campaign.files import table
from campaign.outcomes import FINE, REFUSED, TRACEBACK, Outcome, is_a_sentence, place_of
from campaign.writers import _circle, _device, _link_to
from s3nmf import S3NMF
from s3nmf.sources import append_columns, read


@cache
def _sound():
    """The bytes of a table and of a model."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "t.csv"
        table(path, np.random.default_rng(0), 40)
        S3NMF(2, n_members=3).fit(read(path, id="name").values).save(Path(directory) / "m.s3nmf")
        return {"t.csv": path.read_bytes(), "m.s3nmf": (Path(directory) / "m.s3nmf").read_bytes()}


READERS = {
    "read": ("t.csv", lambda path: read(path, id="name")),
    "append_columns": ("t.csv", lambda path: append_columns(path, path.with_name("out.csv"), {"cluster": [0] * 40})),
    "S3NMF.load": ("m.s3nmf", S3NMF.load),
}


def _pipe(path):
    """With somebody who writes the whole file into it, for as many readers as come."""
    os.mkfifo(path)

    def fill():
        for _ in range(3):
            try:
                path.write_bytes(_sound()[path.name.removeprefix("behind-")])
            except OSError:  # whoever read has seen enough
                return

    threading.Thread(target=fill, daemon=True).start()


def _plain(path):
    path.write_bytes(_sound()[path.name.removeprefix("behind-")])


PLACES = {
    "nothing": lambda path: None,
    "a file": _plain,
    "an empty file": lambda path: path.write_bytes(b""),
    "a device without end": _device(5),
    "a device that is empty": _device(3),
    "a pipe": _pipe,
    "a directory": Path.mkdir,
    "a circle of links": _circle,
    "a link to nothing": _link_to(lambda path: None),
    "a link to a file": _link_to(_plain),
    "a link to a pipe": _link_to(_pipe),
    "a link to a directory": _link_to(Path.mkdir),
    "a file that nobody may read": lambda path: (_plain(path), path.chmod(0)),
}


def trial(seed):
    """One reader, one place."""
    rng = np.random.default_rng([seed, 42])
    reader, place = str(rng.choice(list(READERS))), str(rng.choice(list(PLACES)))
    name, take = READERS[reader]
    words = f"{reader} of {place}"
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / name
        try:
            PLACES[place](path)
        except PermissionError:  # only the superuser makes devices
            return Outcome(REFUSED, seed, words, "not possible here")
        try:
            take(path)
        except Exception as error:
            meant = is_a_sentence(error) or (isinstance(error, OSError) and error.strerror)
            return Outcome(REFUSED if meant else TRACEBACK, seed, words, place_of(error))
    return Outcome(FINE, seed, words)
