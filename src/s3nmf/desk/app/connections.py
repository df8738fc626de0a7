"""Connections that are closed when nothing comes: uvicorn waits for a first request as long as it takes."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

IDLE = 20.0
"""Seconds."""


class Impatient(H11Protocol):
    """HTTP, and an end to connections on which no request is under way and no byte has come for a while."""

    _waits: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Begin to wait anew."""
        self._wait()
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        if self._waits is not None:
            self._waits.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP; a request whose rest that was has its answer, and gets no second one."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        super().send_400_response(msg)

    def _wait(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
        self._waits = self.loop.call_later(IDLE, self._end)

    def _end(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait()  # an answer is being computed
        elif not self.transport.is_closing():
            self.transport.close()
