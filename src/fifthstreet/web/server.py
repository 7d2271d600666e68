"""The web server: the page, JSON over HTTP, and one WebSocket per seat."""

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
from fifthstreet.web import finished_hands, phh, spots
from fifthstreet.web.drawing import FACES
from fifthstreet.web.drawing.face import Json, short
from fifthstreet.web.guard import Door, body_of, json_of, refusal
from fifthstreet.web.guests import catalogue
from fifthstreet.web.host import Host
from fifthstreet.web.papers import scorecard
from fifthstreet.web.players import SECONDS
from fifthstreet.web.refusals import NoTable, NotFound
from fifthstreet.web.socket import Conversation, Watch
from fifthstreet.web.solving import Solves, visitor
from fifthstreet.web.spot_of_hand import spot_of_hand
from fifthstreet.web.statistics import statistics
from fifthstreet.web.store import Store
from fifthstreet.web.table import PERSON
from fifthstreet.web.warm import warm
from fifthstreet.web.watch import Show, Shows

MOST_TABLES = 200  # in one request for statistics
MOST_HANDS = 10_000  # of one table, in its statistics
IMPORT_SECONDS = 20.0
PAGE = Path(__file__).parent / "page"

Answer = Callable[[Request], Awaitable[Response]]


def application(
    store: Store,
    host: str = "127.0.0.1",
    more_agents: Sequence[type[Agent]] = (),
    seconds: float = SECONDS,
    watch: Watch | None = None,
    report: Path | None = None,
    warmed: bool = False,
    solves: Solves | None = None,
) -> Starlette:
    """The server as an ASGI application.

    `watch` is called with the time it took to answer each message. With `warmed` all games are compiled beforehand, so
    that nobody waits at the first table. `solves` are the solver's processes, with other limits than usual.
    """
    server = Server(Host(store, more_agents, seconds), watch, report, warmed, solves or Solves())
    return Starlette(routes=server.routes(), middleware=[Middleware(Door, host=host)], lifespan=server.lifespan)


