"""What results are counted in: chips per deal, points per game; in games with blinds also big blinds per 100 hands."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fifthstreet.estimate import Estimate, bounded_mean, mean
from fifthstreet.games.game import AnyGame

GAMES = "games"  # the unit of payoffs of 1 for a win, 0 for a draw and −1 for a loss


@runtime_checkable
class Blinds(Protocol):
    """A game that is played with blinds."""

    big_blind: int


@dataclass(frozen=True)
class PayoffUnit:
    """What a mean payoff is counted in: `name` per `per`, like "chips" per "deal"."""

    name: str
    per: str
    big_blind: int | None = None

    @classmethod
    def of(cls, game: AnyGame, per: str) -> "PayoffUnit":
        """The unit of this game's payoffs, counted per deal, hand or run."""
        return cls(game.payoff_unit, per, game.big_blind if isinstance(game, Blinds) else None)

    def __str__(self) -> str:
        return f"{self.name} per {self.per}"

    def mean(self, payoffs: NDArray[np.float64], most: float = 1) -> Estimate:
        """The mean of independent payoffs; where games are counted, with an interval for numbers from −most to most."""
        bounded = self.name == GAMES and np.abs(payoffs).max(initial=0) <= most
        return bounded_mean(payoffs, -most, most) if bounded else mean(payoffs)

    def bb_per_100(self, payoff: Estimate) -> Estimate | None:
        """A mean payoff per hand in big blinds per 100 hands, or None in a game without blinds."""
        if self.big_blind is None or self.per == "run":
            return None
        scale = 100 / self.big_blind
        return Estimate(payoff.value * scale, payoff.low * scale, payoff.high * scale, payoff.count)

    def in_json(self, payoff: Estimate) -> dict[str, object]:
        """What a JSON object says of a payoff in big blinds: an entry `bb_per_100`, or nothing without blinds."""
        found = self.bb_per_100(payoff)
        return {} if found is None else {"bb_per_100": found.to_dict()}
