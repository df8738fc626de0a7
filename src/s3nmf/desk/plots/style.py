"""How clusters look: the same in every picture and in the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# Found by a search: each colour stands out from the background by 3:1, and from all before it as far as can be, also to
# readers who see no red, no green or no blue. tests/desk/plots/test_style.py measures it.
COLORS = (
    "#177bb2", "#d55107", "#105734", "#610c85", "#b96dfc",
    "#2e00f9", "#ac256c", "#293354", "#8a8db5", "#7a37c7",
    "#758057", "#5a2208", "#ef5f87", "#0009b6", "#902200",
    "#554995", "#af8a4e", "#c244bc", "#366478", "#955100",
)  # fmt: skip
# The same on a dark background, with near hues.
DARK_COLORS = (
    "#4eb4e7", "#e76224", "#bdf73f", "#9b1feb", "#5769a0",
    "#2bfff9", "#fcb39f", "#ad3e68", "#9581ff", "#b58a9f",
    "#a2bf00", "#ebe29c", "#cf16a1", "#4f8ccf", "#cf9c69",
    "#c4bfff", "#846726", "#d15eba", "#74d2ce", "#af6f56",
)  # fmt: skip
# From low to high.
RAMP = ("#958ab9", "#6470b0", "#2f5a90", "#004565", "#002d37")
DARK_RAMP = ("#4d6f9a", "#4a93b5", "#55b6bd", "#83d6b4", "#d3efa8")
# Seven shapes and twenty colours have no common divisor: 140 clusters look different, and neighbours differ in both.
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
INK = "#222222"
QUIET = "#777777"


def color_of(cluster: int) -> str:
    return COLORS[cluster % len(COLORS)]


def marker_of(cluster: int) -> str:
    return MARKERS[cluster % len(MARKERS)]


def legible(n_clusters: int, room: int) -> range:
    """The clusters to name where there is room for so many names: all, or every second, fifth, tenth, ..."""
    step = 1
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if n_clusters <= room * step:
            break
    return range(0, n_clusters, step)


def apart(names: Iterable[int], places: Sequence[float], least: float) -> list[int]:
    """Those of the clusters whose names do not run into that of the one before, if they are this far from it.

    Examples
    --------
    >>> apart(range(4), [0.0, 5.0, 6.0, 9.0], 3.0)
    [0, 1, 3]
    """
    kept: list[int] = []
    for name in names:
        if not kept or places[name] - places[kept[-1]] >= least:
            kept.append(name)
    return kept


def css_palette() -> str:
    """The colours as variables of a style, --c0, ... and --r0, ..., of light and dark screens; paper is light."""

    def variables(colors: Sequence[str], ramp: Sequence[str]) -> str:
        named = {"c": colors, "r": ramp}
        return "".join(f" --{name}{at}: {color};" for name, part in named.items() for at, color in enumerate(part))

    light, dark = variables(COLORS, RAMP), variables(DARK_COLORS, DARK_RAMP)
    return f":root {{{light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{{dark} }} }}\n"
