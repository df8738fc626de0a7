"""What the page asks for: itself, what is known, points, downloads; and what it tells."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib.resources import files
from typing import Any

import numpy as np
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from s3nmf._words import plain_text
from s3nmf.desk.app.asked import LARGEST, asked_in
from s3nmf.desk.app.choices import ChoiceError, Choices, cut_into, merged, named, read_as, sized, split, undone
from s3nmf.desk.app.exports import command_of, labels_of, report_of
from s3nmf.desk.app.guard import Guard
from s3nmf.desk.app.showing import of_clusters, of_count, of_point
from s3nmf.desk.app.steps import Count, Draw, Read
from s3nmf.desk.app.study import MOST_VISITS, Study, Visit
from s3nmf.desk.plots.style import COLORS, MARKERS, css_palette
from s3nmf.partitions import NO_CLUSTER

_KINDS = {
    "page.html": "text/html",
    "page.css": "text/css",
    "page.js": "text/javascript",
    "levels.js": "text/javascript",
    "map.js": "text/javascript",
    "point.js": "text/javascript",
}
_FULL = 65535
_LONGEST_NUMBER = 15
# Seconds that the rest of a request may take.
_PATIENCE = 20.0
_GONE = "This tab is not known any more. Load the page again."
_DROPPED = (
    f"More than {MOST_VISITS} tabs of this page were opened, and this one was given up: in it nothing was chosen for "
    "the longest time. Load the page again to begin anew."
)


class Answer(Response):
    """JSON in ASCII: names of files and columns need not be UTF-8, and come back as they were."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False).encode("ascii")


