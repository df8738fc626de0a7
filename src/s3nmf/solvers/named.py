"""The solvers by name."""

from __future__ import annotations

from s3nmf.solvers.alternating import anls, hals
from s3nmf.solvers.base import Solver
from s3nmf.solvers.bsum import scalar_bsum, vector_bsum
from s3nmf.solvers.greedy import greedy
from s3nmf.solvers.multiplicative import multiplicative, square_root
from s3nmf.solvers.newton import newton

SOLVERS: dict[str, Solver] = {
    "multiplicative": multiplicative,
    "square_root": square_root,
    "newton": newton,
    "anls": anls,
    "hals": hals,
    "sbsum": scalar_bsum,
    "vbsum": vector_bsum,
    "greedy": greedy,
}
