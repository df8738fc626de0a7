"""From a user's data to what can be clustered, and labels back to files."""

from s3nmf.desk.sources.appending import append_columns, check_appending
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.files import read
from s3nmf.desk.sources.formats import FORMATS
from s3nmf.desk.sources.frames import table_of
from s3nmf.desk.sources.graph import Graph
from s3nmf.desk.sources.networks import graph_of
from s3nmf.desk.sources.table import Table
from s3nmf.desk.sources.writing import OUTPUT_FORMATS, check_target, write_labels

__all__ = [
    "FORMATS",
    "OUTPUT_FORMATS",
    "Graph",
    "SourceError",
    "Table",
    "append_columns",
    "check_appending",
    "check_target",
    "graph_of",
    "read",
    "table_of",
    "write_labels",
]
