"""`s3nmf app`: a page to work in, on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from s3nmf.desk.cli.options import Debug, File, Format, spread
from s3nmf.desk.cli.terminal import say


@spread
def app_command(
    file: File,
    *,
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="The port of the page; 0 for any that is free.")
    ] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Whether to open the page.")] = True,
    format: Format = None,  # noqa: A002
    debug: Debug = False,
) -> None:
    """Explore a file in the browser: name, merge and split clusters.

    The page opens in the browser of this machine, and only this machine can see it. Ctrl-C stops it.
    """
    from s3nmf.desk.app import serve  # noqa: PLC0415

    serve(file, port=port, browser=browser, say=say, format=format)
