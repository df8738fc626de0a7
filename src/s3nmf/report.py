"""A clustering as one page for a browser: what was found, what to doubt, how it was run."""

from s3nmf.desk.report import InlineReport, show_report, write_report

__all__ = ["InlineReport", "show_report", "write_report"]
