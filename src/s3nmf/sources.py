"""From a user's data to what can be clustered, and labels back to files."""

from s3nmf.desk.sources import (
    FORMATS,
    OUTPUT_FORMATS,
    Graph,
    SourceError,
    Table,
    append_columns,
    check_appending,
    check_target,
    graph_of,
    read,
    table_of,
    write_labels,
)

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
