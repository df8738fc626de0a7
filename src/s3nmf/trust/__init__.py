"""How far a clustering can be trusted: the one room that judges, for Python, the command line and the report.

It asks what the members disagree about, and whether the borders between clusters are real.
"""

from s3nmf.trust.doubts import Doubt
from s3nmf.trust.verdict import Verdict, judge

__all__ = ["Doubt", "Verdict", "judge"]
