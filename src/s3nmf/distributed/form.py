"""The form in which all parts are read, in both passes: the columns that most of them have, and one decimal mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from s3nmf._messages import Message, Parameter
from s3nmf._words import listed, quoted
from s3nmf.desk.sources.features import unscaled_features
from s3nmf.desk.sources.numbers import Decimal
from s3nmf.desk.sources.table import Table

Kind = TypeVar("Kind", bound=Hashable)


@dataclass(frozen=True)
class Form:
    """How a part is read.

    Attributes
    ----------
    columns : tuple of str
        Its features, in this order; gaps are judged by all of them, though some may be of no use.
    id_name : str
        What its ids are called.
    decimal : {".", ","} or None
        What stands before decimals in cells of text, if there are such.
    """

    columns: tuple[str, ...]
    id_name: str
    decimal: Decimal | None

    def reading(self) -> dict[str, Any]:
        """Options of the reader."""
        return {"like": unscaled_features(self.columns, self.id_name, self.decimal), "decimal": self.decimal}


class Found(NamedTuple):
    """The form of a part that was read alone, and the decimal marks that its cells leave no doubt about."""

    form: Form
    marks: frozenset[Decimal]

    def fits(self, common: Form) -> bool:
        """Whether it was read as this form says, so that it need not be read again."""
        as_columns = (self.form.columns, self.form.id_name) == (common.columns, common.id_name)
        mark = next(iter(self.marks), self.form.decimal or ".")  # which programs write
        return as_columns and common.decimal in (None, mark)

    def why_not(self, common: Form) -> str | None:
        """What keeps it from being read in this form, if anything does."""
        lacking = [name for name in common.columns if name not in self.form.columns]
        if lacking:
            return f"it lacks {quoted(lacking)}, which most parts have."
        if self.form.id_name != common.id_name:
            return f"its rows are named by {self.form.id_name!r}, those of most parts by {common.id_name!r}."
        if common.decimal is not None and self.marks - {common.decimal}:
            return Message(
                "it has {own} before decimals, and other parts have {common!r}. Write all of them in one way, or say "
                "what stands there ({decimal}).",
                own=listed(map(repr, sorted(self.marks))),
                common=common.decimal,
                decimal=Parameter("decimal"),
            )
        return None


def form_of(table: Table) -> Found:
    """Of a part."""
    return Found(Form(table.columns, table.id_name, table.features.decimal), table.marks)


def common_form(parts: Sequence[Found]) -> Form:
    """The columns that most parts have, and the decimal mark of most that are sure of it; else of most that guess."""

    def kind(of: Form) -> tuple[frozenset[str], str]:
        return frozenset(of.columns), of.id_name

    most = _commonest(kind(one.form) for one in parts)
    first = next(one.form for one in parts if kind(one.form) == most)
    sure = [mark for one in parts if len(one.marks) == 1 for mark in one.marks]
    guessed = [one.form.decimal for one in parts if not one.marks and one.form.decimal is not None]
    return Form(first.columns, first.id_name, _commonest(sure or guessed) if sure or guessed else None)


def _commonest(kinds: Iterable[Kind]) -> Kind:
    """The first of those that are as common."""
    return Counter(kinds).most_common(1)[0][0]
