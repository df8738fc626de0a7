"""Colours that can be told apart: by all readers, on light and on dark."""

import re
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

import s3nmf.desk.report
from s3nmf.desk.plots.style import COLORS, DARK_COLORS, DARK_RAMP, MARKERS, RAMP, color_of, marker_of

STYLE = (Path(s3nmf.desk.report.__file__).parent / "style.css").read_text(encoding="utf-8")
LIGHT, DARK = re.findall(r"--page: (#\w{6});", STYLE)
PALETTES = {"light": (COLORS, LIGHT), "dark": (DARK_COLORS, DARK), "white": (COLORS, "#ffffff")}
# What is left of linear red, green and blue to readers without one kind of cone: Machado, Oliveira and Fernandes 2009.
VISIONS = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005]]  # fmt: skip
TO_OKLAB = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660]]  # fmt: skip
# In OKLab black and white are 1 apart, and 0.02 is just seen side by side. The more clusters, the closer some must be.
APART = {2: 0.18, 6: 0.10, 10: 0.07, 20: 0.055}
ALIKE_IN_SHAPE = 0.09


def linear(color):
    shares = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    low, high = sorted(linear(color) @ [0.2126, 0.7152, 0.0722] for color in (one, other))
    return (high + 0.05) / (low + 0.05)


def oklab(color, vision):
    seen = np.clip(np.array(VISIONS[vision]) @ linear(color), 0, 1)
    return np.array(TO_OKLAB) @ np.cbrt(np.array(TO_CONES) @ seen)


def distance(one, other, vision):
    return np.linalg.norm(oklab(one, vision) - oklab(other, vision))


def test_the_measures_are_right():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert distance("#000000", "#ffffff", "usual") == pytest.approx(1, abs=1e-3)
    # What a red-green blind reader cannot tell apart.
    assert distance("#a05000", "#6b7400", "deuteranopia") < 0.5 * distance("#a05000", "#6b7400", "usual")


@pytest.mark.parametrize("name", PALETTES)
def test_every_colour_stands_out_from_the_page(name):
    colors, page = PALETTES[name]
    assert len(set(colors)) == 20
    assert min(contrast(color, page) for color in colors) >= 3


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_up_to_twenty_clusters_are_told_apart_by_their_colour(name, vision):
    colors, _ = PALETTES[name]
    for n, least in APART.items():
        assert min(distance(one, other, vision) for one, other in combinations(colors[:n], 2)) >= least


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_clusters_of_one_shape_differ_more_in_colour(name, vision):
    colors, _ = PALETTES[name]
    for one, other in combinations(range(20), 2):
        if marker_of(one) == marker_of(other):
            assert distance(colors[one], colors[other], vision) >= ALIKE_IN_SHAPE


def test_neighbours_differ_in_colour_and_shape_and_a_hundred_clusters_in_one_of_them():
    looks = [(color_of(cluster), marker_of(cluster)) for cluster in range(len(COLORS) * len(MARKERS))]
    assert len(set(looks)) == 140
    assert all(one[0] != other[0] and one[1] != other[1] for one, other in pairwise(looks))


@pytest.mark.parametrize(("ramp", "page"), [(RAMP, LIGHT), (DARK_RAMP, DARK)], ids=["light", "dark"])
def test_a_ramp_goes_one_way_and_away_from_the_page(ramp, page):
    contrasts = [contrast(color, page) for color in ramp]
    assert contrasts[0] >= 3
    assert contrasts == sorted(contrasts)
    for vision in VISIONS:
        assert all(distance(one, other, vision) > 0.06 for one, other in pairwise(ramp))
