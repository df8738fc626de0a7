"""A clustering as one page for a browser: what was found, what to doubt, how it was run."""

from s3nmf.desk.report.inline import InlineReport, show_report
from s3nmf.desk.report.writing import write_report

__all__ = ["InlineReport", "show_report", "write_report"]
