"""The text of the page: templates, one style and one script, and the policy that allows nothing else."""

from __future__ import annotations

import math
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from s3nmf import _words
from s3nmf.desk.plots.style import COLORS, MARKERS, RAMP, css_palette
from s3nmf.desk.report import charts
from s3nmf.trust.thresholds import DOUBTFUL

_WORDS = ("counted", "fold", "listed", "number", "percent", "seconds", "signed", "two_digits")


def rendered(told: dict[str, Any]) -> str:
    """The page, of what the templates are told; `told["data"]` is what the script reads."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415
        from jinja2.utils import htmlsafe_json_dumps  # noqa: PLC0415
        from markupsafe import Markup  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("The report needs jinja2. Install it with pip install 's3nmf[report]'.") from error
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {name: getattr(_words, name) for name in _WORDS}
    environment.globals |= {
        "color_of": lambda cluster: cluster % len(COLORS),
        "shape_of": lambda cluster: cluster % len(MARKERS),
        "tint_of": _tint,
        "doubtful": DOUBTFUL,
        "chart": charts,
    }
    style, script = _style(), _script()
    return environment.get_template("page.html").render(
        told
        | {
            "style": Markup(style),
            "style_hash": _hash(style),
            "script": Markup(script),
            "script_hash": _hash(script),
            # Not the filter tojson: ids in any script of the world would be six characters each.
            "data": Markup(htmlsafe_json_dumps(told["data"], ensure_ascii=False, separators=(",", ":"))),
        }
    )


def _style() -> str:
    """The style sheet, with the palettes."""
    fills = "".join(f".k{at} {{ fill: var(--c{at}); }} " for at in range(len(COLORS)))
    fills += "".join(f".r{at} {{ fill: var(--r{at}); }} " for at in range(len(RAMP)))
    return f"\n{css_palette()}{fills}\n" + files("s3nmf.desk.report").joinpath("style.css").read_text(encoding="utf-8")


def _script() -> str:
    """The files of the script in the order of their names, which share one scope."""
    folder = files("s3nmf.desk.report").joinpath("script")
    parts = sorted((part for part in folder.iterdir() if part.name.endswith(".js")), key=lambda part: part.name)
    return "\n".join(['\n"use strict";\n(() => {', *(part.read_text(encoding="utf-8") for part in parts), "})();\n"])


def _hash(text: str) -> str:
    """As the page's policy names the only style and the only script that may run."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode("ascii")


def _tint(size: float, step: float) -> str:
    """The class of a cell: how far from 0 its number is, in so large steps, and to which side."""
    steps = 0 if math.isnan(size) else int(min(5.0, abs(size) / step))
    return f"{'high' if size > 0 else 'low'}{steps}" if steps else ""
