"""What is said about the package in several files is the same everywhere."""

import os
import re
import runpy
import subprocess
import tomllib
from pathlib import Path

import yaml

import s3nmf

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPE = yaml.safe_load((ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def bounds(requirements):
    """The lowest version of each package: "numpy>=2.0" and "numpy >=2.0" are the same."""
    found = (re.fullmatch(r"([\w-]+?)(?:-base)?(?:\[.*\])? *>= *([\d.]+)", one) for one in requirements)
    return {match[1]: match[2] for match in found if match}


def test_the_version_is_that_of_the_library():
    assert CITATION["version"] == RECIPE["context"]["version"] == s3nmf.__version__


def test_the_license_is_named_alike():
    assert CITATION["license"] == RECIPE["about"]["license"] == PROJECT["license"] == "BSD-3-Clause"


def test_conda_asks_for_the_same_versions():
    extras = PROJECT["optional-dependencies"]
    promised = bounds([*PROJECT["dependencies"], *(one for extra in extras.values() for one in extra)])
    asked = bounds(RECIPE["requirements"]["run"]) | bounds(RECIPE["requirements"]["run_constraints"])
    assert asked.items() <= promised.items()
    assert bounds(PROJECT["dependencies"]).keys() <= asked.keys()


def test_each_extra_is_tried_alone():
    uses = runpy.run_path(str(ROOT / "packaging" / "extras.py"))["USES"]
    assert uses.keys() == PROJECT["optional-dependencies"].keys() - {"dev", "docs", "test"}


def test_workflows_call_targets_that_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for workflow in (ROOT / ".github" / "workflows").glob("*.yml"):
        for target in re.findall(r"run: make (\w+)", workflow.read_text(encoding="utf-8")):
            assert re.search(f"^{target}:", makefile, re.MULTILINE), workflow


def test_conda_builds_with_the_same_tools():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    assert bounds(build["requires"]) == bounds(RECIPE["requirements"]["host"])


def test_without_a_compiler_make_says_so_in_one_sentence():
    environment = {**os.environ, "CXX": "no-such-compiler"}
    command = ["make", "--silent", "compiler"]
    make = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert make.returncode != 0
    assert make.stderr.startswith("s3nmf needs a C++ compiler and Python's headers to be built")
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("### Building") == 1
