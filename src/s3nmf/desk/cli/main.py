"""The entry point of `s3nmf`: quick to start, and helpful where what it needs is not installed."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from types import FrameType

_TERMINATED = 128 + signal.SIGTERM
_INTERRUPTED = 128 + signal.SIGINT


def main() -> None:
    """Run the command line."""
    signal.signal(signal.SIGTERM, _terminate)
    _open_closed_streams()
    try:
        _run()
    except KeyboardInterrupt:  # before or after a command
        sys.exit(_INTERRUPTED)


def _run() -> None:
    try:
        from s3nmf.desk.cli.commands import app  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name not in {"typer", "rich"}:
            raise
        sys.exit(f"The command s3nmf needs {error.name}. Install it with pip install 's3nmf[cli]'.")
    if not sys.warnoptions and "--debug" not in sys.argv:
        warnings.simplefilter("ignore")  # commands say in their own words what there is to mind
    try:
        app(prog_name="s3nmf")
        sys.stdout.flush()
    except OSError as error:  # of help, or a version: commands explain their own
        from s3nmf.desk.cli.failures import explained, print_nowhere  # noqa: PLC0415

        print_nowhere()
        sys.exit(f"Error: {explained(error)}")


def _open_closed_streams() -> None:
    """Have all three streams where a shell has closed some (`>&-`), or the next file that is opened would be one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def _terminate(number: int, frame: FrameType | None) -> None:
    """End as an exception does: what is being written is taken away."""
    sys.exit(_TERMINATED)


if __name__ == "__main__":
    main()
