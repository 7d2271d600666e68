"""Players that look one placement ahead: the reflex agents at a column, the greedy agents at the whole state.

The last row is played by the exact chances of the columns, as the paper says of that stage; with `last_row=own` by the
agent's own evaluation. Of equal columns the first is taken.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.five_o.chances import unseen_counts, visible
from fifthstreet.agents.five_o.probable import Exact, by_chance
from fifthstreet.agents.five_o.states import FAST, PRECISE, ROUGH, hand_value, state_value
from fifthstreet.games.five_o import COLUMNS, NEXT, PLACED, SEAT, is_open, place_of, row_of
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.kernel import kernel

# In the mind: samples and weight of ties as the exact player has them, then which agent it is, and 1 if it plays the
# last row by itself.
KIND, OWN_LAST_ROW = 2, 3
REFLEX = 10  # reflex agents are numbered from here, greedy ones by their evaluation


@kernel
def value_of(view: Any, column: int, left: Any, kind: int) -> float:
    """What an agent thinks of placing the drawn card in a column; the view is changed and put right again."""
    seat, placed = view[SEAT], view[PLACED] // 2
    their_placed = (view[PLACED] + 1) // 2
    before = hand_value(view, seat, column, placed, left, PRECISE) if kind == REFLEX + 3 else 0.0
    place = place_of(seat, column, visible(view, seat, column))
    view[place] = view[NEXT]
    if kind < REFLEX:
        value = state_value(view, seat, placed + 1, their_placed, left, kind)
    else:
        value = hand_value(view, seat, column, placed + 1, left, PRECISE) - before
        if kind == REFLEX + 1:
            value -= hand_value(view, 1 - seat, column, their_placed, left, PRECISE)
    view[place] = -1
    return value


@kernel
def best_of(view: Any, kind: int, values: Any) -> int:
    left, best = unseen_counts(view), -1
    for column in range(COLUMNS):
        values[column] = np.nan
        if is_open(view, column):
            values[column] = value_of(view, column, left, kind)
            if best < 0 or values[column] > values[best]:
                best = column
    return best


@kernel
def one_placement(view: Any, mind: Any, words: Any) -> int:
    if row_of(view) == 4 and mind[OWN_LAST_ROW] == 0:
        return by_chance(view, mind, words)
    return best_of(view, int(mind[KIND]), np.empty(COLUMNS))


@dataclass
class _OnePlacement(Agent):
    games: ClassVar[tuple[str, ...]] = ("five-o",)
    kind: ClassVar[int]

    last_row: Literal["exact", "own"] = "exact"

    def decide(self, turn: Turn) -> Decision:
        data = turn.view.data
        if row_of(data) == 4 and self.last_row == "exact":
            return Exact().decide(turn)
        values = np.empty(COLUMNS)
        best = best_of(data.copy(), self.kind, values)
        found = {column: float(values[column]) for column in range(COLUMNS) if values[column] == values[column]}
        return Decision(
            best, values=found, reason=f"column {best + 1} is worth most with the card, {values[best]:,.1f}"
        )

    def policy(self, game: AnyGame) -> Policy | None:
        return one_placement

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        return np.array([0, 1.0, self.kind, self.last_row == "own"])


@dataclass
class Reflex1(_OnePlacement):
    """Takes the column that is then furthest ahead of the opponent's."""

    name: ClassVar[str] = "reflex-1"
    source: ClassVar[str] = "five-o §II.B.1"
    kind: ClassVar[int] = REFLEX + 1


@dataclass
class Reflex2(_OnePlacement):
    """Takes the column that is then worth most."""

    name: ClassVar[str] = "reflex-2"
    source: ClassVar[str] = "five-o §II.B.1"
    kind: ClassVar[int] = REFLEX + 2


@dataclass
class Reflex3(_OnePlacement):
    """Takes the column that gains most."""

    name: ClassVar[str] = "reflex-3"
    source: ClassVar[str] = "five-o §II.B.1"
    kind: ClassVar[int] = REFLEX + 3


@dataclass
class Greedy1(_OnePlacement):
    """Takes the column that makes the best state, by rough values of hands from 1 to 17."""

    name: ClassVar[str] = "greedy-1"
    source: ClassVar[str] = "five-o §II.A.2 a, §II.B.2"
    kind: ClassVar[int] = ROUGH


@dataclass
class Greedy2(_OnePlacement):
    """Takes the column that makes the best state, by the least strength, flush and straight chances of hands."""

    name: ClassVar[str] = "greedy-2"
    source: ClassVar[str] = "five-o §II.A.2 b, §II.B.2"
    kind: ClassVar[int] = PRECISE


@dataclass
class FastGreedy2(_OnePlacement):
    """The same with rough chances."""

    name: ClassVar[str] = "fast-greedy-2"
    source: ClassVar[str] = "five-o §II.A.2 c, §II.B.2"
    kind: ClassVar[int] = FAST
