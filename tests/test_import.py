import ast
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import s3nmf

HEAVY = ("numba", "matplotlib", "pandas", "polars", "dask", "typer", "IPython")
CODE = """
import sys, sklearn.base, sklearn.neighbors
before = set(sys.modules)
from s3nmf import *
print(*(name for name in sys.argv[1:] if name in sys.modules and name not in before))
"""


def test_importing_loads_nothing_heavy_beyond_scikit_learn():
    run = subprocess.run([sys.executable, "-c", CODE, *HEAVY], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_the_package_by_itself_loads_nothing_but_the_standard_library():
    code = "import sys, s3nmf; print(*({'numpy', 'scipy', 'sklearn'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_the_package_knows_nothing_of_the_experiments_beside_it():
    for path in Path(s3nmf.__file__).parent.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        assert not {name.partition(".")[0] for name in names} & {"experiments", "benchmarks", "duckdb"}, path


def test_type_checkers_see_the_names_that_programs_get():
    tree = ast.parse(Path(s3nmf.__file__).read_text(encoding="utf-8"))
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    imported = {f"{line.module}.{alias.name}" for line in typed.body for alias in line.names}
    assert imported == {f"s3nmf.{home}.{name}" for home, names in s3nmf._HOMES.items() for name in names}
    assert sorted(s3nmf.__all__) == sorted(name.rpartition(".")[2] for name in imported)
    assert set(s3nmf.__all__) <= set(dir(s3nmf))


def test_modules_are_reached_through_the_package_as_names_are():
    code = "import s3nmf; print(s3nmf.metrics.accuracy([0, 1], [1, 0]), s3nmf.S3NMF.__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["1.0", "S3NMF"]
    assert pickle.loads(pickle.dumps(s3nmf.S3NMF)) is s3nmf.S3NMF


@pytest.mark.parametrize(
    ("public", "room"),
    [
        ("affinity", "graph"),
        ("ensemble", "method"),
        ("plots", "desk.plots"),
        ("report", "desk.report"),
        ("sources", "desk.sources"),
    ],
)
def test_public_modules_have_the_names_of_the_room_behind_them(public, room):
    module, behind = import_module(f"s3nmf.{public}"), import_module(f"s3nmf.{room}")
    assert module.__all__ == behind.__all__
    assert all(getattr(module, name) is getattr(behind, name) for name in behind.__all__)


def test_a_source_of_round_1_is_written_with_public_names():
    from s3nmf.ensemble.first_round import Members, Task  # noqa: PLC0415

    assert (Members.__name__, Task.__name__) == ("Members", "Task")


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 's3nmf' has no attribute 'KMeans'"):
        _ = s3nmf.KMeans
    assert not hasattr(s3nmf, "_nothing")


def test_a_name_and_a_module_are_never_called_the_same():
    """`s3nmf.methods` is the function, whatever was imported before: its module is the catalogue."""
    modules = {path.stem for path in Path(s3nmf.__file__).parent.iterdir()}
    assert not modules & set(s3nmf.__all__)
    assert s3nmf.methods is s3nmf.estimators.catalogue.methods
