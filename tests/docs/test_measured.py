"""Pages of figures say what wrote them, and that they are older than the code where they are."""

import subprocess
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = {".json", ".csv", ".parquet"}


@pytest.fixture(scope="module")
def measured():
    spec = spec_from_file_location("measured", DOCS / "measured.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_files_of_figures_belong_to_a_page_that_names_its_command(measured):
    of_pages = {source.data for source in measured.MEASURED.values()}
    assert {file.name for file in DOCS.iterdir() if file.suffix in FIGURES} <= of_pages
    for page, source in measured.MEASURED.items():
        assert source.command in (DOCS / f"{page}.md").read_text(encoding="utf-8"), page
        assert all((DOCS.parent / path).exists() for path in (f"docs/{source.data}", *source.code)), page


@pytest.fixture
def repository(tmp_path):
    """A library whose figures are as old as its code."""
    for name, text in {
        "docs/a.json": "1",
        "src/s3nmf/__init__.py": '__version__ = "1.2"\n',
        "src/s3nmf/b.py": "b = 1\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    commit(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def commit(root, *command):
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for one in [command] if command else [("add", "."), ("commit", "--quiet", "-m", "x")]:
        subprocess.run(["git", "-C", str(root), *who, *one], check=True)


def test_figures_older_than_the_code_are_said_to_be(measured, repository):
    source = measured.Source("make a", "a.json", ("src/s3nmf/b.py",))
    assert measured.note(source, repository).endswith("s3nmf 1.2.")
    (repository / "README.md").write_text("other\n", encoding="utf-8")
    commit(repository)
    assert "older" not in measured.note(source, repository)
    (repository / "src" / "s3nmf" / "b.py").write_text("b = 2\n", encoding="utf-8")
    commit(repository)
    assert "older than the code:** 1 commit has changed `src/s3nmf/b.py`" in measured.note(source, repository)
    (repository / "docs" / "a.json").write_text("2", encoding="utf-8")
    commit(repository)
    assert "older" not in measured.note(source, repository)


def test_without_git_the_command_is_named(measured, tmp_path):
    assert measured.note(measured.Source("make a", "a.json", ("src",)), tmp_path) == "Figures by `make a`."


def test_the_note_stands_below_the_title(measured):
    page = ["# Title\n\nText.\n"]
    measured.add_note(None, "members", page)
    assert page[0].startswith("# Title\n\n:::{note}\nFigures by `make members`")
    assert page[0].endswith("\n:::\n\nText.\n")
