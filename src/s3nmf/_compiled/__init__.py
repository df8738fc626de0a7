"""The loops that take the time, compiled by numba when they are first called and kept on disk.

Import these modules where they are used, not at the top of another: numba takes longer to import than the rest of the
library. Every function releases the interpreter's lock, and works on a range of rows, of blocks of rows or of members,
so that a `Team` can share the ranges out. Sums run in the order in which they are written: no fast-math, so that
neither the number of threads, nor the width of a vector register, nor the members beside a member change a bit of its
result.
"""

from s3nmf._compiled.freshness import drop_outdated
from s3nmf._compiled.loop import directory_of
from s3nmf._compiled.products import gather

if (directory := directory_of(gather)) is not None:
    drop_outdated(directory)
