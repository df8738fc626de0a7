"""docs/defaults.md: does the speed of the defaults cost quality? The same seeds by default and to the letter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments.published import DATASETS
from experiments.results import Results
from experiments.variants import DEFAULT, TEXTUAL
from experiments.wording import rendered


@dataclass(frozen=True)
class Form:
    """Mean ACC of the partition that a form of S3NMF hands out and of its members, and its median seconds."""

    labels: float
    members: float
    seconds: float


@dataclass(frozen=True)
class Row:
    """Both forms on a data set, over the seeds that both have."""

    dataset: str
    n_seeds: int
    text: Form
    default: Form

    @property
    def labels_gain(self) -> float:
        return self.default.labels - self.text.labels

    @property
    def members_gain(self) -> float:
        return self.default.members - self.text.members

    @property
    def ratio(self) -> float:
        return self.text.seconds / self.default.seconds


def defaults_page(results: Results) -> str:
    """The text of the page."""
    rows = rows_of(results)
    return rendered(
        "defaults.md.j2",
        rows=rows,
        labels_gain=np.mean([row.labels_gain for row in rows]),
        members_gain=np.mean([row.members_gain for row in rows]),
        ratio=np.mean([row.ratio for row in rows]),
        n_lower=sum(row.labels_gain < 0 for row in rows),
    )


def rows_of(results: Results) -> list[Row]:
    """The data sets that both forms have runs of, in the order of the paper's tables."""
    found = results.rows(
        """select dataset, count(*), avg(text.acc), avg(text.members_acc), median(text.seconds),
        avg(form.acc), avg(form.members_acc), median(form.seconds)
        from runs as text join runs as form using (dataset, seed, setting)
        where text.method = ? and form.method = ? and setting = '{}' group by dataset""",
        TEXTUAL,
        DEFAULT,
    )
    if not found:
        raise ValueError(f"There are no runs of {DEFAULT} and {TEXTUAL} with the same seed on the same data set.")
    rows = [Row(name, n_seeds, Form(*numbers[:3]), Form(*numbers[3:])) for name, n_seeds, *numbers in found]
    return sorted(rows, key=lambda row: DATASETS.index(row.dataset))
