"""What the page says: all that its templates and its script are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from s3nmf import _words
from s3nmf._types import FloatArray
from s3nmf.desk.layout import graph_layout, untangled
from s3nmf.desk.markers import Markers
from s3nmf.desk.plots.co_association import ordered_co_association
from s3nmf.desk.plots.style import COLORS, MARKERS, RAMP
from s3nmf.desk.report import charts, run
from s3nmf.desk.report.comparisons import MOST_FEATURES, Compared, Comparison, compared
from s3nmf.desk.report.dots import dot_plot
from s3nmf.desk.report.features import Profiles, Trait, check_values, profiles_of
from s3nmf.desk.report.images import Images, images_of
from s3nmf.desk.report.kept import KeptColumn, kept_columns
from s3nmf.desk.report.labels import packed_labels
from s3nmf.desk.report.points import Points, columns_of, edges_to_show, packed, packed_shares, points_to_show
from s3nmf.desk.report.rendering import rendered
from s3nmf.desk.report.subtopics import topics_and_subtopics
from s3nmf.partitions import NO_CLUSTER, indicator
from s3nmf.topics import CountedWords, counted_words, topics_of
from s3nmf.trust import Verdict
from s3nmf.trust.diagnostics import Diagnostics
from s3nmf.trust.thresholds import DOUBTFUL, TIE

if TYPE_CHECKING:
    from s3nmf.trust.choose_k import ClusterCount

# Points of the co-association that are sent; it is drawn no larger.
_SIDE = 300
_FIRST_ROWS = 15
_LOOK_FIRST = 5
_LONGEST_TITLE = 200
_LONGEST_NOTE = 1000


@dataclass(frozen=True)
class ClusterRow:
    """A row of the table of clusters."""

    cluster: int
    size: int
    share: str
    within: float
    outside: float
    confidence: float
    n_doubtful: int
    traits: tuple[Trait, ...]


@dataclass(frozen=True)
class PointRow:
    """A row of the table of points."""

    name: str
    cluster: int
    confidence: float
    second: int
    share: float
    kept: list[tuple[str, str]]
    compared: list[Comparison]
    image: str | None


def page_of(
    model: Any,
    *,
    ids: Sequence[Any] | None,
    id_name: str | None,
    thing: str | None,
    values: Any,
    feature_names: Sequence[Any] | None,
    kept: Any,
    image: Sequence[int] | None,
    markers: Markers | None,
    places: Any,
    title: str | None,
    source: str | None,
    notes: Iterable[str],
    command: str | None,
    choice: ClusterCount | None,
) -> str:
    """The whole page as text."""
    found, n = model.diagnose(), model.labels_.size
    if ids is None:
        ids, index_name = _row_names(values, n)
        id_name = id_name or index_name
    ids = None if ids is None else list(ids)
    if ids is not None and len(ids) != n:
        raise ValueError(f"There are {len(ids)} ids for {n} points. Pass one id a point, in the order of the rows.")
    if thing is None:
        thing = "point" if model.affinity == "precomputed" else "row"
    if values is None and markers is None:  # principal components say less than genes
        values = getattr(model, "X_fit_", None)
        feature_names = getattr(model, "feature_names_in_", None) if feature_names is None else feature_names
    points = points_to_show(found.confidence, ids, thing)
    _check_markers(markers, found)
    places = None if places is None else _checked_places(places, n)
    looks = _looks(found, points, values=values, names=feature_names, kept=kept, image=image)
    shown_source = None if source is None else _words.plain_text(source, _LONGEST_TITLE)
    if title is None:
        title = "Clusters" if shown_source is None else f"Clusters of {shown_source}"
    now = datetime.now().astimezone()
    return rendered(
        {
            "title": _words.plain_text(title, _LONGEST_TITLE),
            "written": f"{now.day} {now:%B %Y, %H:%M %Z}",
            "thing": thing,
            "n": n,
            "n_shown": points.shown.size,
            "n_members": found.weights[0].size,
            "look_first": _LOOK_FIRST,
            **_judged(model, found, looks),
            "markers": markers,
            "dot_plot": None if markers is None else dot_plot(markers),
            "places_are_given": places is not None,
            **_ran(model, found, choice),
            "facts": run.data_of(model, shown_source, thing),
            "notes": [_words.plain_text(note, _LONGEST_NOTE) for note in dict.fromkeys(notes)],
            "command": None if command is None else _words.plain_text(command, _LONGEST_NOTE),
            "data": {**_data(model, found, looks, places), "labels": packed_labels(found, ids, id_name or thing)},
        }
    )


def _check_markers(markers: Markers | None, found: Diagnostics) -> None:
    if markers is not None and len(markers.clusters) != found.sizes.size:
        raise ValueError(
            f"markers are those of {len(markers.clusters)} clusters, and the model has {found.sizes.size}. Find the "
            "markers of its labels."
        )


def _checked_places(places: Any, n: int) -> FloatArray:
    """Two finite numbers a point."""
    plane = np.asarray(places, dtype=np.float64)
    if plane.ndim != 2 or plane.shape[0] != n or plane.shape[1] < 2 or not np.isfinite(plane).all():
        raise ValueError(
            f"places has shape {plane.shape}, or is not finite; the page needs two numbers for each of {n} points."
        )
    return plane[:, :2]


def _row_names(values: Any, n: int) -> tuple[list[Any] | None, str | None]:
    """The index of a data frame, and its name, if it says more than that rows are counted from 0."""
    index: Any = getattr(values, "index", None)
    if not hasattr(index, "names") or len(values) != n or list(index) == list(range(n)):
        return None, None
    return list(index), None if index.name is None else str(index.name)


@dataclass(frozen=True, eq=False)
class _Looks:
    """What is known of the points besides their clusters: values or images, and columns that were kept."""

    points: Points
    kept: tuple[KeptColumn, ...]
    texts: CountedWords | None = None
    profiles: Profiles | None = None
    compared: Compared | None = None
    images: Images | None = None

    @property
    def features(self) -> Profiles | None:
        """Features to be named; pixels are not."""
        return None if self.images is not None else self.profiles


def _looks(
    found: Diagnostics,
    points: Points,
    *,
    values: Any,
    names: Sequence[Any] | None,
    kept: Any,
    image: Sequence[int] | None,
) -> _Looks:
    columns, kept_texts = kept_columns(kept, found.labels.size)
    words = None if kept_texts is None else counted_words(kept_texts)
    if values is None:
        return _Looks(points, columns, words, images=None if image is None else images_of(None, image))
    table, texts = check_values(values, found.labels.size, names)
    profiles = profiles_of(table, found.labels, [_words.plain_text(text) for text in texts])
    if image is not None:
        return _Looks(points, columns, words, profiles, images=images_of(table, image))
    return _Looks(points, columns, words, profiles, compared(table, profiles, found.sizes, points.shown))


def _judged(model: Any, found: Diagnostics, looks: _Looks) -> dict[str, Any]:
    """What was found, and what to doubt."""
    verdict, profiles = model.judge(), looks.features
    telling = None if profiles is None else profiles.telling(found.sizes, MOST_FEATURES)
    return {
        "verdict": verdict,
        "found": found,
        "cluster_rows": _cluster_rows(found, verdict, profiles),
        "point_rows": _point_rows(found, looks),
        "profiles": profiles,
        "telling": None if telling is None else telling.tolist(),
        "means": None if looks.images is None or looks.profiles is None else looks.images.of_clusters(looks.profiles),
        "kept": looks.kept,
        "topics": None if looks.texts is None else topics_of(looks.texts, found.labels),
        "subtopics": () if looks.texts is None else topics_and_subtopics(model.levels_, looks.texts),
        "levels_chart": charts.levels_chart(model.levels_) if found.sizes.size > 1 else None,
        "confidence_chart": charts.confidence_chart(found.labels, found.confidence),
    }


def _ran(model: Any, found: Diagnostics, choice: ClusterCount | None) -> dict[str, Any]:
    """How it was run."""
    return {
        "result": model.result_,
        "rounds_chart": charts.rounds_chart(found.agreement, found.weights, model.result_.chosen_round),
        "choice": choice,
        "choice_chart": None if choice is None or not choice.candidates else charts.choice_chart(choice),
        "parameters": run.parameters_of(model),
        "versions": run.versions(),
        "time_taken": run.time_taken(model),
    }


def _data(model: Any, found: Diagnostics, looks: _Looks, places: FloatArray | None) -> dict[str, Any]:
    """What the script draws and lists."""
    together = ordered_co_association(found, _SIDE)
    shown = looks.points.shown
    edges = edges_to_show(model.affinity_matrix_, given=model.affinity == "precomputed" and places is None)
    if places is not None:
        places = places[shown]
    else:
        places = graph_layout(model.affinity_matrix_, shown)
        if edges is not None:
            places = untangled(places, model.affinity_matrix_)
    return {
        **columns_of(looks.points, places, found.labels, found),
        "edges": edges,
        "doubtful": DOUBTFUL - TIE,
        "none": NO_CLUSTER,
        "sizes": found.sizes.tolist(),
        "colors": len(COLORS),
        "ramp": len(RAMP),
        "shapes": len(MARKERS),
        "compared": None if looks.compared is None else looks.compared.for_script(),
        "images": None if looks.images is None else looks.images.for_script(shown, found.confidence),
        "kept": [
            {
                "name": column.name,
                "groups": column.groups,
                "sizes": np.bincount(column.group_of, minlength=len(column.groups)).tolist(),
                "ordered": column.is_ordered,
                "of": packed(column.group_of[shown]),
            }
            for column in looks.kept
        ],
        "together": {
            "values": packed_shares(together.values),
            "sizes": np.bincount(together.labels[together.labels != NO_CLUSTER], minlength=found.sizes.size).tolist(),
        },
    }


def _point_rows(found: Diagnostics, looks: _Looks) -> list[PointRow]:
    """The least certain points."""
    shown = looks.points.shown
    first = np.argsort(found.confidence[shown], kind="stable")[:_FIRST_ROWS]
    images = [None] * first.size if looks.images is None else looks.images.of_rows(shown[first])
    rows = []
    for at, image in zip(first.tolist(), images, strict=True):
        point = shown[at]
        own, second = int(found.labels[point]), int(found.second_choice[point])
        rows.append(
            PointRow(
                name=looks.points.name(at),
                cluster=own,
                confidence=float(found.confidence[point]),
                second=second,
                share=float(found.second_share[point]),
                kept=[(column.name, column.groups[column.group_of[point]]) for column in looks.kept],
                compared=[] if looks.compared is None or own == NO_CLUSTER else looks.compared.of(at, own, second),
                image=image,
            )
        )
    return rows


def _cluster_rows(found: Diagnostics, verdict: Verdict, profiles: Profiles | None) -> list[ClusterRow]:
    confidence = indicator(found.labels).T @ found.confidence / found.sizes
    return [
        ClusterRow(
            cluster=cluster,
            size=int(found.sizes[cluster]),
            share=_words.percent(int(found.sizes[cluster]), found.labels.size),
            within=float(found.within[cluster]),
            outside=float(found.outside[cluster]),
            confidence=float(confidence[cluster]),
            n_doubtful=int(verdict.doubtful_in[cluster]),
            traits=() if profiles is None else profiles.traits(cluster),
        )
        for cluster in range(found.sizes.size)
    ]
