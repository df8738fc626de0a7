#!/usr/bin/env python3
"""Print the version, which is written in one place: src/s3nmf/__init__.py."""

import re
from pathlib import Path

source = Path(__file__).parents[1] / "src" / "s3nmf" / "__init__.py"
print(re.search(r'^__version__ = "([^"]+)"$', source.read_text(encoding="utf-8"), re.MULTILINE)[1])
