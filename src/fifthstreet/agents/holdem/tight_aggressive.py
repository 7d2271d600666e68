"""A player as beginners are taught to play: few hands, by a chart, and those with bets."""

import functools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.holdem.reading import give_up, raise_by, raises, share_against_random, starting_class
from fifthstreet.errors import whole
from fifthstreet.evaluation.ranges import CLASSES, Range, class_of
from fifthstreet.games.betting import CALL, HIGH, LIVE, SEAT, SEATS, STACKS, pot_of, to_call
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.games.holdem import SMALL_BET, STREET
from fifthstreet.kernel import kernel

# What it opens with, by how many players sit between it and the dealer; each range includes those above it.
OPENING = {
    "early": "77+ ATs+ KQs AJo+",
    "middle": "55+ A8s+ KTs+ QTs+ JTs ATo+ KQo",
    "late": "22+ A2s+ K8s+ Q9s+ J9s+ T9s 98s 87s A8o+ KTo+ QTo+ JTo",
    "two players": "22+ A2s+ K2s+ Q5s+ J7s+ T7s+ 97s+ 87s 76s A2o+ K5o+ Q8o+ J8o+ T8o+",
}
# What it does with against a raise.
ANSWER = {"call": "77+ ATs+ KQs AQo+", "raise": "JJ+ AKs AKo"}

SAMPLES, OPEN, REPLY = 0, 1, 170


@functools.cache
def _chart() -> NDArray[np.float64]:
    """By class: from which of the four positions on it opens (5 for never), and 0, 1 or 2 to fold, call or raise."""
    opens, replies = np.full(169, 5.0), np.zeros(169)
    for position, text in reversed(list(enumerate(OPENING.values(), 1))):
        opens[_classes(text)] = position
    for reply, text in enumerate(ANSWER.values(), 1):
        replies[_classes(text)] = reply
    return np.concatenate([opens, replies])


def _classes(text: str) -> list[int]:
    return [CLASSES.index(name) for name in {class_of(combo) for combo in Range.parse(text).combos}]


@kernel
def position(view: Any) -> int:
    """1 early, 2 middle, 3 late or in the blinds, 4 between two."""
    seats, seat = view[SEATS], view[SEAT]
    if seats == 2:
        return 4
    to_dealer = seats - 1 - seat
    if seat < 2 or to_dealer < 2:
        return 3
    return 2 if to_dealer < 4 else 1


@kernel
def before_flop(view: Any, mind: Any) -> int:
    hand, made = starting_class(view, view[SEAT]), raises(view)
    if made == 0:
        if mind[OPEN + hand] <= position(view):
            return raise_by(view, 2 * view[SMALL_BET])
        return give_up(view)
    reply = mind[REPLY + hand]
    if reply == 2:
        return raise_by(view, 2 * view[HIGH])
    cost = to_call(view, view[SEAT])
    if reply == 1 and made == 1 and 10 * cost <= view[STACKS + view[SEAT]]:
        return CALL
    return give_up(view)


@kernel
def after_flop(view: Any, share: float) -> int:
    """Bet two thirds of the pot with a good hand; against a bet, a call wants some more than the price."""
    cost, chips = to_call(view, view[SEAT]), pot_of(view)
    fair = share * view[LIVE]
    if cost == 0:
        return raise_by(view, 2 * chips / 3) if fair > 1.3 else CALL
    if fair > 1.7 and raises(view) < 3:
        return raise_by(view, chips + cost)
    return CALL if share > 1.3 * cost / (chips + cost) else give_up(view)


@kernel
def tight_aggressive(view: Any, mind: Any, words: Any) -> int:
    if view[STREET] == 0:
        return before_flop(view, mind)
    return after_flop(view, share_against_random(view, view[LIVE] - 1, int(mind[SAMPLES]), words))


@dataclass
class TightAggressive(Agent):
    """Opens few hands, by position and a chart, bets when ahead, and pays only what is worth it."""

    name: ClassVar[str] = "tight-aggressive"
    games: ClassVar[tuple[str, ...]] = ("holdem",)

    samples: int = 100

    def __post_init__(self) -> None:
        self.samples = whole(self.samples, "samples", least=1, most=1_000_000)

    def decide(self, turn: Turn) -> Decision:
        data = turn.view.data
        if data[STREET] == 0:
            hand = CLASSES[starting_class(data, turn.view.seat)]
            place = list(OPENING)[position(data) - 1]
            what = f"position {place}" if raises(data) == 0 else "against a raise"
            return Decision(
                before_flop(data, turn.mind), reason=f"the chart for {hand}, {what}", figures={"hand": hand}
            )
        share = share_against_random(data, data[LIVE] - 1, self.samples, turn.rng.state)
        return Decision(
            after_flop(data, share),
            reason=f"wins {100 * share:.0f} % against {data[LIVE] - 1} random hands",
            figures={"share": share},
        )

    def policy(self, game: AnyGame) -> Policy | None:
        return tight_aggressive

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        return np.concatenate([[self.samples], _chart()])
