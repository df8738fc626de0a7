"""What `verbose` shows."""

import logging
from contextlib import contextmanager

import pytest
from sklearn.datasets import make_blobs

from s3nmf import S3NMF, _reporting

X, _ = make_blobs(120, centers=3, cluster_std=1.5, random_state=4)


def test_a_fit_is_silent_unless_it_is_asked(capfd):
    S3NMF(3, random_state=0).fit(X)
    assert capfd.readouterr() == ("", "")


def test_without_a_bar_a_verbose_fit_shows_lines_of_the_log_and_leaves_logging_as_it_was(capfd, monkeypatch):
    logger = logging.getLogger("s3nmf")
    monkeypatch.setattr(logger, "propagate", False)  # pytest listens to all logs, as a program that shows them would
    before = (logger.level, list(logger.handlers))
    S3NMF(3, random_state=0, verbose=True).fit(X)
    out, err = capfd.readouterr()
    assert out == ""
    assert "s3nmf: round 1: agreement " in err
    assert (logger.level, list(logger.handlers)) == before


def test_a_program_that_shows_the_log_shows_it_once(capfd, caplog):
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        S3NMF(3, random_state=0, verbose=1).fit(X)
    assert any(record.getMessage().startswith("round 1:") for record in caplog.records)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("verbose", [True, 2])
def test_a_bar_shows_the_rounds_beside_a_callback_of_ones_own(monkeypatch, verbose):
    shown, told = [], []

    @contextmanager
    def bar():
        yield lambda *at: shown.append(at)

    monkeypatch.setattr(_reporting, "bar", bar)
    S3NMF(3, random_state=0, verbose=verbose, callback=told.append).fit(X)
    assert shown[0] == ("building the graph",)
    rounds = [at for at in shown if at[0].startswith("round ")]
    assert rounds == [(f"round {at.round}", at.fraction, at.remaining) for at in told]
