"""The simulator's second players: what they are willing to pay grows with the strength of their hand.

How the paper is read here. Hand strength is the chance to win against everyone still in: before the flop the table for
that many players, later the share of one opponent's possible hands that are worse (equal ones count half), to the power
of the number of opponents. A player that raises, raises to w, which is what it is willing to pay on this street, and
calls if w is less than the minimum raise. Formula 3.2 then decides nothing, since w is above the bet anyway. Pot odds
are the cost of a call over the pot after it.

What else can be read into the paper, or is done in the authors' program, are parameters:

against    the power of the share after the flop: `all` opponents, all `players` still in (the program), or just `one`
raises     what a raise by w is: `to` w; `by` w above the highest bet, whenever formula 3.2 says so; or `pay`, where w
           is put on top of what the player has already bet on this street (the program)
add_blind  whether b is added in formula 3.1; the program leaves it out
"""

import functools
import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.holdem.power_ranking import Aggressivity, level
from fifthstreet.agents.holdem.reading import (
    cards_on_board,
    raises,
    share_against_one,
    share_against_random,
    share_over_boards,
    starting_class,
)
from fifthstreet.errors import whole
from fifthstreet.games.betting import CALL, lowest_raise
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.holdem import HoldemView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState

AGAINST = ("all", "one", "players")
RAISES = ("to", "by", "pay")

# The mind: a, how often missing cards are dealt (0: never) and whether that is per card, then the choices between
# interpretations, two of which are the opponent model's, and the equity of each class against 1 to 9 opponents.
LEVEL, SAMPLES, PER_CARD, ALL_HANDS, POWER, RAISE, BLIND, AS_PRINTED, POOLED, PREFLOP = range(10)
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
    opponents = 1 if mind[POWER] == 1 else view.live - 1
    power = opponents + (mind[POWER] == 2)
    if street == 0:
        return mind[PREFLOP + 169 * (opponents - 1) + starting_class(view, seat)]
    if mind[SAMPLES] > 0 and street < 3:
        samples = int(mind[SAMPLES]) * (5 - cards_on_board(street) if mind[PER_CARD] else 1)
        if mind[ALL_HANDS]:
            return share_over_boards(view, samples, rng) ** power
        return share_against_random(view, opponents, samples, rng)
    return share_against_one(view, seat, street) ** power


@kernel
def willing_to_pay(strength: float, a: float, blind: float) -> float:
    """Formula 3.1."""
    return math.exp(3 * strength - 3) * 100 * a + blind


@kernel
def willing(view: HoldemView, mind: Mind, strength: float) -> float:
    """Formula 3.1, for the player's level and the big blind."""
    return willing_to_pay(strength, mind[LEVEL], mind[BLIND] * view.small_bet)


@kernel
def act_on(view: HoldemView, mind: Mind, willing: float) -> int:
    """The pot-odds rule, and formula 3.2."""
    cost = view.to_call
    odds = cost / (view.pot + cost)
    if willing < odds * cost:
        return give_up(view)
    if willing > cost / (1 + raises(view)):
        if mind[RAISE] == 1:
            return raise_by(view, willing)
        total = willing + (view.bets[view.seat] if mind[RAISE] == 2 else 0)
        if total >= lowest_raise(view, view.seat):
            return raise_by(view, total - view.high_bet)
    return CALL


@kernel
def by_hand_strength(view: HoldemView, mind: Mind, rng: RngState) -> int:
    return act_on(view, mind, willing(view, mind, hand_strength(view, mind, rng)))


@dataclass
class HandStrength(Agent):
    """Pays and raises what its hand strength makes it willing to, judged by the board as it lies."""

    name: ClassVar[str] = "hand-strength"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    source: ClassVar[str] = "holdem-simulator §3.3.1"
    plays = by_hand_strength

    aggressivity: Aggressivity = "moderate"
    against: Literal["all", "one", "players"] = "all"
    raises: Literal["to", "by", "pay"] = "to"
    add_blind: bool = True

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        view = turn.view
        strength = hand_strength(view, turn.mind, turn.rng.state)
        pays = willing(view, turn.mind, strength)
        return Decision(
            act_on(view, turn.mind, pays),
            reason=f"hand strength {strength:.2f} against {view.live - 1}: willing to pay {pays:.0f}, "
            f"and a call costs {view.to_call}",
            figures={"hand strength": strength, "willing to pay": pays},
        )

    def mind(self, game: AnyGame) -> Mind:
        mind = np.zeros(MIND)
        mind[LEVEL], mind[BLIND] = level(self.aggressivity), self.add_blind
        mind[POWER], mind[RAISE] = AGAINST.index(self.against), RAISES.index(self.raises)
        mind[PREFLOP:] = _preflop_shares()
        return mind


@dataclass
class ImprovedHandStrength(HandStrength):
    """The same, with the missing board cards and the opponents' hands drawn at random.

    samples   how often they are drawn for a decision; the authors' program draws 20 times per missing card
    per_card  whether that is for each missing card
    hands     the opponents' hands are `dealt` with the board; or `all` of one opponent's possible hands are compared
              on each board, as §3.2.2 says, and the share is raised to a power as it is without missing cards
    """

    name: ClassVar[str] = "improved-hand-strength"
    source: ClassVar[str] = "holdem-simulator §3.3.2"

    samples: int = 200
    per_card: bool = False
    hands: Literal["dealt", "all"] = "dealt"

    def __post_init__(self) -> None:
        self.samples = whole(self.samples, "samples", least=1, most=1_000_000)

    def mind(self, game: AnyGame) -> Mind:
        mind = super().mind(game)
        mind[SAMPLES], mind[PER_CARD], mind[ALL_HANDS] = self.samples, self.per_card, self.hands == "all"
        return mind
