"""Who may ask: a browser on this machine that was given the token, from the page itself.

Any web page that is open in the same browser can send requests to this machine. It knows no token, its cookies are not
ours (SameSite), its Origin is its own, and a name that it makes point here (DNS rebinding) is not our Host.

Whoever else works on this machine sees the arguments that a browser is started with. So these have no token, but a
ticket that is good once: the browser gets a cookie for it, and the next one to come with it is refused.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# Browsers do not say this one.
_USUAL_PORT = 80
_REFUSED = "Open the address that s3nmf app has printed, with all that is behind the question mark.\n"


class Guard:
    """Lets requests through that come from our page, and gives its first visitor a cookie in place of the token."""

    def __init__(self, app: Any, *, token: str, port: int, once: str | None = None) -> None:
        self._app, self._token, self._once = app, token, once
        names = ("127.0.0.1", "localhost")
        self._hosts = {f"{name}:{port}" for name in names} | {name for name in names if port == _USUAL_PORT}
        # Cookies do not tell ports apart: two studies at once need two names.
        self._cookie = f"s3nmf-{port}"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer, or refuse to."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        request = Request(scope)
        by_address, by_ticket = self._is_token(request.query_params.get("token")), False
        if not self._comes_from_here(scope["method"], request.headers):
            answer: Any = PlainTextResponse("This page is for the browser on this machine alone.\n", 403)
        elif by_ticket := self._is_ticket(request.query_params.get("once")):
            answer = RedirectResponse("/", 303)
        elif not (by_address or self._is_token(request.cookies.get(self._cookie))):
            answer = PlainTextResponse(_REFUSED, 403)
        else:
            answer = self._app

        async def guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if by_ticket or (by_address and answer is self._app):
                    headers.append("Set-Cookie", f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict")
            await send(message)

        await answer(scope, receive, guarded)

    def _comes_from_here(self, method: str, headers: Headers) -> bool:
        if headers.get("host") not in self._hosts:
            return False
        origin = headers.get("origin")
        if origin is None:
            return method in {"GET", "HEAD"}
        return origin.removeprefix("http://") in self._hosts and origin.startswith("http://")

    def _is_token(self, given: str | None) -> bool:
        return given is not None and secrets.compare_digest(given.encode(), self._token.encode())

    def _is_ticket(self, given: str | None) -> bool:
        """Whether this is the ticket, which is no good from then on."""
        if given is None or self._once is None or not secrets.compare_digest(given.encode(), self._once.encode()):
            return False
        self._once = None
        return True
