"""Checks on every request: pages of other sites and large bodies are refused, and errors tell no secrets."""

import ipaddress
import json
from collections.abc import Sequence
from typing import Any, NoReturn
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from fifthstreet.errors import InputError
from fifthstreet.web.refusals import TooLarge, refusal_of

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MOST_BYTES = 65_536  # of a request; an import may have more
MOST_DISCARDED = 32_000_000  # bytes read and dropped before the connection is given up

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def refusal(error: Exception) -> JSONResponse:
    """The answer to a request that failed."""
    code, text, status, retry_s = refusal_of(error)
    told = {"error": text, "code": code}
    if retry_s is None:
        return JSONResponse(told, status)
    return JSONResponse(told | {"retry_s": retry_s}, status, {"Retry-After": str(retry_s)})


async def body_of(request: Request, most: int = MOST_BYTES) -> bytes:
    """The body of a request. One that is too large is read and dropped, so that the client gets the answer."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_DISCARDED:
            break
        if size <= most:
            parts.append(part)
    if size > most:
        raise TooLarge(f"this request has more than {most:,} bytes, which is the limit")
    return b"".join(parts)


async def json_of(request: Request) -> Any:
    return parsed(await body_of(request))


def parsed(text: str | bytes) -> Any:
    """Strict JSON: no NaN, no endless nesting, no number of a million digits."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        shown = text[:40] if isinstance(text, str) else text[:40].decode(errors="replace")
        raise InputError(f"{shown!r} is not JSON") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


class Door:
    """Middleware that answers our own pages and programs, and refuses pages of other sites."""

    def __init__(self, app: ASGIApp, host: str, names: Sequence[str] = ()) -> None:
        """`host` is the address that is listened on, `names` those under which others know this machine."""
        self.app, self.host, self.given = app, host, names
        self.names = {*LOOPBACK, host.lower(), *(name.lower().rstrip(".") for name in names)}

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
            await JSONResponse({"error": trouble, "code": "foreign"}, 403)(scope, receive, send)
        else:
            await self.app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)

    def trouble(self, host: str, origin: str | None) -> str:
        """Why a request with these headers is refused; empty if it is not."""
        name = _host_name(host)
        # A page elsewhere can make a name of its own lead here, but not an address in numbers.
        if name not in self.names and (self.host in LOOPBACK or not _is_address(name)):
            known = ", ".join(self.given) or ("localhost" if self.host in LOOPBACK else "its address")
            return f"this server answers to {known:.120}, not to {name[:60]!r}; --allow-host adds a name"
        if origin is not None and _site(origin) != host.lower():
            return f"this server is not for pages of {origin[:60]!r}"
        return ""


def _site(origin: str) -> str | None:
    """The host and port of an origin; None if it is malformed."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # a bracket that is never closed
        return None


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower().rstrip(".")
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        return bool(ipaddress.ip_address(name))
    except ValueError:
        return False


def _with_headers(send: Send) -> Send:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            more = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] = [*message.get("headers", []), *more]
        await send(message)

    return sending
