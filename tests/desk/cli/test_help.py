"""One style of help in all commands, and what a shell completes."""

import re

import pytest
import typer

from s3nmf.desk.cli.commands import app
from s3nmf.desk.cli.help import GROUPS, OPTIONS, PRINTING

COMMANDS = typer.main.get_command(app).commands
EVERY = pytest.mark.parametrize("name", COMMANDS)
METAVAR = re.compile(r"[A-Z]+([|:=x]([A-Z]+|auto))*")


def options_of(command):
    return [param for param in command.params if param.param_type_name == "option"]


@EVERY
def test_every_option_and_argument_is_described_in_one_grammar(name):
    command = COMMANDS[name]
    assert re.fullmatch(r"[A-Z][^.]*\.", command.get_short_help_str(limit=200))
    for param in command.params:
        assert re.match(r"[A-Z]|standard: ", param.help), param.name
        assert param.help.endswith("."), param.name
        if not getattr(param, "is_flag", False):
            assert METAVAR.fullmatch(param.metavar), param.name


@EVERY
def test_options_are_grouped_in_the_same_order_and_no_type_of_python_is_shown(name, run):
    shown = run(name, "--help").stdout
    titles = re.findall(r"^(\S.*):$", shown, re.MULTILINE)
    assert titles == [title for title in GROUPS if title in titles]
    assert not re.search(r"<[a-z]\w*", shown)
    if options_of(COMMANDS[name]):
        assert {OPTIONS, PRINTING} <= set(titles)


def test_the_same_option_means_the_same_in_every_command():
    """But for what goes where (--out), how many clusters (-k) and how many rows of what (--sample), which differ."""
    described = {}
    for command in COMMANDS.values():
        for param in options_of(command):
            described.setdefault(param.name, set()).add((param.help, param.metavar, tuple(param.opts)))
    assert {name for name, ways in described.items() if len(ways) > 1} == {"out", "clusters", "sample"}


def completed(run, typed):
    words = ["s3nmf", *typed.split(" ")]
    environment = {
        "_S3NMF_COMPLETE": "complete_bash",
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    return run(env=environment, prog_name="s3nmf").stdout.split()


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("comp", {"compare"}),
        ("compare t.csv --method K", {"KMeans"}),
        ("compare t.csv --bud", {"--budget"}),
        ("cluster t.csv --members ", {"communities", "factorizations"}),
        ("cluster t.csv --scale ", {"standard", "minmax", "none"}),
        ("cluster t.csv --missing d", {"drop"}),
        ("cluster t.csv -k a", {"auto"}),
        ("cluster t.csv --format ed", {"edges"}),
    ],
)
def test_the_shell_completes_commands_options_and_their_values(run, typed, offered):
    assert set(completed(run, typed)) == offered


def test_completion_can_be_installed(run):
    assert "--install-completion" in run("--help").stdout
