"""The adaptive player: it decides by a learning value for each class of hand, which moves by 0.1 after a hand.

Where the paper (section 3) leaves questions open. LOG is to base 10, as the worked examples require; they allow a raise
to be rounded to the nearest unit or up. The conditions for the weights are misprinted (`8 < lv > 8.99`); the examples
use 3 from 8, 4 from 9 and 5 above 9.99. A pot of 1 has the logarithm 0, so the smallest pot that counts is 2. A player
who would fold checks where that is free.

As printed, a value falls only when the player folds after calling or raising, so a player whose values are all 10 never
learns to fold (`losses=folded`): a value must also fall after a lost showdown. The parameters `hands`, `credit`,
`wins`, `losses`, `lessons`, `lowest` and `rounding` are the interpretations that the words allow. The defaults are the
combination that comes nearest to all numbers of the paper's Tables 5 and 6; `fifthstreet reproduce adaptive-draw --only
interpretations` ranks them.
"""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.draw.hands import CLASS, CLASSES, KIND, KIND_NAMES, NAMES
from fifthstreet.agents.draw.reading import (
    COUNTS,
    called_by_others,
    count,
    has_folded,
    has_paid,
    in_second_round,
    is_shown,
    sensible_trade,
    strength_before,
)
from fifthstreet.agents.draw.styles import decide_trade
from fifthstreet.agents.draw.values import HIGHEST, read_values
from fifthstreet.errors import whole
from fifthstreet.games.betting import CALL
from fifthstreet.games.five_card_draw import EXCHANGE, DrawView, strength_of
from fifthstreet.games.game import AnyGame, Lesson, Mind
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState

STEP, CALLS_FROM, RAISES_FROM = 0.1, 6.0, 8.0

# Places in the mind, behind the counts of hands: the interpretation, then the values.
BY_KIND = COUNTS  # 1 if the ten kinds of hands have a value each, 0 if the 93 classes have
CREDIT = COUNTS + 1  # whose value a lesson moves: 1 the hand before the exchange, 2 the final hand, 3 both
WINS = COUNTS + 2  # which wins teach
LOSSES = COUNTS + 3  # which losses teach: 1 folds, 2 lost showdowns, 3 both
PAID = COUNTS + 4  # 1 if only hands teach for which it paid more than the ante
LEAST = COUNTS + 5  # the lowest value
UP = COUNTS + 6  # 1 if raises are rounded up
VALUES = COUNTS + 7
LESSONS = VALUES + CLASSES  # how often each value was moved
MIND = LESSONS + CLASSES

CREDITS = {"first": 1, "final": 2, "both": 3}
CALLED, SHOWN, ANY = range(3)
WINNING = {"called": CALLED, "shown": SHOWN, "any": ANY}
FOLDED_LOSS, SHOWN_LOSS = 1, 2
LOSING = {"folded": FOLDED_LOSS, "shown": SHOWN_LOSS, "both": FOLDED_LOSS | SHOWN_LOSS}
HANDS = {"classes": NAMES, "kinds": KIND_NAMES}
LOWEST = {"one": 1.0, "zero": 0.0}

_NUMBER = np.array([CLASS, KIND])  # of a hand's value, by how hands are divided and by strength
_SMALLEST_POT = 2.0  # log 1 is 0


@kernel
def account(value: float, pot: float, players: int) -> float:
    """The paper's ac = (lv / log pv) / (np / lv)."""
    return (value / math.log10(max(pot, _SMALLEST_POT))) / (players / value)


@kernel
def weight(value: float) -> int:
    return 5 if value > 9.99 else 4 if value >= 9 else 3 if value >= 8 else 1


@kernel
def answer(value: float, pot: float, players: int, up: bool = False) -> int:
    """By how much to raise, rounded to the nearest unit or up; 0 for a call, −1 for a fold."""
    if value < CALLS_FROM:
        return -1
    if value < RAISES_FROM:
        return 0
    ac = account(value, pot, players)
    if ac < 10:
        return 0
    amount = math.sqrt(ac) * weight(value)
    return int(math.ceil(amount) if up else amount + 0.5)


@kernel
def value_before(view: DrawView, mind: Mind) -> int:
    """The place in the mind of the value of the hand before the exchange."""
    return VALUES + _NUMBER[int(mind[BY_KIND]), strength_before(view)]


@kernel
def value_now(view: DrawView, mind: Mind) -> int:
    """The place in the mind of the value of the hand that the seat holds."""
    return VALUES + _NUMBER[int(mind[BY_KIND]), strength_of(view, view.seat)]


@kernel
def meant_first(view: DrawView, mind: Mind) -> bool:
    """Whether it meant to call or raise in the first round."""
    return mind[value_before(view, mind)] >= CALLS_FROM


@kernel
def meant(view: DrawView, mind: Mind) -> bool:
    """Whether it meant to call or raise in either round, even where a check was free."""
    return meant_first(view, mind) or (in_second_round(view) and mind[value_now(view, mind)] >= CALLS_FROM)


@kernel(allocates=False)
def by_value(view: DrawView, mind: Mind, rng: RngState) -> int:
    if view.street == EXCHANGE:
        return sensible_trade(view, view.seat)
    amount = answer(mind[value_now(view, mind)], view.pot, view.live, mind[UP] > 0)
    return give_up(view) if amount < 0 else raise_by(view, amount) if amount > 0 else CALL


