"""What a try came to."""

import re
import traceback
from pathlib import Path
from typing import NamedTuple

import sklearn

import s3nmf

FINE, REFUSED = "fine", "refused"
CRASH, HANG, TRACEBACK, PARTIAL, WRONG = "crash", "hang", "traceback", "partial file", "wrong answer"
OUTCOMES = (FINE, REFUSED, CRASH, HANG, TRACEBACK, PARTIAL, WRONG)
FAILURES = OUTCOMES[2:]

# What these files raise is meant for users: ours, and what scikit-learn says of data and parameters.
_OURS = (Path(s3nmf.__file__).parent, Path(sklearn.__file__).parent)
_SENTENCE = re.compile(r"(?s).*\w+ \w+ \w+.*")


class Outcome(NamedTuple):
    """What happened, to which input, and what was said."""

    kind: str
    seed: int
    input: str
    said: str = ""


def is_a_sentence(error):
    """Whether an exception was raised on purpose, with words, and not met by chance somewhere inside."""
    if isinstance(error, Warning) or not _SENTENCE.match(str(error)):
        return False
    last = traceback.extract_tb(error.__traceback__)[-1]
    if last.filename.endswith(".pyx"):  # no source is there to look at
        return "sklearn" in last.filename
    return (last.line or "").startswith("raise") and any(Path(last.filename).is_relative_to(home) for home in _OURS)


def place_of(error):
    """Where an exception came from, in a line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    ours = [at for at in traceback.extract_tb(error.__traceback__) if Path(at.filename).is_relative_to(_OURS[0])]
    at = f"{Path(last.filename).name}:{last.lineno}"
    by = f", from {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours and ours[-1] != last else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]} ({at}{by})"
