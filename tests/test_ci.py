"""What continuous integration says of tests that it could not run."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "run"


@pytest.fixture
def run(tmp_path):
    """The script where these commands are all that there is, and `make` only says what it was asked for."""
    if not SCRIPT.exists():
        pytest.skip("needs .ci/run, which only the repository has")

    def command(name, text):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)

    def run(*others, user=1000):
        (tmp_path / "dirname").symlink_to(shutil.which("dirname"))
        command("make", 'echo "make $*"')
        command("id", f"echo {user}")
        for name, text in others:
            command(name, text)
        found = {**os.environ, "PATH": str(tmp_path)}
        return subprocess.run([shutil.which("bash"), SCRIPT], env=found, capture_output=True, text=True, check=True)

    return run


def test_tests_that_are_skipped_for_want_of_a_browser_are_named_last(run):
    done = run()
    assert done.stdout == "make test\n"
    assert "*** ALL TESTS OF PAGES IN A BROWSER WERE SKIPPED: there is no Chromium" in done.stderr
    assert "*** THE TESTS OF ACCESSIBILITY WERE SKIPPED: there is no npm" in done.stderr


def test_nothing_is_said_where_nothing_is_missing(run):
    assert run(("chromium", ""), ("npm", "")).stderr == ""


def test_chromium_is_installed_where_that_is_allowed(run, tmp_path):
    install = f'case "$*" in *install*chromium) : > {tmp_path}/asked;; esac'
    assert "BROWSER" in run(("apt-get", install), ("npm", ""), user=0).stderr  # the stub installs nothing
    assert (tmp_path / "asked").exists()
