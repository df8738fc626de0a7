"""The page by the rules of axe-core, which npm brings along for the tests."""

import shutil
import subprocess

import pytest

from browser import DESKTOP, PHONE, PLANE

pytest.importorskip("jinja2", reason="needs jinja2: pip install 's3nmf[report]'")

AXE = "axe-core@4.10.3"


@pytest.fixture(scope="module")
def axe(request, tmp_path_factory):
    """The text of axe-core, fetched once and kept in pytest's cache."""
    kept = request.config.cache.mkdir("axe") / f"{AXE}.js"
    if not kept.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip(f"needs {AXE}: there is no npm on the PATH to fetch it")
        folder = tmp_path_factory.mktemp("npm")
        command = [npm, "install", "--prefix", str(folder), "--no-save", "--ignore-scripts", AXE]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            pytest.skip(f"needs {AXE}: npm could not fetch it ({done.stderr.strip().splitlines()[-1:]})")
        shutil.move(folder / "node_modules" / "axe-core" / "axe.min.js", kept)
    return kept.read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_rule_of_accessibility_is_broken(new_context, written, axe, viewport, scheme):
    # The page's own policy would not let axe in.
    context = new_context(viewport=viewport, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(written.as_uri())
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    page.locator(PLANE).focus()
    page.keyboard.press("Home")
    page.evaluate(axe)
    found = page.evaluate("axe.run()")
    assert len(found["passes"]) > 20
    assert {rule["id"]: [node["html"][:200] for node in rule["nodes"][:3]] for rule in found["violations"]} == {}
    context.close()
