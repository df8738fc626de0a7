"""The paper's experiments: its data sets, its published numbers, and our runs beside them."""
