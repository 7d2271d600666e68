"""Players that look one placement ahead: the reflex agents at a column, the greedy agents at the whole state.

The last row is played by the exact chances of the columns, as the paper says of that stage; with `last_row=own` by the
agent's own evaluation. Of equal columns the first is taken.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.five_o.chances import Board, Chances, read_cards, unseen_counts
from fifthstreet.agents.five_o.hands import Counts
from fifthstreet.agents.five_o.probable import Exact, by_chance
from fifthstreet.agents.five_o.states import FAST, PRECISE, ROUGH, hand_value, state_value
from fifthstreet.games.five_o import COLUMNS, ROWS, FiveOView, is_open, row_of, seat_of
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState

# In the mind: samples and weight of ties as the exact player has them, then which agent it is, and 1 if it plays the
# last row by itself.
KIND, OWN_LAST_ROW = 2, 3
REFLEX = 10  # reflex agents are numbered from here, greedy ones by their evaluation


@kernel
def value_of(view: FiveOView, board: Board, column: int, left: Counts, kind: int) -> float:
    """The agent's value of placing the drawn card in a column; it is put on `board` and taken away again."""
    seat, row, placed = seat_of(view.placed), row_of(view.placed), view.placed + 1
    before = hand_value(board, seat, column, placed - 1, left, PRECISE) if kind == REFLEX + 3 else 0.0
    board[seat, column, row] = view.next_card
    if kind < REFLEX:
        value = state_value(board, seat, placed, left, kind)
    else:
        value = hand_value(board, seat, column, placed, left, PRECISE) - before
        if kind == REFLEX + 1:
            value -= hand_value(board, 1 - seat, column, placed, left, PRECISE)
    board[seat, column, row] = -1
    return value


@kernel
def best_of(view: FiveOView, kind: int, values: Chances) -> int:
    """The open column of the highest value; writes the value of each to `values`, NaN where the column is full."""
    left, board, best = unseen_counts(view), np.empty((2, COLUMNS, ROWS), np.int64), -1
    read_cards(view, board)
    for column in range(COLUMNS):
        values[column] = np.nan
        if is_open(view, column):
            values[column] = value_of(view, board, column, left, kind)
            if best < 0 or values[column] > values[best]:
                best = column
    return best


@kernel
def one_placement(view: FiveOView, mind: Mind, rng: RngState) -> int:
    if row_of(view.placed) == ROWS - 1 and mind[OWN_LAST_ROW] == 0:
        return by_chance(view, mind, rng)
    return best_of(view, int(mind[KIND]), np.empty(COLUMNS))


@dataclass
class _OnePlacement(Agent):
    games: ClassVar[tuple[str, ...]] = ("five-o",)
    kind: ClassVar[int]
    plays = one_placement

    last_row: Literal["exact", "own"] = "exact"

    def decide(self, turn: Turn[FiveOView]) -> Decision:
        if row_of(turn.view.placed) == ROWS - 1 and self.last_row == "exact":
            return Exact().decide(turn)
        values = np.empty(COLUMNS)
        best = best_of(turn.view, self.kind, values)
        found = {column: float(values[column]) for column in range(COLUMNS) if values[column] == values[column]}
        return Decision(
            best, values=found, reason=f"column {best + 1} is worth most with the card, {values[best]:,.1f}"
        )

    def mind(self, game: AnyGame) -> Mind:
        return np.array([0, 1.0, self.kind, self.last_row == "own"])


class Reflex1(_OnePlacement):
    """Takes the column that is then furthest ahead of the opponent's."""

    name: ClassVar[str] = "reflex-1"
    source: ClassVar[str] = "five-o §II.B.1"
    kind: ClassVar[int] = REFLEX + 1


class Reflex2(_OnePlacement):
    """Takes the column that is then worth most."""

    name: ClassVar[str] = "reflex-2"
    source: ClassVar[str] = "five-o §II.B.1"
    kind: ClassVar[int] = REFLEX + 2


class Reflex3(_OnePlacement):
    """Takes the column that gains most."""

    name: ClassVar[str] = "reflex-3"
    source: ClassVar[str] = "five-o §II.B.1"
    kind: ClassVar[int] = REFLEX + 3


class Greedy1(_OnePlacement):
    """Takes the column that makes the best state, by rough values of hands from 1 to 17."""

    name: ClassVar[str] = "greedy-1"
    source: ClassVar[str] = "five-o §II.A.2 a, §II.B.2"
    kind: ClassVar[int] = ROUGH


class Greedy2(_OnePlacement):
    """Takes the column that makes the best state, by the least strength, flush and straight chances of hands."""

    name: ClassVar[str] = "greedy-2"
    source: ClassVar[str] = "five-o §II.A.2 b, §II.B.2"
    kind: ClassVar[int] = PRECISE


class FastGreedy2(_OnePlacement):
    """The same with rough chances."""

    name: ClassVar[str] = "fast-greedy-2"
    source: ClassVar[str] = "five-o §II.A.2 c, §II.B.2"
    kind: ClassVar[int] = FAST
