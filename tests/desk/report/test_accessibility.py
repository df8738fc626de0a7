"""The page by the rules of axe-core, which npm brings along for the tests."""

import pytest

from browser import PLANE, SCREENS, broken_rules

pytest.importorskip("jinja2", reason="needs jinja2: pip install 's3nmf[report]'")


@SCREENS
def test_no_rule_of_accessibility_is_broken(new_context, written, axe, viewport, scheme):
    # The page's own policy would not let axe in.
    context = new_context(viewport=viewport, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(written.as_uri())
    page.locator(PLANE).focus()
    page.keyboard.press("Home")
    assert broken_rules(page, axe) == {}
    context.close()
