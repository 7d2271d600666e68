"""Players that go by the chance of each column to win, simulated or exact (§II.B.4 and 5).

Readings. A tied column counts as won, as the paper's table f has it (`ties` changes that). Which columns the players
would rather fill with which cards is left out: both sides of a column are completed at random. In the last row the
opponent's hidden cards are among the unseen ones.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.five_o.chances import all_chances, best_column
from fifthstreet.errors import InputError, whole
from fifthstreet.games.five_o import COLUMNS, FiveOView
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState


@kernel
def by_chance(view: FiveOView, mind: Mind, rng: RngState) -> int:
    put, wait = np.empty(COLUMNS), np.empty(COLUMNS)
    all_chances(view, int(mind[0]), mind[1], rng, put, wait)
    return best_column(put, wait, np.empty(COLUMNS))


@dataclass
class Exact(Agent):
    """Places the card where the chance to win the game is best, by the exact chances of the columns."""

    name: ClassVar[str] = "exact"
    games: ClassVar[tuple[str, ...]] = ("five-o",)
    source: ClassVar[str] = "five-o §II.B.5"
    plays = by_chance

    ties: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.ties <= 1:
            raise InputError(f"ties={self.ties!r}: a tie counts from 0 to 1")

    def decide(self, turn: Turn[FiveOView]) -> Decision:
        put, wait, wins = np.empty(COLUMNS), np.empty(COLUMNS), np.empty(COLUMNS)
        all_chances(turn.view, int(turn.mind[0]), self.ties, turn.rng.state, put, wait)
        best = best_column(put, wait, wins)
        chances = {column: float(wins[column]) for column in range(COLUMNS) if wins[column] == wins[column]}
        return Decision(
            best,
            values=chances,
            reason=f"wins the game with {100 * wins[best]:.1f} %: column {best + 1} goes from "
            f"{100 * wait[best]:.0f} to {100 * put[best]:.0f} %",
            figures={
                "put": [None if np.isnan(chance) else float(chance) for chance in put],
                "wait": wait.tolist(),
                "win": max(chances.values()),
            },
        )

    def mind(self, game: AnyGame) -> Mind:
        return np.array([getattr(self, "samples", 0), self.ties])


@dataclass
class MonteCarlo(Exact):
    """The same with simulated chances."""

    name: ClassVar[str] = "monte-carlo"
    source: ClassVar[str] = "five-o §II.B.4"

    samples: int = 100_000

    def __post_init__(self) -> None:
        super().__post_init__()
        self.samples = whole(self.samples, "samples", least=1, most=10_000_000)
