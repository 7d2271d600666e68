"""The web server's routes and messages, asked in this process: one parser for each route and kind of message.

Routes are those that the server registers; kinds of messages are those that it names when it is sent another.
"""

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

from starlette.routing import Mount, Route, WebSocketRoute

from fifthstreet.errors import MOST, InputError
from fifthstreet.web.drawing import FACES
from fifthstreet.web.server import application
from fifthstreet.web.solving import Solves
from fifthstreet.web.store import Store

from fuzzing.examples import PAGE_SPOT, PHH
from fuzzing.parsers import Parser

PATIENCE = 20.0

BODIES: dict[str, list[Any]] = {
    "/api/tables": [
        {"game": "holdem", "options": {"stack": 100}, "seats": ["you", "you"], "practice": True, "stacks": "reset"},
        {"game": "nothing", "seats": ["you", "random"]},
    ],
    "/api/statistics": [["a", "b"]],
    "/api/watch": [{"kind": "match", "game": "kuhn", "agents": ["random", "nobody"], "deals": 10, "seed": 1}],
    "/api/spots": [PAGE_SPOT | {"pot": 0}],
    "/api/spots/look": [PAGE_SPOT | {"pot": 0}],
    "branch": [{"frame": 1, "chair": 0, "seats": ["you", "nobody"]}],
    "spot": [{"frame": 1}],
}
"""What is sent where. Examples stop just short of starting long work, so that thousands of them can be tried."""


class Refused(InputError):
    """The server refused a request, with its own words."""


class Broken(Exception):
    """The server answered as it never should."""


class Asked:
    """The application, and an event loop in which it is asked one thing after the other."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.app = application(Store(":memory:"), solves=Solves())
        self.table = self.request("POST", "/api/tables", json.dumps(BODIES["/api/tables"][0]).encode())
        self.hand = self.request("POST", "/api/hands", PHH[0])["hands"][0]["id"]

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def request(self, method: str, path: str, body: bytes = b"", headers: Any = ()) -> Any:
        return self.run(self._request(method, path, body, headers))

    async def _request(self, method: str, path: str, body: bytes, headers: Any) -> Any:
        path, _, query = path.partition("?")
        named = {"host": "localhost", **dict(headers)}
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode("utf-8", "surrogateescape"), "root_path": "",
            "query_string": query.encode("utf-8", "surrogateescape"),
            "headers": [(name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
                        for name, value in named.items()],
            "client": ("127.0.0.1", 5), "server": ("localhost", 80),
        }  # fmt: skip
        waiting = [{"type": "http.request", "body": body, "more_body": False}]
        sent: list[Any] = []
        enough = asyncio.Event()

        async def receive() -> Any:
            if waiting:
                return waiting.pop()
            await enough.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)
            if len(sent) > 1:
                enough.set()  # the first part of a stream is enough

        await self.app(scope, receive, send)
        return _answer(sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:]))

    def talk(self, messages: list[bytes], token: str | None = None) -> list[Any]:
        """What the server sends when somebody sits down and sends these messages."""
        return list(self.run(self._talk(messages, token)))

    async def _talk(self, messages: list[bytes], token: str | None) -> list[Any]:
        headers = [(b"host", b"localhost")]
        scope = {
            "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws", "path": "/ws",
            "raw_path": b"/ws", "root_path": "", "query_string": b"", "headers": headers, "subprotocols": [],
            "client": ("127.0.0.1", 5), "server": ("localhost", 80),
        }  # fmt: skip
        incoming: asyncio.Queue[Any] = asyncio.Queue()
        incoming.put_nowait({"type": "websocket.connect"})
        texts = [message.decode("utf-8", "surrogateescape") for message in messages]
        if token is not None:
            texts.insert(0, json.dumps({"type": "sit", "table": self.table["table"], "token": token}))
        for text in texts:
            incoming.put_nowait({"type": "websocket.receive", "text": text})
        incoming.put_nowait({"type": "websocket.disconnect", "code": 1000})
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, incoming.get, send)
        found = [json.loads(message["text"]) for message in sent if message["type"] == "websocket.send"]
        if any(message.get("code") == 1011 for message in sent if message["type"] == "websocket.close"):
            raise Broken("the table cannot be drawn")
        return found


def _answer(status: int, body: bytes) -> Any:
    """What a request was answered with; Refused with the server's words, Broken if it failed."""
    text = body.decode()
    if status >= 500 or "Traceback" in text:
        raise Broken(f"{status} {text[:300]}")
    if status >= 400:
        why = str(json.loads(text)["error"]) if text.startswith("{") else text
        if len(why) > MOST:
            raise Broken(f"{status} with {len(why)} characters: {why[:80]}")
        raise Refused(why)
    return json.loads(text) if text[:1] in ("{", "[") else text


