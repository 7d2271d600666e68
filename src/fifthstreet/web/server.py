"""The web server: pages, JSON over HTTP, one WebSocket a table."""

import asyncio
import contextlib
import gc
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from fifthstreet.agents import Agent
from fifthstreet.errors import InputError
from fifthstreet.games import game_named
from fifthstreet.games.holdem import Holdem
from fifthstreet.web import hands, phh
from fifthstreet.web.drawing import FACES
from fifthstreet.web.drawing.face import Json, short
from fifthstreet.web.guard import Door, NotFound, body_of, json_of, refusal
from fifthstreet.web.guests import catalogue
from fifthstreet.web.host import Host
from fifthstreet.web.papers import scorecard
from fifthstreet.web.players import SECONDS
from fifthstreet.web.socket import Conversation, Watch
from fifthstreet.web.statistics import statistics
from fifthstreet.web.store import Store
from fifthstreet.web.table import PERSON
from fifthstreet.web.warm import warm
from fifthstreet.web.watch import Show, Shows

MOST_TABLES = 200  # whose statistics are asked for at once
MOST_HANDS = 10_000  # of a table, in its statistics
IMPORT_SECONDS = 20.0
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
    report: Path | None = None,
    warmed: bool = False,
) -> Starlette:
    """The whole server as an ASGI application; `watch` is told how long it took to answer each message. With
    `warmed` all games are compiled beforehand, so that nobody waits at the first table."""
    home = Host(store, more_agents, seconds)
    shows = Shows(home.thinkers, home.guests, store)
    one_import = asyncio.Semaphore()  # files are read one after the other: tables come first

    async def index(request: Request) -> Response:
        return FileResponse(PAGE / "index.html", headers={"Cache-Control": "no-cache"})

    async def games(request: Request) -> Response:
        return JSONResponse(catalogue(home.guests))

    async def open_table(request: Request) -> Response:
        return JSONResponse(await home.open(await json_of(request)), 201)

    async def hands_of(request: Request) -> Response:
        table = _table(store, request.path_params["table"])
        return JSONResponse(await home.thinkers.do(lambda: store.summaries(table)))

    async def statistics_of(request: Request) -> Response:
        table = _table(store, request.path_params["table"])
        return JSONResponse(await home.thinkers.do(lambda: statistics(store.summaries(table, MOST_HANDS))))

    async def statistics_of_many(request: Request) -> Response:
        given = await json_of(request)
        if not isinstance(given, list) or len(given) > MOST_TABLES:
            raise InputError(f"{short(given)}: a list of at most {MOST_TABLES} tables is wanted")
        known = [str(table) for table in given if isinstance(table, str) and store.table(table) is not None]
        hands_of_all = (hand for table in known for hand in store.summaries(table, MOST_HANDS))
        return JSONResponse(await home.thinkers.do(lambda: statistics(hands_of_all)))

    async def hand(request: Request) -> Response:
        body = await _hand(home, request)
        return JSONResponse(await home.thinkers.do(lambda: hands.replay(body)))

    async def branch(request: Request) -> Response:
        body = await _hand(home, request)
        plan, event = hands.branch(body, await json_of(request))
        for who in plan.chairs:
            if who != PERSON:
                home.guests.agent(who, body["game"])
        return JSONResponse(home.seat(plan, event), 201)

    async def export(request: Request) -> Response:
        body = await _hand(home, request)
        text = await home.thinkers.do(lambda: phh.exported(body))
        name = f'attachment; filename="{body["id"]}.phh"'
        return PlainTextResponse(text, headers={"Content-Disposition": name})

    async def import_hands(request: Request) -> Response:
        raw = await body_of(request, phh.MOST_BYTES)
        await warm(home.thinkers, Holdem())
        try:
            async with one_import:
                good, refused = await home.thinkers.do(lambda: phh.imported(_decoded(raw)), IMPORT_SECONDS)
        except TimeoutError:
            raise InputError(f"this file takes more than {IMPORT_SECONDS:g} seconds to read") from None
        if not good:
            why = refused[0]["error"] if refused else "there is no hand in it"
            raise InputError(f"no hand can be read: {why}")
        return JSONResponse({"hands": phh.keep(store, good), "refused": refused}, 201)

    async def watch_some(request: Request) -> Response:
        return JSONResponse({"id": shows.begin(await json_of(request)).id}, 201)

    async def stop_watching(request: Request) -> Response:
        _show(shows, request).stopped = True
        return JSONResponse({"stopping": True})

    async def events(request: Request) -> Response:
        show = _show(shows, request)
        return StreamingResponse(_news(show), media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    async def papers(request: Request) -> Response:
        return JSONResponse(scorecard(store.results(), report))

    async def socket(websocket: WebSocket) -> None:
        await Conversation(home, websocket, watch).hold()

    async def warm_all() -> None:
        for name in FACES:
            await warm(home.thinkers, game_named(name))
        gc.freeze()  # the compiler's many objects stay: looking through them again and again would stall the tables

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        warming = asyncio.create_task(warm_all()) if warmed else None
        yield
        if warming is not None:
            warming.cancel()
        home.close()

    routes: list[BaseRoute] = [
        Route("/", index),
        Route("/api/games", safely(games)),
        Route("/api/tables", safely(open_table), methods=["POST"]),
        Route("/api/tables/{table}/hands", safely(hands_of)),
        Route("/api/tables/{table}/statistics", safely(statistics_of)),
        Route("/api/statistics", safely(statistics_of_many), methods=["POST"]),
        Route("/api/hands", safely(import_hands), methods=["POST"]),
        Route("/api/hands/{hand}.phh", safely(export)),
        Route("/api/hands/{hand}/branch", safely(branch), methods=["POST"]),
        Route("/api/hands/{hand}", safely(hand)),
        Route("/api/watch", safely(watch_some), methods=["POST"]),
        Route("/api/watch/{show}", safely(stop_watching), methods=["DELETE"]),
        Route("/api/watch/{show}/events", safely(events)),
        Route("/api/papers", safely(papers)),
        WebSocketRoute("/ws", socket),
        Mount("/page", StaticFiles(directory=PAGE, check_dir=False)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Door, host=host)], lifespan=lifespan)


def _table(store: Store, table: str) -> str:
    if len(table) > 64 or store.table(table) is None:
        raise NotFound(f"there is no table {table[:60]!r}")
    return table


async def _hand(home: Host, request: Request) -> Json:
    id = request.path_params["hand"]
    body = home.store.hand(id) if len(id) <= 64 else None
    if body is None:
        raise NotFound(f"there is no hand {id[:60]!r}")
    await warm(home.thinkers, game_named(body["game"]))
    return body | {"id": id}


def _show(shows: Shows, request: Request) -> Show:
    found = shows.find(request.path_params["show"])
    if found is None:
        raise NotFound(f"there is nothing to watch by the name of {request.path_params['show'][:60]!r}")
    return found


async def _news(show: Show) -> AsyncIterator[str]:
    """Server-sent events: the newest state, and every newer one, until it is over."""
    while True:
        changed = show.changed
        yield f"event: {show.news['state']}\ndata: {json.dumps({'about': show.about, **show.news}, default=str)}\n\n"
        if show.over:
            return
        await changed.wait()


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("this is not text") from None
