"""scikit-learn's private modules are met in one file."""

import ast
from pathlib import Path

import s3nmf

SOURCE = Path(s3nmf.__file__).parent
HERE = "_sklearn.py"


def private_imports(path):
    """Names that a file imports from scikit-learn with an underscore somewhere in their path."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.startswith("sklearn.") and "._" in name)


def test_no_other_file_imports_what_is_private_to_scikit_learn():
    found = {str(path.relative_to(SOURCE)): list(private_imports(path)) for path in SOURCE.rglob("*.py")}
    assert found.pop(HERE)
    assert {path: names for path, names in found.items() if names} == {}
