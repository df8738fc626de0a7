from s3nmf._compiling import BEGINS, CompileClock, compiling_said


def test_loops_within_loops_are_compiled_in_their_time(monkeypatch):
    now = iter([1.0, 4.0, 10.0, 10.5])
    monkeypatch.setattr("s3nmf._compiling.time.perf_counter", lambda: next(now))
    clock, told = CompileClock(), []
    clock.listeners.append(lambda: told.append("begun"))
    clock.begin()
    clock.begin()
    clock.end()
    clock.end()
    clock.begin()
    clock.end()
    assert clock.seconds == 3.5
    assert told == ["begun", "begun"]


def test_it_is_said_once_and_only_if_something_is_compiled(monkeypatch):
    clock, said = CompileClock(), []
    monkeypatch.setattr("s3nmf._compiling.CLOCK", clock)
    with compiling_said(said.append):
        pass
    assert said == []
    with compiling_said(said.append):
        for _ in range(3):
            clock.begin()
            clock.end()
    assert said == [BEGINS, "compiled loops in 0.0 s, which the next run will not need"]
    assert clock.listeners == []
