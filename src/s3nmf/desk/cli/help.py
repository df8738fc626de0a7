"""One style of help for all commands: what they take, their own options, how files are read, what is printed."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

GROUPS = ("Arguments", "Options", "Reading the file", "A table in parts", "The page", "Printing")
ARGUMENTS, OPTIONS, READING, PARTS, SHOWING, PRINTING = GROUPS


class HelpfulCommand(TyperCommand):
    """A command whose options are shown in groups, which `spread` puts them into."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write each group under its title."""
        groups: dict[str, list[tuple[str, str]]] = {title: [] for title in GROUPS}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if param.param_type_name == "argument":
                groups[ARGUMENTS].append((str(param.metavar), str(getattr(param, "help", ""))))
            elif record is not None:
                groups[getattr(param, "rich_help_panel", None) or OPTIONS].append(record)
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
