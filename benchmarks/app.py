"""How long the page of `s3nmf app` lets a visitor wait: `python -m benchmarks.app [rows ...]`.

10,000 and 100,000 rows by default. Needs Chromium. Wall-clock times are those of a visitor if the machine has nothing
else to do; processor times beside them say how far it was from that.
"""

import os
import shutil
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import expect, sync_playwright
from sklearn.datasets import make_blobs

from s3nmf.desk.app.running import LocalPage

COLUMNS = 10
PATIENCE = 3_600_000
SWITCHES = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")


def write(path, n):
    values, _ = make_blobs(n, n_features=COLUMNS, centers=6, cluster_std=3.0, random_state=0)
    header = ",".join(f"measurement {j}" for j in range(COLUMNS))
    np.savetxt(path, values, delimiter=",", header=header, comments="", fmt="%.5f")


@contextmanager
def timed(what):
    began, processor = time.perf_counter(), time.process_time()
    yield
    print(f"{what:48} {time.perf_counter() - began:8.1f} s {time.process_time() - processor:8.1f} s", flush=True)


def visit(tab, address):
    """From the address to the map, then through three numbers of clusters and one point."""
    clusters = tab.locator("#cluster-list li")
    with timed("until the first clusters"):
        tab.goto(address)
        expect(clusters.first).to_be_visible(timeout=PATIENCE)
    with timed("until the map, after that"):
        expect(tab.locator("#no-map")).to_be_hidden(timeout=PATIENCE)
    number = clusters.count()
    with timed("one cluster more, fitted meanwhile"):
        tab.get_by_label("One cluster more").click()
        expect(clusters).to_have_count(number + 1, timeout=PATIENCE)
    expect(tab.locator("#busy")).to_have_class("idle", timeout=PATIENCE)
    with timed("one cluster less, known already"):
        tab.get_by_label("One cluster less").click()
        expect(clusters).to_have_count(number, timeout=PATIENCE)
    with timed("three more, not fitted yet"):
        tab.locator("#n-clusters").fill(str(number + 3))
        tab.keyboard.press("Tab")
        expect(clusters).to_have_count(number + 3, timeout=PATIENCE)
    with timed("a point and its values"):
        tab.locator("#point-table tbody button").first.click()
        expect(tab.locator("#values")).to_be_visible(timeout=PATIENCE)
    with timed("two clusters merged"):
        tab.get_by_label("Mark cluster 0", exact=True).check()
        tab.get_by_label("Mark cluster 1", exact=True).check()
        tab.locator("#merge").click()
        expect(clusters).to_have_count(number + 2, timeout=PATIENCE)


def longest_silence(address, stop):
    """The longest that the program left a question open, meanwhile."""
    import urllib.request

    longest, opener = 0.0, urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    while not stop.is_set():
        began = time.perf_counter()
        opener.open(address).read()
        longest = max(longest, time.perf_counter() - began)
        time.sleep(0.2)
    print(f"{'the longest that a question was left open':48} {longest:8.1f} s", flush=True)


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.exit("There is no chromium, chromium-browser or google-chrome on the PATH. Install one of them.")
    for n in map(int, sys.argv[1:] or ("10000", "100000")):
        print(f"{f'{n:,} rows, {COLUMNS} columns':48} {'time':>10} {'processor':>10}")
        with TemporaryDirectory() as directory, sync_playwright() as driver:
            path = Path(directory) / "rows.csv"
            write(path, n)
            with timed("until there is an address"):
                page = LocalPage(str(path))
            stop = threading.Event()
            threads = [
                threading.Thread(target=page.run),
                threading.Thread(target=longest_silence, args=(page.address, stop)),
            ]
            for thread in threads:
                thread.start()
            environment = {**os.environ, "HOME": directory}
            browser = driver.chromium.launch(executable_path=program, args=SWITCHES, env=environment)
            visit(browser.new_page(viewport={"width": 1280, "height": 900}), page.address)
            browser.close()
            stop.set()
            threads[1].join()
            page.stop()
            threads[0].join()


if __name__ == "__main__":
    main()
