"""The site that `make docs` has just built, in a browser: skipped unless S3NMF_SITE names its folder."""

import functools
import http.server
import os
import threading

import pytest

from browser import DESKTOP, PHONE, Watch, broken_rules

SITE = os.environ.get("S3NMF_SITE")
PAGES = (
    "index.html",
    "start.html",
    "guide/verdict.html",
    "api/s3nmf.S3NMF.html",
    "gallery/index.html",
    "faq.html",
    "trust.html",
    "limits.html",
    "members.html",
    "guide/comparison.html",
)
pytestmark = pytest.mark.skipif(not SITE, reason="needs the site: make docs")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_what):
        """Say nothing of each request."""


@pytest.fixture(scope="module")
def address():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_pages_have_no_errors_stay_here_and_break_no_rule_of_accessibility(new_context, address, axe, viewport, scheme):
    context = new_context(viewport=viewport, color_scheme=scheme)
    page = context.new_page()
    watch, errors = Watch(page), []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    for name in PAGES:
        assert page.goto(f"{address}/{name}").ok, name
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], name
        assert broken_rules(page, axe) == {}, name
    assert errors == []
    assert [url for url in watch.asked if not url.startswith((address, "data:"))] == []
    context.close()


def test_search_finds_predict(new_context, address):
    context = new_context(viewport=DESKTOP)
    page = context.new_page()
    page.goto(f"{address}/search.html?q=predict")
    page.locator("ul.search li a").first.wait_for(timeout=60_000)
    assert any("predict" in found for found in page.locator("ul.search li a").all_inner_texts())
    context.close()
