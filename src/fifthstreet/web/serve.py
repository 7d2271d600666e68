"""`fifthstreet serve`: a port, a store, the server, and the page in the browser."""

import contextlib
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from fifthstreet.errors import InputError
from fifthstreet.web.guard import LOOPBACK
from fifthstreet.web.reception import Reception, Visit, allow_files
from fifthstreet.web.server import DAYS, application
from fifthstreet.web.socket import LARGEST
from fifthstreet.web.store import Store, default_place


def serve(
    host: str,
    port: int,
    store: Path | None,
    report: Path,
    browser: bool,
    tell: Callable[[str], object] = print,
    names: Sequence[str] = (),
    days: float = DAYS,
) -> None:
    """Serve until stopped; InputError if the port or the store cannot be used.

    `names` are those under which this machine is known to others, such as "poker.example.org".
    Tables are deleted after so many `days` without a visitor; 0 keeps them all.
    """
    if sys.platform == "win32":
        raise InputError("the table in the browser runs on Linux and macOS: on Windows, use it in WSL")
    allow_files()
    with listen(host, port) as listening, contextlib.closing(Store(store or default_place())) as kept:
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
        address = f"http://{shown}:{listening.getsockname()[1]}/"
        tell(f"the table is at {address} (tables are kept in {kept.place}; stop with Ctrl+C)")
        if host not in LOOPBACK:
            tell(
                f"it listens on {host}: everybody who can reach this machine there can open tables and use its "
                "processors, and nothing is encrypted"
            )
        if browser:
            threading.Thread(target=_show, args=(address,), daemon=True).start()
        scores = report / "data" / "results.json"
        reception(application(kept, host, report=scores, warmed=True, names=names, days=days)).run(sockets=[listening])


def reception(app: Starlette) -> Reception:
    """The server that is run, also by tests and benchmarks."""
    settings = uvicorn.Config(
        app,
        http=Visit,
        log_level="warning",
        access_log=False,
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    return Reception(settings)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; InputError if the port is in use."""
    found = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # With the protocol named, asyncio sends small messages at once instead of waiting for more.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(1024)
    except (OSError, OverflowError, UnicodeError) as error:
        if found is not None:
            found.close()
        why = getattr(error, "strerror", None) or error
        raise InputError(
            f"nothing can listen on {host}, port {port}: {why}; another port can be named with --port"
        ) from None
    return found


def _show(address: str) -> None:
    time.sleep(0.5)
    try:
        webbrowser.open(address)
    except Exception:  # no browser here: the address was printed
        return
