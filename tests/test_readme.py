"""What the README and the demo show is what happens."""

import re
from pathlib import Path

import pytest

from s3nmf.desk import demo
from s3nmf.metrics import accuracy

README = Path(__file__).parents[1] / "README.md"


def test_the_readmes_example_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    exec(code, names)
    assert accuracy(names["y"], names["model"].labels_) > 0.85


def test_the_readme_names_files_that_exist():
    for link in re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / link).exists(), link


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_demo_prints_the_result_and_how_long_it_took(capsys, monkeypatch):
    monkeypatch.setattr(demo, "SEEDS", range(1))
    demo.main()
    printed = capsys.readouterr().out
    assert re.search(r"Fitted in \d+\.\d s\. Cluster sizes: \d+", printed)
    assert re.search(r"S3NMF, all points +accuracy 0\.9", printed)
