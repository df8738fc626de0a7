"""Does the speed of the defaults cost quality? The same data sets and seeds by default and to the letter.

Run it with ``python -m s3nmf.paper.defaults --output docs/defaults.md`` after the reproduction, whose runs it reads.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s3nmf.paper.reproduction import Run, by_dataset, markdown, options, read, run_all


def document(literal: Sequence[Run], default: Sequence[Run]) -> str:
    """The page docs/defaults.md."""
    lines, labels, members, speed = [], [], [], []
    there = by_dataset(default)
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
    return f"""# What the speed of the defaults costs

By default a fit differs from the paper's text in four ways. From the second round on, points with the same labels in
all members share one row and so a start: the objective is identical (a test proves it). There, four starts are tried
for each member (`trials`). Each member stops by itself, when no entry of its V moves by `tol=1e-4`, where the text
stops all of them together at 1e-3. And factors have single precision. The text to the letter is
`self_supervised_nmf(..., collapse=False, conventions=TEXT, tol=1e-3, dtype="float64")`.

Accuracy over {len({one.seed for one in default})} seeds on the graphs of the [reproduction](reproduction.md); made by
`make defaults`, every run is in [defaults.csv](defaults.csv).

| data set | `labels_` literal | default | difference | members literal | default | difference | s | s | ratio |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
{table}
| **mean** | | | **{np.mean(labels):+.4f}** | | | **{np.mean(members):+.4f}** | | | **{np.mean(speed):.1f}** |

`labels_` is lower than the literal one's on {sum(gap < 0 for gap in labels)} of {len(labels)} data sets; over seeds the
accuracy of one data set varies by several hundredths, so single rows prove little.

s: seconds of a fit from the graph, literal and by default, measured one after the other on a shared machine; the ratio
is a rough one. [Performance](performance.md) has careful measurements.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run by default, and compare with the saved runs to the letter."""
    chosen = options("The defaults against the paper's text to the letter.", "defaults.md", arguments)
    literal = read(chosen.output.with_name("reproduction.csv"))
    saved = chosen.output.with_suffix(".csv")
    default = (
        read(saved)
        if chosen.redraw
        else run_all(chosen.only, chosen.seeds, n_jobs=chosen.jobs, saved=saved, literal=False)
    )
    chosen.output.write_text(document(literal, default), encoding="utf-8")


if __name__ == "__main__":
    main()
