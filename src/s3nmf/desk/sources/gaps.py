"""Missing values: refused with their places, left out with their rows, or filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from s3nmf._messages import Message, Parameter, joined
from s3nmf._types import FloatArray
from s3nmf._words import SHOWN, counted, quoted, shortened
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.options import Missing
from s3nmf.desk.sources.places import Place

# A row with so much of it filled in says little.
_MOSTLY = 0.5
FEWEST_ROWS = 2


def without_gaps(
    numbers: dict[str, FloatArray],
    place: Place,
    source: str,
    missing: Missing,
    *,
    typical: Callable[[str], float],
    is_new: bool,
) -> tuple[dict[str, FloatArray], Sequence[int] | None, list[str]]:
    """The columns without missing values, the rows that are left if some are not, and a note.

    `typical` is what a gap of a column is filled with; new rows are those for an earlier table.
    """
    gaps = {name: np.isnan(values) for name, values in numbers.items()}
    total = {name: int(gap.sum()) for name, gap in gaps.items() if gap.any()}
    if not total:
        return numbers, None, []
    incomplete = np.any(list(gaps.values()), axis=0)
    many = f"{counted(sum(total.values()), 'value')} in {counted(int(incomplete.sum()), 'row')}"
    if missing == "median":
        filled = {name: np.where(gaps[name], typical(name), numbers[name]) for name in total}
        notes = [f"Filled {many} with the median, or commonest category, of their columns: {quoted(total)}."]
        mostly = int((np.mean(list(gaps.values()), axis=0) >= _MOSTLY).sum())
        if mostly:
            notes.append(
                f"{counted(mostly, 'row')} {'consists' if mostly == 1 else 'consist'} of filled values by half or "
                "more. They lie together in the middle of the data, whatever they are: leave them out, or do not rely "
                "on where they are put."
            )
        return numbers | filled, None, notes
    kept = np.flatnonzero(~incomplete)
    if missing == "drop":
        if kept.size < (1 if is_new else FEWEST_ROWS):
            raise SourceError(
                Message(
                    "{source}: only {rows} would be left without gaps. Leave out the column with the most of them "
                    "({drop}), or fill them ({median}).",
                    source=source,
                    rows=counted(kept.size, "row"),
                    drop=Parameter("drop", [max(total, key=lambda name: total[name])]),
                    median=Parameter("missing", "median"),
                )
            )
        left_out = f"Left out {counted(int(incomplete.sum()), 'row')} with missing values in {quoted(total)}."
        return {name: values[kept] for name, values in numbers.items()}, kept.tolist(), [left_out]
    columns = "; ".join(
        f"{count:,} in {shortened(repr(name))}, first in {place(int(np.argmax(gaps[name])))}"
        for name, count in list(total.items())[:SHOWN]
    )
    more = f"; and in {len(total) - SHOWN} more columns" if len(total) > SHOWN else ""
    remedy = "Leave out these rows ({rows}), or fill in the median ({median})"
    remedy += "." if is_new else ", or leave out columns ({columns})."
    raise SourceError(
        joined(
            [
                f"{source}: missing {many}: {columns}{more}.",
                Message(
                    remedy,
                    rows=Parameter("missing", "drop"),
                    median=Parameter("missing", "median"),
                    columns=Parameter("drop", list(total)),
                ),
            ]
        )
    )
