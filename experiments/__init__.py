"""The paper's experiments: its data sets, its published numbers, and our runs beside them."""

from experiments.datasets import load

__all__ = ["load"]
