"""Solvers of min ||S - V V'||^2, V >= 0."""
