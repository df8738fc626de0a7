"""The page within a notebook."""

import re

import pytest

from results import random_model
from s3nmf import SymNMF
from s3nmf.report import show_report

pytest.importorskip("jinja2", reason="needs jinja2: pip install 's3nmf[report]'")


@pytest.fixture(scope="module")
def shown():
    return show_report(random_model(60, 3), title='A "quoted" <title>', height=500)


def test_the_frame_is_sandboxed_and_holds_the_whole_page(shown):
    html = shown._repr_html_()
    assert re.match('<iframe title="Report" sandbox="allow-scripts allow-downloads" srcdoc="[^"<]*" style=', html)
    assert "height: 500px" in html
    assert repr(shown).startswith("InlineReport of ")


def test_a_browser_shows_the_page_and_runs_its_script_but_not_for_the_notebook(shown, new_context):
    page = new_context().new_page()
    page.set_content(f"<p id=notebook>cells</p>{shown._repr_html_()}")
    frame = page.frame_locator("iframe")
    assert frame.locator("h1").inner_text() == 'A "quoted" <title>'
    assert frame.locator("#point-table tbody tr").count() > 0
    inside = page.frames[1]
    assert inside.evaluate("() => { try { return parent.document.title } catch { return 'refused' } }") == "refused"
    page.context.close()


def test_only_a_fitted_model_is_shown():
    with pytest.raises(TypeError, match="A report is about a fitted S3NMF; there is a SymNMF"):
        show_report(SymNMF())
