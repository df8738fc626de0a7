"""A page as a PDF, printed by Chromium, or a browser that is made of it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from s3nmf._files import written_whole
from s3nmf._words import listed
from s3nmf.desk.cli.failures import CommandError

ENDING = ".pdf"

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_QUIETLY = (
    *("--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--no-default-browser-check"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"),
)
_SECONDS = 120.0
_REMEDY = "Write page.html, and print that from a browser."


def find_browser() -> str:
    """The browser that prints, or an error if there is none."""
    found = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if found is None:
        raise CommandError(
            f"A PDF is printed by Chromium, and there is none: no {listed(_PROGRAMS[:3], 'or')} on the PATH. Install "
            "it, or write page.html and print that from a browser."
        )
    return found


def check_page(path: str | Path) -> None:
    """Raise an error that names what to install if no page can be written."""
    if Path(path).suffix.casefold() == ENDING:
        find_browser()
    from s3nmf.desk.sources.errors import optional  # noqa: PLC0415

    optional("jinja2", "report", "A report")


def print_page(page: Path, target: Path) -> None:
    """Print an HTML file to a PDF, which appears whole or not at all."""
    with TemporaryDirectory(prefix="s3nmf-") as directory:
        printed = Path(directory) / "page.pdf"
        # Without a user of its own, Chromium has no sandbox; the page is ours and has nothing from elsewhere in it.
        as_root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        command = [
            *(find_browser(), *_QUIETLY, *as_root, f"--user-data-dir={directory}/profile"),
            *("--no-pdf-header-footer", f"--print-to-pdf={printed}", page.resolve().as_uri()),
        ]
        try:
            run = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise CommandError(
                f"{command[0]} did not print {target} within {_SECONDS:.0f} seconds. {_REMEDY}"
            ) from error
        if run.returncode or not printed.exists():
            said = run.stderr.decode(errors="replace").strip().splitlines()
            raise CommandError(
                f"{command[0]} did not print {target} ({said[-1] if said else 'no reason given'}). {_REMEDY}"
            )
        with written_whole(target) as file:
            file.write(printed.read_bytes())
