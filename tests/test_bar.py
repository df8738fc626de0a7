"""Where there is a bar, and what it shows."""

import io
import sys
from types import ModuleType, SimpleNamespace

import pytest

from s3nmf import _bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def notebook(monkeypatch):
    """What a notebook shows in place of its one output, from the first to the last."""
    shown = []

    def display(what, display_id):
        assert display_id
        shown.append(what._repr_html_())
        return SimpleNamespace(update=lambda what: shown.append(what._repr_html_()))

    ipython, its_display = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=object())
    its_display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", its_display)
    return shown


def test_a_notebook_shows_the_browsers_own_bar_and_takes_it_away(notebook):
    with _bar.bar() as show:
        show("round <1>", 0.25, 42.0)
    assert notebook[1] == '<div><progress value="0.250"></progress> round &lt;1&gt; about 42 s left</div>'
    assert notebook[-1] == ""


def test_a_terminal_has_a_bar_by_rich(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with _bar.bar() as show:
        show("round 1", 0.25, 42.0)
    assert "round 1" in sys.stderr.getvalue()


@pytest.mark.parametrize(("stream", "spec"), [(Terminal, None), (io.StringIO, object())])
def test_without_rich_or_somebody_to_see_it_there_is_none(monkeypatch, stream, spec):
    monkeypatch.setattr(sys, "stderr", stream())
    monkeypatch.setattr(_bar, "find_spec", lambda name: spec)
    with _bar.bar() as show:
        assert show is None
