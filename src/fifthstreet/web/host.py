"""All tables in memory: opened, loaded from the store, and dropped from memory when nobody is there."""

import contextlib
import secrets
import time
from collections.abc import Sequence

from fifthstreet.agents import Agent
from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing.face import Json, short
from fifthstreet.web.finished_hands import keep
from fifthstreet.web.guests import Guests, against, game_of
from fifthstreet.web.hand_in_play import Hand
from fifthstreet.web.players import SECONDS, Player, Preparation
from fifthstreet.web.refusals import NoSeat, NoTable
from fifthstreet.web.room import Room
from fifthstreet.web.snapshot import EVERYTHING, SPECTATOR
from fifthstreet.web.store import Store
from fifthstreet.web.table import ABSENT, PERSON, Plan, Table
from fifthstreet.web.thinkers import Thinkers
from fifthstreet.web.warm import warm

MOST_ROOMS = 1000  # tables in memory
LONGEST = 86_400  # seconds that a table waits for somebody
IDLE = 600.0  # seconds after which an empty table is dropped from memory


class Host:
    def __init__(self, store: Store, more_agents: Sequence[type[Agent]] = (), seconds: float = SECONDS) -> None:
        self.store, self.guests, self.seconds = store, Guests(more_agents), seconds
        self.thinkers = Thinkers()
        self.preparation = Preparation(self.thinkers)
        self.rooms: dict[str, Room] = {}
        self._tokens: dict[str, dict[str, int]] = {}

    async def open(self, given: object) -> Json:
        """Open the table that a request asks for, and start its first hand."""
        if not isinstance(given, dict):
            raise InputError(f"{short(given)} is not a table: it must be an object")
        known = {"game", "options", "seats", "practice", "stacks", "stand_in", "absent_s"}
        if set(given) - known:
            raise InputError(
                f"{short(sorted(set(given) - known))} is not known: a table has {', '.join(sorted(known))}"
            )
        chairs = given.get("seats")
        if not isinstance(chairs, list) or len(chairs) > 10:
            raise InputError(f'{short(chairs)} are not seats: they must be a list of "you" and agents')
        spec, game = game_of(given.get("game"), given.get("options", {}), len(chairs))
        for who in chairs:
            if who != PERSON:
                self.guests.agent(who, game.name)
        if game.seats == 1 and (PERSON in chairs[1:] or not chairs):
            raise InputError("a one-player game has one person, in the first seat; agents then play the same deal")
        practice, stacks = given.get("practice", False), given.get("stacks", "carry")
        if not isinstance(practice, bool) or stacks not in ("carry", "reset"):
            raise InputError(f"practice {short(practice)} and stacks {short(stacks)}: true or false, carry or reset")
        stand_in, absent_s = given.get("stand_in"), given.get("absent_s", ABSENT)
        if stand_in is not None:
            self.guests.agent(stand_in, game.name)
        if absent_s is not None and (type(absent_s) not in (int, float) or not 0 <= absent_s <= LONGEST):
            raise InputError(f"absent_s {short(absent_s)}: from 0 to {LONGEST:,} seconds, or null")
        await warm(self.thinkers, game)
        return self.seat(Plan(spec, tuple(chairs), practice, stacks == "carry", stand_in, absent_s))

    def seat(self, plan: Plan, first: Json | None = None) -> Json:
        """Open the table of a plan; `first` is the event that starts its first hand, if that is not a new one."""
        self._make_room()
        table, id = Table(plan), secrets.token_urlsafe(12)
        tokens = {secrets.token_urlsafe(24): chair for chair in plan.people or [EVERYTHING]}
        event = table.next_hand() if first is None else first
        with self.store.transaction():
            self.store.add_table(id, plan.to_json(), tokens)
            room = self._room(id, table, 0)
            room.commit(event)
        self.rooms[id], self._tokens[id] = room, tokens
        room.wake()
        seats = [{"seat": None if chair == EVERYTHING else chair, "token": token} for token, chair in tokens.items()]
        return {"table": id, **seats[0], "seats": seats}

    def _room(self, id: str, table: Table, count: int) -> Room:
        stand_in = table.plan.stand_in or against(self.guests, table.game.name)[0]
        return Room(id, table, self.store, lambda spec: self.player(spec, table.game), count, stand_in)

    def player(self, spec: str, game: AnyGame) -> Player:
        return Player(self.guests.agent(spec, game.name), game, self.preparation, self.seconds)

    async def find(self, id: object) -> Room:
        """The table with this id, from memory or from the store."""
        if isinstance(id, str) and id in self.rooms:
            return self.rooms[id]
        found = self.store.table(id) if isinstance(id, str) and len(id) <= 64 else None
        if found is None or not isinstance(id, str):
            raise NoTable(f"there is no table {short(id)}")
        self._make_room()
        plan = Plan.from_json(found[0])

        def again() -> tuple[Table, int, list[tuple[int, Hand]]]:
            table, events, known = Table(plan), self.store.events(id), self.store.hand_ids(id)
            missing = []
            for event in events:
                hand = table.hand_after(event)
                table.apply(event, hand)
                if hand is not None and hand.over and table.hands not in known:
                    missing.append((table.hands, hand))
            return table, len(events), missing

        await warm(self.thinkers, Table(plan).game)
        table, count, missing = await self.thinkers.do(again)
        if id in self.rooms:  # another request loaded it meanwhile
            return self.rooms[id]
        with contextlib.suppress(InputError), self.store.transaction():  # if it fails, the next load tries again
            for number, hand in missing:
                keep(self.store, id, number, table, hand)
        room = self._room(id, table, count)
        self.rooms[id], self._tokens[id] = room, room.table.tokens(found[1])
        return room

    async def sit(self, id: object, token: object) -> tuple[Room, int]:
        """The table, and the chair that this token is for."""
        room = await self.find(id)
        for known, chair in self._tokens[room.id].items():
            if isinstance(token, str) and token.isascii() and secrets.compare_digest(known, token):
                return room, chair
        raise NoSeat("this token is for no seat at this table")

    async def watch(self, id: object) -> tuple[Room, int]:
        """The table, for somebody without a seat; all cards are open only where nobody but agents plays."""
        room = await self.find(id)
        return room, SPECTATOR if room.table.plan.people else EVERYTHING

    async def take_seat(self, id: object) -> Json:
        """Give the first seat of a friend that is still free to the one who asks; an earlier link to it ends."""
        room = await self.find(id)
        if not room.table.free:
            raise NoSeat("no seat is free at this table")
        chair, token = room.table.free[0], secrets.token_urlsafe(24)
        room.absence.ends(chair, token)
        self._tokens[room.id] = room.table.tokens(self._tokens[room.id])
        return {"table": room.id, "seat": chair, "token": token}

    def _make_room(self) -> None:
        now = time.monotonic()
        for id, room in list(self.rooms.items()):
            if not room.listeners and now - room.used > IDLE:
                self._put_away(id)
        if len(self.rooms) >= MOST_ROOMS:
            empty = [id for id, room in self.rooms.items() if not room.listeners]
            if not empty:
                raise InputError(f"{MOST_ROOMS} tables are being played, and there is no room for another")
            self._put_away(min(empty, key=lambda id: self.rooms[id].used))

    def _put_away(self, id: str) -> None:
        self.rooms.pop(id).close()
        self._tokens.pop(id)

    def close(self) -> None:
        for room in self.rooms.values():
            room.close()
        self.store.close()
