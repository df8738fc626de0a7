"""What is true of every display."""

import io
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from s3nmf import S3NMF, Candidate, ClusterCount
from s3nmf.plots import (
    ChoiceDisplay,
    CoAssociationDisplay,
    ConfidenceDisplay,
    EmbeddingDisplay,
    LevelsDisplay,
    RoundsDisplay,
)
from s3nmf.trust.levels import Levels


def chain(n):
    return sp.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[-1, 1], format="csr")


OF_A_MODEL = pytest.mark.parametrize(
    "display",
    [CoAssociationDisplay, ConfidenceDisplay, EmbeddingDisplay, LevelsDisplay, RoundsDisplay],
    ids=lambda kind: kind.__name__,
)

EVERY = pytest.mark.parametrize(
    "display",
    [ChoiceDisplay, CoAssociationDisplay, ConfidenceDisplay, EmbeddingDisplay, LevelsDisplay, RoundsDisplay],
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
        LevelsDisplay: lambda: LevelsDisplay(Levels(chain(n), labels)),
        RoundsDisplay: lambda: RoundsDisplay(np.array([0.5]), [np.ones(1)], 1),
    }[display]().plot()
    drawn.figure_.draw_without_rendering()
    for axis in (drawn.ax_.xaxis, drawn.ax_.yaxis):
        assert len(axis.get_ticklabels()) <= 25


def picture(display, n_clusters):
    """A display of so many clusters, the last of which are small."""
    rng = np.random.default_rng(0)
    labels = np.sort(np.minimum(rng.geometric(3 / (n_clusters + 3), 600) - 1, n_clusters - 1))
    labels = np.sort(np.concatenate([labels, np.arange(n_clusters)]))
    n = labels.size
    candidates = tuple(Candidate(k, 2.0, 0.1, 0) for k in range(2, n_clusters + 2))
    return {
        ChoiceDisplay: lambda: ChoiceDisplay(ClusterCount(2, (), (), True, "", (), candidates, ())),
        CoAssociationDisplay: lambda: CoAssociationDisplay(rng.random((n, n)), labels, 2 * n),
        ConfidenceDisplay: lambda: ConfidenceDisplay(labels, rng.random(n)),
        EmbeddingDisplay: lambda: EmbeddingDisplay(rng.random((n, 2)), labels, rng.random(n)),
        LevelsDisplay: lambda: LevelsDisplay(Levels(chain(n), labels)),
        RoundsDisplay: lambda: RoundsDisplay(np.linspace(0.5, 1, 4), [rng.random(20)] * 4, 3),
    }[display]()


@EVERY
@pytest.mark.parametrize("n_clusters", [2, 10, 25])
@pytest.mark.parametrize("layout", [None, "constrained"])
def test_all_of_it_is_within_what_savefig_saves(display, n_clusters, layout, pyplot):
    figure, ax = pyplot.subplots(layout=layout)
    picture(display, n_clusters).plot(ax)
    figure.savefig(io.BytesIO())
    page, drawn = figure.bbox, figure.get_tightbbox().transformed(figure.dpi_scale_trans)
    for inside in (drawn, *(legend.get_window_extent() for legend in [ax.get_legend()] if legend)):
        assert inside.x0 >= page.x0 - 1
        assert inside.y0 >= page.y0 - 1
        assert inside.x1 <= page.x1 + 1
        assert inside.y1 <= page.y1 + 1


@EVERY
@pytest.mark.parametrize("n_clusters", [2, 10, 25])
def test_names_of_clusters_do_not_run_into_each_other(display, n_clusters, pyplot):
    drawn = picture(display, n_clusters).plot()
    drawn.figure_.draw_without_rendering()
    for axis in (drawn.ax_.xaxis, drawn.ax_.yaxis):
        boxes = [text.get_window_extent() for text in axis.get_ticklabels() if text.get_text()]
        assert not [1 for one, other in pairwise(boxes) if one.overlaps(other)]


@pytest.mark.parametrize("display", [ChoiceDisplay, RoundsDisplay], ids=lambda kind: kind.__name__)
def test_a_legend_hides_no_line(display, pyplot):
    drawn = picture(display, 10).plot()
    drawn.figure_.draw_without_rendering()
    legend, ax = drawn.ax_.get_legend().get_window_extent(), drawn.ax_
    assert ax.transData.transform((0, 1.0))[1] < legend.y0


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
