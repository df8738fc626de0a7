"""Files made to do harm: entities and other people's files in XML, archives that unpack to everything, odd names.

And files by accident: damaged ones of every format. Each is read or refused, soon and in little room.
"""

import gzip
import io
import json
import resource
import sys
import tempfile
import time
import warnings
import zipfile
from functools import cache
from pathlib import Path

import numpy as np

import samples
from campaign.outcomes import CRASH, FINE, HANG, REFUSED, TRACEBACK, Outcome, is_a_sentence, place_of
from campaign.processes import program
from s3nmf import S3NMF
from s3nmf.sources import read

SECONDS = 20.0
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
    "bomb.npz": lambda: _zip([("X.npy", _npy((2**26, 4)) + bytes(2**28))]),
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
    """A name and the bytes: the ones made to do harm first, then damaged ones."""
    made = list(MADE)
    if seed % 100 < len(made):
        return made[seed % 100], MADE[made[seed % 100]]()
    rng = np.random.default_rng([seed, 8])
    names = [name for name in _valid() if not name.endswith(".h5ad")]  # a process each; the suite has its own tries
    name = str(rng.choice(names))
    return name, samples.damaged(_valid()[name], rng)


def tries(seeds):
    """By a process with little room; what it does not come back from is a crash, or a hang."""
    at, found = seeds.start, []
    while at < seeds.stop:
        ended = program("campaign.hostile", str(at), str(seeds.stop), within=SECONDS * (seeds.stop - at) + 120.0)
        found += [Outcome(**json.loads(line)) for line in ended.stdout.splitlines()]
        at = found[-1].seed + 1 if found else at
        if at < seeds.stop:
            found.append(Outcome(HANG if ended.hung else CRASH, at, case(at)[0], ended.stderr[-1000:]))
            at += 1
    return found


def attempt(seed):
    name, content = case(seed)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / name
        path.write_bytes(content)
        began = time.monotonic()
        try:
            S3NMF.load(path) if name.endswith(".s3nmf") else read(path)
            outcome = Outcome(FINE, seed, name)
        except Exception as error:
            outcome = Outcome(REFUSED if is_a_sentence(error) else TRACEBACK, seed, name, place_of(error))
        late = time.monotonic() - began > SECONDS
    return outcome._replace(kind=HANG) if late else outcome


def main(first, last):
    warnings.simplefilter("ignore")
    for seed in range(int(first), int(last)):
        case(seed)  # made before there is little room
    resource.setrlimit(resource.RLIMIT_DATA, (ROOM, ROOM))
    for seed in range(int(first), int(last)):
        sys.stdout.write(json.dumps(attempt(seed)._asdict()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