class Server:
    """Answers requests: a method for each route."""

    def __init__(self, host: Host, watch: Watch | None, report: Path | None, warmed: bool, solves: Solves) -> None:
        self.host, self.store, self.thinkers = host, host.store, host.thinkers
        self.watch, self.report, self.warmed = watch, report, warmed
        self.shows = Shows(host.thinkers, host.guests, host.store)
        self.solves = solves
        self._one_look = asyncio.Semaphore()  # at the size of a spot
        self._one_belief = asyncio.Semaphore()  # of a coach about two ranges
        self._one_import = asyncio.Semaphore()  # files are read one at a time: playing comes first

    def routes(self) -> list[BaseRoute]:
        requests: list[tuple[str, str, Answer]] = [
            ("GET", "/api/games", self.games),
            ("POST", "/api/tables", self.open_table),
            ("POST", "/api/tables/{table}/seat", self.take_seat),
            ("GET", "/api/tables/{table}/hands", self.hands_of_table),
            ("GET", "/api/tables/{table}/statistics", self.statistics_of_table),
            ("POST", "/api/statistics", self.statistics_of_tables),
            ("POST", "/api/hands", self.import_hands),
            ("GET", "/api/hands/{hand}.phh", self.export_hand),
            ("POST", "/api/hands/{hand}/branch", self.branch_off),
            ("POST", "/api/hands/{hand}/spot", self.spot_of_hand),
            ("GET", "/api/hands/{hand}", self.replay_hand),
            ("POST", "/api/watch", self.start_watching),
            ("DELETE", "/api/watch/{show}", self.stop_watching),
            ("GET", "/api/watch/{show}/events", self.events),
            ("GET", "/api/papers", self.papers),
            ("POST", "/api/spots", self.start_solving),
            ("POST", "/api/spots/look", self.look_at_spot),
            ("DELETE", "/api/spots/{spot}", self.cancel_solving),
            ("POST", "/api/spots/{spot}/stop", self.stop_solving),
            ("GET", "/api/spots/{spot}/events", self.solving_events),
            ("GET", "/api/spots/{spot}/node", self.node_of_spot),
        ]
        return [
            Route("/", self.index),
            *(Route(path, _safely(answer), methods=[method]) for method, path, answer in requests),
            WebSocketRoute("/ws", self.sit),
            Mount("/page", StaticFiles(directory=PAGE, check_dir=False)),
        ]

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        warming = asyncio.create_task(self._warm_all()) if self.warmed else None
        yield
        if warming is not None:
            warming.cancel()
        await self.solves.close()
        self.host.close()

    async def _warm_all(self) -> None:
        for name in FACES:
            await warm(self.thinkers, game_named(name))
        await self.solves.warm()
        gc.freeze()  # the compiler's many objects stay: collecting them again and again would stall the tables

    async def index(self, request: Request) -> Response:
        return FileResponse(PAGE / "index.html", headers={"Cache-Control": "no-cache"})

    async def games(self, request: Request) -> Response:
        return JSONResponse(catalogue(self.host.guests))

    # Tables

    async def open_table(self, request: Request) -> Response:
        return JSONResponse(await self.host.open(await json_of(request)), 201)

    async def take_seat(self, request: Request) -> Response:
        return JSONResponse(await self.host.take_seat(request.path_params["table"]), 201)

    async def sit(self, websocket: WebSocket) -> None:
        await Conversation(self.host, websocket, self.watch).hold()

    async def hands_of_table(self, request: Request) -> Response:
        table = self._table(request)
        return JSONResponse(await self.thinkers.do(lambda: self.store.summaries(table)))

    async def statistics_of_table(self, request: Request) -> Response:
        table = self._table(request)
        return JSONResponse(await self.thinkers.do(lambda: statistics(self.store.summaries(table, MOST_HANDS))))

    async def statistics_of_tables(self, request: Request) -> Response:
        given = await json_of(request)
        if not isinstance(given, list) or len(given) > MOST_TABLES:
            raise InputError(f"{short(given)}: it must be a list of at most {MOST_TABLES} tables")
        known = [str(table) for table in given if isinstance(table, str) and self.store.table(table) is not None]
        hands = (hand for table in known for hand in self.store.summaries(table, MOST_HANDS))
        return JSONResponse(await self.thinkers.do(lambda: statistics(hands)))

    def _table(self, request: Request) -> str:
        table = str(request.path_params["table"])
        if len(table) > 64 or self.store.table(table) is None:
            raise NoTable(f"there is no table {table[:60]!r}")
        return table

    # Finished hands

    async def replay_hand(self, request: Request) -> Response:
        body = await self._hand(request)
        return JSONResponse(await self.thinkers.do(lambda: finished_hands.replay(body)))

    async def branch_off(self, request: Request) -> Response:
        body = await self._hand(request)
        plan, event = finished_hands.branch(body, await json_of(request))
        for who in plan.chairs:
            if who != PERSON:
                self.host.guests.agent(who, body["game"])
        return JSONResponse(self.host.seat(plan, event), 201)

    async def export_hand(self, request: Request) -> Response:
        body = await self._hand(request)
        text = await self.thinkers.do(lambda: phh.exported(body))
        name = f'attachment; filename="{body["id"]}.phh"'
        return PlainTextResponse(text, headers={"Content-Disposition": name})

    async def import_hands(self, request: Request) -> Response:
        raw = await body_of(request, phh.MOST_BYTES)
        await warm(self.thinkers, game_named(phh.GAME))
        try:
            async with self._one_import:
                good, refused = await self.thinkers.do(lambda: phh.imported(_decoded(raw)), IMPORT_SECONDS)
        except TimeoutError:
            raise InputError(f"this file takes more than {IMPORT_SECONDS:g} seconds to read") from None
        if not good:
            why = refused[0]["error"] if refused else "there is no hand in it"
            raise InputError(f"no hand can be read: {why}")
        return JSONResponse({"hands": phh.keep(self.store, good), "refused": refused}, 201)

    async def _hand(self, request: Request) -> Json:
        id = request.path_params["hand"]
        body = self.store.hand(id) if len(id) <= 64 else None
        if body is None:
            raise NotFound(f"there is no hand {id[:60]!r}")
        await warm(self.thinkers, game_named(body["game"]))
        return body | {"id": id}

    # Agents that play each other, and papers

    async def start_watching(self, request: Request) -> Response:
        return JSONResponse({"id": self.shows.begin(await json_of(request)).id}, 201)

    async def stop_watching(self, request: Request) -> Response:
        self._show(request).stopped = True
        return JSONResponse({"stopping": True})

    async def events(self, request: Request) -> Response:
        return _events(self._show(request))

    async def papers(self, request: Request) -> Response:
        return JSONResponse(scorecard(self.store.results(), self.report))

    def _show(self, request: Request) -> Show:
        id = request.path_params["show"]
        found = self.shows.find(id)
        if found is None:
            raise NotFound(f"there is no match, tournament or paper {id[:60]!r} to watch")
        return found

    # Spots

    async def look_at_spot(self, request: Request) -> Response:
        given = await json_of(request)
        async with self._one_look:
            return JSONResponse(await self.thinkers.do(lambda: spots.looked_at(given)))

    async def start_solving(self, request: Request) -> Response:
        given = await json_of(request)
        async with self._one_look:
            spot = await self.thinkers.do(lambda: spots.fitting(given))
        solve = self.solves.begin(spot, _visitor(request))
        return JSONResponse({"id": solve.id, **solve.news}, 201)

    async def stop_solving(self, request: Request) -> Response:
        await self.solves.stop(request.path_params["spot"], _visitor(request), keep=True)
        return JSONResponse({"stopping": True})

    async def cancel_solving(self, request: Request) -> Response:
        await self.solves.stop(request.path_params["spot"], _visitor(request), keep=False)
        return JSONResponse({"stopping": True})

    async def solving_events(self, request: Request) -> Response:
        return _events(self.solves.find(request.path_params["spot"]))

    async def node_of_spot(self, request: Request) -> Response:
        line = spots.line(request.query_params.get("line", ""))
        return JSONResponse(await self.solves.ask(request.path_params["spot"], do="node", line=line))

    async def spot_of_hand(self, request: Request) -> Response:
        body, given = await self._hand(request), await json_of(request)
        return JSONResponse(await spot_of_hand(self.host, body, given, self._one_belief))


def _visitor(request: Request) -> str:
    return visitor(request.client.host if request.client else None)


def _safely(answer: Answer) -> Answer:
    """The same handler, with errors turned into refusals of one sentence."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Exception as error:
            return refusal(error)

    return answered


def _events(show: Show) -> Response:
    """Server-sent events: the newest state, and then every newer one until it is over."""

    async def events() -> AsyncIterator[str]:
        async for news in show.reports():
            yield f"event: {news['state']}\ndata: {json.dumps({'about': show.about, **news}, default=str)}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("this is not text") from None