class Server:
    """The answers about one study."""

    def __init__(self, study: Study) -> None:
        self._study = study

    def routes(self) -> list[Route]:
        return [
            Route("/", partial(self._file, "page.html")),
            *(Route(f"/{name}", partial(self._file, name)) for name in _KINDS),
            Route("/visit", self._visit, methods=["POST"]),
            Route("/change", self._change, methods=["POST"]),
            Route("/now", self._now),
            Route("/point", self._point),
            Route("/map", self._map),
            Route("/clusters", self._clusters),
            Route("/labels.csv", self._labels),
            Route("/report.html", self._report),
        ]

    async def _file(self, name: str, request: Request) -> Response:
        text = files("s3nmf.desk.app").joinpath(name).read_text(encoding="utf-8")
        if name == "page.css":
            text = css_palette() + text
        return Response(text, media_type=_KINDS[name])

    async def _visit(self, request: Request) -> Response:
        """A tab, new or loaded again, and what does not change."""
        try:
            file, again = self._study.file, (await _sent(request)).get("again")
        except ChoiceError as error:
            return Answer({"error": str(error)}, 400)
        return Answer(
            {
                "visit": again if self._study.visit(again) else self._study.new_visit(),
                "file": plain_text(file.path, 200),
                "columns": list(file.columns),
                "has_names": file.has_names,
                "n_colors": len(COLORS),
                "n_shapes": len(MARKERS),
            }
        )

    async def _change(self, request: Request) -> Response:
        try:
            asked = await _sent(request)
            if self._study.visit(asked.get("visit")) is None:
                return self._gone(asked.get("visit"))
            self._study.change(asked["visit"], self._change_of(asked))
        except ChoiceError as error:
            return Answer({"error": str(error)}, 400)
        return Answer({})

    def _change_of(self, asked: dict[str, Any]) -> Callable[[Choices], Choices]:
        """The function from choices to choices that is asked for."""
        study = self._study

        def changed(choices: Choices) -> Choices:
            found, prepared = study.shown(choices), study.known(Read(choices.reading))
            ways = {
                "read": lambda: read_as(choices, asked, study.file.columns),
                "sizes": lambda: sized(choices, asked.get("unequal")),
                "undo": lambda: undone(choices),
            }
            if prepared is not None:
                ways["clusters"] = lambda: cut_into(choices, asked.get("n_clusters"), len(prepared.data.ids))
            if found is not None:
                ways["merge"] = lambda: merged(choices, asked.get("clusters"), found.n_found)
                ways["split"] = lambda: split(choices, asked.get("cluster"), found.n_found)
                ways["name"] = lambda: named(choices, asked.get("cluster"), asked.get("name"), found.n_found)
            way = ways.get(str(asked.get("what")))
            if way is None:
                raise ChoiceError("This cannot be done yet: the clusters are still being computed.")
            return way()

        return changed

    def _gone(self, key: str | None) -> Answer:
        """Say to a tab that it is not known, and why."""
        return Answer({"error": _DROPPED if self._study.was_dropped(key) else _GONE}, 410)

    def _asking(self, request: Request) -> Visit | None:
        return self._study.visit(request.query_params.get("visit", ""))

    async def _now(self, request: Request) -> Response:
        """What is going on; and if something has changed since the page last asked, all that is known."""
        study, visit = self._study, self._asking(request)
        if visit is None:
            return self._gone(request.query_params.get("visit"))
        revision, choices = study.revision, visit.choices
        words, share = study.progress_of(visit) or (None, None)
        now: dict[str, Any] = {"revision": revision, "busy": words, "share": share}
        if request.query_params.get("seen") != str(revision):
            now["state"] = await run_in_threadpool(self._state, visit, choices)
        return Answer(now)

    def _state(self, visit: Visit, choices: Choices) -> dict[str, Any]:
        study, reading = self._study, choices.reading
        prepared, count, found = study.known(Read(reading)), study.known(Count(reading)), study.shown(choices)
        found_id = None if prepared is None else getattr(prepared.data, "id_column", None)  # where none was chosen
        return {
            "reading": asdict(reading) | {"id": reading.id or found_id or None},
            "used": [] if prepared is None else list(getattr(prepared.data, "columns", ())),
            "notes": [] if prepared is None else [plain_text(note, 1000) for note in prepared.data.notes],
            "n_clusters": choices.n_clusters,
            "unequal": choices.unequal,
            "can_undo": bool(choices.edits),
            "count": None if count is None else of_count(count),
            "error": study.failure(choices) or visit.message,
            "command": command_of(study.file, choices),
            "found": None if found is None else of_clusters(found),
            "clusters_key": None if found is None else _key(choices.cut, choices.edits),
            "map_key": None if study.known(Draw(reading)) is None else _key(reading),
        }

    async def _point(self, request: Request) -> Response:
        found, row = self._found(request), request.query_params.get("row", "")
        if len(row) > _LONGEST_NUMBER:
            return Answer(
                {"error": f"row has {len(row):,} signs; it must be a number of at most {_LONGEST_NUMBER}."}, 400
            )
        if found is None or not row.isdecimal() or int(row) >= found.edited.model.labels_.size:
            return Answer({"error": "There is no such point."}, 404)
        return Answer(await run_in_threadpool(of_point, found, int(row)))

    def _found(self, request: Request) -> Any:
        visit = self._asking(request)
        return None if visit is None else self._study.shown(visit.choices)

    async def _map(self, request: Request) -> Response:
        """The place of each point, x and then y, as 16-bit numbers over the longer side."""
        visit = self._asking(request)
        places = None if visit is None else self._study.known(Draw(visit.choices.reading))
        if places is None:
            return Response(status_code=404)
        low, high = places.min(axis=0), places.max(axis=0)
        span = max(float((high - low).max()), 1e-300)
        x, y = ((places - (low + high) / 2) / span + 0.5).T
        packed = np.rint(np.concatenate([x, 1 - y]) * _FULL).astype("<u2")  # the screen counts downwards
        return Response(packed.tobytes(), media_type="application/octet-stream")

    async def _clusters(self, request: Request) -> Response:
        """The cluster and then the confidence of each point, as 16-bit numbers."""
        found = self._found(request)
        if found is None:
            return Response(status_code=404)
        model = found.edited.model
        clusters = np.where(model.labels_ == NO_CLUSTER, _FULL, model.labels_)
        packed = np.concatenate([clusters, np.rint(model.confidence_ * _FULL)]).astype("<u2")
        return Response(packed.tobytes(), media_type="application/octet-stream")

    async def _labels(self, request: Request) -> Response:
        return await self._download(request, "labels.csv", "text/csv", lambda found, visit: labels_of(found))

    async def _report(self, request: Request) -> Response:
        def written(found: Any, visit: Visit) -> bytes:
            return report_of(found, self._study.known(Count(visit.choices.reading)))

        return await self._download(request, "report.html", "text/html", written)

    async def _download(self, request: Request, name: str, kind: str, write: Callable[[Any, Visit], bytes]) -> Response:
        visit, found = self._asking(request), self._found(request)
        if visit is None or found is None:
            return Answer({"error": "There are no clusters to take away yet."}, 404)
        try:
            data = await run_in_threadpool(write, found, visit)
        except (ImportError, ValueError) as error:
            return Answer({"error": str(error)}, 400)
        return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def application(study: Study, *, token: str, once: str, port: int) -> Starlette:
    """The page of a study, for whoever has the token, or is the first to bring the ticket that is good once."""
    guard = Middleware(Guard, token=token, once=once, port=port)
    return Starlette(routes=Server(study).routes(), middleware=[guard])


async def _sent(request: Request) -> dict[str, Any]:
    """The fields of a request, or a ChoiceError for anything else, or too much of it, or what does not come."""
    sent = b""
    try:
        async with asyncio.timeout(_PATIENCE):
            async for chunk in request.stream():
                sent += chunk
                if len(sent) > LARGEST:
                    break
    except TimeoutError as error:
        raise ChoiceError(
            f"The rest of a request did not come within {_PATIENCE:.0f} seconds. Send it again."
        ) from error
    return asked_in(sent)


def _key(*choices: Any) -> str:
    """Different for different choices."""
    return str(hash(choices))
