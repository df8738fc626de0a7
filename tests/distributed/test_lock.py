import subprocess
import sys

import pytest

from s3nmf.distributed.lock import locked
from s3nmf.sources import SourceError


def test_a_folder_is_of_one_run_at_a_time(tmp_path):
    message = "Another process writes labels to .*the same command then goes on"
    with locked(tmp_path), pytest.raises(SourceError, match=message), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass
    assert not list(tmp_path.iterdir())


def test_the_lock_of_a_process_that_was_killed_is_forgotten(tmp_path):
    code = "import os, pathlib, signal, sys\nfrom s3nmf.distributed.lock import locked\n"
    code += "with locked(pathlib.Path(sys.argv[1])):\n    os.kill(os.getpid(), signal.SIGKILL)"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert list(tmp_path.iterdir())
    with locked(tmp_path):
        pass


def test_a_folder_that_cannot_be_written_to_is_refused_before_the_work(tmp_path):
    (tmp_path / ".lock").mkdir()
    with pytest.raises(SourceError, match=r"Labels cannot be written to .*: Is a directory"), locked(tmp_path):
        pass
