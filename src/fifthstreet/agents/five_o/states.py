"""What a state of Five-O is worth: `greedyEval1`, `greedyEval2` and `fastGreedyEval2` (§II.A.2).

Reading. The text says that `greedyEval2` uses `eval`, its formula that it uses `fastEval`, as `fastGreedyEval2` does;
here it uses `eval`.
"""

import math
from typing import Any

from fifthstreet.agents.five_o.chances import visible
from fifthstreet.agents.five_o.hands import fast_value, precise_value, rough_value
from fifthstreet.games.five_o import COLUMNS, place_of
from fifthstreet.kernel import kernel

ROUGH, PRECISE, FAST = 1, 2, 3
KINDS = {"greedy-1": ROUGH, "greedy-2": PRECISE, "fast-greedy-2": FAST}


@kernel
def draws_left(placed: int, size: int) -> int:
    """How many cards a player who has placed so many will still place while a column of this size can take one."""
    rounds, done = placed // COLUMNS, placed % COLUMNS
    this_round = COLUMNS - done if size == rounds + 1 else 0
    return this_round + COLUMNS * (3 - rounds)


@kernel
def hand_value(data: Any, seat: int, column: int, placed: int, left: Any, kind: int) -> float:
    """What a column is worth to a player who has placed so many cards."""
    first, size = place_of(seat, column, 0), visible(data, seat, column)
    if kind == ROUGH:
        return rough_value(data, first, size)
    if kind == FAST:
        return fast_value(data, first, size, left)
    return precise_value(data, first, size, left, draws_left(placed, size))


@kernel
def difference(mine: float, theirs: float, kind: int) -> float:
    """What a pair of columns adds to the value of the state."""
    if kind == ROUGH:
        return math.exp(math.tanh(9 * (mine - theirs) / 17))
    return math.log(mine / theirs)


@kernel
def state_value(data: Any, seat: int, placed: int, their_placed: int, left: Any, kind: int) -> float:
    """The value of a state to a player."""
    total = 0.0
    for column in range(COLUMNS):
        mine = hand_value(data, seat, column, placed, left, kind)
        theirs = hand_value(data, 1 - seat, column, their_placed, left, kind)
        total += difference(mine, theirs, kind)
    return total
