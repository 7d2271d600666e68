"""What every hand wins against many ranges at once, in time that grows with the hands and not with their pairs.

The opponent's hands are added up from the weakest on, in all and for each card. What a hand beats is then the sum so
far, less the hands that hold one of its two cards: a hand holds both of them only if it is the same hand, and that
never is weaker or stronger. Where hands that share a card are taken off twice, the same hand is added again.
"""

from typing import Any

import numpy as np

from fifthstreet.kernel import kernel
from fifthstreet.solvers.boards import Boards
from fifthstreet.solvers.lanes import Lanes, at, load, splat, store, turn

SHOWDOWNS, FOLDS = 1, 2  # what a block of rows is needed for
BLOCK = 8  # rows
SIXTEEN: Lanes = (0,) * 16
THIRTY_TWO: Lanes = (0,) * 32


@kernel(allocates=False)
def sweep(
    boards: Boards,
    board: int,
    me: int,
    needs: Any,
    first_need: int,
    blocks: int,
    reach: Any,
    values: Any,
    work: Any,
    lanes: Lanes,
) -> None:
    """Against each row of reach: what every hand of mine beats less what beats it, and all it can be dealt against.

    needs   for each block of eight rows, from `first_need` on: SHOWDOWNS and FOLDS, added
    reach   rows of the opponent's hands: how likely they get here
    values  rows of my hands: first those of showdowns, then those of folds, as many as there are rows of reach
    work    memory: see `memory`

    Two or four blocks are swept together if `work` has room, since finding the way through the hands takes time, too.
    """
    rows, row = BLOCK * blocks, 0
    together = 1 if len(lanes) == 1 else work[3].size // (52 * BLOCK)
    while row < rows:
        left = (rows - row) // BLOCK
        if together >= 4 and left >= 4:
            some(boards, board, me, needs, first_need, row, rows, reach, values, work, lanes, THIRTY_TWO)
            row += 4 * BLOCK
        elif together >= 2 and left >= 2:
            some(boards, board, me, needs, first_need, row, rows, reach, values, work, lanes, SIXTEEN)
            row += 2 * BLOCK
        else:
            some(boards, board, me, needs, first_need, row, rows, reach, values, work, lanes, lanes)
            row += len(lanes)


