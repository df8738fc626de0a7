import pytest

from s3nmf.desk.app.choices import (
    ChoiceError,
    Choices,
    Merge,
    Name,
    Reading,
    Split,
    cut_into,
    merged,
    named,
    read_as,
    sized,
    split,
    undone,
)

COLUMNS = ("plant", "length", "width")
THREE = Choices(Reading(), 3)


def test_nothing_that_was_chosen_ever_changes():
    before = named(THREE, 0, "tall", 3)
    merged(before, [0, 1], 3)
    assert before.edits == (Name(0, "tall"),)
    assert THREE.edits == ()


def test_whoever_comes_back_to_a_number_of_clusters_finds_what_was_done_there():
    edited = split(merged(THREE, [2, 0], 3), 1, 2)
    assert edited.edits == (Merge((0, 2)), Split(1))
    away = cut_into(edited, 4, 90)
    assert away.edits == ()
    assert cut_into(away, 3, 90).edits == edited.edits


def test_and_to_columns_too():
    edited = named(THREE, 1, "wide", 3)
    other = read_as(edited, {"drop": ["width"], "id": "plant", "scale": None, "missing": "drop"}, COLUMNS)
    assert other.reading == Reading("plant", ("width",), None, "drop")
    assert other.edits == ()
    assert read_as(other, {"drop": [], "id": None, "scale": None, "missing": "refuse"}, COLUMNS).edits == edited.edits


def test_and_to_sizes_too():
    edited = named(THREE, 1, "wide", 3)
    other = sized(edited, unequal=True)
    assert (other.cut.unequal, other.edits) == (True, ())
    assert cut_into(other, 4, 90).cut.unequal
    assert sized(other, unequal=False).edits == edited.edits


def test_undo_takes_back_one_edit_after_the_other_and_then_nothing():
    edited = split(named(THREE, 0, "tall", 3), 0, 3)
    assert undone(edited).edits == (Name(0, "tall"),)
    assert undone(undone(undone(edited))).edits == ()
    assert undone(Choices(Reading())) == Choices(Reading())


def test_a_name_is_one_line_of_moderate_length():
    assert named(THREE, 0, "  two\nlines ", 3).edits == (Name(0, "two lines"),)
    assert len(named(THREE, 0, "x" * 500, 3).edits[0].name) == 60


@pytest.mark.parametrize(
    "choose",
    [
        lambda: cut_into(THREE, 0, 90),
        lambda: cut_into(THREE, 90, 90),
        lambda: cut_into(THREE, 5000, 100_000),
        lambda: cut_into(THREE, "3", 90),
        lambda: cut_into(THREE, True, 90),
        lambda: sized(THREE, "yes"),
        lambda: merged(THREE, [1], 3),
        lambda: merged(THREE, [1, 3], 3),
        lambda: merged(THREE, "01", 3),
        lambda: split(THREE, -1, 3),
        lambda: named(THREE, 0, None, 3),
        lambda: named(Choices(Reading()), 0, "too early", 3),
        lambda: read_as(THREE, {"drop": ["nothing"]}, COLUMNS),
        lambda: read_as(THREE, {"drop": ["length", "width"], "id": "plant"}, COLUMNS),
        lambda: read_as(THREE, {"scale": "log"}, COLUMNS),
    ],
)
def test_what_cannot_be_chosen_is_refused(choose):
    with pytest.raises(ChoiceError, match=r"\.$"):
        choose()
