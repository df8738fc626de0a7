import signal
import subprocess
import sys
import urllib.request

import numpy as np


def test_the_page_is_answered_until_it_is_interrupted(directory):
    np.savetxt("t.csv", np.random.default_rng(0).normal(size=(30, 2)), delimiter=",")
    command = [sys.executable, "-m", "s3nmf", "app", "t.csv", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        address = program.stdout.readline().split()[-1]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address) as answer:
            assert b"<title>s3nmf</title>" in answer.read()
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=60) == 0
        assert program.stderr.read() == ""


def test_what_cannot_be_shown_is_said_and_no_page_is_opened(run, directory):
    (directory / "broken.csv").write_text("a,b\n1\n")
    for file in ("broken.csv", "missing.csv", "-"):
        result = run("app", file, "--no-browser")
        assert result.exit_code == 1
        assert result.stderr.startswith("Error: ")
        assert "http" not in result.output
