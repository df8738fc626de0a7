"""What has to be computed for a page, in steps that each have a name, so that none is done twice."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, TypeAlias

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.desk.app.choices import Choices, Cut, Edit, Reading
from s3nmf.desk.app.edits import UndividedError, edited
from s3nmf.desk.app.opening import File
from s3nmf.desk.app.showing import Shown, shown
from s3nmf.desk.layout import graph_layout
from s3nmf.desk.sources import Graph, Table
from s3nmf.estimators import S3NMF
from s3nmf.estimators.other_views import Graphs
from s3nmf.trust.choose_k import Candidate, ClusterCount, choose_n_clusters
from s3nmf.trust.settings import NUMBER_SEARCH
from s3nmf.trust.thresholds import FEWEST_CLUSTERS

# The command line has the same, so that its commands find the same clusters.
SEED = 0
# Fewer points than this are not worth a search for two clusters.
_FEWEST_TO_SPLIT = 4


@dataclass(frozen=True)
class Read:
    """The file, read."""

    reading: Reading


@dataclass(frozen=True)
class Count:
    """How many clusters are recommended."""

    reading: Reading


@dataclass(frozen=True)
class Fit:
    """So many clusters, and the verdict on them."""

    cut: Cut


@dataclass(frozen=True)
class Show:
    """Clusters after a visitor's edits, and what the page says of them."""

    cut: Cut
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Draw:
    """Where the points lie on the map."""

    reading: Reading


Step: TypeAlias = Read | Count | Fit | Show | Draw
Progress: TypeAlias = Callable[[str, float | None], None]
"""Is told what is being done, and the share of it that is over; may raise what stops it."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """A file that was read, and its graph once that was built: it is the same for all numbers of clusters."""

    data: Table | Graph
    graphs: list[Graphs] = field(default_factory=list)

    @property
    def values(self) -> Any:
        return self.data.values if isinstance(self.data, Table) else self.data.affinity

    @cached_property
    def original(self) -> FloatArray | None:
        """The values in the units of the file; None for a graph."""
        if not isinstance(self.data, Table) or not isinstance(self.data.values, np.ndarray):
            return None
        return self.data.features.unscaled(self.data.values)

    @property
    def affinity_option(self) -> dict[str, Any]:
        return {"affinity": "nearest_neighbors" if isinstance(self.data, Table) else "precomputed"}


class OnOneGraph(S3NMF):
    """S3NMF that is fitted to the same points again and again."""

    _prepared: Prepared

    def _graphs_of(self, X: Any) -> Graphs:
        graphs = self._prepared.graphs
        if not graphs:
            found = super()._graphs_of(X)
            graphs.append(found._replace(wider=found.wider and cache(found.wider)))
        return graphs[0]


def needed(choices: Choices) -> Iterator[Step]:
    """The steps to what a visitor wants to see, in their order; those that cannot be named yet are left out."""
    yield Read(choices.reading)
    if choices.cut is not None:
        yield Fit(choices.cut)
        yield Show(choices.cut, choices.edits)
        yield Draw(choices.reading)
    yield Count(choices.reading)


def ahead(choices: Choices, n_points: int) -> Iterator[Step]:
    """What a visitor may want next: one cluster more or less."""
    if choices.cut is not None:
        for number in (choices.cut.n_clusters + 1, choices.cut.n_clusters - 1):
            if FEWEST_CLUSTERS <= number < n_points:
                cut = replace(choices.cut, n_clusters=number)
                yield Fit(cut)
                yield Show(cut, ())


def compute(step: Step, file: File, results: dict[Step, Any], progress: Progress) -> Any:
    """The result of a step, from those of the steps before it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the verdict says what there is to mind
        if isinstance(step, Read):
            progress("Reading the file", None)
            return Prepared(file.read(step.reading))
        prepared: Prepared = results[Read(step.cut.reading if isinstance(step, Fit | Show) else step.reading)]
        if isinstance(step, Count):
            return _count(prepared, progress)
        if isinstance(step, Fit):
            return _fit(prepared, step.cut, results.get(Count(step.cut.reading)), progress)
        if isinstance(step, Draw):
            return _drawn(step.reading, results, progress)
        return _shown(prepared, results[Fit(step.cut)], step, progress)


def _count(prepared: Prepared, progress: Progress) -> ClusterCount:
    progress("Counting clusters", 0.0)

    def judged(candidate: Candidate) -> None:
        progress("Counting clusters", min(1.0, candidate.n_clusters / NUMBER_SEARCH.voted))

    return choose_n_clusters(prepared.values, **prepared.affinity_option, callback=judged)


def _options(prepared: Prepared, cut: Cut) -> dict[str, Any]:
    """How clusters are looked for, however many."""
    return {**prepared.affinity_option, "recipe": "unequal" if cut.unequal else "default", "random_state": SEED}


def _fit(prepared: Prepared, cut: Cut, choice: ClusterCount | None, progress: Progress) -> S3NMF:
    words = f"Looking for {cut.n_clusters} clusters"
    progress(words if prepared.graphs else "Finding the neighbours of each point", None)
    model = OnOneGraph(cut.n_clusters, **_options(prepared, cut), callback=lambda at: progress(words, at.fraction))
    model._prepared = prepared
    model.fit(prepared.values)
    model.set_params(callback=None)
    model.choice_ = choice  # the page shows it beside the verdict
    if isinstance(prepared.data, Table) and prepared.data.features is not None:
        model.name_columns(prepared.data.features.columns)
    progress("Judging the borders between clusters", None)
    model.judge()
    return model


def _drawn(reading: Reading, results: dict[Step, Any], progress: Progress) -> FloatArray:
    """The map of the graph that all models of a reading share; one of them is there, for it is shown first."""
    progress("Drawing the map", 0.0)
    fits = (found for step, found in results.items() if isinstance(step, Fit) and step.cut.reading == reading)
    model = next(found for found in fits if isinstance(found, S3NMF))
    return graph_layout(model.affinity_matrix_, callback=lambda share: progress("Drawing the map", share))


def _shown(prepared: Prepared, model: S3NMF, step: Show, progress: Progress) -> Shown:
    progress("Describing the clusters", None)

    def halves(rows: IntArray) -> S3NMF:
        if rows.size < _FEWEST_TO_SPLIT:
            raise UndividedError(f"{rows.size} points are too few to be split.")
        values = prepared.values[rows] if isinstance(prepared.data, Table) else prepared.values[rows][:, rows]
        return S3NMF(2, **_options(prepared, step.cut)).fit(values)

    return shown(edited(model, step.edits, halves), prepared.data, prepared.original)
