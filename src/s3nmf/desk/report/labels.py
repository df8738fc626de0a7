"""The labels of all points as a file inside of the page."""

from __future__ import annotations

import csv
import gzip
import io
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import numpy as np

from s3nmf.desk.sources.spreadsheet import as_text
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.diagnostics import Diagnostics

_DIGITS = 4


def packed_labels(found: Diagnostics, ids: Sequence[Any] | None, id_name: str) -> str:
    """A CSV file with a line for each point, gzipped, in base64: some five bytes a point."""
    names = range(found.labels.size) if ids is None else ids
    second = [None if choice == NO_CLUSTER else choice for choice in found.second_choice.tolist()]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((as_text(id_name), "cluster", "confidence", "second_cluster"))
    confidence = np.round(found.confidence, _DIGITS).tolist()
    writer.writerows(zip(map(as_text, names), found.labels.tolist(), confidence, second, strict=True))
    # Without the time, so that the same clustering gives the same page.
    return b64encode(gzip.compress(text.getvalue().encode("utf-8", "replace"), 6, mtime=0)).decode("ascii")
