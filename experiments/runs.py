"""Do the runs of a plan that a store has not yet, and keep each as it finishes."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import joblib
from sklearn.base import BaseEstimator

from experiments.outcome import Outcome, circumstances, now, scores_of
from experiments.problems import Problem
from experiments.protocols import Run, as_text, configured, key_of, parameters_of
from experiments.shared_work import name_of, shared_work
from experiments.store import Store


@dataclass(frozen=True)
class Finished:
    """A run that is over: kept in the store, or what went wrong."""

    run: Run
    error: str | None = None


def keys_of(
    runs: Sequence[Run], problems: Mapping[str, Problem], methods: Mapping[str, BaseEstimator]
) -> dict[Run, str]:
    """The name of each run in a store."""
    parameters = {
        (run.method, run.setting): parameters_of(configured(methods[run.method], run, 2)) for run in dict.fromkeys(runs)
    }
    return {run: key_of(problems[run.dataset].data_hash, run, parameters[run.method, run.setting]) for run in runs}


def missing(
    runs: Sequence[Run], problems: Mapping[str, Problem], methods: Mapping[str, BaseEstimator], store: Store
) -> list[Run]:
    """The runs that a store does not hold, or not any more because their file is damaged."""
    done = store.keys()
    return [run for run, key in keys_of(runs, problems, methods).items() if key not in done]


def execute(problem: Problem, run: Run, estimator: BaseEstimator, store: Store) -> Finished:
    """Fit, score, and keep the outcome. What goes wrong in the method is reported and does not end the others."""
    model = configured(estimator, run, problem.n_clusters)
    parameters = parameters_of(model)
    key = key_of(problem.data_hash, run, parameters)
    if store.has(key):  # another program was faster
        return Finished(run)
    try:
        with warnings.catch_warnings():
            # Empty clusters, components and missing convergence are columns of the outcome.
            warnings.simplefilter("ignore")
            given, shared_seconds = shared_work(problem, model, store.shared)
            began = time.perf_counter()
            model.fit(problem.W, **given)
            seconds = time.perf_counter() - began
    except Exception as error:
        return Finished(run, f"{type(error).__name__}: {error}")
    store.save(
        Outcome(
            key=key,
            dataset=run.dataset,
            data_hash=problem.data_hash,
            n_samples=problem.y.size,
            n_clusters=problem.n_clusters,
            components=problem.components,
            method=run.method,
            setting=as_text(run.setting),
            parameters=parameters,
            seed=run.seed,
            **scores_of(problem.y, model),
            seconds=seconds,
            shared_seconds=shared_seconds,
            **circumstances(),
            finished=now(),
        )
    )
    return Finished(run)


def execute_all(
    runs: Sequence[Run],
    problems: Mapping[str, Problem],
    methods: Mapping[str, BaseEstimator],
    store: Store,
    *,
    jobs: int = 1,
    budget: float | None = None,
    cost: Callable[[Run], float] = lambda run: 0.0,
) -> Iterator[Finished]:
    """Do the runs, in their order, in so many processes, and yield each when it is over.

    Parameters
    ----------
    runs : sequence of Run
        Those that the store is `missing`; one that another program has done meanwhile is not done again.
    problems, methods : mappings
        Data sets and estimators, by the names that runs call them.
    store : Store
    jobs : int
        Processes; 1 is this one.
    budget : float, optional
        Seconds after which no run begins, nor one that is expected to end later.
    cost : callable
        Expected seconds of a run.
    """
    end = None if budget is None else time.monotonic() + budget

    def name(run: Run) -> Hashable | None:
        problem = problems[run.dataset]
        return name_of(problem, configured(methods[run.method], run, problem.n_clusters))

    def in_time(run: Run) -> bool:
        return end is None or time.monotonic() + cost(run) < end

    queue = _Queue(runs, name, in_time)
    tasks = (joblib.delayed(execute)(problems[run.dataset], run, methods[run.method], store) for run in queue)
    parallel = joblib.Parallel(
        n_jobs=jobs, return_as="generator_unordered", pre_dispatch="n_jobs", batch_size=1, max_nbytes=None
    )
    for finished in parallel(tasks):
        queue.over(finished.run)
        yield finished


class _Queue:
    """Runs in their order, but for those whose shared work another run is making just now: they wait for it."""

    def __init__(
        self, runs: Sequence[Run], name: Callable[[Run], Hashable | None], in_time: Callable[[Run], bool]
    ) -> None:
        self._waiting = [(run, name(run)) for run in runs]
        self._in_time = in_time
        self._making: dict[Run, Hashable] = {}
        self._made: set[Hashable] = {None}

    def __iter__(self) -> Iterator[Run]:
        while self._waiting:
            run, work = self._waiting.pop(self._next())
            if not self._in_time(run):
                continue
            if work not in self._made:
                self._making[run] = work
            yield run

    def over(self, run: Run) -> None:
        if run in self._making:
            self._made.add(self._making.pop(run))

    def _next(self) -> int:
        """The first that need not wait; if all of them must, the first, which makes the work a second time."""
        busy = set(self._making.values()) - self._made
        return next((place for place, (_, work) in enumerate(self._waiting) if work not in busy), 0)
