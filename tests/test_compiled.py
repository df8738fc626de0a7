"""Machine code that numba keeps on disk, across changes of the source."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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
