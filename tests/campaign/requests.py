"""What a page on this machine may be asked: fields of any kind, bodies that are none, addresses of any length.

Every answer comes soon, and is one that was meant: done, or refused in a sentence, and never an error of the program.
"""

import http.client
import json
import tempfile
import threading
import warnings
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlsplit

import numpy as np

from campaign.files import table
from campaign.outcomes import FINE, HANG, REFUSED, TRACEBACK, Outcome
from s3nmf.desk.app.running import LocalPage

SECONDS = 30.0
_PATHS = (
    "/",
    "/page.js",
    "/visit",
    "/change",
    "/now",
    "/point",
    "/map",
    "/clusters",
    "/labels.csv",
    "/report.html",
    "/x",
)
_FIELDS = ("visit", "again", "what", "id", "drop", "scale", "missing", "n_clusters", "cluster", "clusters", "name",
           "unequal", "__class__")  # fmt: skip
_WAYS = ("read", "sizes", "undo", "clusters", "merge", "split", "name", "", "all")
_BAD_REQUEST, _FAULT = 400, 500


@cache
def _page():
    """A page that is answered until the program ends, and a visit to it."""
    warnings.simplefilter("ignore")
    path = Path(tempfile.mkdtemp()) / "t.csv"
    table(path, np.random.default_rng(0), 60)
    page = LocalPage(str(path))
    threading.Thread(target=page.run, daemon=True).start()
    parts = urlsplit(page.address)
    headers = {"Cookie": f"s3nmf-{parts.port}={parts.query.removeprefix('token=')}", "Origin": f"http://{parts.netloc}"}
    _, answer = _asked(parts.port, headers, "POST", "/visit", b"{}")
    return parts.port, headers, json.loads(answer)["visit"]


def _asked(port, headers, method, path, body):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


_PLAIN = (
    *(-2, -1, 0, 1, 2, 5, 10**20, 10**300, 0.5, 1e300, float("inf"), float("nan"), None, True, False),
    *("", "\x00", "\ud800", "é" * 70, "\x1b[2J", "../..", "=1+1", "<b>", "9" * 400),
    *("a", "b", "name", "standard", "drop", "median"),
)


def _value(rng, depth=0):
    """Anything that JSON has."""
    if depth < 3 and rng.random() < 0.3:
        inside = [_value(rng, depth + 1) for _ in range(int(rng.integers(4)))]
        return (
            inside if rng.random() < 0.5 else dict(zip(rng.choice(_FIELDS, len(inside)).tolist(), inside, strict=True))
        )
    return _PLAIN[int(rng.integers(len(_PLAIN)))]


def _body(rng, visit):
    """A request: sound, nearly, or none at all."""
    if rng.random() < 0.15:
        return [b"", b"[" * 50_000, b'{"a":' * 50_000, b"\xff", b"null", b"9" * 5000, b'{"visit"', b"0" * 1_100_000][
            int(rng.integers(8))
        ]
    asked = {"visit": visit, "what": str(rng.choice(_WAYS))}
    sound = {
        "n_clusters": int(rng.integers(1, 6)), "cluster": int(rng.integers(4)), "clusters": [0, 1], "name": "oak",
        "unequal": bool(rng.integers(2)), "drop": ["b"], "id": "name", "scale": "standard", "missing": "refuse",
    }  # fmt: skip
    for field in rng.choice(list(sound), int(rng.integers(4)), replace=False).tolist():
        asked[field] = sound[field]
    for field in rng.choice(_FIELDS, int(rng.integers(3)), replace=False).tolist():
        asked[field] = _value(rng)
    return json.dumps(asked).encode()


def trial(seed):
    """One request, and a question whether the page is still there."""
    rng = np.random.default_rng([seed, 40])
    port, headers, visit = _page()
    path, method = str(rng.choice(_PATHS)), str(rng.choice(["GET", "POST", "POST", "PUT", "HEAD"]))
    body = _body(rng, visit) if method in {"POST", "PUT"} else None
    if path != "/" and rng.random() < 0.7:
        row = rng.choice(["0", "59", "60", "-1", "9" * 5000, "\x00", "٣", "1e3", ""])
        path += f"?visit={visit if rng.random() < 0.8 else 'x' * 2000}&row={quote(str(row))}&seen=1"
    words = f"{method} {path[:60]} {(body or b'')[:200]!r}"
    try:
        status, answer = _asked(port, headers, method, path, body)
        alive, _ = _asked(port, headers, "GET", f"/now?visit={visit}", None)
    except TimeoutError:
        return Outcome(HANG, seed, words)
    except (OSError, http.client.HTTPException) as error:
        return Outcome(TRACEBACK, seed, words, f"{type(error).__name__}: {error}")
    said = answer[:200].decode(errors="replace")
    if status >= _FAULT or alive >= _BAD_REQUEST:
        return Outcome(TRACEBACK, seed, words, f"{status}, then {alive}: {said}")
    if status == _BAD_REQUEST and method != "HEAD" and len(said.split()) < 3:
        return Outcome(TRACEBACK, seed, words, f"no sentence: {said}")
    return Outcome(FINE if status < _BAD_REQUEST else REFUSED, seed, words, said)
