"""What the guide says of other methods is what was measured."""

from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
MEASURED = {"mean of the ten": 1, "mean of the toys": 2, "**mean of its sets**": 3, "**mean**": 4}
NOT_MEASURED = {"**mean of its sets**": "no seed", "**mean**": "not run"}
NAMES = {"**S3NMF**": "S3NMF", "spectral clustering": "spectral", "UMAP, then k-means": "UMAP + k-means"}


def rows_of(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def measured():
    """Cells of the comparison's page, by the row and the method; accuracies come before the means of anything else."""
    found, header = {}, []
    for first, *cells in rows_of(DOCS / "members.md"):
        if first == "set":
            header = cells
        if first in MEASURED:
            found = {(first, method): cell for method, cell in zip(header, cells, strict=True)} | found
    return found


@pytest.mark.parametrize(
    "cells",
    [cells for cells in rows_of(DOCS / "guide" / "comparison.md") if cells[1].startswith(".")],
    ids=lambda c: c[0],
)
def test_figures_of_the_guide_are_those_of_the_comparison(cells):
    method = NAMES.get(cells[0], cells[0])
    for row, column in MEASURED.items():
        assert cells[column] == measured().get((row, method), NOT_MEASURED.get(row))
