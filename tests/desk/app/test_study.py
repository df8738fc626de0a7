"""Who is served, and in which order; what is computed is made up."""

import threading
from types import SimpleNamespace

import pytest

from s3nmf.desk.app import study as module
from s3nmf.desk.app.choices import Cut, Reading, cut_into, named, split
from s3nmf.desk.app.edits import UndividedError
from s3nmf.desk.app.opening import File
from s3nmf.desk.app.steps import Count, Draw, Fit, Read, Show
from s3nmf.desk.app.study import MOST_VISITS, Failure, Study

READING = Reading()
RECOMMENDED = 3


class Work:
    """Steps that were done, and those that wait to be let go or given up."""

    def __init__(self):
        self.done, self.given_up, self.slow = [], [], set()
        self.began, self.let_go = threading.Semaphore(0), threading.Event()

    def compute(self, step, file, results, progress):
        if step in self.slow:
            self.began.release()
            try:
                while not self.let_go.wait(0.01):
                    progress("on the way", 0.5)
            except Exception:
                self.given_up.append(step)
                raise
        self.done.append(step)
        if isinstance(step, Show) and any(type(edit).__name__ == "Split" for edit in step.edits):
            raise UndividedError("It does not fall apart.")
        if isinstance(step, Read):
            return SimpleNamespace(data=SimpleNamespace(ids=range(90)))
        return SimpleNamespace(n_clusters=RECOMMENDED) if isinstance(step, Count) else "a result"


@pytest.fixture
def work(monkeypatch):
    work = Work()
    monkeypatch.setattr(module, "compute", work.compute)
    return work


@pytest.fixture
def study(work):
    study = Study(File("plants.csv", {}, READING, ("a", "b")))
    study.start()
    yield study
    work.let_go.set()
    study.stop()
    study._thread.join()


def settle(study):
    """Wait until there is nothing left to do."""
    with study._changed:
        study._changed.wait_for(lambda: next(study._wanted(), None) is None, timeout=60)


def fit(k):
    return Fit(Cut(READING, k))


def test_the_recommended_number_comes_first_then_its_clusters_the_map_and_one_more_and_less(study, work):
    study.new_visit()
    settle(study)
    three = Cut(READING, RECOMMENDED)
    assert work.done[:5] == [Read(READING), Count(READING), Fit(three), Show(three, ()), Draw(READING)]
    assert [step for step in work.done[5:] if isinstance(step, Fit)] == [fit(4), fit(2)]


def test_a_newer_choice_supersedes_an_older_one_that_is_under_way(study, work):
    work.slow.add(fit(7))
    visit = study.new_visit()
    study.change(visit, lambda choices: cut_into(choices, 7, 90))
    work.began.acquire()
    study.change(visit, lambda choices: cut_into(choices, 9, 90))
    settle(study)
    assert work.given_up == [fit(7)]
    assert fit(9) in work.done
    assert fit(7) not in work.done


def test_what_another_tab_waits_for_is_not_given_up(study, work):
    work.slow.add(fit(7))
    first, second = study.new_visit(), study.new_visit()
    study.change(first, lambda choices: cut_into(choices, 7, 90))
    work.began.acquire()
    study.change(second, lambda choices: cut_into(choices, 9, 90))
    work.let_go.set()
    settle(study)
    assert work.given_up == []
    assert {fit(7), fit(9)} <= set(work.done)


def test_a_visitor_is_told_what_is_done_and_for_whom(study, work):
    work.slow.add(fit(7))
    first = study.new_visit()
    study.change(first, lambda choices: cut_into(choices, 7, 90))
    work.began.acquire()
    while study.doing is None or study.doing[0] != fit(7):
        threading.Event().wait(0.01)
    second = study.new_visit()
    assert study.progress_of(study.visit(first)) == ("on the way", 0.5)
    assert study.progress_of(study.visit(second)) == ("Waiting for another tab. on the way", 0.5)
    study._visits.pop(first)
    assert study.progress_of(study.visit(second)) == ("on the way", 0.5)
    work.let_go.set()
    settle(study)
    assert study.progress_of(study.visit(second)) is None


def test_nothing_is_done_twice(study, work):
    for _ in range(3):
        study.new_visit()
        settle(study)
    assert len(work.done) == len(set(work.done))


def test_an_edit_that_cannot_be_is_taken_back_and_said_every_time(study):
    visit = study.new_visit()
    settle(study)
    study.change(visit, lambda choices: named(choices, 0, "tall", 3))
    for _ in range(2):
        study.change(visit, lambda choices: split(choices, 0, 3))
        settle(study)
        assert len(study.visit(visit).choices.edits) == 1
        assert study.visit(visit).message == "It does not fall apart."
    study.change(visit, lambda choices: choices)
    assert study.visit(visit).message == ""


def test_a_fault_is_said_and_the_next_choice_is_served(study, work, monkeypatch):
    visit = study.new_visit()
    settle(study)
    work.compute, right = lambda *told: 1 / 0, work.compute
    monkeypatch.setattr(module, "compute", work.compute)
    study.change(visit, lambda choices: cut_into(choices, 8, 90))
    settle(study)
    assert "ZeroDivisionError" in study.failure(study.visit(visit).choices)
    assert isinstance(study.results[fit(8)], Failure)
    monkeypatch.setattr(module, "compute", right)
    study.change(visit, lambda choices: cut_into(choices, 6, 90))
    settle(study)
    assert study.shown(study.visit(visit).choices) == "a result"


def test_clusters_that_cannot_be_counted_can_be_looked_at(study, work, monkeypatch):
    def compute(step, *told):
        if isinstance(step, Count):
            raise ValueError("uncountable")
        return work.compute(step, *told)

    monkeypatch.setattr(module, "compute", compute)
    visit = study.new_visit()
    settle(study)
    assert study.visit(visit).choices.n_clusters == 2
    assert study.shown(study.visit(visit).choices) == "a result"


def test_tabs_that_were_left_are_forgotten_and_so_are_their_clusters(study):
    first = study.new_visit()
    for _ in range(MOST_VISITS):
        study.new_visit()
    assert study.visit(first) is None
    visit = study.new_visit()
    for k in range(4, 60):
        study.change(visit, lambda choices, k=k: cut_into(choices, k, 90))
        settle(study)
    assert len(study.results) <= 60 + 5 * MOST_VISITS
    assert len({step for step in study.results if isinstance(step, Fit)}) < 40
    assert study.shown(study.visit(visit).choices) == "a result"
