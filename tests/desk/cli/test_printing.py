"""A report as a PDF, where there is a browser that prints."""

import shutil
import stat

import pytest

from s3nmf.desk.cli import printing


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.setattr(printing.shutil, "which", lambda name: None)


@pytest.mark.parametrize(
    "arguments", [("cluster", "--report", "x.pdf", "--out", "l.csv"), ("report", "--out", "X.PDF")]
)
def test_without_a_browser_it_is_refused_before_anything_is_done(run, blobs, no_browser, directory, arguments):
    command, *options = arguments
    found = run(command, blobs, "-k", 2, *options)
    assert found.exit_code == 1
    assert "A PDF is printed by Chromium, and there is none: no chromium, chromium-browser or" in found.stderr
    assert [path.name for path in directory.iterdir()] == ["blobs.csv"]


def test_a_browser_that_fails_leaves_no_file(run, blobs, directory, tmp_path_factory, monkeypatch):
    program = tmp_path_factory.mktemp("programs") / "chromium"
    program.write_text("#!/bin/sh\necho no display >&2\nexit 1\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(printing.shutil, "which", lambda name: str(program))
    found = run("cluster", blobs, "-k", 2, "--report", "x.pdf", "--out", "l.csv")
    assert found.exit_code == 1
    assert "did not print x.pdf (no display). Write page.html, and print that from a browser." in found.stderr
    assert not (directory / "x.pdf").exists()


@pytest.mark.skipif(not any(map(shutil.which, printing._PROGRAMS)), reason="needs Chromium")
def test_the_page_is_printed(run, blobs, directory):
    found = run("cluster", blobs, "-k", 2, "--report", "x.pdf", "--out", "l.csv")
    assert found.exit_code == 0, found.output
    assert "Wrote the report to x.pdf." in found.stdout
    assert (directory / "x.pdf").read_bytes().startswith(b"%PDF-")
    assert sorted(path.name for path in directory.iterdir()) == ["blobs.csv", "l.csv", "x.pdf"]
