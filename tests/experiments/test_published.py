import csv
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from experiments import published as published_numbers
from experiments.datasets import SHAPES
from experiments.published import (
    ABLATION_DATASETS,
    ABLATION_METHODS,
    DATASETS,
    METHODS,
    METRICS,
    published,
    published_ablation,
)


def test_the_paper_has_650_cells_and_220_of_the_ablation():
    assert set(DATASETS) == set(ABLATION_DATASETS) == set(SHAPES)
    cells = [published(*cell) for cell in product(DATASETS, METHODS, METRICS)]
    assert len(cells) == 650
    assert all(0 < cell.mean < 1 and 0 <= cell.std < 0.3 for cell in cells)
    assert (
        len([published_ablation(*cell) for cell in product((*DATASETS, "Average"), ABLATION_METHODS, METRICS)]) == 220
    )


@pytest.mark.parametrize("dataset", DATASETS)
def test_methods_are_in_the_order_of_the_papers_rows(dataset):
    rows = csv.DictReader(Path(published_numbers.__file__).with_name("published.csv").read_text().splitlines())
    assert tuple(dict.fromkeys(row["method"] for row in rows if row["dataset"] == dataset.rstrip("*"))) == METHODS


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", ABLATION_METHODS)
def test_the_papers_averages_are_those_of_its_columns(method, metric):
    mean = np.mean([published_ablation(name, method, metric) for name in DATASETS])
    assert published_ablation("Average", method, metric) == pytest.approx(mean, abs=0.002)


def test_the_ablation_repeats_the_tables():
    gaps = [
        abs(published_ablation(name, method, metric) - published(name, method, metric).mean)
        for name, method, metric in product(DATASETS, ("SNMF", "S3NMF"), METRICS)
    ]
    assert max(gaps) < 0.0015
