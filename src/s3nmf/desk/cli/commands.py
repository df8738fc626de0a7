"""`s3nmf`: all commands, none of which loads more than typer before it is called."""

from __future__ import annotations

from typing import Annotated

import typer

from s3nmf import __version__
from s3nmf.desk.cli.app import app_command
from s3nmf.desk.cli.assign import assign
from s3nmf.desk.cli.choose_k import choose_k
from s3nmf.desk.cli.cluster import cluster
from s3nmf.desk.cli.compare import compare
from s3nmf.desk.cli.demo import demo
from s3nmf.desk.cli.demo_data import demo_data
from s3nmf.desk.cli.failures import Command
from s3nmf.desk.cli.report import report

app = typer.Typer(
    epilog="Exit codes: 0 done, 1 failed (standard error says why and what to do), 2 wrong options, 130 interrupted.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"s3nmf {__version__}")
        raise typer.Exit


for name, command in {
    "cluster": cluster,
    "app": app_command,
    "choose-k": choose_k,
    "assign": assign,
    "report": report,
    "compare": compare,
    "demo": demo,
    "demo-data": demo_data,
}.items():
    app.command(name, cls=Command)(command)


@app.callback()
def everywhere(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Cluster a table, a graph or cells, and know how far to trust it."""
