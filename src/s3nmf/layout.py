"""A graph on a plane."""

from s3nmf.desk.layout import graph_layout, untangled

__all__ = ["graph_layout", "untangled"]
