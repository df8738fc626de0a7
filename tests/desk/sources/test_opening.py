import gzip
import io
import os

import pytest

from s3nmf.desk.sources import opening
from s3nmf.desk.sources.opening import opened, text_lines
from s3nmf.sources import SourceError, read

TEXT = "name,a\nx,1\ny,2\n"


def written(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (b"\xef\xbb\xbf", "only blank lines"),
        (b"name,a\nx,1\ny\0,2\n", "line 3 holds a NUL byte (byte 2 of the line)"),
        ("name,a\nx,1\nné,2\n".encode("latin-1"), "line 3 is not utf-8: byte 0xE9 at position 2 of the line"),
        (TEXT.encode("utf-16"), "is encoded in UTF-16"),
        (gzip.compress(TEXT.encode(), mtime=0)[:-6], "is a gzip file that is cut off or damaged"),
        (gzip.compress(TEXT.encode(), mtime=0)[:12] + b"\xff" * 9, "is a gzip file that is cut off or damaged"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_their_place(tmp_path, data, said):
    with pytest.raises(SourceError) as error:
        read(written(tmp_path / "t.csv", data), id="name")
    assert said in str(error.value)
    assert "t.csv" in str(error.value)


@pytest.mark.parametrize(
    "data",
    [
        TEXT,
        "\ufeff" + TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.rstrip(),
        gzip.compress(TEXT.encode(), mtime=0),
        gzip.compress(TEXT.encode()[:9], mtime=0) + gzip.compress(TEXT.encode()[9:], mtime=0),
    ],
)
def test_marks_line_ends_and_gzip_do_not_matter(tmp_path, data):
    table = read(written(tmp_path / "t.csv", data), id="name")
    assert table.ids == ["x", "y"]
    assert table.columns == ("a",)


def test_the_encoding_can_be_named(tmp_path):
    path = written(tmp_path / "t.csv", "name,a\nné,1\nb,2\n".encode("latin-1"))
    assert read(path, id="name", encoding="latin-1").ids == ["né", "b"]
    for wrong in ("klingon", "utf-16", "base64", "idna\0"):
        with pytest.raises(SourceError, match=r"encoding|are not read"):
            read(path, id="name", encoding=wrong)


def test_what_is_no_file_is_said(tmp_path):
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(SourceError, match="is a directory"):
        read(tmp_path / "d.csv")
    with pytest.raises(SourceError, match=r"gone\.csv does not exist"):
        read(tmp_path / "gone.csv")
    with pytest.raises(SourceError, match="cannot be opened"):
        read("a\0b.csv")
    with pytest.raises(SourceError, match=r"cannot be opened|does not exist"):
        read(tmp_path / ("x" * 5000 + ".csv"))
    if os.geteuid():
        closed = written(tmp_path / "closed.csv", TEXT)
        closed.chmod(0)
        with pytest.raises(SourceError, match="Permission denied"):
            read(closed)


def test_a_file_that_unpacks_to_very_much_is_stopped_early(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "_BOMB_SIZE", 2**20)
    path = written(tmp_path / "t.csv.gz", gzip.compress(b"0,0\n" + b"0," * 2**23, mtime=0))
    with pytest.raises(SourceError, match="unpacks to more than 400 times its size") as error:
        read(path)
    assert float(str(error.value).split("(")[1].split(" MB")[0]) < 10, "long before its 16 MB"


def test_more_than_the_memory_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "available_bytes", lambda: 400)
    with pytest.raises(SourceError, match="the text up to line 2"):
        read(written(tmp_path / "t.csv", "a,b\n" + "1,2" + "0" * 120))
    with pytest.raises(SourceError, match="the file takes"):
        read(written(tmp_path / "t.npy", b"x" * 101))
    monkeypatch.setattr(opening, "available_bytes", lambda: None)
    assert read(written(tmp_path / "t.csv", TEXT), id="name").ids == ["x", "y"]


def test_a_line_without_end_is_stopped(monkeypatch):
    monkeypatch.setattr(opening, "_LONGEST_LINE", 100)
    with pytest.raises(SourceError, match="line 2 is longer"):
        list(text_lines(io.BytesIO(b"a\n" + b"x" * 1000), "t.csv"))


def test_standard_input_is_read(monkeypatch):
    for data in (TEXT.encode(), gzip.compress(TEXT.encode(), mtime=0)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert read("-", id="name").ids == ["x", "y"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(SourceError, match="standard input is empty"):
        read("-")


def test_lines_end_at_line_feeds_only():
    text = "a\u2028b\x0bc\x85d\re\r\nf"
    assert list(text_lines(io.BytesIO(text.encode()), "t")) == ["a\u2028b\x0bc\x85d\re\r\n", "f"]


def test_a_stream_is_closed_after_use(tmp_path):
    path = written(tmp_path / "t.csv", TEXT)
    with opened(path) as stream:
        assert stream.read() == TEXT.encode()
    path.unlink()
