"""What a state of Five-O is worth: `greedyEval1`, `greedyEval2` and `fastGreedyEval2` (§II.A.2).

The text says that `greedyEval2` uses `eval`, its formula that it uses `fastEval`, as `fastGreedyEval2` does; here it
uses `eval`, as in the authors' program. The text divides differences of `getPackExpect` by 17, the program by 16.
"""

import math
from typing import Literal

from fifthstreet.agents.five_o.chances import Board, visible
from fifthstreet.agents.five_o.hands import Counts, fast_value, precise_value, program_rough_value, rough_value
from fifthstreet.games.five_o import COLUMNS
from fifthstreet.kernel import kernel

ROUGH, PRECISE, FAST = 1, 2, 3  # the evaluation of hands, in the two lowest bits of a kind
PROGRAM, MENDED, LINEAR = 4, 8, 16  # further bits
KINDS = {"greedy-1": ROUGH, "greedy-2": PRECISE, "fast-greedy-2": FAST}

Values = Literal["text", "program", "mended"]
"""Hands valued by the paper's text, as in the authors' program, or as there without its slip about pairs."""

INTERPRETED = {"text": 0, "program": PROGRAM, "mended": PROGRAM | MENDED}


@kernel
def draws_left(placed: int, size: int) -> int:
    """How many cards a player will still place while a column of this size can take one, after `placed` placements."""
    rounds, done = placed // COLUMNS, placed % COLUMNS
    this_round = COLUMNS - done if size == rounds + 1 else 0
    return this_round + COLUMNS * (3 - rounds)


@kernel
def draws_in_later_rounds(placed: int) -> int:
    """How many cards a player will place in rounds that have not begun, after `placed` placements by both."""
    return COLUMNS * (4 - (placed + 2 * COLUMNS - 1) // (2 * COLUMNS))


@kernel
def placed_by(placed: int, seat: int) -> int:
    """How many of the first `placed` placements are this seat's."""
    return (placed + 1 - seat) // 2


@kernel(allocates=False)
def hand_value(board: Board, seat: int, column: int, placed: int, left: Counts, kind: int) -> float:
    """The value of a column to its player, after `placed` placements by both."""
    cards = board[seat, column]
    size = visible(cards)
    program = kind & PROGRAM != 0
    if kind & 3 == ROUGH:
        return program_rough_value(cards, size, kind & MENDED != 0) if program else rough_value(cards, size)
    if kind & 3 == FAST:
        return fast_value(cards, size, left, program)
    draws = draws_in_later_rounds(placed) if program else draws_left(placed_by(placed, seat), size)
    return precise_value(cards, size, left, draws, program)


@kernel
def difference(mine: float, theirs: float, kind: int) -> float:
    """What a pair of columns adds to the value of the state."""
    if kind & LINEAR:
        return mine - theirs
    if kind & 3 == ROUGH:
        return math.exp(math.tanh(9 * (mine - theirs) / (16 if kind & PROGRAM else 17)))
    return math.log(mine / theirs)


@kernel(allocates=False)
def state_value(board: Board, seat: int, placed: int, left: Counts, kind: int) -> float:
    """The value of a board to a seat, after `placed` placements by both."""
    total = 0.0
    for column in range(COLUMNS):
        mine = hand_value(board, seat, column, placed, left, kind)
        theirs = hand_value(board, 1 - seat, column, placed, left, kind)
        total += difference(mine, theirs, kind)
    return total
