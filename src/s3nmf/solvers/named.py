"""The solvers by name: those that the files of this folder declare."""

from __future__ import annotations

from s3nmf import solvers
from s3nmf._discovery import import_files_of
from s3nmf.solvers.declared import SOLVERS

__all__ = ["SOLVERS"]

import_files_of(solvers)