@kernel
def teaches(view: DrawView, payoff: float, mind: Mind) -> bool:
    """Whether a hand that it took part in moves a value."""
    if payoff > 0:
        wins = mind[WINS]
        return wins == ANY or (called_by_others(view) and (wins == CALLED or is_shown(view)))
    return payoff < 0 and int(mind[LOSSES]) & (FOLDED_LOSS if has_folded(view) else SHOWN_LOSS) > 0


@kernel(allocates=False)
def adapt(view: DrawView, payoff: float, mind: Mind) -> None:
    """Count the hand, and move the value of a hand that it took part in."""
    played = meant(view, mind)
    count(mind, played, payoff)
    if not (has_paid(view) if mind[PAID] else played) or not teaches(view, payoff, mind):
        return
    before, now, credit = value_before(view, mind), value_now(view, mind), int(mind[CREDIT])
    step = STEP if payoff > 0 else -STEP
    if credit & 1 and not (credit & 2 and before == now):
        move(mind, before, step)
    if credit & 2:
        move(mind, now, step)


@kernel
def move(mind: Mind, place: int, step: float) -> None:
    mind[place] = min(HIGHEST, max(mind[LEAST], mind[place] + step))
    mind[place + LESSONS - VALUES] += 1


def names_in(mind: Mind) -> tuple[str, ...]:
    """The hands that have a value in this mind, from the lowest."""
    return KIND_NAMES if mind[BY_KIND] else NAMES


class ByValues(Agent):
    """Raises, calls or folds by a learning value for its hand; subclasses say where the values come from."""

    games: ClassVar[tuple[str, ...]] = ("five-card-draw",)
    plays = by_value

    def decide(self, turn: Turn[DrawView]) -> Decision:
        view = turn.view
        if view.street == EXCHANGE:
            return decide_trade(view)
        place, players = value_now(view, turn.mind), view.live
        value, held = float(turn.mind[place]), names_in(turn.mind)[place - VALUES]
        reason, figures = f"{held} has the learning value {value:.1f}", {"learning value": value}
        if value >= RAISES_FROM:
            ac = account(value, view.pot, players)
            figures["ac"] = ac
            reason += f", which among {players} with a pot of {view.pot} makes {ac:.2f}"
        return Decision(by_value(view, turn.mind, turn.rng.state), reason=reason, figures=figures)

    def memory(self, mind: Mind) -> list[dict[str, Any]]:
        """Every hand with its value, and how often the value was moved: what `values=FILE` reads."""
        return [
            {"hand": name, "value": round(float(mind[VALUES + i]), 6), "lessons": int(mind[LESSONS + i])}
            for i, name in enumerate(names_in(mind))
        ]


@dataclass
class Adaptive(ByValues):
    """A novice that learns as it plays, by a learning value for each class of hand; `train=5000` trains it first.

    train     hands that it practises at its table before they count; the paper trains it for 5,000, the default is none
    values    a file of learning values to begin with; without one all are 10
    hands     what has a value of its own ("each possible hand"): the 93 classes of the styles' tables, or the ten
              kinds of section 2
    credit    whose value a hand moves: the hand before the exchange, the final hand, or both
    wins      which wins raise a value ("with other players either calling or raising"): those at a showdown, those in
              which somebody has called, or any
    losses    what lowers a value: lost showdowns, folds after calling or raising as printed, or both
    lessons   which hands teach: those for which it paid more than the ante, or all in which it meant to call or raise,
              where a check counts as a call
    lowest    the least value: one ("the interval 1..10") or zero ("unless it is already zero")
    rounding  of a raise: to the nearest unit, or up
    """

    name: ClassVar[str] = "adaptive"
    source: ClassVar[str] = "adaptive-draw section 3"

    train: int = 0
    values: str = ""
    hands: Literal["classes", "kinds"] = "classes"
    credit: Literal["first", "final", "both"] = "first"
    wins: Literal["shown", "called", "any"] = "shown"
    losses: Literal["both", "shown", "folded"] = "both"
    lessons: Literal["paid", "meant"] = "paid"
    lowest: Literal["one", "zero"] = "one"
    rounding: Literal["nearest", "up"] = "nearest"
    _values: NDArray[np.float64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.train = whole(self.train, "hands to train", least=0, most=10_000_000)
        self._values = np.full(CLASSES, HIGHEST)
        if self.values:
            names = HANDS[self.hands]
            self._values[: len(names)] = read_values(self.values, names, LOWEST[self.lowest])

    @property
    def warm_up(self) -> int:
        return self.train

    def lesson(self, game: AnyGame) -> Lesson | None:
        return adapt

    def mind(self, game: AnyGame) -> Mind:
        mind = np.zeros(MIND)
        mind[BY_KIND], mind[CREDIT], mind[WINS] = self.hands == "kinds", CREDITS[self.credit], WINNING[self.wins]
        mind[LOSSES], mind[PAID] = LOSING[self.losses], self.lessons == "paid"
        mind[LEAST], mind[UP] = LOWEST[self.lowest], self.rounding == "up"
        mind[VALUES:LESSONS] = self._values
        return mind
