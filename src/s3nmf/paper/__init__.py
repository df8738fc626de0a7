"""The paper's experiments: its data sets, its published numbers, and our runs beside them."""

from s3nmf.paper.datasets import load

__all__ = ["load"]
