"""The adaptive player: it decides by a learning value for each class of hand, which moves by 0.1 after a hand.

Where the paper leaves questions open. LOG is to base 10 and a raise is rounded, as the worked examples require. The
conditions for the weights are misprinted (`8 < lv > 8.99`); the examples use 3 from 8, 4 from 9 and 5 above 9.99. A
player who would fold checks where that is free.

As printed, a value falls only when the player folds after calling or raising, so a player whose values are all 10 never
learns to fold: here a value also falls after a lost showdown. It rises when the player wins and an opponent has put in
more than the ante ("with other players either calling or raising"). A check with a hand good enough for a call counts
as a call. The value that moves is that of the final hand, after the exchange (`credit`). Among the readings that follow
the paper on which wins count (`wins`), this one comes nearest to the number of hands played in Table 5;
`fifthstreet reproduce adaptive-draw --only readings` compares them.
"""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.draw.hands import CLASSES, NAMES
from fifthstreet.agents.draw.reading import (
    COUNTS,
    called_by_others,
    class_before,
    class_now,
    count,
    has_folded,
    in_second_round,
    sensible_trade,
)
from fifthstreet.agents.draw.styles import decide_trade
from fifthstreet.agents.draw.values import HIGHEST, LOWEST, read_values
from fifthstreet.errors import whole
from fifthstreet.games.betting import CALL
from fifthstreet.games.five_card_draw import EXCHANGE, DrawView
from fifthstreet.games.game import AnyGame, Lesson, Mind
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState

STEP, CALLS_FROM, RAISES_FROM = 0.1, 6.0, 8.0

# Places in the mind, behind the counts of hands.
CREDIT = COUNTS  # whose value a lesson moves: 1 the hand before the exchange, 2 the final hand, 3 both
ANY_WIN = COUNTS + 1  # 1 if a win counts even when nobody called
VALUES = COUNTS + 2
LESSONS = VALUES + CLASSES  # how often each value was moved
MIND = LESSONS + CLASSES

CREDITS = {"first": 1, "final": 2, "both": 3}


@kernel
def account(value: float, pot: float, players: int) -> float:
    """The paper's ac = (lv / log pv) / (np / lv)."""
    return (value / math.log10(pot)) / (players / value)


@kernel
def weight(value: float) -> int:
    return 5 if value > 9.99 else 4 if value >= 9 else 3 if value >= 8 else 1


@kernel
def answer(value: float, pot: float, players: int) -> int:
    """By how much to raise, 0 for a call, −1 for a fold."""
    if value < CALLS_FROM:
        return -1
    if value < RAISES_FROM:
        return 0
    ac = account(value, pot, players)
    return 0 if ac < 10 else int(math.sqrt(ac) * weight(value) + 0.5)


@kernel(allocates=False)
def by_value(view: DrawView, mind: Mind, rng: RngState) -> int:
    if view.street == EXCHANGE:
        return sensible_trade(view, view.seat)
    amount = answer(mind[VALUES + class_now(view)], view.pot, view.live)
    return give_up(view) if amount < 0 else raise_by(view, amount) if amount > 0 else CALL


@kernel(allocates=False)
def adapt(view: DrawView, payoff: float, mind: Mind) -> None:
    """Count the hand, and move the value of a hand that was played."""
    before, now = class_before(view), class_now(view)
    played = mind[VALUES + before] >= CALLS_FROM
    played |= in_second_round(view) and mind[VALUES + now] >= CALLS_FROM
    count(mind, played, payoff)
    if not played or payoff == 0:
        return
    if payoff > 0 and not (called_by_others(view) or mind[ANY_WIN]):
        return
    credit, step = int(mind[CREDIT]), STEP if payoff > 0 and not has_folded(view) else -STEP
    if credit & 1 and not (credit & 2 and before == now):
        move(mind, before, step)
    if credit & 2:
        move(mind, now, step)


@kernel
def move(mind: Mind, number: int, step: float) -> None:
    mind[VALUES + number] = min(HIGHEST, max(LOWEST, mind[VALUES + number] + step))
    mind[LESSONS + number] += 1


class ByValues(Agent):
    """Raises, calls or folds by a learning value for its hand; subclasses say where the values come from."""

    games: ClassVar[tuple[str, ...]] = ("five-card-draw",)
    plays = by_value

    def decide(self, turn: Turn[DrawView]) -> Decision:
        view = turn.view
        if view.street == EXCHANGE:
            return decide_trade(view)
        held, players = class_now(view), view.live
        value = float(turn.mind[VALUES + held])
        reason, figures = f"{NAMES[held]} has the learning value {value:.1f}", {"learning value": value}
        if value >= RAISES_FROM:
            ac = account(value, view.pot, players)
            figures["ac"] = ac
            reason += f", which among {players} with a pot of {view.pot} makes {ac:.2f}"
        return Decision(by_value(view, turn.mind, turn.rng.state), reason=reason, figures=figures)

    def memory(self, mind: Mind) -> list[dict[str, Any]]:
        """Every hand with its value, and how often the value was moved: what `values=FILE` reads."""
        return [
            {"hand": name, "value": round(float(mind[VALUES + i]), 6), "lessons": int(mind[LESSONS + i])}
            for i, name in enumerate(NAMES)
        ]


@dataclass
class Adaptive(ByValues):
    """Raises, calls or folds by a learning value for its hand, which grows with wins and shrinks with losses."""

    name: ClassVar[str] = "adaptive"
    source: ClassVar[str] = "adaptive-draw section 3"

    train: int = 0
    values: str = ""
    credit: Literal["first", "final", "both"] = "final"
    wins: Literal["called", "any"] = "called"
    _values: NDArray[np.float64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.train = whole(self.train, "hands to train", least=0, most=10_000_000)
        self._values = read_values(self.values) if self.values else np.full(CLASSES, HIGHEST)

    @property
    def warm_up(self) -> int:
        return self.train

    def lesson(self, game: AnyGame) -> Lesson | None:
        return adapt

    def mind(self, game: AnyGame) -> Mind:
        mind = np.zeros(MIND)
        mind[CREDIT], mind[ANY_WIN] = CREDITS[self.credit], self.wins == "any"
        mind[VALUES:LESSONS] = self._values
        return mind
