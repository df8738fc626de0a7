"""A clustering as one page for a browser: what was found, what to doubt, how it was run."""

from s3nmf.report.writing import write_report

__all__ = ["write_report"]
