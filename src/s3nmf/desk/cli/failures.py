"""How a command ends: its exit code, and one explanation in place of a traceback."""

from __future__ import annotations

import glob
import json
import os
import shlex
import stat
import sys
import traceback
from contextlib import suppress
from contextvars import ContextVar
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Any

import typer

from s3nmf._messages import spelled
from s3nmf.desk.cli.help import HelpfulCommand
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.cli.terminal import say, visible

FAILED = 1
INTERRUPTED = 130
_OUT_OF_MEMORY = "The memory is not large enough. Use a machine with more, or a part of the data."
_TYPED: ContextVar[tuple[str, ...]] = ContextVar("typed")


class CommandError(Exception):
    """What cannot be done, and what to do instead: a message to the user."""


class Command(HelpfulCommand):
    """A command that never ends in a traceback, unless it is asked for one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember what was typed, for `typed`."""
        _TYPED.set((*ctx.command_path.split(), *args))
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            # What is missing explains itself by its help; and the library's own words for a kind of error are left out.
            said = error.message or getattr(error.param, "help", None) or ""
            error.message = said.removeprefix("Value error, ")
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run it, and explain what goes wrong."""
        try:
            takes_parts = "bad_parts" in ctx.params  # a folder, or a pattern of names
            for argument in (param.name for param in self.params if param.param_type_name == "argument"):
                if not isinstance(ctx.params[argument], Enum):  # a choice, and no file
                    _check_exists(ctx.params[argument], takes_parts=takes_parts)
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except KeyboardInterrupt:
            say("Stopped. Files are as they were, or complete.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:  # whoever reads the output has seen enough
            print_nowhere()
            raise typer.Exit(FAILED) from None
        except Exception as error:
            debug = ctx.params.get("debug", False)
            if debug:
                traceback.print_exc()
            message = explained(error) or _unexpected(error, debug)
            say(f"Error: {message}", err=True)
            if isinstance(error, OSError) and error.filename is None:
                print_nowhere()
            elif ctx.params.get("as_json"):
                typer.echo(json.dumps({"error": message}))
            raise typer.Exit(FAILED) from error


def typed() -> str:
    """The command that runs, to be typed again."""
    return shlex.join(_TYPED.get())


def _check_exists(file: str, *, takes_parts: bool) -> None:
    """Refuse what is no file at once: arguments are files to read, and what reads them takes time to load."""
    try:
        is_pattern = takes_parts and glob.has_magic(file)
        if file != "-" and not is_pattern and stat.S_ISDIR(Path(file).stat().st_mode) and not takes_parts:
            raise CommandError(f"{file} is a directory. Give the file in it that holds the data.")
    except FileNotFoundError:
        raise CommandError(f"{file} does not exist. {_meant(Path(file))}") from None
    except (OSError, ValueError):  # there, but not to be opened: whoever reads it says why
        pass


def _meant(missing: Path) -> str:
    """A file whose name is nearly the same; or where it was looked for."""
    try:
        close = get_close_matches(missing.name, [one.name for one in missing.parent.iterdir()], n=1, cutoff=0.75)
    except OSError:  # no such directory either
        close = []
    where = missing.parent if missing.is_absolute() else Path.cwd() / missing.parent
    return f"Did you mean {missing.parent / close[0]}?" if close else f"Check its name; it was looked for in {where}."


def explained(error: Exception) -> str | None:
    """The message of an error that was foreseen; None of any other."""
    if isinstance(error, CommandError):
        return visible(spelled(error, as_option))
    from s3nmf._archive import ModelFileError  # noqa: PLC0415
    from s3nmf._memory import TooLargeError  # noqa: PLC0415
    from s3nmf.desk.sources.errors import SourceError  # noqa: PLC0415

    text = spelled(error, as_option)
    foreseen = isinstance(error, SourceError | ModelFileError | TooLargeError)
    if foreseen or (isinstance(error, ImportError) and "pip install" in text):
        return visible(text)
    if isinstance(error, MemoryError):
        return _OUT_OF_MEMORY  # in the middle of the work
    if isinstance(error, OSError) and error.strerror:
        return visible(f"{error.filename or 'Standard input or output'}: {error.strerror}.")  # all files have names
    return None


def print_nowhere() -> None:
    """Have no more written to a standard output that takes nothing, at the end of the program either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unexpected(error: Exception, debug: bool) -> str:
    what = visible(" ".join(f"{type(error).__name__}: {error}".split()))
    ask = "the lines above" if debug else "what it prints with --debug"
    return (
        f"unexpected {what}. This is a fault in s3nmf, not in your data: please report it to {_developers()}, with "
        f"the command and {ask}."
    )


def _developers() -> str:
    """Where faults are reported: the address that the package gives, if it gives one."""
    from importlib.metadata import PackageNotFoundError, metadata  # noqa: PLC0415

    addresses: dict[str, str] = {}
    with suppress(PackageNotFoundError):  # run from a directory, not installed
        addresses.update(one.split(", ", maxsplit=1) for one in metadata("s3nmf").get_all("Project-URL", []))
    return addresses.get("Issues", "its developers")
