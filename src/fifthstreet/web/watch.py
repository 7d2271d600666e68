"""Matches and tournaments between agents to watch live, with the standings so far; and papers, measured again.

Each is played by a background thread, and its latest standings are sent to every page that watches. The result is that
of the arena's `match` or `tournament` with the same seed; agents that learn keep their memory for UNIT deals.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from fifthstreet.arena.match import Match
from fifthstreet.arena.party import invited
from fifthstreet.arena.tournament import Tournament, TournamentResult
from fifthstreet.errors import InputError, sentence
from fifthstreet.papers import paper_named
from fifthstreet.papers.reproduce import reproduce
from fifthstreet.web.drawing.face import Json, number, short
from fifthstreet.web.guests import Guests, game_of
from fifthstreet.web.store import Store
from fifthstreet.web.thinkers import Thinkers

MOST_DEALS = 100_000
MOST_AGENTS = 10
MOST_KEPT = 100  # shows that are over and can still be looked at
MOST_RUNNING = 10  # shows that run or wait
AT_ONCE = 2  # shows that run at the same time; the others wait
UNIT = 50  # short, so that the standings of agents that learn also change while they are watched


class Stopped(Exception):
    """Raised in a show that was asked to stop."""


@dataclass
class Show:
    """Something to watch: a match, a tournament or a paper."""

    id: str
    about: Json  # what was asked for
    news: Json = field(default_factory=dict)  # the latest report, with a "state"
    over: bool = False
    stopped: bool = False  # whether it was asked to stop
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


Report = Callable[[Json], None]
"""Is called with the latest report; raises Stopped if the show was asked to stop."""


class Shows:
    """All shows of a server."""

    def __init__(self, thinkers: Thinkers, guests: Guests, store: Store) -> None:
        self.thinkers, self.guests, self.store = thinkers, guests, store
        self._shows: dict[str, Show] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Semaphore(AT_ONCE)

    def find(self, id: str) -> Show | None:
        """The show with this id, if there is one."""
        return self._shows.get(id)

    def begin(self, given: object) -> Show:
        """Start the show that a request describes: its kind, game, agents, deals and seed, or a paper."""
        if not isinstance(given, dict):
            raise InputError(f"{short(given)} is nothing to watch: a JSON object is expected")
        work = self._work(given)
        running = [show for show in self._shows.values() if not show.over]
        if len(running) >= MOST_RUNNING:
            raise InputError(f"{MOST_RUNNING} are running or waiting already: wait for one to end, or stop one")
        for id in [id for id, show in self._shows.items() if show.over][: max(0, len(self._shows) - MOST_KEPT)]:
            del self._shows[id]
        show = Show(secrets.token_urlsafe(12), {key: value for key, value in given.items() if key != "type"})
        show.tell({"state": "waiting", "done": 0, "total": 1})
        self._shows[show.id] = show
        task = asyncio.create_task(self._run(show, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return show

    async def _run(self, show: Show, work: Callable[[Report], Json]) -> None:
        """Do the work of a show when it is its turn, and pass on its reports."""
        loop = asyncio.get_running_loop()

        def report(news: Json) -> None:
            if show.stopped:
                raise Stopped
            loop.call_soon_threadsafe(lambda: None if show.over else show.tell({"state": "playing", **news}))

        async with self._turn:
            show.tell(show.news | {"state": "playing"})  # it waits for nobody any more
            try:
                result = await self.thinkers.do(lambda: work(report))
                if show.about["kind"] == "paper":
                    self.store.add_results(str(show.about["paper"]), result["results"])
                show.tell({"state": "done", **result})
            except Stopped:
                show.tell({"state": "stopped", **{key: show.news[key] for key in show.news if key != "state"}})
            except InputError as error:
                show.tell({"state": "failed", "error": str(error)[:300], "done": 0, "total": 1})
            except Exception as error:
                show.tell({"state": "failed", "error": sentence(error), "done": 0, "total": 1})

    def _work(self, given: Json) -> Callable[[Report], Json]:
        """Check a request; returns the function that does the work, which gives its reports and its last one."""
        kind = given.get("kind")
        if kind == "paper":
            paper = paper_named(str(given.get("paper"))[:60])

            def measure(report: Report) -> Json:
                found = reproduce([paper], report=lambda what, done, total: report(_progress(what, done, total)))
                return {"done": 1, "total": 1, "results": found.to_dict()}

            return measure
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
        for agent in agents:
            self.guests.agent(agent, game.name)
        if kind == "match":
            return lambda report: play_match(Match(invited(spec, agents, workers=1), deals, seed, UNIT), report)
        if game.seats != 2 or len(agents) < 2 or len(set(agents)) < len(agents):
            raise InputError("a tournament is for games with 2 seats, and for 2 agents or more, each named once")
        return lambda report: play_tournament(Tournament.between(spec, agents, deals, seed, 1, UNIT), report)


def _progress(what: str, done: int, total: int) -> Json:
    return {"what": what, "done": done, "total": total}


def play_match(match: Match, report: Report) -> Json:
    """Play a match and report its standings after every round; returns the last report."""
    news: Json = {}
    for _ in match.rounds():
        result = match.result().to_dict()
        standings = {"standings": result["agents"], "payoff_unit": result["payoff_unit"]}
        news = {"done": match.played, "total": match.deals, **standings}
        report(news)
    return news


def play_tournament(tournament: Tournament, report: Report) -> Json:
    """Let all pairs play a round in turn, so that the table compares like with like; returns the last report."""
    news: Json = {}
    total = len(tournament.matches) * tournament.deals
    playing = [match.rounds() for match in tournament.matches.values()]
    while playing:
        unfinished = []
        for rounds in playing:
            if next(rounds, None) is not None:
                unfinished.append(rounds)
                report({**news, "done": tournament.played, "total": total})
        playing = unfinished
        news = {"done": tournament.played, "total": total, **_cross_table(tournament.result())}
        report(news)
    return news


def _cross_table(result: TournamentResult) -> Json:
    """Standings, best first, and what each agent won per deal from each other."""
    order, found = result.order(), result.to_dict()
    cells = [[None if i == j else result.cell(i, j).to_dict() for j in order] for i in order]
    return {
        "standings": found["agents"],
        "payoff_unit": found["payoff_unit"],
        "order": [result.names[i] for i in order],
        "cells": cells,
    }
