"""A page of made-up points with hostile names, opened in a browser."""

import numpy as np
import pytest

from browser import DESKTOP, HOSTILE, Watch
from results import random_model
from s3nmf.desk.report import page as page_module
from s3nmf.report import write_report


@pytest.fixture
def quick_layout(monkeypatch):
    def scattered(affinity, points):
        return np.random.default_rng(0).random((points.size, 2))

    monkeypatch.setattr(page_module, "graph_layout", scattered)


@pytest.fixture(scope="session")
def model():
    # As of a table: a given graph of so few nodes would show its edges and their names.
    found = random_model(300, 4, noise=0.35).set_params(affinity="nearest_neighbors")
    found.X_fit_ = np.random.default_rng(0).normal(size=(300, 2))
    return found


@pytest.fixture(scope="session")
def written(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    ids = [f"{HOSTILE} {row}" if row % 50 == 0 else f"plant-{row}" for row in range(300)]
    values = np.random.default_rng(0).normal(size=(300, 2)) + model.labels_[:, None]
    kept = {HOSTILE: [f"{HOSTILE} {row % 3}" for row in range(300)], "age": np.arange(300) ** 1.5}
    told = {"title": HOSTILE, "source": HOSTILE, "command": HOSTILE, "thing": "point", "kept": kept}
    write_report(model, path, ids=ids, values=values, feature_names=[HOSTILE, "width"], **told)
    return path


@pytest.fixture
def opened(new_context, written):
    context = new_context(viewport=DESKTOP)
    page = context.new_page()
    page.watch = Watch(page)
    page.goto(written.as_uri())
    yield page
    assert page.watch.said == []
    assert page.watch.asked == [written.as_uri()]
    context.close()
