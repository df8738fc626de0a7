"""Take docs/report-desktop.png, docs/report-phone.png and docs/report-dark.png of a report on the digits.

Needs Chromium and `pip install -e '.[dev]'`.
"""

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright
from sklearn.datasets import load_digits

from s3nmf import S3NMF, choose_n_clusters
from s3nmf.report import write_report

HERE = Path(__file__).parent
LARGEST = 300_000
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def write(path):
    X = load_digits().data
    choice = choose_n_clusters(X, random_state=0)
    model = S3NMF(n_clusters=10, random_state=0).fit(X)
    write_report(
        model,
        path,
        ids=[f"image {row}" for row in range(X.shape[0])],
        feature_names=[f"ink at {row},{column}" for row in range(8) for column in range(8)],
        title="Handwritten digits",
        source="sklearn.datasets.load_digits",
        choice=choice,
    )


def take(browser, report, name, width, height, *, scale=1, scheme="light", at=None):
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, color_scheme=scheme
    )
    page = context.new_page()
    page.goto(report.as_uri())
    plane = page.locator("#plane")
    plane.focus()
    page.keyboard.press("Home")
    page.evaluate("(id) => id ? document.getElementById(id).scrollIntoView() : window.scrollTo(0, 0)", at)
    page.screenshot(path=HERE / name)
    context.close()
    size = (HERE / name).stat().st_size
    print(f"{name}: {size / 1000:.0f} kB")
    if size > LARGEST:
        sys.exit(f"{name} has {size} bytes; it must have at most {LARGEST}.")


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.exit("There is no chromium, chromium-browser or google-chrome on the PATH. Install one of them.")
    with TemporaryDirectory() as directory, sync_playwright() as driver:
        report = Path(directory) / "report.html"
        write(report)
        browser = driver.chromium.launch(executable_path=program, args=SWITCHES, env={**os.environ, "HOME": directory})
        take(browser, report, "report-desktop.png", 1000, 1340)
        take(browser, report, "report-phone.png", 390, 844, scale=2, at="picture")
        take(browser, report, "report-dark.png", 1000, 1100, scheme="dark", at="clusters")
        browser.close()


if __name__ == "__main__":
    main()