@kernel(allocates=False)
def some(
    boards: Boards,
    board: int,
    me: int,
    needs: Any,
    first_need: int,
    row: int,
    rows: int,
    reach: Any,
    values: Any,
    work: Any,
    lanes: Lanes,
    wide: Lanes,
) -> None:
    """The same for as many rows, from this one on, as there are numbers in `wide`."""
    columns, beaten, dealt, cards = work
    other, step, size, need = 1 - me, len(lanes), len(wide), 0
    for part in range(0, size, step):
        need |= needs[first_need + (row + part) // BLOCK]
    here = boards.list[board]
    mine, theirs = here.first_hand[me], here.first_hand[other]
    my_hands, my_width, their_hands, their_width = here.hands[me], here.width[me], here.hands[other], here.width[other]
    low, high, strength = boards.low, boards.high, boards.strength
    for part in range(0, size, step):
        for j in range(0, their_width, step):
            turn(reach, (row + part) * their_width + j, their_width, columns, j * size + part, size, lanes)
    total, j = splat(np.float32(0.0), wide), 0
    for card in range(52):
        store(cards, card * size, total, wide)
    if need & SHOWDOWNS:
        i = 0
        while i < my_hands:
            level = at(strength, mine + i)
            while j < their_hands and at(strength, theirs + j) < level:
                total = add(columns, j, at(low, theirs + j), at(high, theirs + j), total, cards, wide)
                j += 1
            if j < their_hands and at(strength, theirs + j) == level:
                first = i
                while i < my_hands and at(strength, mine + i) == level:
                    store(beaten, i * size, without(total, at(low, mine + i), at(high, mine + i), cards, wide), wide)
                    i += 1
                while j < their_hands and at(strength, theirs + j) == level:
                    total = add(columns, j, at(low, theirs + j), at(high, theirs + j), total, cards, wide)
                    j += 1
                for k in range(first, i):
                    rest = without(total, at(low, mine + k), at(high, mine + k), cards, wide)
                    store(beaten, k * size, load(beaten, k * size, wide) + rest, wide)
            else:
                while i < my_hands and at(strength, mine + i) == level:
                    weaker = without(total, at(low, mine + i), at(high, mine + i), cards, wide)
                    store(beaten, i * size, weaker + weaker, wide)
                    i += 1
    while j < their_hands:
        total = add(columns, j, at(low, theirs + j), at(high, theirs + j), total, cards, wide)
        j += 1
    for i in range(0, my_width, step):  # a block of hands at a time, which is then turned while it is at hand
        for k in range(step):
            hand = mine + i + k
            against = without(total, at(low, hand), at(high, hand), cards, wide)
            if need & SHOWDOWNS:
                store(beaten, (i + k) * size, load(beaten, (i + k) * size, wide) - against, wide)
            if need & FOLDS:
                same = at(boards.same, hand)
                if same >= 0:
                    against = against + load(columns, same * size, wide)
                store(dealt, k * size, against, wide)
        for part in range(0, size, step):
            wanted = needs[first_need + (row + part) // BLOCK]
            if wanted & SHOWDOWNS:
                turn(beaten, i * size + part, size, values, (row + part) * my_width + i, my_width, lanes)
            if wanted & FOLDS:
                turn(dealt, part, size, values, (rows + row + part) * my_width + i, my_width, lanes)


@kernel(allocates=False)
def add(columns: Any, hand: int, low: int, high: int, total: Any, cards: Any, lanes: Lanes) -> Any:
    """Add a hand to the sums of its cards, and return the new total."""
    size = len(lanes)
    reach = load(columns, hand * size, lanes)
    store(cards, low * size, load(cards, low * size, lanes) + reach, lanes)
    store(cards, high * size, load(cards, high * size, lanes) + reach, lanes)
    return total + reach


@kernel(allocates=False)
def without(total: Any, low: int, high: int, cards: Any, lanes: Lanes) -> Any:
    """The total less the hands that hold one of these cards."""
    size = len(lanes)
    return total - load(cards, low * size, lanes) - load(cards, high * size, lanes)


def memory(width: int, blocks: int) -> tuple[int, int, int, int]:
    """How much `sweep` works in for so many hands and blocks: columns of reach, of both results, sums by card."""
    together = 4 if width <= 256 else 2 if width <= 768 else 1  # more would be slower, in the processor's second cache
    rows = BLOCK * max(min(blocks, together), 1)
    return rows * width, rows * width, rows * BLOCK, rows * 52


@kernel(allocates=False)
def shares(boards: Boards, board: int, me: int, weight: Any, sums: Any, levels: Any, street: int) -> None:
    """Add up, for each hand of mine on a board, how much of the opponent's range it beats, less what beats it, and all.

    The board is dealt out in every way. It is done in plain numbers and double precision, for results that are shown.

    weight  of the opponent's hands by number
    sums    (106,) memory
    levels  (3, 2, hands) by street: the two results, in the order of the board
    """
    here = boards.list[board]
    levels[street] = 0.0
    if street == 2:
        _on_river(boards, board, me, weight, sums, levels[2])
        return
    for step in range(here.children):
        following = here.first_child + step
        after = boards.list[following]
        levels[street + 1] = 0.0
        if street == 1:
            _on_river(boards, following, me, weight, sums, levels[2])
        else:
            for river in range(after.first_child, after.first_child + after.children):
                levels[2] = 0.0
                _on_river(boards, river, me, weight, sums, levels[2])
                _carry_up(boards, river, me, levels[2], levels[1])
        _carry_up(boards, following, me, levels[street + 1], levels[street])


@kernel(allocates=False)
def _carry_up(boards: Boards, board: int, me: int, found: Any, before: Any) -> None:
    here = boards.list[board]
    for copy in range(here.copies):
        into = here.first_into[me] + copy * here.width[me]
        for i in range(here.hands[me]):
            for k in range(2):
                before[k, boards.into[into + i]] += found[k, i]


@kernel(allocates=False)
def _on_river(boards: Boards, board: int, me: int, weight: Any, sums: Any, found: Any) -> None:
    """The same on a river, with the readable form of `sweep`: one row, and ties looked for one by one."""
    here, other = boards.list[board], 1 - me
    mine, theirs = here.first_hand[me], here.first_hand[other]
    for sign in (1.0, -1.0):  # from the weakest up, and from the strongest down
        sums[:] = 0.0
        j = 0
        for i in range(here.hands[me]):
            mine_now = mine + (i if sign > 0 else here.hands[me] - 1 - i)
            while j < here.hands[other]:
                their_now = theirs + (j if sign > 0 else here.hands[other] - 1 - j)
                if sign * (boards.strength[mine_now] - boards.strength[their_now]) <= 0:
                    break
                reach = weight[boards.hand[their_now]]
                sums[52] += reach
                sums[boards.low[their_now]] += reach
                sums[boards.high[their_now]] += reach
                j += 1
            found[0, mine_now - mine] += sign * (sums[52] - sums[boards.low[mine_now]] - sums[boards.high[mine_now]])
    sums[:] = 0.0
    for j in range(theirs, theirs + here.hands[other]):
        reach = weight[boards.hand[j]]
        sums[52] += reach
        sums[boards.low[j]] += reach
        sums[boards.high[j]] += reach
    for i in range(mine, mine + here.hands[me]):
        same = boards.same[i]
        again = weight[boards.hand[theirs + same]] if same >= 0 else 0.0
        found[1, i - mine] += sums[52] - sums[boards.low[i]] - sums[boards.high[i]] + again
