"""What only the paper's experiments need is imported when they run, and asked for by name where it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def needed(module: str) -> Any:
    """A module of the extra s3nmf[paper]."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"The paper's experiments need {module.partition('.')[0]}. Install it with pip install 's3nmf[paper]'."
        ) from error
