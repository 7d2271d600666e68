"""What the next card may bring: for every card that may come, what the lines promise when it is placed best.

Most of what a game of Poker Squares pays is luck. What a card brings, less the mean of what all cards might have
brought, is the luck of that card; the score less all luck has the same mean and, by learned values of lines, a fiftieth
of the variance (American). So few games tell players apart (`luck`), and learners who leave luck out of what they learn
from need far fewer of them (`temporal`, `crossings`).

A card that lies elsewhere matters to a line only by its rank or its suit, in a line that does not collect its suit all
cards of a rank are the same, and so are empty lines: most of the work is done once for several cards.
"""

from typing import Any

import numpy as np

from fifthstreet.agents.squares.lines import (
    FACTS,
    LEFT,
    LEFT_RANKS,
    MASK,
    SIZE,
    SUITS,
    category_of_line,
    category_with,
    notice,
    number_of,
    number_with,
    stage_of,
    take,
)
from fifthstreet.games.poker_squares import LINES, SIDE
from fifthstreet.kernel import kernel

_NEVER = -1e30


@kernel
def foresights() -> Any:
    """Working memory: what lines are worth; with a card elsewhere and what it adds here, of another suit and of theirs;
    the same for one card; which lines are known for a rank; lines that stand for others; a line; what is undealt.
    """
    sums, pairs, marks = np.zeros((3, LINES)), np.zeros((2, LINES, 2)), np.zeros((2, LINES), np.int64)
    return sums, pairs, marks, np.zeros(FACTS, np.int64), np.zeros(LEFT, np.int64)


@kernel
def stand_for(lines: Any, twin: Any) -> None:
    """Of the empty rows the first stands for all, and of the empty columns; any other line for itself."""
    for side in range(0, LINES, SIDE):
        empty = -1
        for i in range(side, side + SIDE):
            twin[i] = i
            if lines[i, SIZE] == 0:
                empty = i if empty < 0 else empty
                twin[i] = empty


@kernel
def most_added(grid: Any, lines: Any, gain: Any) -> float:
    """What a card adds in the best free cell."""
    most = _NEVER
    for row in range(SIDE):
        if lines[row, SIZE] < SIDE:
            best = _NEVER
            for column in range(SIDE):
                if grid[SIDE * row + column] < 0:
                    best = max(best, gain[SIDE + column])
            most = max(most, gain[row] + best)
    return most


@kernel
def foresee(played: int, grid: Any, lines: Any, left: Any, points: Any, values: Any, room: Any, out: Any) -> float:
    """Write down what is promised after each undealt card, the next one, is placed best; and the mean of that."""
    (now, gain, _), (beside, added), (known, twin), line, rest = room
    stand_for(lines, twin)
    full, total, count = 0.0, 0.0, 0
    for i in range(LINES):
        if lines[i, SIZE] == SIDE:
            full += points[category_of_line(lines[i])]
        else:
            now[i] = values[number_of(stage_of(played + 1, i), lines[i], left)]
    for card in range(52):
        rank, suit = card >> 2, card & 3
        if suit == 0:
            known[:] = 0
        if not left[LEFT_RANKS + suit] >> rank & 1:
            continue
        rest[:] = left
        undealt, promise = take(rest, card), full
        for i in range(LINES):
            suits, size = lines[i, SUITS], lines[i, SIZE]
            if size == SIDE:
                continue
            own = int(suits == 0 or suits == 1 << suit)
            if twin[i] < i:
                beside[i, own], added[i, own] = beside[twin[i], own], added[twin[i], own]
            elif own or not known[i]:
                stage, known[i] = stage_of(played + 1, i), known[i] or not own
                line[:] = lines[i]
                notice(line, rank, undealt)
                changed = own or undealt == 0 or line[MASK] >> rank & 1
                beside[i, own] = values[number_of(stage, line, rest)] if changed else now[i]
                if size == SIDE - 1:
                    added[i, own] = points[category_with(line, card)] - beside[i, own]
                else:
                    added[i, own] = values[number_with(stage, line, card, rest)] - beside[i, own]
            promise += beside[i, own]
            gain[i] = added[i, own]
        out[card] = promise + most_added(grid, lines, gain)
        total += out[card]
        count += 1
    return total / count