def endpoints() -> dict[str, Parser]:
    """A parser for each route, for the headers, and for each kind of message."""
    found = [*_of_routes(asked := Asked()), *_of_messages(asked)]
    return {parser.name: parser for parser in found}


def _of_routes(asked: Asked) -> Iterator[Parser]:
    known = {"table": asked.table["table"], "hand": asked.hand, "show": "x", "spot": "x"}
    for route in asked.app.routes:
        if isinstance(route, WebSocketRoute):
            continue
        path = route.path + "/index.html" if isinstance(route, Mount) else getattr(route, "path", "")
        methods = sorted((route.methods or {"GET"}) - {"HEAD"}) if isinstance(route, Route) else ["GET"]
        filled = re.sub(r"\{(\w+)\}", lambda name: str(known.get(name[1], "x")), path)
        for method in methods:
            yield Parser(f"{method} {path} by path", _by_path(asked, method), (filled.encode(), b"/", b"?line=check"))
            if method == "POST":
                own = BODIES.get(path, BODIES.get(path.rsplit("/", 1)[1], [{}]))
                texts = PHH if path == "/api/hands" else tuple(json.dumps(each).encode() for each in own)
                yield Parser(f"{method} {path}", _with_body(asked, method, filled), texts)
    for header in ("host", "origin"):
        read = _with_header(asked, header)
        yield Parser(f"header {header}", read, (b"localhost", b"http://localhost", b"http://[::1", b"127.0.0.1:80"))


def _by_path(asked: Asked, method: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        return asked.request(method, "/" + data.decode("utf-8", "replace").lstrip("/"))

    return read


def _with_body(asked: Asked, method: str, path: str) -> Callable[[bytes], object]:
    return lambda data: asked.request(method, path, data)


def _with_header(asked: Asked, name: str) -> Callable[[bytes], object]:
    return lambda data: asked.request("GET", "/api/games", headers=[(name, data.decode("latin-1"))])


def _of_messages(asked: Asked) -> Iterator[Parser]:
    token = asked.table["token"]
    answers = asked.talk([b'{"type": "?"}'], token)
    text = next(answer["text"] for answer in answers if answer["type"] == "refused")
    kinds = re.split(r", | and ", text.rpartition("there are ")[2])
    fields: dict[str, dict[str, Any]] = {
        "act": {"hand": 1, "number": 3, "action": {"move": "call"}},
        "coach": {"agent": "nobody"},
        "speed": {"seconds": 0},
        "auto": {"on": True},
    }

    def sent(data: bytes, token: str | None = token) -> object:
        refused = [each for each in asked.talk([data], token) if each["type"] == "refused"]
        if any(each["code"] == "failed" for each in refused):
            raise Broken(str(refused))
        if refused:
            raise Refused(refused[0]["text"])
        return None

    for kind in kinds:
        yield Parser(f"message {kind}", sent, (json.dumps({"type": kind, **fields.get(kind, {})}).encode(),))
    moves = [{"move": "raise", "to": 20}, {"discard": ["Ah"]}, {"column": 1}, {"cell": 2}, {"action": 0}]
    acts = tuple(json.dumps({"type": "act", "hand": 1, "number": 3, "action": move}).encode() for move in moves)
    yield Parser("message act, by game", sent, acts[: len(FACES) + 1])
    sit = json.dumps({"type": "sit", "table": asked.table["table"], "token": token}).encode()
    yield Parser("message sit", lambda data: sent(data, None), (sit,))
