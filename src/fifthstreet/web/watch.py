"""Agents that play each other, live: matches and tournaments with running standings, and papers run again.

Each runs in a thread of its own, in small units, and its newest standing is told to whoever listens. For agents that do
not learn the result is that of `fifthstreet match` or `tournament` with the same seed.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from fifthstreet.arena.match import MatchResult
from fifthstreet.arena.party import Party, invited
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.tournament import TournamentResult
from fifthstreet.arena.units import play_unit, seatings
from fifthstreet.errors import InputError, sentence
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import spec_of
from fifthstreet.papers import paper_named
from fifthstreet.papers.reproduce import reproduce
from fifthstreet.rng import seeded
from fifthstreet.web.drawing.face import Json, number, short
from fifthstreet.web.guests import Guests, game_of
from fifthstreet.web.store import Store
from fifthstreet.web.thinkers import Thinkers

MOST_DEALS = 100_000
MOST_AGENTS = 10
MOST_KEPT = 100  # of those that are over
AT_ONCE = 2  # run at the same time; others wait
UNIT = 50


class Stopped(Exception):
    """Somebody asked for it to end."""


@dataclass
class Show:
    """Something to watch: its newest state, and whoever waits for the next."""

    id: str
    about: Json
    news: Json = field(default_factory=dict)
    over: bool = False
    stopped: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, news: Json) -> None:
        self.news = news
        self.over = news["state"] in ("done", "failed", "stopped")
        self.changed.set()
        self.changed = asyncio.Event()


Report = Callable[[Json], None]


class Shows:
    def __init__(self, thinkers: Thinkers, guests: Guests, store: Store) -> None:
        self.thinkers, self.guests, self.store = thinkers, guests, store
        self._shows: dict[str, Show] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Semaphore(AT_ONCE)

    def find(self, id: str) -> Show | None:
        return self._shows.get(id)

    def begin(self, given: Any) -> Show:
        """Start what somebody asks for."""
        if not isinstance(given, dict):
            raise InputError(f"{short(given)} is nothing to watch: an object is wanted")
        work = self._work(given)
        running = [show for show in self._shows.values() if not show.over]
        if len(running) >= 10:
            raise InputError("10 are running or waiting already: wait for one to end, or stop one")
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
        loop = asyncio.get_running_loop()

        def report(news: Json) -> None:
            if show.stopped:
                raise Stopped
            loop.call_soon_threadsafe(lambda: None if show.over else show.tell({"state": "playing", **news}))

        async with self._turn:
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
        kind = given.get("kind")
        if kind == "paper":
            paper = paper_named(str(given.get("paper"))[:60])

            def measure(report: Report) -> Json:
                found = reproduce([paper], report=lambda what, done, total: report(_progress(what, done, total)))
                return {"done": 1, "total": 1, "results": found.to_dict()}

            return measure
        if kind not in ("match", "tournament"):
            raise InputError(f"{short(kind)} is nothing to watch: a match, a tournament or a paper is")
        agents, deals = given.get("agents"), number(given.get("deals", 1000), "deals")
        seed = number(given.get("seed", 0), "seed")
        if not isinstance(agents, list) or not 1 <= len(agents) <= MOST_AGENTS:
            raise InputError(f"{short(agents)} are not agents: 1 to {MOST_AGENTS} are wanted")
        if not 1 <= deals <= MOST_DEALS:
            raise InputError(f"{deals} deals: from 1 to {MOST_DEALS:,} are played")
        seats = 2 if kind == "tournament" else len(agents)
        spec, game = game_of(given.get("game"), given.get("options", {}), seats)
        for agent in agents:
            self.guests.agent(agent, game.name)
        if kind == "match":
            return lambda report: Match(spec, game, agents, seed).play(deals, report)
        if game.seats != 2 or len(agents) < 2 or len(set(agents)) < len(agents):
            raise InputError("a tournament is for two at a table, and for two agents or more, each named once")
        return lambda report: play_tournament(spec, game, agents, deals, seed, report)


def _progress(what: str, done: int, total: int) -> Json:
    return {"what": what, "done": done, "total": total}


class Match:
    """A match that can be looked at while it is played."""

    def __init__(self, spec: str, game: AnyGame, agents: list[str], seed: int) -> None:
        self.party: Party = invited(spec, agents, None, 1)
        self.seed, self.seeds = seed, Seeds.of(seed, len(agents))
        self.orders = seatings(self.party.game.seats, len(agents))
        self.parts: list[Any] = []

    @property
    def played(self) -> int:
        return sum(len(part) for part in self.parts)

    def go_on(self, deals: int) -> None:
        """Play one more unit, of at most so many deals."""
        party, first = self.party, self.played
        count = min(UNIT, deals - first)
        self.parts.append(play_unit(party.game, party.players, self.orders, self.seeds, first, count, party.compiled))

    def result(self) -> MatchResult:
        party, rules = self.party, self.party.game
        by_deal = np.concatenate(self.parts)
        alone = rules.seats == 1
        return MatchResult(
            spec_of(rules), party.names, self.seed, by_deal, len(self.orders), UNIT, party.compiled, alone, party.learns
        )

    def play(self, deals: int, report: Report) -> Json:
        news: Json = {}
        while self.played < deals:
            self.go_on(deals)
            news = {"done": self.played, "total": deals, "standings": self.result().to_dict()["agents"]}
            report(news)
        return news


def play_tournament(spec: str, game: AnyGame, agents: list[str], deals: int, seed: int, report: Report) -> Json:
    """Every pair plays a unit, then everybody again, so that the table is fair at every moment."""
    pairs = list(combinations(range(len(agents)), 2))
    seeds = {pair: int(seeded(seed, "pair", *pair)[0] >> np.uint64(1)) for pair in pairs}
    matches = {pair: Match(spec, game, [agents[i] for i in pair], seeds[pair]) for pair in pairs}
    news: Json = {}
    total, done = len(pairs) * deals, 0
    while done < total:
        for match in matches.values():
            match.go_on(deals)
            done = sum(each.played for each in matches.values())
            report({**news, "done": done, "total": total})
        results = {pair: match.result() for pair, match in matches.items()}
        news = {
            "done": done,
            "total": total,
            **_cross_table(TournamentResult(spec, tuple(agents), deals, seed, results)),
        }
        report(news)
    return news


def _cross_table(result: TournamentResult) -> Json:
    """Standings, the best first, and what each won a deal from each."""
    order = result.order()
    cells = [[None if i == j else result.cell(i, j).to_dict() for j in order] for i in order]
    return {"standings": result.to_dict()["agents"], "order": [result.names[i] for i in order], "cells": cells}
