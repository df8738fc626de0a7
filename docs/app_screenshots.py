"""Take docs/app-desktop.png, docs/app-phone.png and docs/app-dark.png of the page in docs/walkthrough-app.md.

Needs Chromium and `pip install -e '.[dev]'`.
"""

import csv
import os
import shutil
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import expect, sync_playwright
from sklearn.datasets import load_wine

from s3nmf.desk.app.running import LocalPage

HERE = Path(__file__).parent
LARGEST = 300_000
PATIENCE = 600_000
NAMES = ("rich", "pale", "dark")
SWITCHES = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")


def write(path):
    wine = load_wine()
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["wine", *wine.feature_names, "cultivar"])
        for number, (values, kind) in enumerate(zip(wine.data, wine.target, strict=True), start=1):
            table.writerow([f"{number:03}", *values, "ABC"[kind]])


def look(tab, address):
    """Go where the walkthrough goes."""
    tab.goto(address)
    expect(tab.locator("#busy")).to_have_class("idle", timeout=PATIENCE)
    tab.locator("#id").select_option("wine")
    tab.locator("#apply").click()
    expect(tab.locator("#notes")).to_contain_text("Standardised 13 columns", timeout=PATIENCE)
    expect(tab.locator("#busy")).to_have_class("idle", timeout=PATIENCE)
    tab.locator("#n-clusters").fill("3")
    tab.keyboard.press("Enter")
    expect(tab.locator("#cluster-list li")).to_have_count(3, timeout=PATIENCE)
    expect(tab.locator("#busy")).to_have_class("idle", timeout=PATIENCE)
    for cluster, name in enumerate(NAMES):
        tab.get_by_label(f"Name of cluster {cluster}", exact=True).fill(name)
        tab.keyboard.press("Enter")
        expect(tab.locator("#names")).to_contain_text(name, timeout=PATIENCE)
    tab.locator("#point-table tbody button").first.click()
    expect(tab.locator("#values")).to_be_visible(timeout=PATIENCE)
    tab.mouse.move(1, 1)
    tab.evaluate("window.scrollTo(0, 0)")


def take(browser, address, name, width, height, *, scale=1, scheme="light"):
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, color_scheme=scheme
    )
    tab = context.new_page()
    look(tab, address)
    tab.screenshot(path=HERE / name)
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
        os.chdir(directory)  # the page shows the name of the file as it is given
        write(Path("wine.csv"))
        page = LocalPage("wine.csv")
        thread = threading.Thread(target=page.run)
        thread.start()
        try:
            browser = driver.chromium.launch(
                executable_path=program, args=SWITCHES, env={**os.environ, "HOME": directory}
            )
            take(browser, page.address, "app-desktop.png", 1280, 1420)
            take(browser, page.address, "app-phone.png", 390, 844, scale=2)
            take(browser, page.address, "app-dark.png", 1280, 900, scheme="dark")
            browser.close()
        finally:
            page.stop()
            thread.join()
            os.chdir(HERE)


if __name__ == "__main__":
    main()
