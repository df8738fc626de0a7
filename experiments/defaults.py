"""docs/defaults.md: does the speed of the defaults cost quality? The same seeds by default and to the letter."""

from __future__ import annotations

import numpy as np

from experiments.published import DATASETS
from experiments.results import Results
from experiments.variants import DEFAULT, TEXTUAL


def document(results: Results) -> str:
    """The page docs/defaults.md, over the seeds that both forms have."""
    found = results.rows(
        """select text.dataset, count(*), avg(text.acc), avg(form.acc), avg(text.members_acc), avg(form.members_acc),
        median(text.seconds), median(form.seconds)
        from runs as text join runs as form using (dataset, seed, setting)
        where text.method = ? and form.method = ? and setting = '{}' group by text.dataset""",
        TEXTUAL,
        DEFAULT,
    )
    if not found:
        raise ValueError(f"There are no runs of {DEFAULT} and {TEXTUAL} with the same seed on the same data set.")
    rows = sorted(found, key=lambda row: DATASETS.index(row[0]))
    lines, labels, members, speed = [], [], [], []
    for name, n_seeds, text_labels, own_labels, text_members, own_members, text_seconds, own_seconds in rows:
        labels.append(own_labels - text_labels)
        members.append(own_members - text_members)
        speed.append(text_seconds / own_seconds)
        lines.append(
            f"| {name} | {n_seeds} | {text_labels:.3f} | {own_labels:.3f} | {labels[-1]:+.3f} "
            f"| {text_members:.3f} | {own_members:.3f} | {members[-1]:+.3f} "
            f"| {text_seconds:.1f} | {own_seconds:.1f} | {speed[-1]:.1f} |".replace("*", "\\*")
        )
    table = "\n".join(lines)
    return f"""# What the speed of the defaults costs

By default a fit differs from the paper's text in five ways. V is updated by the square root of SV / VV'V instead of
the fourth, in half as many sweeps. From the second round on, points with the same labels in all members share one row
and so a start: the objective is identical (a test proves it). There, four starts are tried for each member (`trials`).
Each member stops by itself, when no entry of its V moves by `tol=1e-4`, where the text stops all of them together at
1e-3. And factors have single precision. The text to the letter is `self_supervised_nmf(..., solver="multiplicative",
max_iter=500, collapse=False, conventions=TEXT, tol=1e-3, dtype="float64")`.

Accuracy over the seeds that both forms were run from, on the graphs of the [reproduction](reproduction.md); `make
defaults` made this page of its runs.

| data set | seeds | `labels_` literal | default | difference | members literal | default | difference | s | s | ratio |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
{table}
| **mean** | | | | **{np.mean(labels):+.4f}** | | | **{np.mean(members):+.4f}** | | | **{np.mean(speed):.1f}** |

`labels_` is lower than the literal one's on {sum(gap < 0 for gap in labels)} of {len(labels)} data sets; over seeds the
accuracy of one data set varies by several hundredths, so single rows prove little.

s: median seconds of a fit from the graph, literal and by default, measured beside other runs; the ratio is a rough one.
[Performance](performance.md) has careful measurements.
"""
