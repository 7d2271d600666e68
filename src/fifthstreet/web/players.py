"""An agent in a chair: it thinks in another process, within limits, and is never trusted.

Whatever goes wrong, the table goes on: the seat checks or folds, or makes the first legal choice in games without
folding, and everybody sees in one sentence what went wrong.
"""

import asyncio
import itertools
import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from fifthstreet.agents.agent import Agent, AgentFailure, Decision
from fifthstreet.games.game import AnyGame
from fifthstreet.rng import stream
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.foreign import packed
from fifthstreet.web.hand_in_play import Deal, Hand
from fifthstreet.web.processes import Ended
from fifthstreet.web.workers import Workers

SECONDS = 20.0  # for one decision
ILLEGAL = "chose an action that is not allowed"

log = logging.getLogger("fifthstreet.web")

_numbers = itertools.count()


@dataclass(frozen=True)
class Answer:
    """What an agent does, why, and what went wrong, if anything."""

    action: int
    thought: Json | None
    failed: str | None
    decision: Decision | None = None


class Preparation:
    """What agents learn or compute before they play: once per agent and game, however many tables wait for it."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._locks: dict[bytes, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._done: set[bytes] = set()

    async def of(self, player: "Player") -> None:
        """Make sure that the agent's mind for this game can be had quickly."""
        if player.about in self._done:
            return
        async with self._locks[player.about]:
            if player.about not in self._done:
                await player.ask("prepare")
                self._done.add(player.about)
        self._locks.pop(player.about, None)


class Player:
    """The agent in one chair at one table; what it learns lasts as long as the table."""

    def __init__(
        self, agent: Agent, game: AnyGame, preparation: Preparation, seconds: float = SECONDS, who: str = ""
    ) -> None:
        """`who` is in whose turn it thinks, if not in its own."""
        self.agent, self.game, self.seconds = agent, game, seconds
        self.about = packed((agent, game))
        self.ready = False
        self._preparation, self._workers = preparation, preparation.workers
        self._number = next(_numbers)
        self.who = who or f"seat {self._number}"
        self._state: str | None = None  # of an agent that learns, after its last lesson
        self._slow = False
        self._hand: tuple[AnyGame | None, bytes] = (None, b"")  # packed, for the hand that is being played

    async def prepare(self) -> None:
        if not self.ready:
            await self._preparation.of(self)
            self.ready = True

    async def ask(
        self, do: str, seconds: float | None = None, wanted: Callable[[], bool] = lambda: True, **more: object
    ) -> Json:
        """What the agent answers; AgentFailure says in a few words what went wrong, if anything."""
        limit = self.seconds if seconds is None else seconds
        order = {"do": do, "seat": self._number, "about": self.about, "state": self._state, **more}
        try:
            found, self._slow = await self._workers.do(self.who, limit, self._slow, wanted, **order)
        except TimeoutError:
            self._slow = True
            raise AgentFailure(f"took more than {limit:g} seconds") from None
        except Ended:
            raise AgentFailure("crashed, or needed more memory than is allowed") from None
        if "log" in found:
            log.warning("%s failed: %s", self.agent.name, found["log"])
        if "failed" in found:
            raise AgentFailure(str(found["failed"])[:200])
        done: Json = found["done"]
        self._state = done.get("state", self._state)
        return done

    async def decide(self, hand: Hand, chair: int, count: int, wanted: Callable[[], bool] = lambda: True) -> Answer:
        """The agent's action now; `count` is the number of the hand at its table. Unwanted if nobody waits for it."""
        seat, choices = hand.deal.order.index(chair), hand.game.choices(hand.state)
        rng = stream(int(hand.deal.seed or "0", 16), "chair", chair, "hand", count, "step", hand.changes)
        try:
            await self.prepare()
            done = await self.ask(
                "decide",
                None,
                wanted,
                hand=self._packed(hand),
                view=packed(hand.game.view(hand.state, seat)),
                rng=rng.state.tobytes(),
                order=hand.deal.order,
            )
            action = done["action"]
            if action not in choices:
                raise AgentFailure(ILLEGAL)
            return Answer(action, done["thought"], None, Decision(action, dict(done["values"])))
        except AgentFailure as error:
            return Answer(hand.face.fallback(choices), None, f"{self.agent.name} {error}")

    def _packed(self, hand: Hand) -> bytes:
        """The rules of the hand and the face of its game."""
        if self._hand[0] is not hand.game:
            self._hand = hand.game, packed((hand.game, hand.face))
        return self._hand[1]

    async def learn(self, hand: Hand, chair: int, payoff: float) -> None:
        """Let the agent learn from a finished hand, from its own view of it."""
        await self.prepare()
        await self.ask("learn", hand=self._packed(hand), view=packed(hand.view(chair)), payoff=payoff)


async def plays_alone(player: Player, deal: Deal, count: int) -> float:
    """The agent's score on a deal of a one-player game."""
    hand = Hand(deal)
    while not hand.over:
        answer = await player.decide(hand, hand.deal.order[0], count)
        hand.act(answer.action)
    return hand.payoffs()[hand.deal.order[0]]
