"""The user's own table, with clusters behind its columns."""

import pytest


def test_the_table_comes_back_with_its_clusters(run, flowers, read_csv, directory):
    found = run("cluster", flowers, "-k", 3, "--id", "flower", "--drop", "kind", "--append", "a.csv", "--out", "l.csv")
    assert found.exit_code == 0, found.output
    assert "Wrote the table to a.csv." in found.stdout
    rows, labels, first = (read_csv(directory / name) for name in ("a.csv", "l.csv", "flowers.csv"))
    for row, label, before in zip(rows, labels, first, strict=True):
        assert row == {**before, **{name: label[name] for name in ("cluster", "confidence", "second_cluster")}}
    assert [*rows[0]] == [*first[0], "cluster", "confidence", "second_cluster"]


def test_rows_left_out_stay_in_the_table(run, blobs, read_csv, directory):
    text = blobs.read_text().splitlines()
    (directory / "gaps.csv").write_text("\n".join([*text[:5], ",1", *text[5:]]) + "\n")
    found = run("cluster", "gaps.csv", "-k", 2, "--missing", "drop", "--append", "a.csv", "--out", "l.csv")
    assert found.exit_code == 0, found.output
    rows = read_csv(directory / "a.csv")
    assert [k for k, row in enumerate(rows) if row["cluster"] == ""] == [4]
    assert len(rows) == len(read_csv(directory / "l.csv")) + 1


@pytest.mark.usefixtures("blobs", "rings")
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("blobs.csv", "--append", "a.parquet"), 1, "a.parquet gets the format of blobs.csv"),
        (("blobs.csv", "--append", "blobs.csv"), 2, "is the file that is read and would be overwritten"),
        (("rings.edges", "--append", "a.edges"), 1, "no column can be added to the format edges"),
    ],
)
def test_what_cannot_be_appended_is_said_before_anything_is_clustered(run, directory, arguments, code, said):
    before = sorted(directory.iterdir())
    found = run("cluster", *arguments, "-k", 2, "--out", "l.csv")
    assert found.exit_code == code
    assert said in found.stderr
    assert sorted(directory.iterdir()) == before
