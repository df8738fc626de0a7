"""How far a clustering can be trusted: the one room that judges, for Python, the command line and the report.

It asks what the members disagree about, and whether data without any clusters would look the same.
"""

from s3nmf.trust.doubts import Doubt
from s3nmf.trust.verdict import Verdict, judge, weighed

__all__ = ["Doubt", "Verdict", "judge", "weighed"]
