import os
import re
import stat
from pathlib import Path

import pytest

import s3nmf
from s3nmf._files import destination, written_whole


def test_a_file_that_fails_half_way_leaves_the_old_one_and_nothing_beside_it(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")

    def interrupted():
        with written_whole(path) as file:
            file.write(b"half of the new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_nobody_sees_half_a_file(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")
    with written_whole(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_the_bytes_are_on_the_disk_before_the_name_changes(tmp_path, monkeypatch):
    calls = []
    sync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda number: (calls.append("sync"), sync(number)))
    monkeypatch.setattr(os, "replace", lambda *names: (calls.append("replace"), replace(*names)))
    with written_whole(tmp_path / "page.html") as file:
        file.write(b"new")
    assert calls == ["sync", "replace", "sync"]  # the bytes, the name, the directory that holds it


@pytest.mark.skipif(os.name != "posix", reason="permissions and links as on Unix")
def test_permissions_are_those_of_any_new_file_and_links_stay_links(tmp_path):
    (tmp_path / "plain").touch()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with written_whole(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "target")}
    assert len(modes) == 1


def test_a_directory_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"), written_whole(tmp_path / "nowhere" / "page.html"):
        pass


@pytest.fixture
def pipe(tmp_path):
    """A pipe with a reader."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("pipes with a name as on Unix")
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    yield tmp_path / "pipe", reader
    os.close(reader)


def test_a_pipe_is_written_into_and_stays_a_pipe(pipe, tmp_path):
    path, reader = pipe
    with written_whole(path) as file:
        file.write(b"new")
    assert os.read(reader, 10) == b"new"
    assert stat.S_ISFIFO(path.stat().st_mode)
    (tmp_path / "link").symlink_to(path)
    with written_whole(tmp_path / "link") as file:
        file.write(b"newer")
    assert os.read(reader, 10) == b"newer"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link", "pipe"]


def test_nothing_goes_into_a_pipe_before_all_of_it_is_there(pipe):
    path, reader = pipe

    def interrupted():
        with written_whole(path) as file:
            file.write(b"half of the new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert os.read(reader, 10) == b""


def test_a_device_that_is_full_is_named_and_stays_a_device(tmp_path):
    full = tmp_path / "full"
    try:
        os.mknod(full, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
        full.write_bytes(b"")
    except (AttributeError, OSError):
        pytest.skip("only the superuser makes devices")
    with pytest.raises(OSError, match="No space left"), written_whole(full) as file:
        file.write(b"new")
    assert stat.S_ISCHR(full.stat().st_mode)
    assert list(tmp_path.iterdir()) == [full]


@pytest.mark.skipif(os.name != "posix", reason="links as on Unix")
def test_what_can_be_no_file_is_refused_by_the_words_of_the_system(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="Too many levels of symbolic links"), written_whole(tmp_path / "a"):
        pass
    with pytest.raises(IsADirectoryError), written_whole(tmp_path):
        pass
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        destination(tmp_path / "a")


def test_every_file_that_is_written_goes_through_this_door():
    """Any other way of writing is listed here, with the reason."""
    other_ways = {
        "_files.py": "the door",
        "lock.py": "a lock is no content",
        "output.py": "a line for each part that is done, appended",
        "_stored_cells.py": "a process of its own, to a directory that is removed",
        "conversions.py": "code that a message advises to run",
    }
    writing = re.compile(r"\.write_(?:bytes|text)\(|\.open\(\"[wax]|\.savez?\(|os\.(?:replace|rename)\(|\.tofile\(")
    found = {
        path.name
        for path in Path(s3nmf.__file__).parent.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if writing.search(line) and not line.lstrip().startswith(("...", ">>>"))
    }
    assert found == set(other_ways)
