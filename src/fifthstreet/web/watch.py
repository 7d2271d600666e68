"""Matches and tournaments between agents to watch live, with the standings so far; and papers, measured again.

Each is played by a process of its own (`show_process.py`), so that none waits for another and each can be ended at
once, and its latest standings are sent to every page that watches. The result is that of the arena's `match` or
`tournament` with the same seed; agents that learn keep their memory for UNIT deals.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from fifthstreet.errors import InputError
from fifthstreet.papers import paper_named
from fifthstreet.web.drawing.face import Json, number, short
from fifthstreet.web.foreign import packed
from fifthstreet.web.guests import Guests, game_of
from fifthstreet.web.processes import Ended, Process
from fifthstreet.web.refusals import refusal_of
from fifthstreet.web.store import Store

ENTRY = "fifthstreet.web.show_process:main"

MOST_DEALS = 100_000
MOST_AGENTS = 10
MOST_KEPT = 100  # shows that are over and can still be looked at
MOST_RUNNING = 10  # shows that run
MOST_OF_ONE = 4  # of these, for one visitor
MEMORY_MB = 2000.0  # for one
MOST_SECONDS = 6 * 3600.0  # for one


@dataclass
class Show:
    """Something to watch: a match, a tournament or a paper."""

    id: str
    about: Json  # what was asked for
    address: str = ""  # of the visitor who asked for it
    news: Json = field(default_factory=dict)  # the latest report, with a "state"
    over: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)  # set when there is a new report

    def tell(self, news: Json) -> None:
        """Replace the latest report, and wake everyone who waits for it."""
        self.news = news
        self.over = news["state"] in ("done", "failed", "stopped")
        self.changed.set()
        self.changed = asyncio.Event()

    async def reports(self) -> AsyncIterator[Json]:
        """The latest report, and every later one until it is over; somebody slow misses some."""
        while True:
            changed = self.changed
            yield self.news
            if self.over:
                return
            await changed.wait()


class Shows:
    """All shows of a server."""

    def __init__(self, guests: Guests, store: Store) -> None:
        self.guests, self.store = guests, store
        self._shows: dict[str, Show] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def find(self, id: str) -> Show | None:
        """The show with this id, if there is one."""
        return self._shows.get(id)

    def begin(self, given: object, address: str) -> Show:
        """Start the show that a request describes: its kind, game, agents, deals and seed, or a paper."""
        if not isinstance(given, dict):
            raise InputError(f"{short(given)} is nothing to watch: a JSON object is expected")
        order = self._order(given)
        running = [show for show in self._shows.values() if not show.over]
        if len(running) >= MOST_RUNNING:
            raise InputError(f"{MOST_RUNNING} are running already: wait for one to end")
        if sum(show.address == address for show in running) >= MOST_OF_ONE:
            raise InputError(f"{MOST_OF_ONE} of yours are running already: wait for one to end, or stop one")
        for id in [id for id, show in self._shows.items() if show.over][: max(0, len(self._shows) - MOST_KEPT)]:
            del self._shows[id]
        show = Show(secrets.token_urlsafe(12), {key: value for key, value in given.items() if key != "type"}, address)
        show.tell({"state": "waiting", "done": 0, "total": 1})
        self._shows[show.id] = show
        self._tasks[show.id] = asyncio.create_task(self._run(show, order))
        return show

    def stop(self, show: Show) -> None:
        """End it at once."""
        if not show.over:
            show.tell({**show.news, "state": "stopped"})
            self._tasks[show.id].cancel()

    async def _run(self, show: Show, order: Json) -> None:
        """Let a process do it, and pass on its reports."""
        process = None
        try:
            async with asyncio.timeout(MOST_SECONDS):
                process = await Process.start(ENTRY, MEMORY_MB)
                process.order(**order)
                show.tell({"state": "playing", "done": 0, "total": order.get("deals", 1)})
                while not show.over:
                    news = await process.answer()
                    if news["state"] == "done" and order["kind"] == "paper":
                        self.store.add_results(order["paper"], news["results"])
                    show.tell(news if "total" in news else {"done": 0, "total": 1, **news})
        except TimeoutError:
            self._fail(show, f"this took more than {MOST_SECONDS / 3600:g} hours, and was ended")
        except Ended:
            self._fail(show, "this was ended: an agent crashed, or needed more memory than is allowed")
        except Exception as error:
            self._fail(show, refusal_of(error).text)
        finally:
            if process is not None:
                process.kill()
            self._tasks.pop(show.id, None)

    def _fail(self, show: Show, why: str) -> None:
        show.tell({"state": "failed", "error": why, "done": 0, "total": 1})

    def close(self) -> None:
        for show in self._shows.values():
            self.stop(show)

    def _order(self, given: Json) -> Json:
        """Check a request; returns the order to the process."""
        kind = given.get("kind")
        if kind == "paper":
            return {"kind": kind, "paper": paper_named(str(given.get("paper"))[:60]).name}
        if kind not in ("match", "tournament"):
            raise InputError(f"{short(kind)} is nothing to watch: it must be a match, a tournament or a paper")
        agents, deals = given.get("agents"), number(given.get("deals", 1000), "deals")
        seed = number(given.get("seed", 0), "seed")
        if not isinstance(agents, list) or not 1 <= len(agents) <= MOST_AGENTS:
            raise InputError(f"{short(agents)} are not agents: a list of 1 to {MOST_AGENTS} is expected")
        if not 1 <= deals <= MOST_DEALS:
            raise InputError(f"{deals} deals: from 1 to {MOST_DEALS:,} can be watched")
        seats = 2 if kind == "tournament" else len(agents)
        spec, game = game_of(given.get("game"), given.get("options", {}), seats)
        players = [self.guests.agent(agent, game.name) for agent in agents]
        if kind == "tournament" and (game.seats != 2 or len(agents) < 2 or len(set(agents)) < len(agents)):
            raise InputError("a tournament is for games with 2 seats, and for 2 agents or more, each named once")
        named = [
            player if type(player) in self.guests.more else agent for player, agent in zip(players, agents, strict=True)
        ]
        return {"kind": kind, "game": spec, "deals": deals, "seed": seed, "agents": packed(named)}
