"""Two players that everyone knows, as yardsticks."""

from dataclasses import dataclass
from typing import ClassVar

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import raise_by
from fifthstreet.games.betting import CALL
from fifthstreet.games.game import Mind
from fifthstreet.games.holdem import HoldemView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState


@kernel
def call(view: HoldemView, mind: Mind, rng: RngState) -> int:
    return CALL


@kernel
def least_raise(view: HoldemView, mind: Mind, rng: RngState) -> int:
    return raise_by(view, 0.0)


@dataclass
class CallStation(Agent):
    """Calls every bet, and never bets."""

    name: ClassVar[str] = "call-station"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    plays = call

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        return Decision(CALL, reason="it always calls")


@dataclass
class AlwaysRaise(Agent):
    """Makes the minimum raise whenever it may raise."""

    name: ClassVar[str] = "always-raise"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    plays = least_raise

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        return Decision(least_raise(turn.view, turn.mind, turn.rng.state), reason="it always raises")
