"""A page to work in, on this machine only: choose columns, see clusters, name, merge and split them, take them away."""

from s3nmf.desk.app.running import serve

__all__ = ["serve"]
