"""Machine code that numba keeps on disk, across changes of the source."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import s3nmf

CALL = """
import numpy as np
from s3nmf._compiled.alternating import _product
out = np.empty(1)
_product(0, np.array([0, 1], np.int32), np.zeros(1, np.int32), np.full(1, 3.0), np.ones((1, 1)), out)
print(out[0], sum(_product.stats.cache_hits.values()))
"""


def test_a_loop_is_compiled_again_when_a_function_of_another_file_has_changed(tmp_path):
    package = tmp_path / "s3nmf"
    shutil.copytree(Path(s3nmf.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def call():
        done = subprocess.run(
            [sys.executable, "-c", CALL], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    assert call() == ["3.0", "0"]
    assert call() == ["3.0", "1"]  # from the disk
    products = package / "_compiled" / "products.py"
    changed = products.read_text().replace("out[:] = 0\n    e = first", "out[:] = 1\n    e = first")
    assert changed != products.read_text()
    products.write_text(changed)
    assert call() == ["4.0", "0"]


FIT = """
import logging
import numpy as np
logging.basicConfig(format="%(levelname)s %(message)s")
from s3nmf._compiled.graphs import largest_gap, pieces
starts, columns = np.array([0, 1, 2], np.int32), np.array([1, 0], np.int32)
print(largest_gap(starts, columns, np.array([3.0, 1.0])), pieces(starts, columns, np.zeros(2, np.int8))[1])
"""


def run(code, **environment):
    """What a program prints and logs, in an environment of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout, done.stderr


def test_without_a_place_on_disk_loops_are_compiled_anew_and_that_is_said_once(tmp_path):
    nowhere = tmp_path / "a-file"
    nowhere.write_text("where a directory should be")
    printed, logged = run(FIT, NUMBA_CACHE_DIR=str(nowhere), NUMBA_CACHE_LOCATOR_CLASSES="UserProvidedCacheLocator")
    assert printed == "(2.0, 0, 1) 1\n"
    assert logged.count("compiled loops cannot be kept on disk") == 1
    assert "Set NUMBA_CACHE_DIR" in logged


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
def test_a_full_disk_does_not_stop_a_fit(tmp_path):
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))\n"
    printed, logged = run(full + FIT, NUMBA_CACHE_DIR=str(tmp_path))
    assert printed == "(2.0, 0, 1) 1\n"
    assert logged.count("compiled loops cannot be kept on disk") == 1


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_damaged_machine_code_is_compiled_anew(tmp_path, ending):
    kept = {"NUMBA_CACHE_DIR": str(tmp_path)}
    run(FIT, **kept)
    files = list(tmp_path.glob(f"**/*.{ending}"))
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:50])
    assert run(FIT, **kept)[0] == "(2.0, 0, 1) 1\n"


SAID = """
import logging
logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
from s3nmf._compiling import CLOCK, compiling_said
import numpy as np
with compiling_said():
    from s3nmf._compiled.graphs import largest_gap
    largest_gap(np.array([0, 1, 2], np.int32), np.array([1, 0], np.int32), np.array([3.0, 1.0]))
print(CLOCK.seconds > 0)
"""


def test_only_a_first_run_says_that_it_compiles_and_for_how_long(tmp_path):
    kept = {"NUMBA_CACHE_DIR": str(tmp_path)}
    printed, logged = run(SAID, **kept)
    assert printed == "True\n"
    begins, ends = logged.splitlines()
    assert begins == "INFO compiling loops, which only a first run does, for up to half a minute"
    assert re.fullmatch(r"INFO compiled loops in \d+\.\d s, which the next run will not need", ends)
    assert run(SAID, **kept) == ("False\n", "")
