"""The simulator's second players: what they are willing to pay grows with the strength of their hand.

Readings. Hand strength is the chance to win against all who are still in: before the flop the table for as many
players, later the share of one opponent's possible hands that are worse (half for equal ones), to the power of the
number of opponents (`against=one` leaves the power out). A player that raises raises to w, which is what it is willing
to pay on this street, and calls where that is less than the least raise. Formula 3.2 then decides nothing, since w is
above the bet anyway; with `raises=by`, which raises by w whenever the formula says so, it does. Pot odds are the cost
of a call over the pot after it.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.holdem.power_ranking import Aggressivity, level
from fifthstreet.agents.holdem.reading import (
    give_up,
    raise_by,
    raises,
    share_against_one,
    share_against_random,
    starting_class,
)
from fifthstreet.errors import whole
from fifthstreet.games.betting import CALL, HIGH, LIVE, SEAT, lowest_raise, pot_of, to_call
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.games.holdem import SMALL_BET, STREET
from fifthstreet.kernel import kernel

# In the mind: a, the number of samples or 0, the two readings, then what each class wins against 1 to 9 opponents.
LEVEL, SAMPLES, AGAINST_ONE, RAISE_BY, PREFLOP = 0, 1, 2, 3, 4
MIND = PREFLOP + 9 * 169


@functools.cache
def _preflop_shares() -> NDArray[np.float64]:
    from fifthstreet.evaluation.preflop import preflop_table

    return np.array([[entry.share for entry in preflop_table(players).values()] for players in range(2, 11)]).ravel()


@kernel
def strength_against_one(view: Any, mind: Any, seat: int, street: int) -> float:
    """The hand strength of a seat whose cards are known, on the board of a street, against one opponent."""
    if street == 0:
        return mind[PREFLOP + starting_class(view, seat)]
    return share_against_one(view, seat, street)


@kernel
def hand_strength(view: Any, mind: Any, words: Any) -> float:
    """The h of formula 3.1."""
    seat, street = view[SEAT], view[STREET]
    opponents = 1 if mind[AGAINST_ONE] else view[LIVE] - 1
    if street == 0:
        return mind[PREFLOP + 169 * (opponents - 1) + starting_class(view, seat)]
    if mind[SAMPLES] > 0 and street < 3:
        return share_against_random(view, opponents, int(mind[SAMPLES]), words)
    return share_against_one(view, seat, street) ** opponents


@kernel
def willing_to_pay(strength: float, a: float, blind: int) -> float:
    """Formula 3.1."""
    return math.exp(3 * strength - 3) * 100 * a + blind


@kernel
def act_on(view: Any, mind: Any, willing: float) -> int:
    """The pot-odds rule, and formula 3.2."""
    cost = to_call(view, view[SEAT])
    odds = cost / (pot_of(view) + cost)
    if willing < odds * cost:
        return give_up(view)
    if willing > cost / (1 + raises(view)):
        if mind[RAISE_BY]:
            return raise_by(view, willing)
        if willing >= lowest_raise(view, view[SEAT]):
            return raise_by(view, willing - view[HIGH])
    return CALL


@kernel
def by_hand_strength(view: Any, mind: Any, words: Any) -> int:
    strength = hand_strength(view, mind, words)
    return act_on(view, mind, willing_to_pay(strength, mind[LEVEL], view[SMALL_BET]))


@dataclass
class HandStrength(Agent):
    """Pays and raises what its hand strength makes it willing to, the board taken as it lies."""

    name: ClassVar[str] = "hand-strength"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    source: ClassVar[str] = "holdem-simulator §3.3.1"

    aggressivity: Aggressivity = "moderate"
    against: Literal["all", "one"] = "all"
    raises: Literal["to", "by"] = "to"

    def decide(self, turn: Turn) -> Decision:
        data = turn.view.data
        strength = hand_strength(data, turn.mind, turn.rng.state)
        willing = willing_to_pay(strength, turn.mind[LEVEL], data[SMALL_BET])
        return Decision(
            act_on(data, turn.mind, willing),
            reason=f"hand strength {strength:.2f} against {data[LIVE] - 1}: willing to pay {willing:.0f}, "
            f"and a call costs {to_call(data, turn.view.seat)}",
            figures={"hand strength": strength, "willing to pay": willing},
        )

    def policy(self, game: AnyGame) -> Policy | None:
        return by_hand_strength

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        readings = [self.against == "one", self.raises == "by"]
        return np.concatenate([[level(self.aggressivity), 0, *readings], _preflop_shares()])


@dataclass
class ImprovedHandStrength(HandStrength):
    """The same, with the missing cards of the board drawn at random, and the others' hands."""

    name: ClassVar[str] = "improved-hand-strength"
    source: ClassVar[str] = "holdem-simulator §3.3.2"

    samples: int = 200

    def __post_init__(self) -> None:
        self.samples = whole(self.samples, "samples", least=1, most=1_000_000)

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        mind = super().mind(game)
        mind[SAMPLES] = self.samples
        return mind
