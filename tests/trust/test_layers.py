import ast
from pathlib import Path

import pytest

import s3nmf

PACKAGE = Path(s3nmf.__file__).parent
ABOVE = ("estimators", "baselines", "distributed", "desk")


def imported(path):
    """The modules of the package that a file imports, wherever in it."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {
        node.module for node in nodes if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("s3nmf.")
    }


@pytest.mark.parametrize("path", sorted((PACKAGE / "trust").glob("*.py")), ids=lambda path: path.stem)
def test_what_judges_knows_nothing_of_those_who_show_it(path):
    assert not {module for module in imported(path) if module.split(".")[1] in ABOVE}


@pytest.mark.parametrize("folder", ["plots", "report", "cli"])
def test_those_who_show_it_compare_no_confidence_or_agreement_themselves(folder):
    for path in (PACKAGE / "desk" / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                text = ast.unparse(node)
                judges = ("confidence" in text or "agreement" in text) and any(
                    isinstance(side, ast.Constant) and isinstance(side.value, float) for side in node.comparators
                )
                assert not judges, f"{path.name}: {text}"
