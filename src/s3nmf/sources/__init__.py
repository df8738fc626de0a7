"""From a user's data to what can be clustered."""

from s3nmf.sources.errors import SourceError
from s3nmf.sources.files import FORMATS, read
from s3nmf.sources.frames import table_of
from s3nmf.sources.graph import Graph
from s3nmf.sources.networks import graph_of
from s3nmf.sources.table import Table

__all__ = ["FORMATS", "Graph", "SourceError", "Table", "graph_of", "read", "table_of"]
