import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphs import member_partitions
from s3nmf.baselines.consensus.cluster_index import ensemble_driven_cluster_index
from s3nmf.baselines.consensus.pool import check_partitions, cluster_pool


def literal_index(partitions, theta):
    index = []
    for own in partitions:
        for k in range(own.max() + 1):
            cluster = set(np.flatnonzero(own == k))
            uncertainty = 0.0
            for other in partitions:
                for j in range(other.max() + 1):
                    share = len(cluster & set(np.flatnonzero(other == j))) / len(cluster)
                    if share > 0:
                        uncertainty -= share * math.log2(share)
            index.append(math.exp(-uncertainty / (theta * len(partitions))))
    return index


@given(member_partitions(), st.sampled_from([0.1, 0.4, 1.6]))
def test_the_index_is_that_of_a_loop_over_clusters(partitions, theta):
    checked = check_partitions(partitions)
    found = ensemble_driven_cluster_index(cluster_pool(checked), theta)
    np.testing.assert_allclose(found, literal_index(checked, theta), rtol=1e-12)


def test_a_cluster_that_no_partition_cuts_counts_in_full():
    partitions = check_partitions([[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 2, 1]])
    index = ensemble_driven_cluster_index(cluster_pool(partitions))
    first_cluster = [0, 2, 5]
    assert (index[first_cluster] == 1.0).all()
    assert index[1] < 1.0
