import struct
import zlib
from base64 import b64decode

import numpy as np
import pytest
import scipy.sparse as sp

from s3nmf.desk.report.features import profiles_of
from s3nmf.desk.report.images import images_of


def pixels_of(address):
    """What a PNG file of grey pixels holds."""
    file = b64decode(address.removeprefix("data:image/png;base64,"))
    assert file[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(file):
        (size,) = struct.unpack(">I", file[at : at + 4])
        name, data = file[at + 4 : at + 8], file[at + 8 : at + 8 + size]
        assert struct.unpack(">I", file[at + 8 + size : at + 12 + size]) == (zlib.crc32(name + data),)
        chunks[name], at = data, at + 12 + size
    width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, colour) == (8, 0)
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not lines[:, 0].any()
    return lines[:, 1:]


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_rows_become_images_from_black_to_white(form):
    values = np.array([[0.0, 1.0, 2.0, 4.0, 0.0, 0.0], [4.0, 0.0, 0.0, 0.0, 0.0, 2.0]])
    images = images_of(form(values), (2, 3))
    first, second = map(pixels_of, images.of_rows(np.array([0, 1])))
    np.testing.assert_array_equal(first, [[0, 64, 128], [255, 0, 0]])
    np.testing.assert_array_equal(second, [[255, 0, 0], [0, 0, 128]])


def test_a_cluster_is_shown_by_its_mean():
    values = np.array([[0.0, 1.0], [0.5, 1.0], [1.0, 0.0]])
    found = images_of(values, (1, 2)).of_clusters(profiles_of(values, np.array([0, 0, 1]), ["a", "b"]))
    assert [pixels_of(address).tolist() for address in found] == [[[64, 255]], [[255, 0]]]


def test_the_script_gets_the_least_certain_images_that_fit(monkeypatch):
    monkeypatch.setattr("s3nmf.desk.report.images._MOST_BYTES", 5)
    values = np.array([[0.0, 1.0], [0.5, 1.0], [1.0, 0.0], [0.0, 0.0]])
    told = images_of(values, (2, 1)).for_script(np.array([0, 2, 3]), np.array([0.9, 0.1, 0.3, 0.2]))
    assert (told["height"], told["width"], told["points"]) == (2, 1, [2, 1])
    assert b64decode(told["pixels"]) == bytes([0, 0, 255, 0])


@pytest.mark.parametrize("values", [None, np.ones((3, 5))])
def test_what_is_no_image_of_that_size_is_refused(values):
    with pytest.raises(ValueError, match="image='2x3' needs 6 columns, one a pixel, and there are"):
        images_of(values, (2, 3))
