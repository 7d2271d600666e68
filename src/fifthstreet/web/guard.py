"""At the door: foreign pages and foreign host names are turned away, large bodies too, and errors tell no secrets."""

import json
import logging
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from fifthstreet.errors import InputError

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MOST_BYTES = 65_536  # of a request; an import may have more
MOST_DISCARDED = 32_000_000  # what is too large is not kept, and beyond this not waited for

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}

log = logging.getLogger("fifthstreet.web")


class NotFound(InputError):
    """What was asked for does not exist."""


class TooLarge(InputError):
    """More than is read."""


def refusal(error: Exception) -> JSONResponse:
    """One sentence for the client; what is not its fault stays in the server's own log."""
    if isinstance(error, InputError):
        status = 404 if isinstance(error, NotFound) else 413 if isinstance(error, TooLarge) else 400
        return JSONResponse({"error": " ".join(str(error).split())[:500]}, status)
    log.error("an unexpected error", exc_info=error)
    return JSONResponse({"error": "something went wrong here, and nothing was changed"}, 500)


async def body_of(request: Request, most: int = MOST_BYTES) -> bytes:
    """The body, if it is not too large; what is too large is let past unread, so that the refusal is heard."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_DISCARDED:
            break
        if size <= most:
            parts.append(part)
    if size > most:
        raise TooLarge(f"this request has more than {most:,} bytes, which are the most that are read")
    return b"".join(parts)


async def json_of(request: Request) -> Any:
    return parsed(await body_of(request))


def parsed(text: str | bytes) -> Any:
    """JSON, strictly: no NaN, no endless nesting, no number of a million digits."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        shown = text[:40] if isinstance(text, str) else text[:40].decode(errors="replace")
        raise InputError(f"{shown!r} is not JSON") from None


def _no_constant(name: str) -> Any:
    raise ValueError(name)


class Door:
    """Lets in what comes from our own pages or from programs, and nothing from other pages."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app, self.host = app, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        trouble = self.trouble(headers.get("host", ""), headers.get("origin"))
        if trouble and scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": trouble[:120]})
        elif trouble:
            await JSONResponse({"error": trouble}, 403)(scope, receive, send)
        else:
            await self.app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)

    def trouble(self, host: str, origin: str | None) -> str:
        name = _host_name(host)
        if self.host in LOOPBACK and name not in LOOPBACK:
            return f"this server answers to localhost, not to {name[:60]!r}"
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return f"this server is not for pages of {origin[:60]!r}"
        return ""


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _with_headers(send: Send) -> Send:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            more = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] = [*message.get("headers", []), *more]
        await send(message)

    return sending
