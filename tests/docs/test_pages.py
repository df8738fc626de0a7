"""What the pages of the site and the README show is what happens: every block of code runs, and prints what is shown.

Output is compared to the letter, but for times. `python tests/pages.py` writes it anew.
"""

import re
from difflib import unified_diff

import pytest

import pages
from s3nmf.desk.cli import terminal


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(terminal, "line_width", lambda _stream: pages.WIDTH)


def languages(page):
    return {found["language"] for found in pages.BLOCK.finditer(page.read_text(encoding="utf-8"))}


@pytest.mark.filterwarnings("ignore::UserWarning")  # said to the reader, too
@pytest.mark.filterwarnings("ignore::FutureWarning")  # of scanpy and what it imports
@pytest.mark.parametrize(
    "page", [page for page in pages.PAGES if languages(page) - {"text", "mermaid"}], ids=pages.named
)
def test_what_a_page_shows_is_what_happens(page):
    if pages.needs_scanpy(page):
        pytest.importorskip("scanpy", reason="needs scanpy, of the extra docs")
    shown, now = pages.masked(page.read_text(encoding="utf-8")), pages.masked(pages.played(page))
    changed = "\n".join(unified_diff(shown, now, "in the page", "now", lineterm=""))
    assert not changed, f"{changed}\n`python tests/pages.py` writes it anew."


def test_no_block_escapes_by_its_language():
    for page in pages.PAGES:
        assert languages(page) <= {"python", "sh", "console", "text", "mermaid"}, page


@pytest.mark.parametrize(
    ("block", "why"),
    [
        ("```python\nprint(2)\n```\n\n```text\n3\n```\n", ""),
        ("```console\n$ s3nmf demo-data iris | head -1\nWrote 149 rows\n```\n", ""),
        ("```console\n$ s3nmf cluster wine.csv\nFound 3 clusters in 178 rows.\n```\n", "exit code 1, not 0"),
        ("```console\n$ s3nmf demo-data iris --out iris.csv\nError: no.\n```\n", "exit code"),
        ("```sh\ns3nmf cluster wine.csv\n```\n", "exit code 1, not 0"),
        ("```console\n$ cat nothing | head\n```\n", "exit code 1"),
        ("```sh\nmake nothing\n```\n", "no such target"),
    ],
)
def test_a_page_that_shows_something_else_is_found(block, why, tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(block, encoding="utf-8")
    monkeypatch.setattr(pages, "named", lambda page: page.name)
    if why:
        with pytest.raises(pages.PageError, match=why):
            pages.played(page)
    else:
        assert pages.masked(pages.played(page)) != pages.masked(block)


def test_addresses_have_the_form_of_addresses():
    for page in pages.PAGES:
        for address in re.findall(r"\]\((\w+:[^)]*)\)", page.read_text(encoding="utf-8")):
            assert re.fullmatch(r"https://[\w.-]+\.[a-z]{2,}(/[\w.~%+/-]*)?(#[\w.-]+)?", address), (page, address)
