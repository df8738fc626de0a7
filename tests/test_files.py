import os
import stat

import pytest

from s3nmf._files import written_whole


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
