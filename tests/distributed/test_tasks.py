import os
import signal
import time

import pytest

from s3nmf.distributed.tasks import do_by_workers

pytestmark = pytest.mark.filterwarnings("ignore")


def test_what_the_last_worker_held_is_sent_again_and_every_answer_taken_once(start_workers):
    taken = []

    def work(shared, item):
        time.sleep(0.1)
        return shared["before"] + item

    def take(number, answer):
        taken.append((number, answer))
        if len(taken) == 2:
            os.kill(victim, signal.SIGKILL)

    with start_workers(1) as client:
        (victim,) = client.run(os.getpid).values()
        do_by_workers(client, work, {"before": 10}, {k: (k,) for k in range(8)}, take)
    assert sorted(taken) == [(k, 10 + k) for k in range(8)]


def test_what_a_task_raises_is_raised_here(two_workers):
    with pytest.raises(ZeroDivisionError):
        do_by_workers(two_workers, lambda shared, item: shared / item, 1, {0: (0,)}, lambda *_: None)
