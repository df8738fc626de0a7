"""From a file to a page in the browser: bound to this machine alone, until it is stopped."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from s3nmf.desk.app.opening import open_file
from s3nmf.desk.sources import SourceError
from s3nmf.desk.sources.errors import optional

LOOPBACK = "127.0.0.1"
# Seconds for answers that are under way when the program is stopped.
_PATIENCE = 1


class LocalPage:
    """The page of a file, at an address that only this user knows.

    Attributes
    ----------
    address : str
        With a token, for whoever runs the program.
    address_once : str
        With a ticket that is good once, for the browser: everybody on the machine may read what it is started with.
    """

    def __init__(self, path: str, port: int = 0, **given: Any) -> None:
        uvicorn = optional("uvicorn", "app", "The page")
        optional("starlette", "app", "The page")
        optional("jinja2", "app", "The report of the page")
        from s3nmf.desk.app.connections import Impatient  # noqa: PLC0415
        from s3nmf.desk.app.server import application  # noqa: PLC0415
        from s3nmf.desk.app.study import Study  # noqa: PLC0415

        if path == "-":
            raise SourceError("The page reads its file more than once. Save standard input to a file first.")
        self._study = Study(open_file(path, **given))
        self._socket = _bound(port)
        port, token, once = self._socket.getsockname()[1], secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.address = f"http://{LOOPBACK}:{port}/?token={token}"
        self.address_once = f"http://{LOOPBACK}:{port}/?once={once}"
        app = application(self._study, token=token, once=once, port=port)
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                http=Impatient,
                log_level="warning",
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=_PATIENCE,
            )
        )

    def run(self) -> None:
        """Answer until it is stopped, or Ctrl-C."""
        self._study.start()
        try:
            with suppress(KeyboardInterrupt), self._socket:
                self._server.run(sockets=[self._socket])
        finally:
            self._study.stop()

    def stop(self) -> None:
        """Let `run`, in another thread, come to its end."""
        self._server.should_exit = True


def serve(path: str, *, port: int = 0, browser: bool = True, say: Callable[[str], None], **given: Any) -> None:
    """Show a file on a page, and go on until Ctrl-C.

    Parameters
    ----------
    path : str
        A table, a graph or cells, see `s3nmf.sources.read`, which also says what else can be `given`.
    port : int, default=0
        0 for any that is free.
    browser : bool, default=True
        Whether to open the page.
    say : callable
        Told where the page is.

    Raises
    ------
    ImportError
        starlette, uvicorn or jinja2 is not installed; s3nmf[app] brings them along.
    SourceError
        The file cannot be read, standard input was given, or the port is in use.
    """
    page = LocalPage(path, port, **given)
    say(f"The page is at {page.address}\nOnly this machine can see it. Stop it with Ctrl-C.")
    if browser:
        webbrowser.open(page.address_once)
    page.run()


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen()  # a browser that is faster than the server waits
    except OSError as error:
        listening.close()
        raise SourceError(f"Port {port} cannot be used: {error.strerror}. Choose another one, or none.") from error
    return listening
