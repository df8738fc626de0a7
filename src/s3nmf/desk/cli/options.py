"""Options that commands share: declared once, as the fields of a class, and spread over each command's own."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_type_hints

import typer

from s3nmf._messages import spelled
from s3nmf.desk.cli.failures import CommandError
from s3nmf.desk.cli.help import PRINTING, READING, SHOWING
from s3nmf.desk.cli.spelling import as_option

if TYPE_CHECKING:
    from pathlib import Path

    from s3nmf.desk.cli.labels import Labels
    from s3nmf.desk.sources import Graph, Table

# What clusters of cells are called in obs and uns, as by `single_cell.cluster`.
OF_CELLS = "s3nmf"
# One cluster is nothing to look for.
FEWEST_CLUSTERS = 2


def clusters_of(text: str) -> int | list[int] | Literal["auto"]:
    """A number of clusters, several to choose from, or auto.

    Examples
    --------
    >>> clusters_of("3"), clusters_of("2:4"), clusters_of("auto")
    (3, [2, 3, 4], 'auto')
    """
    if text == "auto":
        return "auto"
    numbers = _numbers_in(text)
    if not numbers or numbers[0] < 1 or numbers == [1]:
        raise typer.BadParameter(
            f"{text!r} is not a number of clusters. Write one from 2 on, a range such as 2:12, or auto.",
            param_hint="'--clusters' / '-k'",
        )
    return numbers[0] if len(numbers) == 1 else numbers


def numbers_of(text: str) -> list[int]:
    """The numbers of clusters to choose from that a text such as 2:12, 5,6 or 2,4,8 names.

    Examples
    --------
    >>> numbers_of("2:5"), numbers_of("8,2")
    ([2, 3, 4, 5], [2, 8])
    """
    numbers = _numbers_in(text)
    if not numbers or numbers[0] < 1:
        raise typer.BadParameter(f"{text!r} is not a range of numbers from 1 on. Write 2:12, or 2,4,8.")
    if numbers == [1]:
        raise typer.BadParameter("1 alone leaves nothing to choose. Write 1:12, or 2,4,8.")
    return numbers


def _numbers_in(text: str) -> list[int]:
    """In increasing order; none if the text is something else."""
    numbers: set[int] = set()
    try:
        for part in text.split(","):
            first, _, last = part.partition(":")
            numbers.update(range(int(first), int(last or first) + 1))
    except ValueError:
        return []
    return sorted(numbers)


def groups_of(texts: list[str]) -> tuple[str, list[str]]:
    """The column and the groups of it that texts such as louvain=3 name.

    Examples
    --------
    >>> groups_of(["louvain=0", "louvain=3"])
    ('louvain', ['0', '3'])
    """
    pairs = [text.partition("=") for text in texts]
    columns = {column for column, _, _ in pairs}
    if len(columns) > 1 or not all(mark and group for _, mark, group in pairs):
        raise typer.BadParameter(
            f"{' '.join(texts)!r} does not name groups of one column. Write louvain=3.", param_hint="'--restrict-to'"
        )
    return pairs[0][0], [group for _, _, group in pairs]


def _checked_clusters(text: str) -> str:
    clusters_of(text)
    return text


File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A table (.csv, .tsv, .txt, .data, .xlsx, .json, .jsonl, .parquet, .feather, .arrow, .npy, .npz), a graph "
        "(.edges, .mtx, .graphml, .gml, sparse .npz), cells (.h5ad), or - for standard input.",
        show_default=False,
    ),
]
Clusters = Annotated[
    int, typer.Option("--clusters", "-k", min=FEWEST_CLUSTERS, metavar="N", help="How many clusters; see choose-k.")
]
ClustersOrAuto = Annotated[
    str,
    typer.Option(
        "--clusters",
        "-k",
        metavar="N|FROM:TO|auto",
        help="How many clusters, or a range to choose from; auto is the number that choose-k recommends.",
        callback=_checked_clusters,
        autocompletion=lambda: ["auto"],
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        min=0, max=2**32 - 1, metavar="N", help="Seed for samples of rows, and for methods that start at random."
    ),
]
Neighbors = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Nearest neighbours that each row is joined to; by default about log2 of the number of rows.",
    ),
]
Metric = Annotated[
    Literal["euclidean", "cosine", "manhattan", "correlation"],
    typer.Option(metavar="NAME", help="Distance between rows; cosine for embeddings of texts, with --scale none."),
]
RecipeOption = Annotated[
    Literal["default", "unequal"],
    typer.Option(
        "--recipe",
        metavar="NAME",
        help="Expected sizes: similar (default), or some clusters many times larger than others (unequal).",
    ),
]
Noise = Annotated[bool, typer.Option("--noise", help="Put noise into no cluster (-1).")]
MinClusterSize = Annotated[
    int,
    typer.Option(min=1, metavar="N", help="The fewest points of a cluster: smaller ones join another, or none (-1)."),
]
Out = Annotated[
    str | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="File for the labels (.csv, .tsv, .parquet, .json); - for standard output, the default in a pipe.",
    ),
]


Debug = Annotated[bool, typer.Option("--debug", help="Print the traceback of an error.", rich_help_panel=PRINTING)]


def _formats() -> list[str]:
    """For the shell to complete; reading knows them itself, and loading it takes a second."""
    from s3nmf.desk.sources import FORMATS  # noqa: PLC0415

    return sorted(FORMATS)


Format = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Format of the file, if its ending does not tell it.", autocompletion=_formats),
]
_Id = Annotated[str | None, typer.Option(metavar="COLUMN", help="The column that names the rows.")]
_Drop = Annotated[list[str] | None, typer.Option(metavar="COLUMN", help="A column to leave out; may be repeated.")]
_Scale = Annotated[
    Literal["standard", "minmax", "none"] | None,
    typer.Option(
        metavar="HOW",
        help="standard: mean 0 and variance 1 (the default for tables); minmax: from 0 to 1; none (for .h5ad).",
    ),
]
_Missing = Annotated[
    Literal["refuse", "drop", "median"],
    typer.Option(
        metavar="HOW", help="What to do with missing values: refuse them, drop their rows, or fill in the median."
    ),
]
_Na = Annotated[
    list[str] | None,
    typer.Option(metavar="TEXT", help="A cell that means a missing value, as '<0,6' or -999; may be repeated."),
]
_Header = Annotated[
    bool | None, typer.Option("--header/--no-header", help="Whether line 1 has the column names; detected by default.")
]
_Encoding = Annotated[str, typer.Option(metavar="NAME", help="The encoding of a text file.")]
_Columns = Annotated[
    list[str] | None, typer.Option(metavar="COLUMN", help="A column to cluster by, instead of all; may be repeated.")
]
_Categories = Annotated[
    bool, typer.Option("--categories", help="Make a column of 0 and 1 for each value of a column of text.")
]
_DropText = Annotated[bool, typer.Option("--drop-text", help="Leave out columns of text.")]
_Decimal = Annotated[
    Literal[".", ","] | None,
    typer.Option(metavar="MARK", help="Decimal mark, . or , for numbers that are ambiguous."),
]
_Sheet = Annotated[str | None, typer.Option(metavar="NAME", help="The sheet of an .xlsx file to use.")]
_NeighborsKey = Annotated[str | None, typer.Option(metavar="NAME", help="The graph of an .h5ad file to use.")]
_UseRep = Annotated[
    str | None, typer.Option(metavar="NAME", help="Features of an .h5ad file to use: a key of obsm, or X.")
]
_Layer = Annotated[str | None, typer.Option(metavar="NAME", help="The layer of an .h5ad file to use.")]
_RestrictTo = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN=GROUP", help="Cells of an .h5ad file to use, by obs; may be repeated."),
]


@dataclass(frozen=True)
class NewReading:
    """How a file of new rows is read, see `s3nmf.sources.read`."""

    help_group: ClassVar[str] = READING
    id: _Id = None
    missing: _Missing = "refuse"
    na: _Na = None
    decimal: _Decimal = None
    format: Format = None
    header: _Header = None
    encoding: _Encoding = "utf-8"
    sheet: _Sheet = None
    neighbors_key: _NeighborsKey = None

    def read(self, file: str, **more: Any) -> Table | Graph:
        """Read a file, or raise a SourceError that explains why not."""
        return _read(self, file, **more)


@dataclass(frozen=True)
class Reading:
    """How a file to cluster is read."""

    help_group: ClassVar[str] = READING
    id: _Id = None
    drop: _Drop = None
    columns: _Columns = None
    categories: _Categories = False
    drop_text: _DropText = False
    scale: _Scale = None
    missing: _Missing = "refuse"
    na: _Na = None
    decimal: _Decimal = None
    format: Format = None
    header: _Header = None
    encoding: _Encoding = "utf-8"
    sheet: _Sheet = None
    neighbors_key: _NeighborsKey = None
    use_rep: _UseRep = None
    layer: _Layer = None
    restrict_to: _RestrictTo = None

    def read(self, file: str, **more: Any) -> Table | Graph:
        """Read a file, or raise a SourceError that explains why not."""
        data = _read(self, file, **more)
        if self.scale is not None and not hasattr(data, "values"):
            raise CommandError(f"{data.source} is a graph, which has no columns to scale. Leave out --scale.")
        if more.get("image") is not None and not hasattr(data, "values"):
            raise CommandError(f"{data.source} is a graph, whose nodes are no images. Leave out --image.")
        from s3nmf.desk.sources.traps import traps_in  # noqa: PLC0415

        return replace(data, notes=(*data.notes, *(spelled(trap, as_option) for trap in traps_in(data))))

    def append(self, data: Table | Graph, labels: Labels, target: str | Path, about: dict[str, Any]) -> None:
        """Write the file that was read with its clusters in columns after its own; of cells, in `obs`, as scanpy."""
        from s3nmf.desk.sources import Table, append_columns  # noqa: PLC0415

        if data.id_name == "cell":
            columns = labels.of_cells(OF_CELLS)
            append_columns(data.source, target, columns, rows=data.rows, format=self.format, about={OF_CELLS: about})
            return
        if not isinstance(data, Table):
            raise CommandError(f"{data.source} is a graph, which has no columns. Leave out --append.")
        how = {name: getattr(self, name) for name in ("format", "header", "encoding", "sheet")}
        _, *columns_of_table = labels.columns().items()  # the table has its ids
        decimal = data.features.decimal
        append_columns(data.source, target, dict(columns_of_table), rows=data.rows, decimal=decimal, **how)


def image_of(text: str) -> tuple[int, int]:
    """Height and width of images.

    Examples
    --------
    >>> image_of("28x20")
    (28, 20)
    """
    height, _, width = text.partition("x")
    if not (height.isdecimal() and width.isdecimal() and int(height) and int(width)):
        raise typer.BadParameter(f"{text!r} is no size of an image. Write height x width, as 28x28.")
    return int(height), int(width)


@dataclass(frozen=True)
class Showing:
    """What a page shows beside the clusters."""

    help_group: ClassVar[str] = SHOWING
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column to compare clusters with, not to cluster by; may be repeated."),
    ] = None
    image: Annotated[
        Any,  # typer calls the parser again where the type is a tuple
        typer.Option(parser=image_of, metavar="HxW", help="Rows are images of this size, and are shown as images."),
    ] = None

    def reading(self) -> dict[str, Any]:
        """What a reader must know of it."""
        return {"keep": self.keep or (), "image": self.image}


@dataclass(frozen=True)
class Speaking:
    """What a command prints. `Command` looks at `as_json` and `debug` when it fails."""

    help_group: ClassVar[str] = PRINTING
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead, for programs.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results and errors only.")] = False
    debug: Debug = False


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Replace each parameter that is a class of options by those options, and build it when the command is called."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    given = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in groups:
            given.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        types = get_type_hints(groups[name], include_extras=True)
        for field in fields(groups[name]):
            (option,) = types[field.name].__metadata__
            option.rich_help_panel = groups[name].help_group
            one = inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, annotation=types[field.name])
            given.append(one.replace(default=field.default))

    @functools.wraps(command)
    def spread_out(**values: Any) -> None:
        made = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**values, **made)

    spread_out.__signature__ = inspect.Signature(given)  # type: ignore[attr-defined]
    spread_out.__annotations__ = {parameter.name: parameter.annotation for parameter in given}
    return spread_out


def _read(options: Any, file: str, **more: Any) -> Table | Graph:
    from s3nmf.desk.sources import read  # noqa: PLC0415

    chosen = {field.name: getattr(options, field.name) for field in fields(options)}
    if chosen.get("restrict_to"):
        chosen["restrict_to"] = groups_of(chosen["restrict_to"])
    data = read(file, **{name: value for name, value in chosen.items() if value is not None}, **more)
    return replace(data, notes=tuple(spelled(note, as_option) for note in data.notes))
