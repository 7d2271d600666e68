"""The simulator's second players: what they are willing to pay grows with the strength of their hand.

How the paper is read here. Hand strength is the chance to win against everyone still in: before the flop the table for
that many players, later the share of one opponent's possible hands that are worse (equal ones count half), to the power
of the number of opponents (`against=one` leaves the power out). A player that raises, raises to w, which is what it is
willing to pay on this street, and calls if w is less than the minimum raise. Formula 3.2 then decides nothing, since w
is above the bet anyway; with `raises=by` the player raises by w whenever the formula says so. Pot odds are the cost of
a call over the pot after it.
"""

import functools
import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.holdem.power_ranking import Aggressivity, level
from fifthstreet.agents.holdem.reading import raises, share_against_one, share_against_random, starting_class
from fifthstreet.errors import whole
from fifthstreet.games.betting import CALL, lowest_raise
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.holdem import HoldemView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState

# The mind: a, the number of samples or 0, the two options, then the equity of each class against 1 to 9 opponents.
LEVEL, SAMPLES, AGAINST_ONE, RAISE_BY, PREFLOP = 0, 1, 2, 3, 4
MIND = PREFLOP + 9 * 169


@functools.cache
def _preflop_shares() -> Mind:
    from fifthstreet.evaluation.preflop import preflop_table

    return np.array([[entry.share for entry in preflop_table(players).values()] for players in range(2, 11)]).ravel()


@kernel
def strength_against_one(view: HoldemView, mind: Mind, seat: int, street: int) -> float:
    """The hand strength of a seat whose cards are known, against one opponent, on the board of this street."""
    if street == 0:
        return mind[PREFLOP + starting_class(view, seat)]
    return share_against_one(view, seat, street)


@kernel
def hand_strength(view: HoldemView, mind: Mind, rng: RngState) -> float:
    """The h of formula 3.1."""
    seat, street = view.seat, view.street
    opponents = 1 if mind[AGAINST_ONE] else view.live - 1
    if street == 0:
        return mind[PREFLOP + 169 * (opponents - 1) + starting_class(view, seat)]
    if mind[SAMPLES] > 0 and street < 3:
        return share_against_random(view, opponents, int(mind[SAMPLES]), rng)
    return share_against_one(view, seat, street) ** opponents


@kernel
def willing_to_pay(strength: float, a: float, blind: int) -> float:
    """Formula 3.1."""
    return math.exp(3 * strength - 3) * 100 * a + blind


@kernel
def act_on(view: HoldemView, mind: Mind, willing: float) -> int:
    """The pot-odds rule, and formula 3.2."""
    cost = view.to_call
    odds = cost / (view.pot + cost)
    if willing < odds * cost:
        return give_up(view)
    if willing > cost / (1 + raises(view)):
        if mind[RAISE_BY]:
            return raise_by(view, willing)
        if willing >= lowest_raise(view, view.seat):
            return raise_by(view, willing - view.high_bet)
    return CALL


@kernel
def by_hand_strength(view: HoldemView, mind: Mind, rng: RngState) -> int:
    strength = hand_strength(view, mind, rng)
    return act_on(view, mind, willing_to_pay(strength, mind[LEVEL], view.small_bet))


@dataclass
class HandStrength(Agent):
    """Pays and raises what its hand strength makes it willing to, judged by the board as it lies."""

    name: ClassVar[str] = "hand-strength"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    source: ClassVar[str] = "holdem-simulator §3.3.1"
    plays = by_hand_strength

    aggressivity: Aggressivity = "moderate"
    against: Literal["all", "one"] = "all"
    raises: Literal["to", "by"] = "to"

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        view = turn.view
        strength = hand_strength(view, turn.mind, turn.rng.state)
        willing = willing_to_pay(strength, turn.mind[LEVEL], view.small_bet)
        return Decision(
            act_on(view, turn.mind, willing),
            reason=f"hand strength {strength:.2f} against {view.live - 1}: willing to pay {willing:.0f}, "
            f"and a call costs {view.to_call}",
            figures={"hand strength": strength, "willing to pay": willing},
        )

    def mind(self, game: AnyGame) -> Mind:
        readings = [self.against == "one", self.raises == "by"]
        return np.concatenate([[level(self.aggressivity), 0, *readings], _preflop_shares()])


@dataclass
class ImprovedHandStrength(HandStrength):
    """The same, with the missing board cards and the opponents' hands drawn at random."""

    name: ClassVar[str] = "improved-hand-strength"
    source: ClassVar[str] = "holdem-simulator §3.3.2"

    samples: int = 200

    def __post_init__(self) -> None:
        self.samples = whole(self.samples, "samples", least=1, most=1_000_000)

    def mind(self, game: AnyGame) -> Mind:
        mind = super().mind(game)
        mind[SAMPLES] = self.samples
        return mind
