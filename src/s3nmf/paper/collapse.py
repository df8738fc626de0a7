"""Does the exact collapse of later rounds cost quality? The same data sets and seeds with it and without.

Run it with ``python -m s3nmf.paper.collapse --output docs/collapse.md`` after the reproduction, whose runs it reads.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s3nmf.paper.reproduction import Run, by_dataset, markdown, options, read, run_all


def document(literal: Sequence[Run], collapsed: Sequence[Run]) -> str:
    """The page docs/collapse.md."""
    lines, labels, members, speed = [], [], [], []
    there = by_dataset(collapsed)
    for name, one in by_dataset(literal).items():
        if name not in there:
            continue
        other = there[name]
        labels.append(other.labels_acc.mean() - one.labels_acc.mean())
        members.append(other.members_acc.mean() - one.members_acc.mean())
        speed.append(one.seconds.mean() / other.seconds.mean())
        lines.append(
            f"| {markdown(name)} | {one.labels_acc.mean():.3f} | {other.labels_acc.mean():.3f} | {labels[-1]:+.3f} "
            f"| {one.members_acc.mean():.3f} | {other.members_acc.mean():.3f} | {members[-1]:+.3f} "
            f"| {one.seconds.mean():.1f} | {other.seconds.mean():.1f} | {speed[-1]:.1f} |"
        )
    table = "\n".join(lines)
    return f"""# What the collapse of later rounds costs and saves

From the second round on, points with the same labels in all members have the same row in the similarity. With
`collapse=True`, the default, they share one row: the objective is identical (a test proves it), only their random
starts are tied together. With `collapse=False` each point has a start of its own, as in the paper's text. Accuracy over
{len({one.seed for one in collapsed})} seeds, everything else as in the [reproduction](reproduction.md); made by
`make collapse`, every run is in [collapse.csv](collapse.csv).

| data set | `labels_` literal | collapsed | difference | members literal | collapsed | difference | s | s | ratio |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
{table}
| **mean** | | | **{np.mean(labels):+.4f}** | | | **{np.mean(members):+.4f}** | | | **{np.mean(speed):.1f}** |

s: seconds of a fit from the graph, literal and collapsed, measured one after the other on a shared machine; the ratio
is a rough one.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the collapsed form, and compare it with the saved runs of the literal one."""
    chosen = options("The exact collapse of later rounds against the literal rounds.", "collapse.md", arguments)
    literal = read(chosen.output.with_name("reproduction.csv"))
    saved = chosen.output.with_suffix(".csv")
    collapsed = (
        read(saved)
        if chosen.redraw
        else run_all(chosen.only, chosen.seeds, n_jobs=chosen.jobs, saved=saved, collapse=True)
    )
    chosen.output.write_text(document(literal, collapsed), encoding="utf-8")


if __name__ == "__main__":
    main()
