"""`s3nmf demo-data`: a table to try the other commands on, from scikit-learn, which carries it along."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from s3nmf.desk.cli.failures import CommandError
from s3nmf.desk.cli.terminal import say


class DemoData(StrEnum):
    """Tables that scikit-learn carries."""

    wine = "wine"
    iris = "iris"
    breast_cancer = "breast_cancer"


_CLASSES = {DemoData.wine: "cultivar", DemoData.iris: "species", DemoData.breast_cancer: "diagnosis"}


def demo_data(
    name: Annotated[
        DemoData, typer.Argument(metavar="NAME", help="Which table: wine, iris or breast_cancer.")
    ] = DemoData.wine,
) -> None:
    """Write a small table to try the other commands on.

    It goes into this folder, as NAME.csv. The first column numbers the rows, and the last one holds the classes, which
    clustering must not see.
    """
    import sklearn.datasets  # noqa: PLC0415

    from s3nmf.desk.sources import write_labels  # noqa: PLC0415

    found = getattr(sklearn.datasets, f"load_{name}")()
    names = "ABC" if name is DemoData.wine else found.target_names
    target = Path(f"{name}.csv")
    if target.exists():
        raise CommandError(f"{target} is here already. Move it away, or go to another folder.")
    rows = [f"{row + 1:03}" for row in range(len(found.target))]
    columns = {str(column): values.tolist() for column, values in zip(found.feature_names, found.data.T, strict=True)}
    classes = [str(names[label]) for label in found.target]
    write_labels(target, {str(name): rows, **columns, _CLASSES[name]: classes})
    say(
        f"Wrote {len(rows)} rows with {len(columns)} columns of numbers to {target}. Next:\n"
        f"s3nmf cluster {target} --id {name} --drop {_CLASSES[name]}"
    )
