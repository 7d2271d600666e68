"""The web server: pages, JSON over HTTP, one WebSocket a table."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from fifthstreet.agents import Agent
from fifthstreet.web import hands
from fifthstreet.web.guard import Door, NotFound, json_of, refusal
from fifthstreet.web.guests import catalogue
from fifthstreet.web.host import Host
from fifthstreet.web.players import SECONDS
from fifthstreet.web.socket import Conversation, Watch
from fifthstreet.web.store import Store

PAGE = Path(__file__).parent / "page"

Answer = Callable[[Request], Awaitable[Response]]


def safely(answer: Answer) -> Answer:
    """The answer, or a refusal in one sentence."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Exception as error:
            return refusal(error)

    return answered


def application(
    store: Store,
    host: str = "127.0.0.1",
    more_agents: Sequence[type[Agent]] = (),
    seconds: float = SECONDS,
    watch: Watch | None = None,
) -> Starlette:
    """The whole server as an ASGI application; `watch` is told how long each piece of its own work took."""
    home = Host(store, more_agents, seconds)

    async def index(request: Request) -> Response:
        return FileResponse(PAGE / "index.html", headers={"Cache-Control": "no-cache"})

    async def games(request: Request) -> Response:
        return JSONResponse(catalogue(home.guests))

    async def open_table(request: Request) -> Response:
        return JSONResponse(await home.open(await json_of(request)), 201)

    async def hands_of(request: Request) -> Response:
        room = await _found(home, request)
        return JSONResponse(hands.listed(store.hands(room.id)))

    async def hand(request: Request) -> Response:
        body = _hand(store, request)
        return JSONResponse(await home.thinkers.do(lambda: hands.replay(body)))

    async def socket(websocket: WebSocket) -> None:
        await Conversation(home, websocket, watch).hold()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        home.close()

    routes: list[BaseRoute] = [
        Route("/", index),
        Route("/api/games", safely(games)),
        Route("/api/tables", safely(open_table), methods=["POST"]),
        Route("/api/tables/{table}/hands", safely(hands_of)),
        Route("/api/hands/{hand}", safely(hand)),
        WebSocketRoute("/ws", socket),
        Mount("/page", StaticFiles(directory=PAGE, check_dir=False)),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(Door, host=host)], lifespan=lifespan)
    app.state.home = home
    return app


async def _found(home: Host, request: Request) -> Any:
    try:
        return await home.find(request.path_params["table"])
    except Exception as error:
        raise NotFound(str(error)) from None


def _hand(store: Store, request: Request) -> Any:
    id = request.path_params["hand"]
    body = store.hand(id) if len(id) <= 64 else None
    if body is None:
        raise NotFound(f"there is no hand {id[:60]!r}")
    return body | {"id": id}


def text(content: str) -> Response:
    return PlainTextResponse(content)
