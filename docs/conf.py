"""The documentation site: `make docs` builds it into build/site, and a warning stops it."""

import os
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

# Examples draw without a window, and say the same on every machine.
os.environ.setdefault("MPLBACKEND", "agg")

from pygments.lexers.special import TextLexer

sys.path.append(str(Path(__file__).parent))
from measured import add_note

project = "s3nmf"
author = "The s3nmf developers"
copyright = author  # noqa: A001
version = release = installed_version("s3nmf")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["sg_execution_times.rst"]
templates_path = ["_templates"]

# Pages are read on the repository's page as well: plain Markdown, links to files, headings as anchors.
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

smartquotes = False  # quotes in code stay those of code

# Names in backquotes become links where they are names of the library.
default_role = "py:obj"
autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say it in words
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/\d\d_",
    "within_subsection_order": "FileNameSortKey",
    "backreferences_dir": "gallery/used_by",
    "doc_module": ("s3nmf",),
    "abort_on_example_error": True,
    "download_all_examples": True,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1_000_000,  # no table of seconds: they are this machine's
    "reset_modules_order": "both",
    "image_scrapers": ("matplotlib",),
}

html_theme = "pydata_sphinx_theme"
html_title = "s3nmf"
html_favicon = "_static/favicon.svg"
html_context = {"default_mode": "auto"}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "s3nmf"},
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "back_to_top_button": False,
}


def setup(app):
    """The drawing in CONTRIBUTING.md stays text: whoever draws it would come from another server."""
    app.add_lexer("mermaid", TextLexer)
    app.connect("autodoc-process-docstring", without_links_elsewhere)
    app.connect("source-read", add_note)


def without_links_elsewhere(_app, _what, name, *object_options_lines):
    """What comes from scikit-learn points to pages of its own site, which are not here: only the first line stays."""
    if name.endswith(".set_output"):
        object_options_lines[-1][1:] = [""]
