"""Where round 1 gets its partitions: a source of your own is a function from a `Task` to `Members`."""

from s3nmf.method.first_round import Communities, Factorizations, FirstRound, Partitions, Task
from s3nmf.method.members import Members, equal_members

__all__ = ["Communities", "Factorizations", "FirstRound", "Members", "Partitions", "Task", "equal_members"]
