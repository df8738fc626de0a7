"""Rows that are images, as images: PNG for the page itself, bytes for its script."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._messages import Message, Parameter
from s3nmf._types import FloatArray, IntArray
from s3nmf.desk.report.features import Profiles

# Bytes of the images that the script is given, those of the least certain points first.
_MOST_BYTES = 1_500_000
_GREY, _DEPTH = 0, 8


@dataclass(frozen=True, eq=False)
class Images:
    """The rows of a table as images, black for its lowest value and white for its highest.

    Attributes
    ----------
    values : array or CSR matrix of shape (n_samples, height * width)
    height, width : int
    """

    values: Any
    height: int
    width: int
    low: float
    high: float

    def of_rows(self, rows: IntArray) -> list[str]:
        """Addresses of the images of some rows, which hold the images themselves."""
        return [self._address(pixels) for pixels in self._pixels(_dense(self.values[rows]))]

    def of_clusters(self, profiles: Profiles) -> list[str]:
        """The same for the mean image of each cluster."""
        return [self._address(pixels) for pixels in self._pixels(profiles.inside)]

    def for_script(self, shown: IntArray, confidence: FloatArray) -> dict[str, Any]:
        """Pixels of the least certain of the points shown, a byte each, and which points those are."""
        first = np.argsort(confidence[shown], kind="stable")[: _MOST_BYTES // (self.height * self.width)]
        return {
            "height": self.height,
            "width": self.width,
            "points": first.tolist(),
            "pixels": b64encode(self._pixels(_dense(self.values[shown[first]])).tobytes()).decode("ascii"),
        }

    def _pixels(self, values: FloatArray) -> Any:
        share = (np.nan_to_num(values, nan=self.low) - self.low) / max(self.high - self.low, 1e-300)
        return np.rint(255 * np.clip(share, 0.0, 1.0)).astype(np.uint8).reshape(-1, self.height, self.width)

    def _address(self, pixels: Any) -> str:
        return f"data:image/png;base64,{b64encode(png(pixels)).decode('ascii')}"


def images_of(values: Any, size: Sequence[int]) -> Images:
    """The images that the rows of a table are, or an error that says what does not fit."""
    height, width = size
    if values is None or height * width != values.shape[1]:
        has = "no columns" if values is None else f"{values.shape[1]} columns"
        raise ValueError(
            Message(
                "{image} needs {pixels} columns, one a pixel, and there are {has}. Give the size of the images, or "
                "leave it out.",
                image=Parameter("image", f"{height}x{width}"),
                pixels=height * width,
                has=has,
            )
        )
    known = values.data if sp.issparse(values) else values[np.isfinite(values)]
    low, high = float(np.min(known, initial=np.inf)), float(np.max(known, initial=-np.inf))
    if sp.issparse(values):
        low, high = min(low, 0.0), max(high, 0.0)
    return Images(values, height, width, low, high)


def png(pixels: Any) -> bytes:
    """A grey image as a PNG file.

    Examples
    --------
    >>> png(np.array([[0, 255]], dtype=np.uint8))[1:4]
    b'PNG'
    """
    height, width = pixels.shape
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)
    header = struct.pack(">IIBBBBB", width, height, _DEPTH, _GREY, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def _dense(rows: Any) -> FloatArray:
    return np.asarray(rows.toarray() if sp.issparse(rows) else rows, dtype=np.float64)
