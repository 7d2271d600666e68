"""What a state of Five-O is worth: `greedyEval1`, `greedyEval2` and `fastGreedyEval2` (§II.A.2).

Reading. The text says that `greedyEval2` uses `eval`, its formula that it uses `fastEval`, as `fastGreedyEval2` does;
here it uses `eval`.
"""

import math

from fifthstreet.agents.five_o.chances import Board, visible
from fifthstreet.agents.five_o.hands import Counts, fast_value, precise_value, rough_value
from fifthstreet.games.five_o import COLUMNS
from fifthstreet.kernel import kernel

ROUGH, PRECISE, FAST = 1, 2, 3
KINDS = {"greedy-1": ROUGH, "greedy-2": PRECISE, "fast-greedy-2": FAST}


@kernel
def draws_left(placed: int, size: int) -> int:
    """How many cards a player will still place while a column of this size can take one, after `placed` placements."""
    rounds, done = placed // COLUMNS, placed % COLUMNS
    this_round = COLUMNS - done if size == rounds + 1 else 0
    return this_round + COLUMNS * (3 - rounds)


@kernel
def placed_by(placed: int, seat: int) -> int:
    """How many of the first `placed` placements are this seat's."""
    return (placed + 1 - seat) // 2


@kernel(allocates=False)
def hand_value(board: Board, seat: int, column: int, placed: int, left: Counts, kind: int) -> float:
    """The value of a column to its player, after `placed` placements by both."""
    cards = board[seat, column]
    size = visible(cards)
    if kind == ROUGH:
        return rough_value(cards, size)
    if kind == FAST:
        return fast_value(cards, size, left)
    return precise_value(cards, size, left, draws_left(placed_by(placed, seat), size))


@kernel
def difference(mine: float, theirs: float, kind: int) -> float:
    """What a pair of columns adds to the value of the state."""
    if kind == ROUGH:
        return math.exp(math.tanh(9 * (mine - theirs) / 17))
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
