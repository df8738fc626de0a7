"""The study of one file: who looks at it, what is known, and the one thread that finds out more.

Whoever chooses something new is served next, and what is no longer wanted is given up half-way. Visitors share what
is known, for it depends on what was chosen alone.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from s3nmf._messages import spelled
from s3nmf.desk.app.choices import Choices, undone
from s3nmf.desk.app.opening import File, in_words
from s3nmf.desk.app.steps import Count, Read, Show, Step, ahead, compute, needed
from s3nmf.trust.thresholds import FEWEST_CLUSTERS

MOST_VISITS = 50
_REMEMBERED = 1000
# Results that are kept though they are not shown: some tens, of many points fewer, and more than are made ahead.
_MOST_IDLE, _FEWEST_IDLE, _POINTS_IDLE = 60, 8, 3_000_000


class SupersededError(Exception):
    """No visitor waits for the step any more."""


@dataclass(frozen=True)
class Failure:
    """Why a step has no result, in words for the visitor."""

    message: str


@dataclass
class Visit:
    """A tab of a browser: what was chosen in it, and what it has to be told."""

    choices: Choices
    message: str = ""


class Study:
    """A file, its visits, and what is known."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.results: dict[Step, Any] = {}
        self.doing: tuple[Step, str, float | None] | None = None
        self.revision = 0
        self._visits: dict[str, Visit] = {}  # the latest to choose something last
        self._dropped: deque[str] = deque(maxlen=_REMEMBERED)
        self._changed = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._work, name="s3nmf-app", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Give up what is being computed; the thread ends at its next sign of progress."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def new_visit(self) -> str:
        key = secrets.token_urlsafe(16)
        with self._changed:
            visit = self._visits[key] = Visit(Choices(self.file.reading))
            self._settle(visit)
            while len(self._visits) > MOST_VISITS:
                oldest = next(iter(self._visits))
                del self._visits[oldest]
                self._dropped.append(oldest)
            self._tell()
        return key

    def visit(self, key: Any) -> Visit | None:
        return self._visits.get(key) if isinstance(key, str) else None

    def was_dropped(self, key: str | None) -> bool:
        """Whether a tab was given up because there were too many."""
        return key in self._dropped

    def change(self, key: str, change: Callable[[Choices], Choices]) -> None:
        """Let a visitor choose something else: this comes first now."""
        with self._changed:
            visit = self._visits.pop(key)
            self._visits[key] = visit
            visit.choices = change(visit.choices)
            visit.message = ""
            self._settle(visit)
            self._tell()

    def known(self, step: Step | None) -> Any:
        """The result of a step; None where there is none yet, or none can be."""
        result = self.results.get(step) if step is not None else None
        return None if isinstance(result, Failure) else result

    def shown(self, choices: Choices) -> Any:
        """The clusters that a visitor wants to see, if they are known."""
        return None if choices.cut is None else self.known(Show(choices.cut, choices.edits))

    def failure(self, choices: Choices) -> str:
        """Why a visitor will not see what was chosen. Clusters can be looked at without being counted."""
        failures = [self.results.get(step) for step in needed(choices) if not isinstance(step, Count)]
        return next((found.message for found in failures if isinstance(found, Failure)), "")

    def waits_for(self, choices: Choices) -> Step | None:
        """The next step to what a visitor wants; None if all is there, or nothing can be done."""
        if self.failure(choices):
            return None
        return next((step for step in needed(choices) if step not in self.results), None)

    def progress_of(self, visit: Visit) -> tuple[str, float | None] | None:
        """What is being done while a visitor waits, and the share of it that is over; None if no visitor waits."""
        waits, doing = self.waits_for(visit.choices), self.doing
        if waits is None:
            return None
        if doing is None:
            return "Getting ready", None
        step, words, share = doing
        others = [other.choices for other in list(self._visits.values()) if other is not visit]
        if step != waits and step in map(self.waits_for, others):
            words = f"Waiting for another tab. {words}"
        return words, share

    def _tell(self) -> None:
        self.revision += 1
        self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                step = next(self._wanted(), None)
                while step is None and not self._stopped:
                    self._changed.wait()
                    step = next(self._wanted(), None)
                if self._stopped or step is None:
                    return
            try:
                result = compute(step, self.file, self.results, lambda *said, step=step: self._progress(step, *said))
            except SupersededError:
                continue
            except ValueError as error:
                result = Failure(spelled(error, in_words))
            except MemoryError:
                result = Failure("The memory is not large enough for this. Choose fewer columns or clusters.")
            except Exception as error:  # the page must not fall silent
                result = Failure(f"This is a fault in s3nmf, please report it: {type(error).__name__}: {error}")
            with self._changed:
                self._keep(step, result)

    def _wanted(self) -> Iterator[Step]:
        """What is worth doing: what visitors wait for, the latest choice first; then what they may want next."""
        latest = list(reversed(self._visits.values()))
        for visit in latest:
            step = self.waits_for(visit.choices)
            if step is not None:
                yield step
        for visit in latest[:1]:
            if self.known(Read(visit.choices.reading)) is not None and not self.failure(visit.choices):
                n_points = len(self.known(Read(visit.choices.reading)).data.ids)
                yield from (step for step in ahead(visit.choices, n_points) if step not in self.results)

    def _progress(self, step: Step, words: str, share: float | None) -> None:
        self.doing = (step, words, share)
        with self._changed:
            waited_for = {self.waits_for(visit.choices) for visit in self._visits.values()}
            if self._stopped or (step not in waited_for and step != next(self._wanted(), None)):
                raise SupersededError

    def _keep(self, step: Step, result: Any) -> None:
        self.results[step] = result
        self.doing = None
        for visit in self._visits.values():
            self._settle(visit)
        self._forget()
        self._tell()

    def _settle(self, visit: Visit) -> None:
        """Decide what follows from what is known: a number of clusters that was not chosen, an edit that cannot be."""
        choices = visit.choices
        count = self.results.get(Count(choices.reading))
        if choices.n_clusters is None and count is not None:
            recommended = FEWEST_CLUSTERS if isinstance(count, Failure) else count.n_clusters
            visit.choices = replace(choices, n_clusters=recommended)
        elif choices.cut is not None and choices.edits:
            result = self.results.get(Show(choices.cut, choices.edits))
            if isinstance(result, Failure):
                visit.choices, visit.message = undone(choices), result.message

    def _forget(self) -> None:
        """Drop the oldest results that are not shown."""
        in_use = {step for visit in self._visits.values() for step in needed(visit.choices)}
        idle = [step for step in self.results if step not in in_use]
        reads = [self.known(step) for step in self.results if isinstance(step, Read)]
        n_points = max((len(prepared.data.ids) for prepared in reads if prepared is not None), default=1)
        most = max(_FEWEST_IDLE, min(_MOST_IDLE, _POINTS_IDLE // n_points))
        for step in idle[: max(0, len(idle) - most)]:
            del self.results[step]
