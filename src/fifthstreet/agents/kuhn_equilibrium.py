"""Optimal play in Kuhn poker, which is known exactly and so shows whether the arena counts correctly."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.kuhn import KuhnView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, uniform


@kernel
def bet_probability(view: KuhnView, bluff: float) -> float:
    """The probability with which optimal play bets (or calls). `bluff` picks one of the first player's equilibria."""
    if view.moves == 0:  # first to act: bluff with a jack, and bet a king three times as often
        return bluff if view.card == 0 else 0.0 if view.card == 1 else 3.0 * bluff
    if view.card == 2:
        return 1.0
    if view.moves == 1:
        if view.bets == 1:  # facing a bet
            return 1.0 / 3.0 if view.card == 1 else 0.0
        return 1.0 / 3.0 if view.card == 0 else 0.0  # after a pass, bluff with a jack
    return bluff + 1.0 / 3.0 if view.card == 1 else 0.0  # passed and now facing a bet


@kernel
def equilibrium(view: KuhnView, mind: Mind, rng: RngState) -> int:
    return 1 if uniform(rng) < bet_probability(view, mind[0]) else 0


@dataclass
class KuhnEquilibrium(Agent):
    """Cannot be beaten in the long run: loses 1/18 a deal in the first seat and wins it in the second."""

    name: ClassVar[str] = "equilibrium"
    games: ClassVar[tuple[str, ...]] = ("kuhn",)
    source: ClassVar[str] = "H. W. Kuhn, A simplified two-person poker, 1950"
    plays = equilibrium

    bluff: float = 1 / 3

    def __post_init__(self) -> None:
        if not 0 <= self.bluff <= 1 / 3:
            raise InputError(f"bluff={self.bluff}: best play bluffs with a probability from 0 to 1/3")

    def decide(self, turn: Turn[KuhnView]) -> Decision:
        chance = bet_probability(turn.view, self.bluff)
        action = turn.choices[equilibrium(turn.view, turn.mind, turn.rng.state)]
        return Decision(action, reason=f"best play bets here with probability {chance:.3f}", figures={"bet": chance})

    def mind(self, game: AnyGame) -> Mind:
        return np.array([self.bluff])
