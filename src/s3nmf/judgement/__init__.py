"""How far a clustering can be trusted: the one place that decides it, for Python, the command line and the report."""

from s3nmf.judgement.doubts import Doubt
from s3nmf.judgement.verdict import Verdict, judge, weighed

__all__ = ["Doubt", "Verdict", "judge", "weighed"]
