"""Files made to do harm: entities and other people's files in XML, archives that unpack to everything, odd names.

And files by accident: damaged ones of every format. Each is read or refused, soon and in little room.
"""

import gzip
import io
import resource
import sys
import tempfile
import warnings
import zipfile
from functools import cache
from pathlib import Path

import numpy as np

import samples
from campaign import series
from campaign.outcomes import FINE, REFUSED, TRACEBACK, Outcome, is_a_sentence, place_of
from s3nmf import S3NMF
from s3nmf.sources import read

SECONDS = 60.0
ROOM = 2 * 2**30
_HEAD = b'<?xml version="1.0"?>\n'
_GRAPHML = (
    b'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">%s</graph></graphml>'
)


def _laughs():
    lines = [b'<!ENTITY l0 "ha">', *(b'<!ENTITY l%d "%s">' % (k, b"&l%d;" % (k - 1) * 10) for k in range(1, 12))]
    return _HEAD + b"<!DOCTYPE g [%s]>" % b"".join(lines) + _GRAPHML % b'<node id="&l11;"/>'


def _foreign():
    return _HEAD + b'<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + _GRAPHML % b'<node id="&x;"/>'


def _deep():
    return _HEAD + _GRAPHML % (b"<data>" * 100_000)


def _zip(members, compression=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return stream.getvalue()


def _npy(shape):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00v\x00" + header.encode()


def _zeros():
    """Four GB of zeros, packed: one part of them again and again, as gzip may be."""
    return gzip.compress(bytes(2**24), mtime=0) * 256


MADE = {
    "billion-laughs.graphml": _laughs,
    "external-file.graphml": _foreign,
    "deep.graphml": _deep,
    "bomb.csv.gz": _zeros,
    "bomb.npy.gz": _zeros,
    "bomb.npz": lambda: _zip([("X.npy", _npy((2**26, 4)) + bytes(2**26))]),
    "outside.npz": lambda: _zip([("../../X.npy", _npy((2, 2)) + bytes(32))]),
    "absolute.npz": lambda: _zip([("/tmp/X.npy", _npy((2, 2)) + bytes(32))]),
    "many.npz": lambda: _zip([(f"a{k}.npy", _npy((1, 1)) + bytes(8)) for k in range(20_000)], zipfile.ZIP_STORED),
    "two-of-one-name.npz": lambda: _zip([("X.npy", _npy((2, 2)) + bytes(32))] * 2),
    "absurd.npy": lambda: _npy((2**62, 2**62)),
    "packed.s3nmf": lambda: _zip([("header.json", "[" * 10**6)]),
    "deep.s3nmf": lambda: _zip([("header.json", "[" * 10**6)], zipfile.ZIP_STORED),
    "numbers.s3nmf": lambda: _zip([("header.json", "9" * 10**6)], zipfile.ZIP_STORED),
    "one-line.csv": lambda: b"1," * 2**25,
    "wide.edges": lambda: b"a b " + b"9" * 10**6 + b"\n",
}


@cache
def _valid():
    warnings.simplefilter("ignore")
    return samples.valid_files()


def case(seed):
    """The bytes and the name: the ones made to do harm first, then damaged ones."""
    made = list(MADE)
    if seed % 100 < len(made):
        return MADE[made[seed % 100]](), made[seed % 100]
    rng = np.random.default_rng([seed, 8])
    names = [name for name in _valid() if not name.endswith(".h5ad")]  # a process each; the suite has its own tries
    name = str(rng.choice(names))
    return samples.damaged(_valid()[name], rng), name


def tries(seeds):
    return series.tries("campaign.hostile", seeds, SECONDS)


def attempt(seed, content, name):
    """What comes of reading it."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / name
        path.write_bytes(content)
        try:
            S3NMF.load(path) if name.endswith(".s3nmf") else read(path)
        except Exception as error:
            return Outcome(REFUSED if is_a_sentence(error) else TRACEBACK, seed, name, place_of(error))
    return Outcome(FINE, seed, name)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_DATA, (ROOM, ROOM))
    series.carry_out(case, attempt, *sys.argv[1:], SECONDS)
