"""The first players of Dreher and Zharkov's simulator: one plays at random, one looks at its made hand."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.holdem.reading import strength_now
from fifthstreet.evaluation.hand import Category, describe
from fifthstreet.evaluation.strength import category_number
from fifthstreet.games.betting import CALL
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.holdem import HoldemView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, below

Aggressivity = Literal["conservative", "moderate", "risky"]


def level(aggressivity: Aggressivity) -> int:
    """The a of the formulas: 1 for a conservative player, 2 for a moderate one, 3 for a risky one."""
    return get_args(Aggressivity).index(aggressivity) + 1


@kernel
def any_of_three(view: HoldemView, mind: Mind, rng: RngState) -> int:
    """Fold, call or raise by one to four big blinds, each with the same probability; it never folds for free."""
    pick = below(rng, 3)
    if pick == 0:
        return give_up(view)
    if pick == 1:
        return CALL
    return raise_by(view, view.small_bet + below(rng, 3 * view.small_bet + 1))


@dataclass
class RandomRaiser(Agent):
    """Folds, calls or raises by one to four big blinds, whatever it holds."""

    name: ClassVar[str] = "random"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    source: ClassVar[str] = "holdem-simulator §2.2.1"
    plays = any_of_three

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        action = any_of_three(turn.view, turn.mind, turn.rng.state)
        return Decision(action, reason="fold, call or raise, each with the same probability")


# Table 2.1: the weakest hand with which a player calls, and the weakest with which it raises.
THRESHOLDS: dict[Aggressivity, tuple[Category, Category]] = {
    "conservative": (Category.THREE_OF_A_KIND, Category.STRAIGHT),
    "moderate": (Category.TWO_PAIR, Category.THREE_OF_A_KIND),
    "risky": (Category.PAIR, Category.TWO_PAIR),
}


@kernel
def raise_size(power: int, a: float, blind: float) -> float:
    """Formula 2.1."""
    return math.exp(power / 3 - 3) * 100 * a + blind


@kernel
def by_power(view: HoldemView, mind: Mind, rng: RngState) -> int:
    if view.street == 0:
        return any_of_three(view, mind, rng)
    power = category_number(strength_now(view))
    if power < mind[1]:
        return give_up(view)
    if power < mind[2]:
        return CALL
    return raise_by(view, raise_size(power, mind[0], mind[3] * view.small_bet))


@dataclass
class PowerRanking(Agent):
    """Folds, calls or raises according to the category of its made hand; before the flop it plays at random.

    add_blind   whether b is added in formula 2.1; the authors' program leaves it out
    """

    name: ClassVar[str] = "power-ranking"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    source: ClassVar[str] = "holdem-simulator §2.2.2"
    plays = by_power

    aggressivity: Aggressivity = "moderate"
    add_blind: bool = True

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        view = turn.view
        action = by_power(view, turn.mind, turn.rng.state)
        if view.street == 0:
            return Decision(action, reason="before the flop it plays at random")
        strength = strength_now(view)
        call, bet = THRESHOLDS[self.aggressivity]
        return Decision(
            action,
            reason=f"{describe(strength)}: calls from {call} on, raises from {bet} on",
            figures={"strength": strength, "power": category_number(strength)},
        )

    def mind(self, game: AnyGame) -> Mind:
        return np.array([level(self.aggressivity), *THRESHOLDS[self.aggressivity], self.add_blind], np.float64)
