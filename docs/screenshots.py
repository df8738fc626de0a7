"""Write pages about two, ten and forty clusters, a graph and cells, and take their pictures: build/screenshots/.

Those that the documentation shows go to docs/ as well. Needs Chromium and `pip install -e '.[dev]'`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import anndata
import networkx as nx
import numpy as np
import pandas as pd
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer, load_digits, make_blobs

HERE = Path(__file__).parent
TAKEN = HERE.parent / "build" / "screenshots"
SHOWN = {"ten-desktop": "report-desktop.png", "ten-phone": "report-phone.png", "two-dark": "report-dark.png"}
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
SCREENS = {
    "desktop": {"viewport": {"width": 1100, "height": 1400}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1100, "height": 1400}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 1400}, "color_scheme": "light"},
}
COMMANDS = {
    "two": ("biopsies.csv", "-k", "2", "--keep", "diagnosis"),
    "ten": ("digits.npz", "-k", "10", "--id", "name", "--keep", "digit", "--image", "8x8"),
    "forty": ("blobs.csv", "-k", "40"),
    "graph": ("novel.graphml", "-k", "auto"),
    "cells": ("cells.h5ad", "-k", "4", "--keep", "kind"),
}


def write_data(folder):
    biopsies = load_breast_cancer(as_frame=True)
    diagnosis = biopsies.target_names[biopsies.target]
    biopsies.data.assign(diagnosis=diagnosis).to_csv(folder / "biopsies.csv", index=False)
    X, y = load_digits(return_X_y=True)
    np.savez(folder / "digits.npz", X=X, digit=y, name=[f"image {row}" for row in range(len(X))])
    X, _ = make_blobs(4000, n_features=6, centers=40, cluster_std=1.2, random_state=0)
    pd.DataFrame(X, columns=list("abcdef")).to_csv(folder / "blobs.csv", index=False)
    nx.write_graphml(nx.les_miserables_graph(), folder / "novel.graphml")
    cells().write_h5ad(folder / "cells.h5ad")


def cells():
    """Those of docs/walkthrough-single-cell.md."""
    random = np.random.default_rng(0)
    kinds = random.choice(4, size=400, p=[0.4, 0.3, 0.2, 0.1])
    programs = random.gamma(1.0, 1.0, size=(4, 200))
    programs[3] = 0.25 * programs[3] + 0.75 * programs[2]
    counts = random.poisson(0.5 * programs[kinds])
    log = np.log1p(1e3 * counts / counts.sum(axis=1, keepdims=True))
    left, sizes, _ = np.linalg.svd(log - log.mean(axis=0), full_matrices=False)
    made = anndata.AnnData(counts.astype(np.float32))
    made.obs_names = [f"cell-{k:04}" for k in range(400)]
    made.obs["kind"] = [f"type {kind}" for kind in kinds]
    made.obsm["X_pca"] = left[:, :20] * sizes[:20]
    return made


def take(browser, page, name, screen, part):
    """A picture of one part of a page, with the least certain point marked."""
    context = browser.new_context(**SCREENS[screen])
    opened = context.new_page()
    opened.goto(page.as_uri())
    opened.locator("#plane").focus()
    opened.keyboard.press("Home")
    opened.evaluate("(part) => document.getElementById(part).scrollIntoView()", part)
    opened.wait_for_timeout(100)
    path = TAKEN / f"{name}-{screen}.png"
    opened.screenshot(path=path)
    context.close()
    print(f"{path.relative_to(HERE.parent)}: {path.stat().st_size / 1000:.0f} kB")


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.exit("There is no chromium, chromium-browser or google-chrome on the PATH. Install one of them.")
    TAKEN.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as directory, sync_playwright() as driver:
        folder = Path(directory)
        write_data(folder)
        browser = driver.chromium.launch(executable_path=program, args=SWITCHES, env={**os.environ, "HOME": directory})
        for name, arguments in COMMANDS.items():
            command = ["s3nmf", "report", *arguments, "--out", f"{name}.html", "--quiet"]
            subprocess.run([sys.executable, "-m", "s3nmf.desk.cli.main", *command[1:]], cwd=folder, check=True)
            page = folder / f"{name}.html"
            shutil.copy(page, TAKEN)
            for screen, part in (("desktop", "picture"), ("dark", "clusters"), ("phone", "picture")):
                take(browser, page, name, screen, part)
            context = browser.new_context()
            opened = context.new_page()
            opened.goto(page.as_uri())
            opened.pdf(path=TAKEN / f"{name}.pdf", format="A4")
            context.close()
        browser.close()
    for name, shown in SHOWN.items():
        size = (TAKEN / f"{name}.png").stat().st_size
        if size > LARGEST:
            sys.exit(f"{name}.png has {size} bytes; it must have at most {LARGEST}.")
        shutil.copy(TAKEN / f"{name}.png", HERE / shown)


if __name__ == "__main__":
    main()
