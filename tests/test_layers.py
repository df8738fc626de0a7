"""Imports go one way. `python tests/test_layers.py` draws them into CONTRIBUTING.md."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import s3nmf

# From the ground up. What stands in one line imports from the lines above it only, and not from its neighbours.
LAYERS = (
    (
        *(
            "_bar",
            "_discovery",
            "_files",
            "_labels",
            "_memory",
            "_notebook",
            "_sklearn",
            "_types",
            "_words",
        ),
        "progress",
    ),
    ("_archive", "_core", "_indices", "_messages", "_reporting", "_threads"),
    ("_model_header", "_validation", "_warnings", "metrics", "partitions"),
    ("graph",),
    ("baselines/spectral", "desk/layout", "desk/markers", "desk/sources", "solvers", "topics"),
    ("baselines/consensus", "method"),
    ("trust",),
    ("estimators",),
    ("baselines/comparison", "desk/demo", "distributed", "single_cell"),
    ("desk/plots",),
    ("desk/report",),
    ("desk/app",),
    ("desk/cli",),
    ("affinity", "ensemble", "layout", "plots", "report", "sources"),  # names that users import, and nothing else
    ("__main__",),
)
LAYER_OF = {name: layer for layer, names in enumerate(LAYERS) for name in names}
# Rooms of which each part has a layer of its own.
PARTED = ("baselines", "desk")

SOURCE = Path(s3nmf.__file__).parent
PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
DRAWN = re.compile(r"(?<=<!-- drawn by tests/test_layers.py -->\n).*?(?=<!-- end of the drawing -->)", re.DOTALL)


def modules():
    """Files, rooms and parts of rooms, each with its files."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        names = path.relative_to(SOURCE).with_suffix("").parts
        if names[-1] != "__init__" or len(names) > 1 + (names[0] in PARTED):
            found.setdefault(home_of(names), []).append(path)
    return found


def home_of(names):
    return "/".join(names[: 1 + (names[0] in PARTED)])


def running(node):
    """The nodes of a file but what only type checkers see."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")):
            yield child
            yield from running(child)


def names_imported_by(path):
    """What a file imports from the library, at its top or within a function, with the line of each."""
    for node in running(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names = [f"{node.value.id}.{node.attr}"]
        for name in names:
            package, *rest = name.split(".")
            if package == "s3nmf" and rest:
                yield (*s3nmf._HOME_OF.get(rest[0], rest[0]).split("."), *rest[1:]), node.lineno


def imported_by(path):
    """Files, rooms and parts of rooms that a file imports from, with the line of each."""
    for names, line in names_imported_by(path):
        yield home_of(names), line


@cache
def imports():
    """The modules that each module imports, with the places where it does."""
    found = {}
    for name, paths in modules().items():
        found[name] = {}
        for path in paths:
            for other, line in imported_by(path):
                if other in LAYER_OF and other != name:
                    found[name].setdefault(other, []).append(f"{path.relative_to(SOURCE)}:{line}")
    return found


def drawing():
    """The imports of rooms and public modules, without those that follow from others."""
    drawn = {name for name in LAYER_OF if name[0] != "_" and LAYER_OF[name] < LAYER_OF["affinity"]}
    of = {name: drawn & set(imports()[name]) for name in drawn}

    def reached_from(name):
        return of[name].union(*(reached_from(other) for other in of[name]))

    lines = []
    for name in sorted(of, key=lambda name: (-LAYER_OF[name], name)):
        implied = set().union(*(reached_from(other) for other in of[name]))
        lines += [f"    {name} --> {other}" for other in sorted(of[name] - implied)]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```", ""])


def test_every_module_has_a_layer():
    assert sorted(LAYER_OF) == sorted(modules()), "LAYERS says where a module belongs"


@pytest.mark.parametrize("name", LAYER_OF)
def test_imports_go_down(name):
    upwards = {other: places for other, places in imports().get(name, {}).items() if LAYER_OF[other] >= LAYER_OF[name]}
    assert not upwards


@pytest.mark.parametrize("name", [name for name, files in modules().items() if len(files) > 1])
def test_files_of_a_room_import_each_other_without_circles(name):
    files = {path.relative_to(SOURCE).with_suffix("").parts: path for path in modules()[name]}
    inside = {file: set() for file in files}
    for file, path in files.items():
        for names, _ in names_imported_by(path):
            known = {names[:length] for length in range(1, len(names) + 1)} & set(files)
            inside[file] |= known - {file}
    TopologicalSorter(inside).prepare()  # which refuses circles


def test_imports_are_seen_wherever_they_are(tmp_path):
    path = tmp_path / "sample.py"
    path.write_text(
        "import s3nmf\nfrom s3nmf import S3NMF\nimport s3nmf.metrics\n"
        "if TYPE_CHECKING:\n    from s3nmf.desk.cli import main\n"
        "def late():\n    from s3nmf.desk.plots import axes\n    return s3nmf.choose_n_clusters\n"
    )
    assert set(imported_by(path)) == {("estimators", 2), ("metrics", 3), ("desk/plots", 7), ("trust", 8)}


def test_the_drawing_is_that_of_the_code():
    assert DRAWN.findall(PAGE.read_text(encoding="utf-8")) == [drawing()], "python tests/test_layers.py draws it anew"


def test_the_table_of_modules_names_them_all_from_the_ground_up():
    rows = [line.split("|")[1] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    row_of = {
        name: row
        for row, names in enumerate(rows)
        for name in re.findall(r"`([\w/]+?)(?:/|\.py)`", names.split("|")[0])
    }
    assert sorted(row_of) == sorted(set(LAYER_OF) - {"__main__"})
    assert not [(name, other) for name in row_of for other in imports()[name] if row_of[other] >= row_of[name]]


if __name__ == "__main__":
    PAGE.write_text(DRAWN.sub(drawing(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
