"""docs/settings.md is what the records of settings say."""

from dataclasses import fields
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from s3nmf.graph import settings as of_graph
from s3nmf.method import settings as of_method

DOCS = Path(__file__).parents[2] / "docs"
# Numbers that decide which labels come out, where they are not there for speed.
DECIDING = (
    of_graph.RESOLUTION_SEARCH,
    of_method.VIEWS,
    of_method.NOISY_GRAPH,
    of_method.VOTE,
    of_method.SCORE,
    of_method.CUTS,
    of_method.REFINEMENT,
    of_method.CONFIDENCE,
)


@pytest.fixture(scope="module")
def generator():
    spec = spec_from_file_location("settings_page", DOCS / "settings.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current(generator):
    assert generator.page() == (DOCS / "settings.md").read_text("utf-8"), "python docs/settings.py writes it anew"


def test_every_number_says_what_it_is(generator):
    for _, module in generator.ROOMS:
        for record in generator.records(module):
            _, texts = generator.described(record)
            assert all(len(text) > 10 for text in texts.values())


def test_the_default_has_thirty_numbers_at_most():
    assert sum(len(fields(record)) for record in DECIDING) <= 30
