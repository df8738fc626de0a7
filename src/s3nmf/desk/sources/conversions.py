"""Files that are not read here, and what turns them into files that are."""

from __future__ import annotations


def _by_pandas(reader: str) -> str:
    return f"Turn it into a CSV file in Python: pandas.{reader}({{!r}}).to_csv('table.csv', index=False)"


_INTO_A_SHEET = "Copy the table into a spreadsheet, and save that as .xlsx or .csv"
_WAYS = {
    (".xls", ".xlsb", ".ods", ".numbers"): "is a spreadsheet of a kind that is not read. Save it as .xlsx or .csv",
    (".sav", ".zsav"): f"is a file of SPSS. {_by_pandas('read_spss')}",
    (".dta",): f"is a file of Stata. {_by_pandas('read_stata')}",
    (".sas7bdat", ".xpt"): f"is a file of SAS. {_by_pandas('read_sas')}",
    (".orc",): f"is an ORC file. {_by_pandas('read_orc')}",
    (
        ".rds",
    ): "is a file of R. Turn it into a CSV file there: write.csv(readRDS({!r}), 'table.csv', row.names = FALSE)",
    (".rda", ".rdata"): "is a file of R. Load it there and write the table: write.csv(table, 'table.csv')",
    (".mat",): "is a file of MATLAB. Save its matrix in Python: numpy.save('table.npy', scipy.io.loadmat({!r})['X'])",
    (".arff",): "is a file of Weka. Save it as CSV there",
    (".pkl", ".pickle", ".joblib"): "is a pickle, which can run any program and is never loaded. Save the table as CSV",
    (".h5", ".hdf5", ".hdf"): "is an HDF5 file. Save the table as CSV or .npy, or cells as .h5ad",
    (".loom",): "is a loom file. Turn it into .h5ad in Python: anndata.io.read_loom({!r}).write_h5ad('cells.h5ad')",
    (".zip", ".7z", ".rar", ".tar", ".tgz"): "is an archive. Unpack it, and give the file in it that holds the data",
    (".bz2", ".xz", ".zst", ".lz4"): "is packed in a way that is not read. Unpack it, or pack it with gzip",
    (".db", ".sqlite", ".sqlite3", ".duckdb"): "is a database. Write the table as CSV there",
    (".xml", ".html", ".htm"): f"is a page. {_INTO_A_SHEET}",
    (".pdf", ".doc", ".docx"): f"is a document. {_INTO_A_SHEET}",
    (".gexf", ".net", ".dot"): "is a graph of a kind that is not read. Save it as GraphML, with networkx or Gephi",
}
_WAY_OF = {ending: way for endings, way in _WAYS.items() for ending in endings}


def way_to_convert(source: str, ending: str) -> str | None:
    """What a file of this ending is, and how to get one that can be read; None if the ending says nothing.

    Examples
    --------
    >>> print(way_to_convert("old.xls", ".xls"))
    old.xls is a spreadsheet of a kind that is not read. Save it as .xlsx or .csv.
    """
    way = _WAY_OF.get(ending)
    return None if way is None else f"{source} {way.format(source)}."
