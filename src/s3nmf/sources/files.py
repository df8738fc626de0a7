"""From a file to a table or a graph: the format is that of the file's name, unless it is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import PurePath
from typing import BinaryIO, Literal, TypeAlias

from s3nmf._messages import Message, Parameter
from s3nmf.sources.arrays import read_affinity, read_npy, read_npz
from s3nmf.sources.delimited import read_delimited
from s3nmf.sources.edge_list import read_edge_list
from s3nmf.sources.errors import SourceError
from s3nmf.sources.features import Features
from s3nmf.sources.graph import Graph
from s3nmf.sources.graph_files import read_gml, read_graphml
from s3nmf.sources.h5ad import read_h5ad
from s3nmf.sources.matrix_market import read_matrix_market
from s3nmf.sources.opening import STANDARD_STREAM, name_of, open_file, opened
from s3nmf.sources.options import Missing, Options, Scale
from s3nmf.sources.parquet import read_parquet
from s3nmf.sources.table import Table

Format: TypeAlias = Literal["csv", "tsv", "parquet", "npy", "npz", "affinity", "mtx", "edges", "graphml", "gml", "h5ad"]
FORMATS: dict[str, tuple[str, ...]] = {
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "parquet": (".parquet", ".pq"),
    "npy": (".npy",),
    "npz": (".npz",),
    "affinity": (),
    "mtx": (".mtx", ".mm"),
    "edges": (".edges", ".edgelist", ".el"),
    "graphml": (".graphml",),
    "gml": (".gml",),
    "h5ad": (".h5ad",),
}
_READERS: dict[str, Callable[[BinaryIO, str, Options], Table | Graph]] = {
    "csv": read_delimited,
    "tsv": partial(read_delimited, delimiter="\t"),
    "parquet": read_parquet,
    "npy": read_npy,
    "npz": read_npz,
    "affinity": read_affinity,
    "mtx": read_matrix_market,
    "edges": read_edge_list,
    "graphml": read_graphml,
    "gml": read_gml,
}
_WITH_IDS = frozenset({"csv", "tsv", "parquet", "npy", "npz", "graphml", "gml"})
_WITH_COLUMNS = frozenset({"csv", "tsv", "parquet", "npy", "npz"})
_WITH_TRUTH = _WITH_IDS - {"npy"}
_ON_STANDARD_INPUT = frozenset({"csv", "tsv", "edges"})


def read(
    source: str | os.PathLike[str],
    *,
    format: Format | None = None,  # noqa: A002
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
) -> Table | Graph:
    r"""Read a table or a graph from a file, ready to be clustered.

    Whatever is wrong with the file, a SourceError says what, where and what to do about it. Files are not trusted:
    nothing is unpickled, no entity expanded, and no memory taken for what a header only announces.

    Parameters
    ----------
    source : path, or "-" for standard input
        Tables: CSV and TSV (also gzipped), Parquet, .npy and .npz. Graphs: MatrixMarket, sparse matrices that scipy
        saved as .npz, edge lists, GraphML and GML. Either: .h5ad, a graph if it has one.
    format : {"csv", "tsv", "parquet", "npy", "npz", "affinity", "mtx", "edges", "graphml", "gml", "h5ad"} or None
        By default that of the file's name, and CSV for standard input. "affinity" is a square array of similarities in
        an .npy or .npz file.
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
    Read the comma as the decimal point in 'height'. Standardised 2 columns.
    """
    chosen = _format_of(source, format)
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
        format_is_given=format is not None,
    )
    if id is not None and chosen not in _WITH_IDS:
        raise _does_not_apply("id", "whose ids are its own", name, chosen)
    if truth is not None and chosen not in _WITH_TRUTH:
        raise _does_not_apply("truth", "which names no groups", name, chosen)
    if options.drop and chosen not in _WITH_COLUMNS:
        raise _does_not_apply("drop", "which has no columns", name, chosen)
    if chosen == "h5ad":  # HDF5 is not read from front to back, and may be larger than the memory
        open_file(source).close()  # says what is wrong with the path
        return read_h5ad(source, options)
    with opened(source) as stream:
        return _READERS[chosen](stream, name, options)


def _does_not_apply(parameter: str, why: str, source: str, chosen: str) -> SourceError:
    return SourceError(
        Message(
            "{source}: {parameter} does not apply to the format {chosen}, {why}. Leave it out.",
            source=source,
            parameter=Parameter(parameter),
            chosen=chosen,
            why=why,
        )
    )


def _format_of(source: str | os.PathLike[str], given: str | None) -> str:
    if given is not None and given not in FORMATS:
        raise SourceError(f"There is no format {given!r}. Choose one of {', '.join(FORMATS)}.")
    if source == STANDARD_STREAM:
        chosen = given or "csv"
        if chosen not in _ON_STANDARD_INPUT:
            raise SourceError(
                f"Standard input can be csv, tsv or edges, not {chosen}. Save it in a file first, or convert it."
            )
        return chosen
    if given is not None:
        return given
    suffix = PurePath(os.fspath(source).removesuffix(".gz")).suffix.casefold()
    for chosen, suffixes in FORMATS.items():
        if suffix in suffixes:
            return chosen
    called = f"ends in {suffix!r}" if suffix else "has no ending"
    raise SourceError(
        Message(
            "{source} {called}, from which its format is not known. Say it with {format}, one of {formats}.",
            source=os.fspath(source),
            called=called,
            format=Parameter("format"),
            formats=", ".join(FORMATS),
        )
    )
