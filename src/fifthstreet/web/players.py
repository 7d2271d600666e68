"""An agent in a chair: prepared once, asked in a thread within a time limit, and never trusted.

Whatever goes wrong, the table goes on: the seat checks or folds, or makes the first legal choice in games without
folding, and everybody sees in one sentence what went wrong.
"""

import asyncio
import copy
import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.arena.failure import blamed
from fifthstreet.errors import sentence
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import spec_of
from fifthstreet.rng import stream
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand_in_play import Deal, Hand
from fifthstreet.web.thinkers import Thinkers
from fifthstreet.web.thoughts import thought_of

SECONDS = 20.0  # for one decision
PREPARATION = 1800.0  # some learn for minutes the first time they are used

log = logging.getLogger("fifthstreet.web")


class Unfit(Exception):
    """What an agent did cannot be used; the message reveals nothing of its cards."""


@dataclass(frozen=True)
class Answer:
    """What an agent does, why, and what went wrong, if anything."""

    action: int
    thought: Json | None
    failed: str | None
    decision: Decision | None = None


class Preparation:
    """What agents learn or compute before they play: once per agent and game, and two at a time at most."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.thinkers = thinkers
        self._locks: dict[Any, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._done: set[Any] = set()
        self._heavy = asyncio.Semaphore(2)

    async def mind(self, agent: Agent, game: AnyGame) -> NDArray[np.float64]:
        """The agent's mind for this game, prepared if it is the first time."""
        key = (repr(agent), spec_of(game))

        def ask() -> NDArray[np.float64]:
            with blamed(agent, "to prepare"):
                return np.array(agent.mind(game), np.float64)

        if key in self._done:
            return await self.thinkers.do(ask, PREPARATION)
        async with self._locks[key]:
            if key in self._done:
                return await self.thinkers.do(ask, PREPARATION)
            async with self._heavy:
                mind = await self.thinkers.do(ask, PREPARATION)
            self._done.add(key)
            return mind


class Player:
    """The agent in one chair at one table; what it learns lasts as long as the table."""

    def __init__(self, agent: Agent, game: AnyGame, preparation: Preparation, seconds: float = SECONDS) -> None:
        self.agent, self.game, self.seconds = copy.deepcopy(agent), game, seconds
        self._preparation = preparation
        self._thinkers = preparation.thinkers
        self._mind: NDArray[np.float64] | None = None
        self._busy = False  # still thinking about an earlier decision that came too late

    @property
    def ready(self) -> bool:
        return self._mind is not None

    async def prepare(self) -> None:
        if self._mind is None:
            self._mind = await self._preparation.mind(self.agent, self.game)

    async def decide(self, hand: Hand, chair: int, count: int) -> Answer:
        """The agent's action now; `count` is the number of the hand at its table."""
        seat = hand.deal.order.index(chair)
        view, choices = hand.game.view(hand.state, seat), hand.game.choices(hand.state)
        try:
            if self._busy:
                raise Unfit("is still thinking about an earlier decision")
            await self.prepare()
            assert self._mind is not None
            rng = stream(int(hand.deal.seed or "0", 16), "chair", chair, "hand", count, "step", hand.changes)
            turn, order, face = Turn(hand.game, view, choices, rng, self._mind), hand.deal.order, hand.face
            self._busy = True

            def think() -> tuple[Decision, Json]:
                try:
                    decision = self.agent.decide(turn)
                    if not isinstance(decision, Decision):
                        raise Unfit("gave something that is not a Decision")
                    if decision.action not in choices:
                        raise Unfit("chose an action that is not allowed")
                    return decision, thought_of(decision, hand.game, view, face, order)
                finally:
                    self._busy = False

            decision, thought = await self._thinkers.do(think, self.seconds)
            return Answer(int(decision.action), thought, None, decision)
        except TimeoutError:
            why = f"took more than {self.seconds:g} seconds"
        except Unfit as error:
            why = str(error)
        except Exception as error:
            # Everybody at the table sees the reason, and the message of an error may contain the agent's cards.
            log.warning("%s failed: %s", self.agent.name, sentence(error))
            why = f"failed: {type(error).__name__}"
        return Answer(hand.face.fallback(choices), None, f"{self.agent.name} {why}")

    async def aside(self, work: Callable[..., None], *given: object) -> None:
        """Call some of the agent's code in a thread."""
        await self._thinkers.do(lambda: work(*given), self.seconds)

    def learn(self, hand: Hand, chair: int, payoff: float) -> None:
        """Let the agent learn from a finished hand, from its own view of it."""
        if self._mind is None or not self.agent.learns:
            return
        view = hand.view(chair)
        with blamed(self.agent, "to learn"):
            lesson = self.agent.lesson(hand.game)
            if lesson is not None:
                lesson(view, payoff, self._mind)
            self.agent.learn(view, payoff)


async def plays_alone(player: Player, deal: Deal, count: int) -> float:
    """The agent's score on a deal of a one-player game."""
    hand = Hand(deal)
    while not hand.over:
        answer = await player.decide(hand, hand.deal.order[0], count)
        hand.act(answer.action)
    return hand.payoffs()[hand.deal.order[0]]
