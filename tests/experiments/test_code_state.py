import subprocess

import pytest

import s3nmf
from experiments import code_state as module
from experiments.code_state import code_state, digest_of


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A repository with the library and one commit."""
    package = tmp_path / "src" / "s3nmf"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("answer = 42\n")
    who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    for arguments in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "Answer")):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    monkeypatch.setattr(module, "CHECKOUT", tmp_path)
    monkeypatch.setattr(module, "HERE", tmp_path / "experiments")
    monkeypatch.setattr(s3nmf, "__file__", str(package / "__init__.py"))
    code_state.cache_clear()
    yield tmp_path
    code_state.cache_clear()


def test_in_a_checkout_it_is_the_commit_and_whether_files_were_changed(checkout):
    show = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(show, cwd=checkout, capture_output=True, text=True, check=True).stdout.strip()
    assert code_state() == commit
    (checkout / "src" / "s3nmf" / "__init__.py").write_text("answer = 43\n")
    assert code_state() == commit, "a process runs what it has loaded"
    code_state.cache_clear()
    assert code_state() == f"{commit}-dirty"


@pytest.mark.parametrize("elsewhere", ["no repository", "another library", "no git"])
def test_elsewhere_it_is_the_version_and_a_digest_of_the_sources(elsewhere, checkout, monkeypatch):
    library = checkout / "src" / "s3nmf"
    if elsewhere == "no repository":
        (checkout / ".git").rename(checkout / "gone")
    elif elsewhere == "no git":
        monkeypatch.setenv("PATH", "")
    else:
        library = library.rename(checkout / "s3nmf")
        monkeypatch.setattr(s3nmf, "__file__", str(library / "__init__.py"))
    assert code_state() == f"{s3nmf.__version__}+{digest_of(library, checkout / 'experiments')}"


def test_the_digest_is_that_of_names_and_contents(tmp_path):
    files = {"same": {"a.py": "1"}, "content": {"a.py": "2"}, "name": {"b.py": "1"}, "more": {"a.py": "1", "b.py": ""}}
    for package, contents in files.items():
        (tmp_path / package).mkdir()
        for name, content in contents.items():
            (tmp_path / package / name).write_text(content)
    assert len({digest_of(tmp_path / package) for package in files}) == 4
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "a.py").write_text("1")
    (tmp_path / "copy" / "notes.txt").write_text("not code")
    assert digest_of(tmp_path / "copy") == digest_of(tmp_path / "same")
