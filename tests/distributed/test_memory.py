import pytest

from s3nmf.distributed import WorkersError
from s3nmf.distributed.memory import memory_need, refuse_if_too_little
from s3nmf.distributed.workers import memory_of_workers


def test_more_rows_columns_and_clusters_need_more():
    least = memory_need(1000, 10, 5, 10, largest_part=1000)
    for more in ((9000, 10, 5, 10), (1000, 90, 5, 10), (1000, 10, 90, 10)):
        need = memory_need(*more, largest_part=1000)
        assert need.fit > least.fit
        assert need.worker > least.worker
    assert memory_need(1000, 10, 5, 10, largest_part=9000).worker > least.worker


def test_too_little_is_refused_before_the_work(two_workers):
    need = memory_need(1_000_000, 16, 20, 20, largest_part=500_000)
    limit = memory_of_workers(two_workers)
    assert limit > 1e8
    refuse_if_too_little(need, None, is_within=False)
    with pytest.raises(WorkersError, match=r"Each worker needs about 1\.7 GB and may take 1\.0 GB\. Give workers more"):
        refuse_if_too_little(need, 10**9, is_within=False)
    with pytest.raises(MemoryError, match="Take a smaller sample"):
        refuse_if_too_little(memory_need(10**10, 16, 20, 20, largest_part=1), None, is_within=True)
