"""Parts that differ in what they hold, or in how it is written, are read in one form in both passes, or named."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs

from s3nmf.distributed import cluster_parts
from s3nmf.distributed.form import Form, Found, common_form
from s3nmf.metrics import accuracy
from s3nmf.sources import SourceError

pytestmark = pytest.mark.filterwarnings("ignore")

CENTERS = [[2, 20, 2], [12, 22, 9], [7, 12, 5]]


@pytest.fixture(scope="module")
def blobs():
    """600 rows of three clusters that are far from each other, and their clusters."""
    X, y = make_blobs(600, centers=CENTERS, cluster_std=0.3, random_state=0)
    return pd.DataFrame(X, columns=["a", "b", "c"]), y


@pytest.fixture
def written(tmp_path):
    """Write frames as the parts of a table; their folder."""

    def write(*frames, ending="parquet"):
        folder = tmp_path / "in"
        folder.mkdir()
        for number, frame in enumerate(frames):
            path = folder / f"part-{number}.{ending}"
            if ending == "parquet":
                frame.to_parquet(path, index=False)
            else:
                frame.to_csv(path, sep="\t", index=False)
        return folder

    return write


def cut(frame, *at):
    return [frame.iloc[rows] for rows in np.split(np.arange(len(frame)), at)]


def clusters(found):
    read = pd.read_parquet if found.files[0].suffix == ".parquet" else lambda path: pd.read_csv(path, sep="\t")
    return pd.concat(map(read, found.files))["cluster"].to_numpy()


def with_commas(frame, digits):
    return frame.map(lambda value: f"{value:.{digits}f}".replace(".", ","))


def found(*columns, id_name="row", decimal=None, marks=""):
    return Found(Form(columns, id_name, decimal), frozenset(marks))


def test_the_form_is_that_of_most_parts_and_of_the_first_of_two():
    assert common_form([found("a"), found("b", "a"), found("a", "b")]) == Form(("b", "a"), "row", None)
    assert common_form([found("a"), found("a", "b")]).columns == ("a",)


def test_parts_that_are_sure_of_the_decimal_mark_decide_it():
    guess, sure = found("a", decimal="."), found("a", decimal=",", marks=",")
    assert common_form([guess, guess, sure]).decimal == ","
    assert common_form([guess, found("a")]).decimal == "."
    assert common_form([found("a"), found("a", marks=".,")]).decimal is None


@pytest.mark.parametrize(
    ("part", "fits"),
    [
        (found("a", "b"), False),  # its points may stand between thousands
        (found("a", "b", decimal="."), False),
        (found("a", "b", decimal=",", marks=","), True),
        (found("b", "a", decimal=",", marks=","), False),
    ],
)
def test_only_parts_that_were_read_in_the_form_need_not_be_read_again(part, fits):
    assert part.fits(Form(("a", "b"), "row", ",")) is fits
    assert part.why_not(Form(("a", "b"), "row", ",")) is None


def test_values_stay_under_their_columns_in_a_part_that_is_looked_at_again_for_its_size(blobs, written, tmp_path):
    frame, y = blobs
    first, second, large = cut(frame, 30, 60)
    found = cluster_parts(written(first, second, large[["c", "b", "a"]]), 3, tmp_path / "out", sample=300)
    assert accuracy(y, clusters(found)) == 1.0


def test_a_part_that_is_gone_when_it_is_looked_at_again_stops_the_work(blobs, written, tmp_path):
    parts = written(*cut(blobs[0], 30, 60))

    def remove(what, share):
        if (what, share) == ("looking at all parts", 1.0):
            (parts / "part-2.parquet").write_bytes(b"")

    with pytest.raises(SourceError, match=r"part-2\.parquet could be read at first, and cannot any more\. .* is empty"):
        cluster_parts(parts, 3, tmp_path / "out", sample=300, bad_parts="skip", watch=remove)


@pytest.mark.parametrize("values", [1.0, [1.0, 2.0] * 100], ids=["constant", "of one part only"])
def test_rows_with_gaps_are_the_same_in_both_passes(blobs, written, tmp_path, values):
    """Also where the gaps are in a column that nothing is clustered by in the end."""
    frame, y = blobs
    parts = cut(frame, 200, 400)
    has_gap = np.random.default_rng(0).random(200) < 0.3
    parts[1] = parts[1].assign(other=np.where(has_gap, np.nan, values))
    if values == 1.0:
        parts[0], parts[2] = (part.assign(other=1.0) for part in parts[::2])
        y = y[np.concatenate([np.arange(200), 200 + np.flatnonzero(~has_gap), np.arange(400, 600)])]
    found = cluster_parts(written(*parts), 3, tmp_path / "out", sample=300, missing="drop")
    assert found.n_rows == len(y)
    assert accuracy(y, clusters(found)) == 1.0


def test_a_part_that_has_changed_between_the_passes_is_named(blobs, written, tmp_path):
    parts = written(*cut(blobs[0], 200, 400))

    def cut_off(what, share):
        if what == "building the index":
            blobs[0].iloc[200:390].to_parquet(parts / "part-1.parquet", index=False)

    message = r"part-1\.parquet has changed: it has 190 rows to cluster, and had 200 when the sample was drawn\. Put"
    with pytest.raises(SourceError, match=message):
        cluster_parts(parts, 3, tmp_path / "out", sample=300, watch=cut_off)


def test_decimals_are_read_as_the_parts_say_that_leave_no_doubt(blobs, written, tmp_path):
    """3,142 is three thousand in no part if 3,14 is in one; and nor is it after the work was stopped."""
    frame, y = blobs
    doubtful, sure = cut(frame, 300)
    parts = written(with_commas(doubtful, 3), with_commas(sure, 2), ending="tsv")

    def stop(what, share):
        if what == "building the index":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cluster_parts(parts, 3, tmp_path / "out", sample=300, watch=stop)
    found = cluster_parts(parts, 3, tmp_path / "out", sample=300)
    assert accuracy(y, clusters(found)) == 1.0
    assert np.abs(found.model.X_fit_).max() < 10
    assert sum("' in 'a' as " in note for note in found.notes) == 2
    assert not [note for note in found.notes if "nothing in the file decides" in note]


def test_decimals_that_no_part_decides_are_read_as_asked_and_said(blobs, written, tmp_path):
    parts = written(*(with_commas(part, 3) for part in cut(blobs[0], 300)), ending="tsv")
    guessed = cluster_parts(parts, 3, tmp_path / "guessed", sample=300)
    assert [note for note in guessed.notes if "nothing in the file decides which" in note and "decimal=','" in note]
    asked = cluster_parts(parts, 3, tmp_path / "asked", sample=300, scale="none", decimal=",")
    assert asked.model.X_fit_.max() < 30


def test_parts_that_write_decimals_in_different_ways_are_named(blobs, written, tmp_path):
    first, second, third = cut(blobs[0], 200, 400)
    thousands = with_commas(third, 2).map(lambda value: "1," + value.replace(",", ".").zfill(6))
    parts = written(with_commas(first, 2), with_commas(second, 2), thousands, ending="tsv")
    message = r"part-2\.tsv: it has '\.' before decimals, and other parts have ','\. Write .* say what .*\(decimal\)"
    with pytest.raises(SourceError, match=message):
        cluster_parts(parts, 3, tmp_path / "out", sample=300)


def test_numbers_of_programs_beside_decimal_commas_are_no_thousands(blobs, written, tmp_path):
    first, second = cut(blobs[0], 300)
    parts = written(with_commas(first, 2), second.round(2), ending="tsv")
    with pytest.raises(SourceError, match=r"1 of 2 parts.*part-1\.tsv: Columns hold text.* in another notation"):
        cluster_parts(parts, 3, tmp_path / "out", sample=300)


def test_the_first_part_is_named_if_it_lacks_a_column(blobs, written, tmp_path):
    first, *others = cut(blobs[0], 200, 400)
    parts = written(first.drop(columns="c"), *others)
    with pytest.raises(SourceError, match=r"1 of 3 parts .*part-0\.parquet: it lacks 'c', which most parts have"):
        cluster_parts(parts, 3, tmp_path / "out", sample=300)


def test_a_column_of_few_parts_is_left_out_and_said(blobs, written, tmp_path):
    frame, y = blobs
    first, *others = cut(frame, 200, 400)
    parts = written(first.assign(batch=np.arange(200.0)), *others)
    found = cluster_parts(parts, 3, tmp_path / "out", sample=300, bad_parts="skip")
    assert (found.n_rows, found.skipped) == (600, {})
    assert found.notes[0] == f"{parts / 'part-0.parquet'}: Left out 'batch': not clustered by."
    assert accuracy(y, clusters(found)) == 1.0


def test_notes_on_many_parts_are_not_all_repeated(blobs, written, tmp_path):
    parts = [
        part.assign(b=part["b"].where(np.arange(60) > k)) for k, part in enumerate(cut(blobs[0], *range(60, 600, 60)))
    ]
    found = cluster_parts(written(*parts), 3, tmp_path / "out", sample=300, missing="drop")
    assert sum("Left out" in note for note in found.notes) == 3
    assert "And 7 notes on other parts." in found.notes


def test_a_feature_may_be_called_row(blobs, written, tmp_path):
    frame, y = blobs
    found = cluster_parts(written(*cut(frame.rename(columns={"a": "row"}), 300)), 3, tmp_path / "out", sample=300)
    assert accuracy(y, clusters(found)) == 1.0


def with_text(part, number):
    """A part with a column of text, which happens to be numbers in the first one."""
    return part.assign(name=[f"{number}" if number == 0 else f"n{number}-{row}" for row in range(len(part))])


def test_text_is_left_out_of_every_part_where_most_have_it(blobs, written, tmp_path):
    frame, y = blobs
    parts = written(*(with_text(part, number) for number, part in enumerate(cut(frame, 150, 300, 450))))
    with pytest.raises(SourceError, match=r"drop_text=True for all text") as refused:
        cluster_parts(parts, 3, tmp_path / "out", sample=300)
    assert "categories" not in str(refused.value)
    found = cluster_parts(parts, 3, tmp_path / "out", sample=300, drop_text=True)
    assert accuracy(y, clusters(found)) == 1
    assert found.model.n_features_in_ == 3
    assert any("'name'" in note for note in found.notes)


def test_a_column_of_numbers_with_text_in_it_is_not_left_out_with_the_text(blobs, written, tmp_path):
    frame, _ = blobs
    first, *others = cut(frame.astype(object), 200, 400)
    first.iloc[5, 0] = "broken"
    parts = written(first, *others, ending="tsv")
    with pytest.raises(SourceError, match=r"part-0.*'broken'"):
        cluster_parts(parts, 3, tmp_path / "out", sample=300, drop_text=True)


def test_only_the_columns_that_are_asked_for_are_clustered_by(blobs, written, tmp_path):
    frame, y = blobs
    parts = written(*(part.assign(d=number) for number, part in enumerate(cut(frame, 150, 300, 450))))
    found = cluster_parts(parts, 3, tmp_path / "out", sample=300, columns=["a", "c"])
    assert found.model.n_features_in_ == 2
    assert accuracy(y, clusters(found)) == 1
    with pytest.raises(SourceError, match="no column 'e'"):
        cluster_parts(parts, 3, tmp_path / "other", sample=300, columns="e")
