"""`s3nmf cluster` of a folder or a pattern of files: a table in parts, larger than the memory."""

from __future__ import annotations

import glob
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import typer

from s3nmf._messages import spelled
from s3nmf.desk.cli.failures import CommandError
from s3nmf.desk.cli.help import PARTS
from s3nmf.desk.cli.options import Reading, Showing, Speaking
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.cli.terminal import bar, print_json, say, visible

if TYPE_CHECKING:
    from s3nmf.distributed import PartedClustering

_SAMPLE = 1_000_000
_SIZES_SHOWN = 12
# What each part would be read in its own way by, or what is no table.
_OF_ONE_FILE = ("categories", "na", "sheet", "neighbors_key", "use_rep", "layer", "restrict_to")


@dataclass(frozen=True)
class Parting:
    """How a table in parts is clustered, see `s3nmf.distributed.cluster_parts`."""

    help_group: ClassVar[str] = PARTS
    sample: Annotated[
        int | None,
        typer.Option(min=100, metavar="N", help=f"How many rows to fit, {_SAMPLE:,} by default."),
    ] = None
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="The dask scheduler whose workers do the work."),
    ] = None
    bad_parts: Annotated[
        Literal["refuse", "skip"] | None,
        typer.Option(metavar="HOW", help="What to do with parts that cannot be read: refuse or skip."),
    ] = None

    def refuse_for_one_file(self) -> None:
        """Say that these options are for tables in parts only."""
        given = {"--sample": self.sample, "--scheduler": self.scheduler, "--bad-parts": self.bad_parts}
        for option, value in given.items():
            if value is not None:
                raise typer.BadParameter(f"{option} is for a folder or a pattern of files ('part-*.parquet').")


def is_parted(file: str) -> bool:
    """Whether it is a folder, or a pattern of names and not the name of a file."""
    path = Path(file)
    return path.is_dir() or (glob.has_magic(file) and not path.exists())


def refuse_of_parts(
    reading: Reading,
    showing: Showing,
    of_one_file: dict[str, Any],
    *,
    report: Path | None,
    model: Path | None,
    members: str,
) -> None:
    """Say what goes another way for a table in parts."""
    of_one_file |= {name: getattr(reading, name) for name in _OF_ONE_FILE} | showing.reading()
    for name, value in of_one_file.items():
        if value:
            raise typer.BadParameter(f"--{name.replace('_', '-')} is for one file. Leave it out for a table in parts.")
    if report is not None:
        raise typer.BadParameter("--report is for one file. s3nmf report OUT/model.s3nmf makes a page of the sample.")
    if model is not None:
        raise typer.BadParameter("--model is for one file. Of a table in parts it is always written: OUT/model.s3nmf.")
    if members != "communities":
        raise typer.BadParameter(f"--members {members} is for one file. Of a table in parts, communities vote.")


def cluster_partitions(
    file: str,
    n_clusters: int | list[int] | Literal["auto"],
    out: str | None,
    parting: Parting,
    *,
    reading: Reading,
    speaking: Speaking,
    **settings: Any,
) -> None:
    """Cluster the parts, and say what was found."""
    if out is None or (Path(out).suffix and not Path(out).is_dir()) or out == "-":
        raise CommandError(
            f"{file} is a table in parts, whose labels go into a folder, a file for each part. Name it: --out labels/; "
            "or give one file."
        )
    from s3nmf.desk.sources import SourceError  # noqa: PLC0415
    from s3nmf.distributed import WorkersError, cluster_parts, connected  # noqa: PLC0415

    of_files: dict[str, Any] = {"format": reading.format, "header": reading.header, "encoding": reading.encoding}
    try:
        with (
            bar(quiet=speaking.quiet) as show,
            nullcontext() if parting.scheduler is None else connected(parting.scheduler) as client,
        ):
            found = cluster_parts(
                file,
                n_clusters,
                out,
                client=client,
                sample=parting.sample or _SAMPLE,
                bad_parts=parting.bad_parts or "refuse",
                scale=reading.scale or "standard",
                id=reading.id,
                drop=reading.drop or (),
                columns=reading.columns or (),
                drop_text=reading.drop_text,
                missing=reading.missing,
                decimal=reading.decimal,
                watch=show,
                **of_files,
                **settings,
            )
    except WorkersError as error:
        raise CommandError(str(error)) from error
    except SourceError:
        raise
    except ValueError as error:
        raise CommandError(f"{file} cannot be clustered: {spelled(error, as_option)}") from error
    if speaking.as_json:
        print_json(_facts(found, file, out))
    elif not speaking.quiet:
        say("\n\n".join(_words(found, out)))


def _words(found: PartedClustering, out: str) -> list[str]:
    from s3nmf._words import counted  # noqa: PLC0415
    from s3nmf.distributed.parts import why_bad  # noqa: PLC0415

    def share(count: int) -> str:
        return f"{counted(count, 'row')} ({count / found.n_rows:.2%}) {'is' if count == 1 else 'are'}"

    shown = [f"{size:,}" for size in found.sizes[:_SIZES_SHOWN]] + ["..."] * (len(found.sizes) > _SIZES_SHOWN)
    count = counted(len(found.sizes), "cluster")
    sizes = f"Found {count} in {counted(found.n_rows, 'row')}, of {', '.join(shown)} rows, by a sample"
    doubts = [
        f"{share(found.n_doubtful)} in doubt: less than half of the evidence is for the cluster.",
        f"{share(found.n_far)} far from every sampled row (far is 1); {found.far_by_chance:,.0f} would be by chance. "
        "Many more mean that the sample has missed something: take a larger one.",
    ]
    notes = [
        *(spelled(note, as_option) for note in found.notes),
        *(f"Left out {spelled(why_bad(*bad), as_option)}" for bad in found.skipped.items()),
    ]
    return [
        f"{sizes} of {found.n_sampled:,}. {found.model.judge().judgement}",
        "\n".join(doubts),
        "\n".join(f"- {visible(note)}" for note in notes),
        f"Wrote labels of {counted(len(found.files), 'part')} to {out}, and the model to {Path(out) / 'model.s3nmf'}.",
    ]


def _facts(found: PartedClustering, file: str, out: str) -> dict[str, Any]:
    numbers = ("n_rows", "n_sampled", "sizes", "n_doubtful", "n_far", "far_by_chance", "skipped", "notes")
    files = {"labels": [str(path) for path in found.files], "model": str(Path(out) / "model.s3nmf")}
    verdict = found.model.judge()
    said = {"judgement": verdict.judgement, "has_clusters": verdict.has_clusters, "has_so_many": verdict.has_so_many}
    return {"source": file, **{name: getattr(found, name) for name in numbers}, **said, "files": files}
