"""Many tries in one process, which says what it is about to do: whoever waits for it knows what it died of."""

import faulthandler
import json
import os

from campaign.outcomes import CRASH, HANG, Outcome
from campaign.processes import program


def tries(module, seeds, seconds):
    """The outcome of each seed, by a program that is started again behind the try that it did not come back from."""
    at, found = seeds.start, []
    while at < seeds.stop:
        ended = program(module, str(at), str(seeds.stop), within=seconds * (seeds.stop - at) + 120.0)
        lines = [json.loads(line) for line in ended.stdout.splitlines()]
        found += [Outcome(**line) for line in lines if "kind" in line]
        at = found[-1].seed + 1 if found else at
        if at < seeds.stop:  # it ended before its time
            kind = HANG if ended.hung or "Timeout" in ended.stderr else CRASH
            found.append(Outcome(kind, at, lines[-1]["input"] if lines else "the start", ended.stderr[-2000:]))
            at += 1
    return found


def carry_out(case, attempt, first, last, seconds):
    """Do them, as that program, each within so many seconds: a case is what an attempt takes, words last."""
    out = os.fdopen(os.dup(1), "w")
    for seed in range(int(first), int(last)):
        made = case(seed)
        print(json.dumps({"input": made[-1]}), file=out, flush=True)
        faulthandler.dump_traceback_later(seconds, exit=True)
        found = attempt(seed, *made)
        faulthandler.cancel_dump_traceback_later()
        print(json.dumps(found._asdict()), file=out, flush=True)
