"""Every property test of the suite, with examples that it has never seen.

As a plugin of pytest this file keeps the property tests, counts their examples and notes those that fail.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings

from campaign.outcomes import CRASH, FINE, HANG, WRONG, Outcome
from campaign.processes import ROOT, TESTS, environment, run

_RESULTS, _EXAMPLES = "CAMPAIGN_RESULTS", "CAMPAIGN_EXAMPLES"
_found = {"examples": 0, "failed": {}}


def tries(seeds):
    """As many examples as seeds, about, shared out among the tests; those that failed are outcomes of their own."""
    with tempfile.TemporaryDirectory() as directory:
        results = Path(directory) / "results.json"
        env = environment(**{_RESULTS: str(results), _EXAMPLES: str(len(seeds))})
        command = ["-m", "pytest", "-p", "campaign.properties", "-q", "-p", "no:cacheprovider", "--no-header",
                   f"--hypothesis-seed={seeds.start}", TESTS]  # fmt: skip
        ended = run([sys.executable, *command], within=3600.0, env=env, cwd=ROOT)
        if not results.exists():
            return [Outcome(HANG if ended.hung else CRASH, seeds.start, "the property tests", ended.stdout[-2000:])]
        found = json.loads(results.read_text())
    failed = [Outcome(WRONG, seeds.start, name, said[-2000:]) for name, said in found["failed"].items()]
    return failed + [Outcome(FINE, seeds.start, "an example")] * (found["examples"] - len(failed))


def pytest_collection_modifyitems(config, items):
    """Property tests alone, each with its share of the examples."""
    kept = [item for item in items if hasattr(getattr(item, "obj", None), "hypothesis")]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
    share = max(1, int(os.environ[_EXAMPLES]) // max(1, len(kept)))
    for item in kept:
        function = getattr(item.obj, "__func__", item.obj)
        function._hypothesis_internal_use_settings = settings(
            max_examples=share, derandomize=False, database=None, deadline=None, suppress_health_check=list(HealthCheck)
        )
        function.hypothesis.inner_test = _counted(function.hypothesis.inner_test)


def pytest_runtest_logreport(report):
    if report.failed:
        _found["failed"][report.nodeid] = str(report.longrepr)


def pytest_sessionfinish():
    Path(os.environ[_RESULTS]).write_text(json.dumps(_found), encoding="utf-8")


def _counted(test):
    def counted(*arguments, **drawn):
        _found["examples"] += 1
        return test(*arguments, **drawn)

    return counted
