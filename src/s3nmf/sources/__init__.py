"""From a user's data to what can be clustered."""

from s3nmf.sources.errors import SourceError
from s3nmf.sources.graph import Graph
from s3nmf.sources.table import Table

__all__ = ["Graph", "SourceError", "Table"]
