"""An interrupt ends the command in its own words, even before it has been loaded."""

import builtins

import pytest

from s3nmf.desk.cli import main as entry


def test_an_interrupt_while_commands_are_loaded_is_no_traceback(monkeypatch):
    real = builtins.__import__

    def interrupted(name, *arguments):
        if name == "s3nmf.desk.cli.commands":
            raise KeyboardInterrupt
        return real(name, *arguments)

    monkeypatch.setattr(entry.signal, "signal", lambda *of: None)
    monkeypatch.setattr(builtins, "__import__", interrupted)
    with pytest.raises(SystemExit) as ended:
        entry.main()
    assert ended.value.code == 130
