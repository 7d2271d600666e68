"""A player for measurements: half of its placements are random."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.five_o.greedy import one_placement
from fifthstreet.agents.five_o.states import PRECISE
from fifthstreet.games.five_o import ROWS, FiveOView, choice, choice_count, row_of
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, below


@kernel
def partly_random(view: FiveOView, mind: Mind, rng: RngState) -> int:
    """As greedy 2, but at random in the last row, or in all rows before it."""
    if (row_of(view.placed) == ROWS - 1) == (mind[-1] > 0):
        return choice(view, below(rng, choice_count(view)))
    return one_placement(view, mind, rng)


@dataclass
class PartlyRandom(Agent):
    """Plays as greedy 2, but at random in the last row (`in_last_row`) or in all rows before it."""

    name: ClassVar[str] = "partly-random"
    games: ClassVar[tuple[str, ...]] = ("five-o",)
    plays = partly_random

    in_last_row: bool = False

    def decide(self, turn: Turn[FiveOView]) -> Decision:
        return Decision(partly_random(turn.view, turn.mind, turn.rng.state))

    def mind(self, game: AnyGame) -> Mind:
        return np.array([0, 1.0, PRECISE, 0, 0, self.in_last_row])
