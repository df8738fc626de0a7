"""The reference has every public name, and no other."""

import re
from pathlib import Path

import s3nmf
from s3nmf import affinity, layout, metrics, plots, report, single_cell, sources, topics

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


def public_names(module):
    """What a module declares; where it declares nothing, what it defines."""
    defined = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return getattr(module, "__all__", [name for name in defined if not name.startswith("_")])


def test_the_reference_lists_every_public_name_once():
    modules = (affinity, layout, metrics, plots, report, single_cell, sources, topics)
    inner = [f"{module.__name__}.{name}".removeprefix("s3nmf.") for module in modules for name in public_names(module)]
    listed = re.findall(r"^   ([\w.]+)$", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted([*s3nmf.__all__, *inner])
