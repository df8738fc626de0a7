"""Where round 1 gets its partitions: a source of your own is a function from a `Task` to `Members`."""

from s3nmf.method.factorize import Members
from s3nmf.method.members import Communities, FirstRound, Partitions, Task, equal_members
from s3nmf.method.paper import Factorizations

__all__ = ["Communities", "Factorizations", "FirstRound", "Members", "Partitions", "Task", "equal_members"]
