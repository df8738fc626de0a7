"""The page on paper, as Chromium prints it."""

import io
import re

import pytest

from browser import DESKTOP
from s3nmf.report import write_report

pytest.importorskip("jinja2", reason="needs jinja2: pip install 's3nmf[report]'")
pypdf = pytest.importorskip("pypdf", reason="needs pypdf: pip install 's3nmf[test]'")


def test_no_sheet_begins_or_ends_with_a_single_row_of_a_table(new_context, model, tmp_path):
    write_report(model, tmp_path / "report.html", ids=[f"plant-{row}" for row in range(300)], thing="point")
    context = new_context(viewport=DESKTOP)
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    splits = set()
    for height in range(180, 300, 24):  # so that the table is cut at other rows each time
        printed = pypdf.PdfReader(io.BytesIO(page.pdf(width="210mm", height=f"{height}mm")))
        rows = [len(re.findall(r"^plant-\d+ \d", sheet.extract_text(), re.MULTILINE)) for sheet in printed.pages]
        assert sum(rows) == 15
        assert 1 not in rows
        splits.add(tuple(rows))
    assert len({tuple(filter(None, rows)) for rows in splits}) > 3
    context.close()
