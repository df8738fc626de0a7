"""The page: what the template is told, and the text that comes of it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from s3nmf import _words
from s3nmf.diagnostics import Diagnostics
from s3nmf.judgement import Verdict
from s3nmf.judgement.thresholds import DOUBTFUL, TIE
from s3nmf.layout import graph_layout
from s3nmf.partitions import NO_CLUSTER
from s3nmf.plots.co_association import ordered_co_association
from s3nmf.plots.style import COLORS, MARKERS
from s3nmf.report import charts, run
from s3nmf.report.features import Trait, check_values, traits_of
from s3nmf.report.points import Points, columns_of, packed_shares, points_to_show

if TYPE_CHECKING:
    from s3nmf.choose_k import ClusterCount

# Points of the co-association that are sent; it is drawn no larger.
_SIDE = 300
_FIRST_ROWS = 15
_LOOK_FIRST = 5
_LONGEST_TITLE = 200


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


def page_of(
    model: Any,
    *,
    ids: Sequence[Any] | None,
    values: Any,
    feature_names: Sequence[Any] | None,
    title: str | None,
    source: str | None,
    notes: Iterable[str],
    choice: ClusterCount | None,
) -> str:
    """The whole page as text."""
    result, found, verdict = model.result_, model.diagnose(), model.judge()
    n = result.labels.size
    ids = None if ids is None else list(ids)
    if ids is not None and len(ids) != n:
        raise ValueError(f"There are {len(ids)} ids for {n} points. Pass one id a point, in the order of the rows.")
    if values is None:
        values = getattr(model, "X_fit_", None)
        if feature_names is None:
            feature_names = getattr(model, "feature_names_in_", None)
    traits: tuple[tuple[Trait, ...], ...] = ((),) * found.sizes.size
    if values is not None:
        table, names = check_values(values, n, feature_names)
        traits = traits_of(table, result.labels, [_words.plain_text(name) for name in names])
    points = points_to_show(found.confidence, ids)
    shown_source = None if source is None else _words.plain_text(source, _LONGEST_TITLE)
    if title is None:
        title = "Clusters" if shown_source is None else f"Clusters of {shown_source}"
    now = datetime.now().astimezone()
    return _rendered(
        title=_words.plain_text(title, _LONGEST_TITLE),
        source=shown_source,
        written=f"{now.day} {now:%B %Y, %H:%M %Z}",
        verdict=verdict,
        result=result,
        found=found,
        n=n,
        n_shown=points.shown.size,
        has_features=values is not None,
        point_rows=_point_rows(points, found)[:_FIRST_ROWS],
        look_first=_LOOK_FIRST,
        cluster_rows=_cluster_rows(found, verdict, traits),
        confidence_chart=charts.confidence_chart(result.labels, found.confidence),
        rounds_chart=charts.rounds_chart(found.agreement, found.weights, result.chosen_round),
        choice=choice,
        choice_chart=None if choice is None or choice.candidates[-1].n_clusters == 1 else charts.choice_chart(choice),
        parameters=run.parameters_of(model),
        facts=run.data_of(model, shown_source),
        notes=[_words.plain_text(note, 1000) for note in notes],
        versions=run.versions(),
        time_taken=run.time_taken(model),
        data=_data(model, points, found),
    )


def _data(model: Any, points: Points, found: Diagnostics) -> dict[str, Any]:
    """What the script draws and lists."""
    shown = ordered_co_association(found, _SIDE)
    return {
        **columns_of(points, graph_layout(model.affinity_matrix_), found.labels, found),
        "doubtful": DOUBTFUL - TIE,
        "none": NO_CLUSTER,
        "sizes": found.sizes.tolist(),
        "colors": len(COLORS),
        "shapes": len(MARKERS),
        "together": {
            "values": packed_shares(shown.values),
            "sizes": np.bincount(shown.labels, minlength=found.sizes.size).tolist(),
        },
    }


def _point_rows(points: Points, found: Diagnostics) -> list[PointRow]:
    """The points shown, the least certain first."""
    rows = []
    for at in np.argsort(found.confidence[points.shown], kind="stable")[:_FIRST_ROWS]:
        point = points.shown[at]
        rows.append(
            PointRow(
                name=points.name(int(at)),
                cluster=int(found.labels[point]),
                confidence=float(found.confidence[point]),
                second=int(found.second_choice[point]),
                share=float(found.second_share[point]),
            )
        )
    return rows


def _cluster_rows(found: Diagnostics, verdict: Verdict, traits: tuple[tuple[Trait, ...], ...]) -> list[ClusterRow]:
    return [
        ClusterRow(
            cluster=cluster,
            size=int(found.sizes[cluster]),
            share=_words.percent(int(found.sizes[cluster]), found.labels.size),
            within=float(found.within[cluster]),
            outside=float(found.outside[cluster]),
            confidence=float(found.confidence[found.labels == cluster].mean()),
            n_doubtful=int(verdict.doubtful_in[cluster]),
            traits=traits[cluster],
        )
        for cluster in range(found.sizes.size)
    ]


def _rendered(**told: Any) -> str:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415
        from jinja2.utils import htmlsafe_json_dumps  # noqa: PLC0415
        from markupsafe import Markup  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("The report needs jinja2. Install it with pip install 's3nmf[report]'.") from error
    environment = Environment(
        loader=PackageLoader("s3nmf.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in ("counted", "listed", "number", "percent", "seconds", "signed", "two_digits"):
        environment.filters[name] = getattr(_words, name)
    folder = files("s3nmf.report")
    palette = ":root {" + "".join(f" --c{at}: {color};" for at, color in enumerate(COLORS)) + " }\n"
    style = "\n" + palette + folder.joinpath("style.css").read_text(encoding="utf-8")
    script = "\n" + folder.joinpath("script.js").read_text(encoding="utf-8")
    return environment.get_template("template.html").render(
        told
        | {
            "style": Markup(style),
            "style_hash": _hash(style),
            "script": Markup(script),
            "script_hash": _hash(script),
            # Not the filter tojson: ids in any script of the world would be six characters each.
            "data": Markup(htmlsafe_json_dumps(told["data"], ensure_ascii=False, separators=(",", ":"))),
            "color_of": lambda cluster: cluster % len(COLORS),
            "shape_of": lambda cluster: cluster % len(MARKERS),
            "doubtful": DOUBTFUL,
            "chart": charts,
        }
    )


def _hash(text: str) -> str:
    """As the page's policy names the only style and the only script that may run."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode("ascii")
