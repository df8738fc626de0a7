import subprocess
import sys

HEAVY = ("numba", "matplotlib", "pandas", "polars", "pynndescent", "dask", "typer")
CODE = """
import sys, sklearn.base, sklearn.neighbors
before = set(sys.modules)
import s3nmf
print(*(name for name in sys.argv[1:] if name in sys.modules and name not in before))
"""


def test_importing_loads_nothing_heavy_beyond_scikit_learn_and_compiles_nothing():
    run = subprocess.run([sys.executable, "-c", CODE, *HEAVY], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
