"""From a file to a table or a graph: the format is that of the file's name, unless it is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from s3nmf._discovery import import_files_of
from s3nmf._messages import Message, Parameter
from s3nmf.desk import sources
from s3nmf.desk.sources.conversions import way_to_convert
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.features import Features
from s3nmf.desk.sources.formats import FORMATS, Format
from s3nmf.desk.sources.graph import Graph
from s3nmf.desk.sources.numbers import Decimal
from s3nmf.desk.sources.opening import STANDARD_STREAM, name_of, open_file, opened
from s3nmf.desk.sources.options import Missing, Options, Scale
from s3nmf.desk.sources.table import Table

import_files_of(sources)


def read(
    source: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    id: str | None = None,  # noqa: A002
    drop: Iterable[str] = (),
    scale: Scale | None = None,
    missing: Missing = "refuse",
    header: bool | None = None,
    encoding: str = "utf-8",
    normalize: bool = True,
    neighbors_key: str | None = None,
    like: Features | None = None,
    truth: str | None = None,
    columns: Iterable[str] = (),
    decimal: Decimal | None = None,
    categories: bool = False,
    drop_text: bool = False,
    sheet: str | None = None,
    use_rep: str | None = None,
    layer: str | None = None,
    restrict_to: tuple[str, Sequence[str]] | None = None,
    is_part: bool = False,
    keep: Iterable[str] = (),
    image: tuple[int, int] | None = None,
    views: bool = False,
    na: Iterable[str] = (),
) -> Table | Graph:
    r"""Read a table or a graph from a file, ready to be clustered.

    Whatever is wrong with the file, a SourceError says what, where and what to do about it. Files are not trusted:
    nothing is unpickled, no entity expanded, and no memory taken for what a header only announces.

    Parameters
    ----------
    source : path, or "-" for standard input
        Tables: CSV, TSV and other text (also gzipped), Excel, JSON and JSON lines, Parquet, Feather and Arrow, .npy
        and .npz. Graphs: MatrixMarket, sparse matrices that scipy saved as .npz, edge lists, GraphML and GML. Either:
        .h5ad, a graph if it has one.
    format : str or None
        One of {"csv", "tsv", "xlsx", "json", "jsonl", "parquet", "arrow", "npy", "npz", "affinity", "mtx", "edges",
        "graphml", "gml", "h5ad"}. By default that of the file's name, and CSV for standard input. "affinity" is a
        square array of similarities in an .npy or .npz file.
    id : str or None
        The column, array of an .npz file or attribute of nodes to take as ids. By default a column called "id" or a
        first one without a name; else rows are numbered from 0.
    drop : sequence of str
        Columns to leave out.
    scale : {"standard", "minmax", "none"} or None
        Bring every column to mean 0 and variance 1, to the range from 0 to 1, or leave it as it is. By default
        "standard"; "none" for an .h5ad file, whose components are large where they matter.
    missing : {"refuse", "drop", "median"}
        Missing values are an error, or their rows are left out, or they are filled with the median of their column.
    header : bool or None
        Whether the first row of a text file names the columns; found out by default.
    encoding : str
        Of text files.
    normalize : bool
        Whether weights of a graph that are not normalised yet are divided by the square roots of the degrees of both
        ends, as the method expects (`s3nmf.affinity.normalize_affinity`).
    neighbors_key : str or None
        Which neighbour graph of an .h5ad file to take, as in scanpy.
    like : Features or None
        The `features` of an earlier table, to read new rows as that was read: the same columns by the same names, one
        row or more, scaled and filled by its figures. Other columns are left out, and so is `scale`.
    truth : str or None
        The column, array of an .npz file or attribute of nodes that holds known groups, to compare clusters with. It is
        no feature.
    columns : sequence of str
        The columns to keep as features; all of them by default.
    decimal : {".", ","} or None
        What stands before decimals; the other one may then stand between thousands. By default it is found out from
        the numbers themselves: 1,234.50 and 1.234,50 leave no doubt. Where all of them are like 1,234, a note says how
        they were read.
    categories : bool
        Whether a column of text becomes a column of 0 and 1 for each of its values, at most 50 and half as many as
        there are rows. They are scaled so that all of them together count as one column of numbers does: two rows drawn
        at random differ in it by as much. A gap that is filled becomes the commonest category.
    drop_text : bool
        Whether columns of text are left out; those that do not become categories, where both are asked for. A column
        of numbers with some text among them is still an error.
    sheet : str or None
        Which sheet of a workbook to take; by default the first that has anything in it.
    use_rep : str or None
        Which representation of the cells of an .h5ad file to build a graph from, "X" or a key of `obsm`, as in scanpy.
        The graph of the file is not used then.
    layer : str or None
        Which layer to build it from instead.
    restrict_to : tuple of str and sequence of str, or None
        A column of `obs` of an .h5ad file, and the groups of it to cluster, as in scanpy.
    is_part : bool
        Whether the file is one of several parts of a table, which is judged and scaled as a whole: its columns stay as
        they are, though they be constant here, and gaps that would be filled are left.
    keep : sequence of str
        Columns, arrays of an .npz file, attributes of nodes or columns of `obs` that are no features and are kept
        beside the clusters, as `kept`.
    image : tuple of int, or None
        (height, width) of the images that the rows of a table are. All pixels stay, those that never change too, and
        they are not scaled unless `scale` says so: they have one unit.
    views : bool
        Whether the user's own UMAP and the expression of genes are read from an .h5ad file, too, as `views`.
    na : sequence of str
        What else says that a value is missing, such as "<0,6" or "-999". Known are empty cells, NA, n/a, k.A., -, ?,
        #N/A, #NV and the like.

    Returns
    -------
    Table or Graph
        Its `notes` say what was done to the data on the way.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     path = Path(directory) / "people.csv"
    ...     _ = path.write_text("name;height;weight\n007;1,80;80\nQ;1,65;60\n", encoding="utf-8")
    ...     table = read(path, id="name")
    >>> table.ids, table.columns, table.values.tolist()
    (['007', 'Q'], ('height', 'weight'), [[1.0, 1.0], [-1.0, -1.0]])
    >>> print(*table.notes)
    Read '1,80' in 'height' as 1.8. Standardised 2 columns.
    """
    chosen = format_of(source, format)
    name = name_of(source)
    options = Options(
        id=id,
        drop=drop,
        scale=scale,
        missing=missing,
        header=header,
        encoding=encoding,
        normalize=normalize,
        neighbors_key=neighbors_key,
        like=like,
        truth=truth,
        columns=columns,
        decimal=decimal,
        categories=categories,
        drop_text=drop_text,
        sheet=sheet,
        use_rep=use_rep,
        layer=layer,
        restrict_to=restrict_to,
        is_part=is_part,
        keep=keep,
        image=image,
        views=views,
        na=na,
        format_is_given=format is not None,
    )
    _refuse_what_does_not_apply(options, chosen, name)
    if chosen.by_path:  # and may be larger than the memory
        open_file(source).close()  # says what is wrong with the path
        return chosen.read(source, options)
    with opened(source) as stream:
        return chosen.read(stream, name, options)


def _refuse_what_does_not_apply(options: Options, chosen: Format, source: str) -> None:
    asked = {
        "id": (options.id is not None, chosen.has_ids, "whose ids are its own"),
        "truth": (options.truth is not None, chosen.has_truth, "which names no groups"),
        "keep": (bool(options.keep), chosen.has_truth, "which has nothing to keep beside the clusters"),
        **{
            name: (bool(getattr(options, name)), chosen.has_columns, "which has no columns of text")
            for name in ("drop", "columns", "categories", "drop_text", "decimal", "na")
        },
        **{
            name: (getattr(options, name) is not None, name in chosen.takes, "which has none")
            for name in ("sheet", "neighbors_key", "use_rep", "layer", "restrict_to")
        },
    }
    for parameter, (is_asked, is_known, why) in asked.items():
        if is_asked and not is_known:
            raise SourceError(
                Message(
                    "{source}: {parameter} does not apply to the format {chosen}, {why}. Leave it out.",
                    source=source,
                    parameter=Parameter(parameter),
                    chosen=chosen.name,
                    why=why,
                )
            )


def format_of(source: str | os.PathLike[str], given: str | None) -> Format:
    """The format that is given, or that of the name."""
    if given is not None and given not in FORMATS:
        raise SourceError(f"There is no format {given!r}. Choose one of {', '.join(sorted(FORMATS))}.")
    if source == STANDARD_STREAM:
        chosen = FORMATS[given or "csv"]
        if not chosen.is_stream:
            streams = sorted(known.name for known in FORMATS.values() if known.is_stream)
            raise SourceError(
                f"Standard input can be {' or '.join(streams)}, not {chosen.name}. Save it in a file first, or convert "
                "it."
            )
        return chosen
    if given is not None:
        return FORMATS[given]
    suffix = PurePath(os.fspath(source).removesuffix(".gz")).suffix.casefold()
    for chosen in FORMATS.values():
        if suffix in chosen.endings:
            return chosen
    way = way_to_convert(os.fspath(source), suffix)
    if way is not None:
        raise SourceError(way)
    called = f"ends in {suffix!r}" if suffix else "has no ending"
    raise SourceError(
        Message(
            "{source} {called}, from which its format is not known. Say it with {format}, one of {formats}.",
            source=os.fspath(source),
            called=called,
            format=Parameter("format"),
            formats=", ".join(sorted(FORMATS)),
        )
    )
