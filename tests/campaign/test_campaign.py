"""The campaign in small, with the seeds that faults were mended with; and that it sees what goes wrong."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from campaign import (
    arrays,
    containers,
    files,
    hostile,
    interruptions,
    memory,
    models,
    places,
    readers,
    requests,
    series,
    writers,
)
from campaign.__main__ import is_done, page_of
from campaign.kinds import KINDS
from campaign.outcomes import CRASH, FAILURES, FINE, HANG, PARTIAL, REFUSED, TRACEBACK, Outcome, is_a_sentence
from campaign.processes import ROOT, Ended, judged, run
from s3nmf import S3NMF

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals, limits and disks as on Linux")


def failures(outcomes):
    return [outcome for outcome in outcomes if outcome.kind in FAILURES]


def test_arrays_of_every_kind_are_taken_or_refused():
    found = arrays.tries(range(80))
    assert not failures(found)
    assert {outcome.kind for outcome in found} == {FINE, REFUSED}
    assert [outcome.seed for outcome in found] == list(range(80))


def test_files_made_to_do_harm_are_refused():
    found = hostile.tries(range(len(hostile.MADE)))
    assert [outcome.kind for outcome in found] == [REFUSED] * len(hostile.MADE), found


def test_whatever_is_written_to_stays_what_it_is():
    found = [writers.trial(seed) for seed in range(150)]
    assert not failures(found)
    assert {outcome.kind for outcome in found} == {FINE, REFUSED}
    assert {outcome.input.split(" to ", 1)[1] for outcome in found} == set(writers.PLACES)


def test_wherever_a_file_is_read_from_there_is_an_answer():
    found = [readers.trial(seed) for seed in range(60)]
    assert not failures(found)
    assert {outcome.kind for outcome in found} == {FINE, REFUSED}


def test_changed_models_are_refused_or_work():
    found = [models.trial(seed) for seed in range(30)]
    assert not failures(found)
    assert {outcome.kind for outcome in found} == {FINE, REFUSED}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_requests_of_any_kind_are_answered():
    found = [requests.trial(seed) for seed in range(100)]
    assert not failures(found)
    assert {outcome.kind for outcome in found} == {FINE, REFUSED}


def test_a_device_that_was_replaced_is_seen(monkeypatch):
    def replaced(path):
        Path(f"{path}.new").write_bytes(b"new")
        Path(f"{path}.new").replace(path)

    monkeypatch.setattr(writers, "WRITERS", {"a writer": ("x", replaced)})
    monkeypatch.setattr(writers, "PLACES", {"a link to nothing": writers.PLACES["a link to nothing"]})
    assert writers.trial(0).kind == PARTIAL


@pytest.mark.parametrize(
    ("draw", "kinds"),
    [
        (containers.numbers, {"lognormal", "heavy", "copies", "bits", "load_iris", "load_wine", "load_breast_cancer"}),
        (containers.similarities, {"cliques", "hubs", "heavy", "alone"}),
    ],
)
def test_there_are_ordinary_tables_heavy_tails_copies_and_points_alone(draw, kinds):
    drawn = [draw(np.random.default_rng(seed)) for seed in range(400)]
    assert kinds <= {said.split()[0] for _, said in drawn}
    assert all(np.isfinite(X).all() for X, _ in drawn)


def test_an_interrupted_save_leaves_a_whole_file():
    assert not failures([interruptions.of_a_save(0)])


def test_a_full_disk_is_named_and_leaves_no_partial_file():
    assert not failures([places.full_disk(3)])


def test_a_fit_beyond_a_limit_is_refused_before_the_work():
    assert memory.under_a_limit(1).kind == REFUSED


def test_a_dense_affinity_is_copied_once_and_no_more():
    found = memory.compared(memory.Shape("dense graph", 2500, 2500, 5, 4))
    assert found["peak"] < 1.25 * 8 * 2500**2
    assert 0.9 < found["estimate"] / found["peak"] < 1.5


def test_a_process_that_dies_is_started_again_behind_the_try(monkeypatch):
    def dies_at_2(module, first, last, within):
        done = range(int(first), 2 if int(first) <= 2 else int(last))
        lines = [json.dumps(Outcome(FINE, seed, "")._asdict()) for seed in done]
        return Ended(-11, "\n".join([*lines, '{"input": "an odd table"}']), "Segmentation fault")

    monkeypatch.setattr(series, "program", dies_at_2)
    found = series.tries("any", range(5), 1.0)
    assert [(one.kind, one.seed) for one in found] == [(FINE, 0), (FINE, 1), (CRASH, 2), (FINE, 3), (FINE, 4)]
    assert found[2].input == "an odd table"


@pytest.mark.parametrize(
    ("says", "kind"),
    [
        ("import os; os.abort()", CRASH),
        ("import time; time.sleep(60)", HANG),
        ("raise ValueError('one two three')", TRACEBACK),
        ("import sys; sys.exit('Error: unexpected KeyError. This is a fault in s3nmf')", TRACEBACK),
        ("import sys; sys.exit('no sentence')", TRACEBACK),
        ("import sys; sys.exit('Error: this file is empty.')", REFUSED),
        ("pass", FINE),
    ],
)
def test_what_goes_wrong_is_seen(says, kind):
    ended = run([sys.executable, "-S", "-c", says], within=1.0 if kind == HANG else 60.0)
    assert judged(ended, 0, "").kind == kind


def test_errors_that_were_meant_are_told_from_others():
    with pytest.raises(ValueError, match="n_clusters") as meant:
        S3NMF(0).fit(np.eye(3))
    assert is_a_sentence(meant.value)
    with pytest.raises(ValueError, match="mismatch") as met:
        np.ones(2) @ np.ones(3)
    assert not is_a_sentence(met.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [("labels.csv", b"name,cluster\na,0\n"), ("page.html", b"<html><body>"), (".7f.part", b""), ("page.html", b"")],
)
def test_partial_files_are_seen(tmp_path, name, content):
    assert files.wrong_with(tmp_path, 2) is None
    (tmp_path / name).write_bytes(content)
    assert files.wrong_with(tmp_path, 2)
    (tmp_path / name).write_bytes(files.OLD)
    assert (files.wrong_with(tmp_path, 2) is None) == (not name.endswith(".part"))


def test_a_model_cut_short_is_seen(tmp_path, saved):
    assert files.wrong_with(tmp_path, 90) is None
    saved.write_bytes(saved.read_bytes()[:-10])
    with pytest.raises(ValueError, match="damaged"):
        files.wrong_with(tmp_path, 90)


def test_the_page_has_a_row_for_each_kind_and_names_what_failed():
    bad = {"kind": CRASH, "seed": 7, "input": "an odd table", "said": ""}
    kinds = {name: {"seed": 5, "counts": {FINE: 2, REFUSED: 1}, "failures": [], "seconds": 60.0} for name in KINDS}
    shapes = [(memory.SHAPES[0], 1.2e8, 1.0e8)]
    page = page_of({"kinds": kinds, "shapes": shapes})
    assert page.count(" | 2 | 1 | 0 | 0 | 0 | 0 | 0 |\n") == len(KINDS)
    assert f"| **all** | **{2 * len(KINDS)}** | **{len(KINDS)}** | **0** |" in page
    assert "Nothing crashed, hung" in page
    assert "| 120 MB | 100 MB | 1.20 |" in page
    kinds["arrays"] = {**kinds["arrays"], "counts": {CRASH: 1}, "failures": [bad]}
    page = page_of({"kinds": kinds, "shapes": shapes})
    assert 'crash: `python -m campaign --only "arrays" --seed 7 --tries 1` (an odd table)' in page
    assert "Nothing crashed" not in page


def test_the_page_is_that_of_the_results():
    page = ROOT / "docs" / "reliability.md"
    if not page.exists():
        pytest.skip("make campaign writes it")
    assert page.read_text(encoding="utf-8") == page_of(
        json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    )


def test_what_was_tried_as_often_is_not_tried_again():
    found = {"seed": 5, "counts": {FINE: 95}}
    assert is_done(found, 5, 100)
    assert not is_done(found, 6, 100)
    assert not is_done(found, 5, 1000)
    assert not is_done(None, 5, 100)
