"""What the methods reach: means and standard deviations over runs, by data set, method and metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from experiments.outcome import SCORES
from experiments.protocols import Protocol
from experiments.published import METRICS
from experiments.results import Results


class Level(NamedTuple):
    """Mean and standard deviation (of a sample; none for a single run) over so many runs."""

    mean: float
    std: float | None
    n: int


Levels: TypeAlias = Mapping[tuple[str, str, str], Level]
"""By data set, method and metric."""

MEMBERS = ", members"

# The runs that a protocol reports: the defaults, or the setting with the best mean accuracy. Only S3NMF's sweeps, which
# are for the figures, are no candidates. Of equal ones the default, else the first.
_REPORTED = {
    "fixed": "select * from runs where setting = '{}'",
    "oracle": """
        with means as (
            select dataset, method, setting, avg(acc) as mean from runs
            where method <> 'S3NMF' or setting = '{}' group by all
        ), places as (
            select *, row_number() over (
                partition by dataset, method order by mean desc, setting <> '{}', setting
            ) as place from means
        )
        select runs.* from runs join places using (dataset, method, setting) where place = 1""",
}


def levels_by_protocol(results: Results) -> dict[Protocol, Levels]:
    """What each protocol reports; the oracle only if a compared method has runs to choose from."""
    grids = results.rows("select count(*) from runs where setting <> '{}' and method <> 'S3NMF'")
    protocols: tuple[Protocol, ...] = ("fixed", "oracle") if grids[0][0] else ("fixed",)
    return {protocol: levels_of(results, protocol) for protocol in protocols}


def levels_of(results: Results, protocol: Protocol = "fixed") -> Levels:
    """What a protocol reports of each method.

    The row "S3NMF, members" beside "S3NMF" is the paper's way to report: the mean over the members of a run, and their
    standard deviation within a run; both averaged over runs here.
    """
    levels: dict[tuple[str, str, str], Level] = {}
    for column, metric in zip(SCORES, METRICS, strict=True):
        found = results.rows(
            f"select dataset, method, count(*), avg({column}), stddev_samp({column}), count(n_members), "
            f"avg(members_{column}), avg(spread_{column}) from ({_REPORTED[protocol]}) group by dataset, method"
        )
        for dataset, method, n, mean, std, n_with_members, members, spread in found:
            levels[dataset, method, metric] = Level(mean, std, n)
            if n_with_members:
                levels[dataset, method + MEMBERS, metric] = Level(members, spread, n_with_members)
    return levels


def chosen_settings(results: Results) -> dict[tuple[str, str], str]:
    """The settings that the protocol "oracle" reports, by data set and method, where it had a choice."""
    found = results.rows(
        f"""select distinct dataset, method, setting from ({_REPORTED["oracle"]}) where (dataset, method) in (
        select (dataset, method) from runs where method <> 'S3NMF' group by dataset, method
        having count(distinct setting) > 1)"""
    )
    return {(dataset, method): setting for dataset, method, setting in found}
