"""Where numbers become judgements: all limits of what is in doubt, and the functions that apply them."""

from __future__ import annotations

from typing import Any

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.diagnostics import Diagnostics

# Below this, more of the evidence for a point is for other clusters, or for none, than for its own.
DOUBTFUL = 0.5
# A tie is none, whichever side rounding puts it on.
TIE = 1e-7
# A cluster of fewer points is more likely made of outliers.
FEWEST_POINTS = 4
# What there are clusters at all begins with.
FEWEST_CLUSTERS = 2
# Rounds that end with less have not come to agree.
AGREED = 0.9
# A cluster falls apart if its points are together by less than half of the weight of the members.
FALLS_APART = 0.5
# Two clusters may be one if so much of the evidence for the points of one is for the other. How often members put their
# points together says less: those that look at half as many communities join clusters that all others tell apart.
MIXED_UP = 0.24
# And worth a look if a twentieth does.
WORTH_A_LOOK = 0.05
# Small clusters may be joined and a large one cut if one is together by less than this, and so much of the evidence for
# points is for another. Chosen on generated sets of very unequal clusters and on real ones; docs/members.md counts how
# often that is right.
OFTEN_APART = 0.6
OFTEN_TOGETHER = 0.2


def is_doubtful(confidence: FloatArray) -> Any:
    """Whether less than half of the evidence for a point is for its own cluster."""
    return confidence < DOUBTFUL - TIE


def noise_marked(labels: IntArray, confidence: FloatArray) -> IntArray:
    """The labels, -1 in place of the cluster of every point that is in doubt."""
    return np.where(is_doubtful(confidence), NO_CLUSTER, labels)


def would_rather_be_elsewhere(found: Diagnostics) -> Any:
    """Whether another cluster has more of the evidence for a point than its own has."""
    return found.second_share > found.confidence + TIE


def may_be_of_other_sizes(found: Diagnostics) -> bool:
    """Whether there may be clusters of very unequal sizes that were taken to be of like ones."""
    if not (found.within < OFTEN_APART).any():
        return False
    mixing = found.mixing  # looks at all points
    np.fill_diagonal(mixing, 0.0)
    return bool(mixing.max() >= OFTEN_TOGETHER)
