"""A table in play: stores and applies its events, asks its agents, and notifies everybody of changes."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fifthstreet.errors import InputError
from fifthstreet.web.absence import Absence
from fifthstreet.web.coaching import Coaching
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.finished_hands import keep
from fifthstreet.web.hand_in_play import Hand
from fifthstreet.web.lessons import learn_again, learn_from, learners
from fifthstreet.web.players import Answer, Player, plays_alone
from fifthstreet.web.snapshot import SPECTATOR, snapshot
from fifthstreet.web.store import Store
from fifthstreet.web.table import PERSON, Table

log = logging.getLogger("fifthstreet.web")

MOST_LISTENERS = 16  # at one table
MOST_SPECTATORS = 8  # beside them
AT_A_GLANCE = 0.05  # seconds of thinking that are too short to be shown
SLOWEST = 10.0  # seconds between two actions of agents


@dataclass(eq=False)
class Listener:
    """A connection to the table; a slow one gets the newest picture and may miss earlier ones."""

    chair: int  # EVERYTHING at a table without people, SPECTATOR without a seat at a table with people
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Room:
    def __init__(
        self, id: str, table: Table, store: Store, invite: Callable[[str], Player], count: int, stand_in: str
    ) -> None:
        self.id, self.table, self.store = id, table, store
        self.players = [None if who == PERSON else invite(who) for who in table.players]
        self._invite = invite
        self.absence = Absence(table, stand_in, self._present, self.commit, self.wake)
        self.listeners: set[Listener] = set()
        self.seconds = 0.6
        self.auto = not table.plan.people
        self.used = time.monotonic()
        self.hand_ids = store.hand_ids(id)
        self._count = count  # events so far
        self.coaching = Coaching(table, invite, self.commit, self.tell)
        self._thinking: set[int] = set()
        self._preparing: set[int] = set()
        self._trouble = ""
        self._driver: asyncio.Task[None] | None = None
        self._caught_up = False
        self._again = False

    # What changes the table

    def commit(self, event: Json) -> None:
        """Store an event and the hand that it finishes, then apply it: nothing is shown that could still be lost."""
        hand = self.table.hand_after(event)
        number = self.table.hands + (event["kind"] == "hand")
        with self.store.transaction():
            self.store.add_event(self.id, self._count, event)
            finished = keep(self.store, self.id, number, self.table, hand) if hand is not None and hand.over else None
        self._count += 1
        self._trouble = ""
        self.table.apply(event, hand)
        if finished is not None:
            self.hand_ids[number] = finished
        if event["kind"] in ("stand_in", "joined"):
            who = self.table.players[event["chair"]]
            self.players[event["chair"]] = None if who == PERSON else self._invite(who)
        self.tell()

    def begin(self) -> None:
        self.commit(self.table.next_hand())
        self.wake()

    def act(self, chair: int, hand: object, number: object, given: object) -> None:
        action = self.table.choice(chair, hand, number, given)
        before = self.table.hand
        assert before is not None
        self.commit({"kind": "act", "action": int(action)})
        self.coaching.judge(chair, action, before)
        self.wake()

    def undo(self, chair: int) -> None:
        self.commit(self.table.undo(chair))
        self.wake()

    def rebuy(self) -> None:
        self.commit(self.table.rebuy())

    # The players

    def wake(self) -> None:
        """Let the agents act, if it is their turn."""
        self.used = time.monotonic()
        self._again = True  # a driver that is about to stop checks once more
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        try:
            await self._catch_up()
            while self._again:
                self._again = False
                while await self._one_step():
                    pass
        except InputError as error:  # it could not be stored: the next message or connection tries again
            self._trouble = str(error)
            self.tell()
        except Exception as error:
            log.error("a table has stopped", exc_info=error)
            self._trouble = "something went wrong at this table"
            self.tell()

    async def _one_step(self) -> bool:
        """Let one agent act, or start the next hand; False if the table waits for a person."""
        hand = self.table.hand
        if hand is None:
            return False
        if hand.over:
            await learn_from(self.players, hand)
            await self._rivals(hand)
            return await self._next_by_itself(hand)
        chair = hand.to_act
        assert chair is not None
        player = self.players[chair]
        if player is None:
            self.coaching.advise(chair)
            self.absence.expect(chair)
            return False
        began, moment = time.monotonic(), (self.table.hands, hand.changes)
        answer = await self._ask(player, hand, chair)
        if self.listeners and self.seconds:
            await asyncio.sleep(max(0.0, began + self.seconds - time.monotonic()))
        same = moment == (self.table.hands, hand.changes) and self.table.hand is hand
        if same and self.players[chair] is player:  # and nobody has come for whom it stood in
            event: Json = {"kind": "act", "action": answer.action, "thought": answer.thought}
            self.commit(event | ({"failed": answer.failed} if answer.failed else {}))
        return True

    async def _ask(self, player: Player, hand: Hand, chair: int) -> Answer:
        await self._prepare(player, chair)
        with self._shown_as(self._thinking, chair):
            return await player.decide(hand, chair, self.table.hands)

    async def _prepare(self, player: Player, chair: int) -> None:
        if not player.ready:
            with self._shown_as(self._preparing, chair), contextlib.suppress(Exception):
                await player.prepare()  # a failure is reported when it is asked to decide

    @contextlib.contextmanager
    def _shown_as(self, those: set[int], chair: int) -> Iterator[None]:
        """Show what an agent is doing, unless it is done in a moment."""

        def show() -> None:
            those.add(chair)
            self.tell()

        later = asyncio.get_running_loop().call_later(AT_A_GLANCE, show)
        try:
            yield
        finally:
            later.cancel()
            those.discard(chair)

    async def _next_by_itself(self, hand: Hand) -> bool:
        if not (self.auto and self.listeners):
            return False
        await asyncio.sleep(max(2 * self.seconds, 0.05))
        if not (self.auto and self.listeners) or self.table.hand is not hand:
            return False
        with contextlib.suppress(InputError):
            self.commit(self.table.next_hand())
            return True
        self.commit(self.table.rebuy())
        return True

    async def _rivals(self, hand: Hand) -> None:
        """In a one-player game the agents play the same deal when it is over."""
        for chair, player in enumerate(self.players):
            if self.table.alone and player is not None and chair > 0 and chair not in self.table.rivals:
                await self._prepare(player, chair)
                with self._shown_as(self._thinking, chair), contextlib.suppress(Exception):
                    score = await plays_alone(player, hand.deal, self.table.hands)
                    if self.table.hand is hand:
                        self.commit({"kind": "rival", "chair": chair, "score": score})

    async def _catch_up(self) -> None:
        """After a restart, learning agents go through the hands of this table again."""
        if not self._caught_up:
            self._caught_up = True
            hand = self.table.hand
            over = [self.table.hands] if hand is not None and hand.over else []  # this one is learned from later
            if self.table.results and learners(self.players):
                bodies = await asyncio.to_thread(self.store.bodies, self.id)
                await learn_again(self.players, [body for body in bodies if body["number"] not in over])

    # The listeners

    def tell(self) -> None:
        for listener in self.listeners:
            listener.changed.set()

    def join(self, listener: Listener) -> None:
        spectators = sum(each.chair == SPECTATOR for each in self.listeners)
        if listener.chair == SPECTATOR and spectators >= MOST_SPECTATORS:
            raise InputError(f"{MOST_SPECTATORS} watch this table already")
        if listener.chair != SPECTATOR and len(self.listeners) - spectators >= MOST_LISTENERS:
            raise InputError(f"{MOST_LISTENERS} are connected to this table already")
        self.absence.ends(listener.chair)
        self.listeners.add(listener)
        self.tell()
        self.wake()

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        self.used = time.monotonic()
        if self._present():
            self.tell()
            self.wake()  # perhaps it is the turn of the one who has left

    def _present(self) -> set[int]:
        """The chairs of the people who are there."""
        return {listener.chair for listener in self.listeners if listener.chair >= 0}

    def picture(self, listener: Listener) -> Json:
        chair = listener.chair
        found = snapshot(self.table, chair, sorted(self._thinking), sorted(self._preparing))
        found |= {"id": self.id, "speed": self.seconds, "auto": self.auto, "trouble": self._trouble or None}
        for seat in found["seats"]:
            seat["absent"] = seat["seat"] in self.absence.absent
        found["may"] |= {
            "stand_in": self.absence.replaceable(chair),
            "sit": chair == SPECTATOR and bool(self.table.free),
        }
        found["stand_in"] = self.absence.agent
        found["coach"] = None if chair < 0 else self.coaching.shown(chair, self.hand_ids)
        found["hand_id"] = self.hand_ids.get(self.table.hands) if found["over"] else None
        return found

    def set_speed(self, seconds: object) -> None:
        if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 <= seconds <= SLOWEST:
            raise InputError(f"{seconds!r:.60} seconds between actions: from 0 to {SLOWEST:g} are allowed")
        self.seconds = float(seconds)
        self.tell()

    def set_auto(self, on: object) -> None:
        if not isinstance(on, bool):
            raise InputError(f"{on!r:.60}: it must be true or false")
        self.auto = on
        self.wake()

    def close(self) -> None:
        self.coaching.close()
        self.absence.close()
        if self._driver is not None:
            self._driver.cancel()
