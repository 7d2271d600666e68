"""Players that look one placement ahead: the reflex agents at a column, the greedy agents at the whole state.

The last row is played by the exact chances of the columns, as the paper says of that stage; with `last_row=own` by the
agent's own evaluation. Of equal columns the first is taken.

Hands are valued by the paper's text, or with `values=program` as in the authors' program; what differs is described in
`hands`. `values=mended` is the program without the slip that hides pairs from `greedy-1`. With `differences=linear` a
greedy agent adds up the plain differences of the hands, which the paper says is much worse.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.five_o.chances import Board, Chances, read_cards, unseen_counts
from fifthstreet.agents.five_o.hands import Counts
from fifthstreet.agents.five_o.probable import Exact, by_chance
from fifthstreet.agents.five_o.states import (
    FAST,
    INTERPRETED,
    LINEAR,
    PRECISE,
    ROUGH,
    Values,
    hand_value,
    state_value,
)
from fifthstreet.games.five_o import COLUMNS, ROWS, FiveOView, is_open, row_of, seat_of
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState

# In the mind: samples and weight of ties as the exact player has them, then the kind of evaluation, 1 if it plays the
# last row by itself, and which of the reflex agents it is, 0 for a greedy one.
KIND, OWN_LAST_ROW, REFLEX = 2, 3, 4


@kernel
def value_of(view: FiveOView, board: Board, column: int, left: Counts, kind: int, reflex: int) -> float:
    """The agent's value of placing the drawn card in a column; it is put on `board` and taken away again."""
    seat, row, placed = seat_of(view.placed), row_of(view.placed), view.placed + 1
    before = hand_value(board, seat, column, placed - 1, left, kind) if reflex == 3 else 0.0
    board[seat, column, row] = view.next_card
    if reflex == 0:
        value = state_value(board, seat, placed, left, kind)
    else:
        value = hand_value(board, seat, column, placed, left, kind) - before
        if reflex == 1:
            value -= hand_value(board, 1 - seat, column, placed, left, kind)
    board[seat, column, row] = -1
    return value


@kernel
def best_of(view: FiveOView, kind: int, reflex: int, values: Chances) -> int:
    """The open column of the highest value; writes the value of each to `values`, NaN where the column is full."""
    left, board, best = unseen_counts(view), np.empty((2, COLUMNS, ROWS), np.int64), -1
    read_cards(view, board)
    for column in range(COLUMNS):
        values[column] = np.nan
        if is_open(view, column):
            values[column] = value_of(view, board, column, left, kind, reflex)
            if best < 0 or values[column] > values[best]:
                best = column
    return best


@kernel
def one_placement(view: FiveOView, mind: Mind, rng: RngState) -> int:
    if row_of(view.placed) == ROWS - 1 and mind[OWN_LAST_ROW] == 0:
        return by_chance(view, mind, rng)
    return best_of(view, int(mind[KIND]), int(mind[REFLEX]), np.empty(COLUMNS))


@dataclass
class _OnePlacement(Agent):
    games: ClassVar[tuple[str, ...]] = ("five-o",)
    evaluation: ClassVar[int] = PRECISE
    reflex: ClassVar[int] = 0
    plays = one_placement

    values: Values = "text"
    last_row: Literal["exact", "own"] = "exact"

    def decide(self, turn: Turn[FiveOView]) -> Decision:
        if row_of(turn.view.placed) == ROWS - 1 and self.last_row == "exact":
            return Exact().decide(turn)
        values = np.empty(COLUMNS)
        best = best_of(turn.view, self.kind, self.reflex, values)
        found = {column: float(values[column]) for column in range(COLUMNS) if values[column] == values[column]}
        return Decision(
            best, values=found, reason=f"column {best + 1} is worth most with the card, {values[best]:,.1f}"
        )

    def mind(self, game: AnyGame) -> Mind:
        return np.array([0, 1.0, self.kind, self.last_row == "own", self.reflex])

    @property
    def kind(self) -> int:
        return self.evaluation | INTERPRETED[self.values]


@dataclass
class _Greedy(_OnePlacement):
    differences: Literal["non-linear", "linear"] = "non-linear"

    @property
    def kind(self) -> int:
        return super().kind | (LINEAR if self.differences == "linear" else 0)


class Reflex1(_OnePlacement):
    """Takes the column that is then furthest ahead of the opponent's."""

    name: ClassVar[str] = "reflex-1"
    source: ClassVar[str] = "five-o §II.B.1"
    reflex: ClassVar[int] = 1


class Reflex2(_OnePlacement):
    """Takes the column that is then worth most."""

    name: ClassVar[str] = "reflex-2"
    source: ClassVar[str] = "five-o §II.B.1"
    reflex: ClassVar[int] = 2


class Reflex3(_OnePlacement):
    """Takes the column that gains most."""

    name: ClassVar[str] = "reflex-3"
    source: ClassVar[str] = "five-o §II.B.1"
    reflex: ClassVar[int] = 3


class Greedy1(_Greedy):
    """Takes the column that makes the best state, by rough values of hands from 1 to 17."""

    name: ClassVar[str] = "greedy-1"
    source: ClassVar[str] = "five-o §II.A.2 a, §II.B.2"
    evaluation: ClassVar[int] = ROUGH


class Greedy2(_Greedy):
    """Takes the column that makes the best state, by the least strength, flush and straight chances of hands."""

    name: ClassVar[str] = "greedy-2"
    source: ClassVar[str] = "five-o §II.A.2 b, §II.B.2"
    evaluation: ClassVar[int] = PRECISE


class FastGreedy2(_Greedy):
    """The same with rough chances."""

    name: ClassVar[str] = "fast-greedy-2"
    source: ClassVar[str] = "five-o §II.A.2 c, §II.B.2"
    evaluation: ClassVar[int] = FAST
