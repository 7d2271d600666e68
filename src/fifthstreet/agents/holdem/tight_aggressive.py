"""A player as beginners are taught to play: few hands, by a chart, and those with bets."""

import functools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.holdem.reading import raises, share_against_random, starting_class
from fifthstreet.errors import whole
from fifthstreet.evaluation.ranges import CLASSES, Range, class_of
from fifthstreet.games.betting import CALL
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.holdem import HoldemView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState

# What it opens with, by position; each range includes those above it.
OPENING = {
    "early": "77+ ATs+ KQs AJo+",
    "middle": "55+ A8s+ KTs+ QTs+ JTs ATo+ KQo",
    "late": "22+ A2s+ K8s+ Q9s+ J9s+ T9s 98s 87s A8o+ KTo+ QTo+ JTo",
    "heads-up": "22+ A2s+ K2s+ Q5s+ J7s+ T7s+ 97s+ 87s 76s A2o+ K5o+ Q8o+ J8o+ T8o+",
}
# How it answers a raise.
ANSWER = {"call": "77+ ATs+ KQs AQo+", "raise": "JJ+ AKs AKo"}

SAMPLES, OPEN, REPLY = 0, 1, 170


@functools.cache
def _chart() -> Mind:
    """For each class, the first of the four positions it opens from (5 for never), and 0, 1 or 2 to fold, call or raise
    against a raise."""
    opens, replies = np.full(169, 5.0), np.zeros(169)
    for position, text in reversed(list(enumerate(OPENING.values(), 1))):
        opens[_classes(text)] = position
    for reply, text in enumerate(ANSWER.values(), 1):
        replies[_classes(text)] = reply
    return np.concatenate([opens, replies])


def _classes(text: str) -> list[int]:
    return [CLASSES.index(name) for name in {class_of(combo) for combo in Range.parse(text).combos}]


@kernel
def position(view: HoldemView) -> int:
    """1 for early position, 2 for middle, 3 for late or in the blinds, 4 heads-up."""
    seats, seat = view.seats, view.seat
    if seats == 2:
        return 4
    to_dealer = seats - 1 - seat
    if seat < 2 or to_dealer < 2:
        return 3
    return 2 if to_dealer < 4 else 1


@kernel
def before_flop(view: HoldemView, mind: Mind) -> int:
    hand, made = starting_class(view, view.seat), raises(view)
    if made == 0:
        if mind[OPEN + hand] <= position(view):
            return raise_by(view, 2 * view.small_bet)
        return give_up(view)
    reply = mind[REPLY + hand]
    if reply == 2:
        return raise_by(view, 2 * view.high_bet)
    cost = view.to_call
    if reply == 1 and made == 1 and 10 * cost <= view.stacks[view.seat]:
        return CALL
    return give_up(view)


@kernel
def after_flop(view: HoldemView, share: float) -> int:
    """Bet two thirds of the pot with a good hand; call a bet only with 1.3 times the pot odds or more."""
    cost, chips = view.to_call, view.pot
    fair = share * view.live
    if cost == 0:
        return raise_by(view, 2 * chips / 3) if fair > 1.3 else CALL
    if fair > 1.7 and raises(view) < 3:
        return raise_by(view, chips + cost)
    return CALL if share > 1.3 * cost / (chips + cost) else give_up(view)


@kernel
def tight_aggressive(view: HoldemView, mind: Mind, rng: RngState) -> int:
    if view.street == 0:
        return before_flop(view, mind)
    return after_flop(view, share_against_random(view, view.live - 1, int(mind[SAMPLES]), rng))


@dataclass
class TightAggressive(Agent):
    """Opens few hands, from a chart by position, bets when ahead, and calls only at good pot odds."""

    name: ClassVar[str] = "tight-aggressive"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    plays = tight_aggressive

    samples: int = 100

    def __post_init__(self) -> None:
        self.samples = whole(self.samples, "samples", least=1, most=1_000_000)

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        view = turn.view
        if view.street == 0:
            hand = CLASSES[starting_class(view, turn.view.seat)]
            place = list(OPENING)[position(view) - 1]
            what = f"position {place}" if raises(view) == 0 else "against a raise"
            return Decision(
                before_flop(view, turn.mind), reason=f"the chart for {hand}, {what}", figures={"hand": hand}
            )
        share = share_against_random(view, view.live - 1, self.samples, turn.rng.state)
        return Decision(
            after_flop(view, share),
            reason=f"wins {100 * share:.0f} % against {view.live - 1} random hands",
            figures={"share": share},
        )

    def mind(self, game: AnyGame) -> Mind:
        return np.concatenate([[self.samples], _chart()])
