"""A real Chromium without a window, driven by playwright; tests that need it are skipped where there is none."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import pytest

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
AXE = "axe-core@4.10.3"


@contextmanager
def chromium():
    """A function that opens a context of the browser: a viewport, a colour scheme, with or without scripts."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 's3nmf[test]'")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("needs Chromium: no chromium, chromium-browser or google-chrome on the PATH")
    with playwright.sync_playwright() as driver, TemporaryDirectory() as profile:
        browser = driver.chromium.launch(
            executable_path=program, headless=True, args=_ARGUMENTS, env={**os.environ, "HOME": profile}
        )
        yield browser.new_context
        browser.close()


HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
DESKTOP = {"width": 1100, "height": 900}
PHONE = {"width": 360, "height": 740}
# Each width and each scheme of colours, which do not depend on each other.
SCREENS = pytest.mark.parametrize(
    ("viewport", "scheme"), [(DESKTOP, "dark"), (PHONE, "light")], ids=["desktop-dark", "phone-light"]
)
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
PLANE, TIP, ROWS = "#plane", "#tip", "#point-table tbody tr"


class Watch:
    """What a page says on its console and asks the network for."""

    def __init__(self, page):
        self.said, self.asked = [], []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: self.said.append(dialog.message))
        page.on("request", lambda request: self.asked.append(request.url))


def axe_core(cache):
    """The text of axe-core, which npm fetches once into a folder."""
    kept = cache / f"{AXE}.js"
    if not kept.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip(f"needs {AXE}: there is no npm on the PATH to fetch it")
        with TemporaryDirectory() as folder:
            command = [npm, "install", "--prefix", folder, "--no-save", "--ignore-scripts", AXE]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            if done.returncode:
                pytest.skip(f"needs {AXE}: npm could not fetch it ({done.stderr.strip().splitlines()[-1:]})")
            shutil.move(f"{folder}/node_modules/axe-core/axe.min.js", kept)
    return kept.read_text(encoding="utf-8")


def broken_rules(page, axe):
    """Rules of accessibility that a page breaks with all its details open, and where, by their names."""
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    page.evaluate(axe)
    found = page.evaluate("axe.run({ preload: false })")  # it would look for style sheets in the wrong places
    assert len(found["passes"]) > 20
    return {rule["id"]: [node["html"][:200] for node in rule["nodes"][:3]] for rule in found["violations"]}


def column(page, number):
    """The texts of a column of the table of points."""
    return page.locator(f"{ROWS} td:nth-child({number})").all_inner_texts()
