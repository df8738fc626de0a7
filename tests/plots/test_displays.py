"""What is true of every display."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from s3nmf import S3NMF
from s3nmf.plots import (
    ChoiceDisplay,
    CoAssociationDisplay,
    ConfidenceDisplay,
    EmbeddingDisplay,
    RoundsDisplay,
)

OF_A_MODEL = pytest.mark.parametrize(
    "display",
    [CoAssociationDisplay, ConfidenceDisplay, EmbeddingDisplay, RoundsDisplay],
    ids=lambda kind: kind.__name__,
)


@OF_A_MODEL
def test_it_draws_on_the_axes_it_is_given(display, model, pyplot):
    figure, ax = pyplot.subplots(layout="constrained")
    drawn = display.from_estimator(model, ax=ax)
    assert drawn.ax_ is ax
    assert drawn.figure_ is figure
    assert ax.has_data()
    assert pyplot.get_fignums() == [figure.number]


@OF_A_MODEL
def test_without_axes_it_makes_a_figure_and_a_second_plot_makes_another(display, model, pyplot):
    drawn = display.from_estimator(model)
    first = drawn.figure_
    assert drawn.plot() is drawn
    assert drawn.figure_ is not first
    first.draw_without_rendering()


@OF_A_MODEL
def test_a_model_that_was_not_fitted_is_refused(display):
    with pytest.raises(NotFittedError):
        display.from_estimator(S3NMF())


@OF_A_MODEL
@pytest.mark.parametrize(("n", "n_clusters"), [(2, 1), (30, 2), (400, 100)])
def test_it_draws_few_and_many_clusters(display, n, n_clusters):
    rng = np.random.default_rng(0)
    labels, confidence = np.sort(np.arange(n) % n_clusters), rng.random(n)
    drawn = {
        CoAssociationDisplay: lambda: CoAssociationDisplay(rng.random((n, n)), labels, n),
        ConfidenceDisplay: lambda: ConfidenceDisplay(labels, confidence),
        EmbeddingDisplay: lambda: EmbeddingDisplay(rng.random((n, 2)), labels, confidence),
        RoundsDisplay: lambda: RoundsDisplay(np.array([0.5]), [np.ones(1)], 1),
    }[display]().plot()
    drawn.figure_.draw_without_rendering()
    for axis in (drawn.ax_.xaxis, drawn.ax_.yaxis):
        assert len(axis.get_ticklabels()) <= 25


@pytest.mark.parametrize(
    "display", [ChoiceDisplay(None), ConfidenceDisplay(None, None)], ids=lambda it: type(it).__name__
)
def test_without_matplotlib_the_error_names_the_extra(display, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install 's3nmf\[plots\]'"):
        display.plot()


def test_matplotlib_is_not_imported_before_something_is_drawn():
    code = "import sys, s3nmf.plots; sys.exit(any(name.split('.')[0] == 'matplotlib' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
