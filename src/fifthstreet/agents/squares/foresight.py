"""What the next card may bring: for every card that may come, the expected score when it is placed best.

Most of the score of a game of Poker Squares is luck. What a card brings, less the mean of what all cards might have
brought, is the luck of that card; the score less all luck has the same mean and, with learned values of lines, a
fiftieth of the variance (American). So a few games are enough to tell players apart (`luck`), and learners that leave
luck out of what they learn from need far fewer of them (`temporal`, `crossings`).

A card that is placed elsewhere matters to a line only by its rank or its suit; in a line that does not collect its suit
all cards of a rank are the same; and so are empty lines. Most of the work is therefore done once for several cards.
"""

from typing import NamedTuple

import numpy as np

from fifthstreet.agents.squares import lines
from fifthstreet.agents.squares.lines import Floats, Numbers, Position, Positions, Undealt, Values
from fifthstreet.games.poker_squares import LINES, SIDE
from fifthstreet.kernel import kernel
from fifthstreet.record import Row, copy_bytes

_NEVER = -1e30
_UNDEALT = Undealt.head  # bytes


class Scratch(NamedTuple):
    """Memory to work in: figures by line, some apart for cards of another suit and of the suit that it collects."""

    now: Floats  # what the line is worth if the card does not matter to it
    beside: Floats  # what it is worth with the card placed elsewhere
    added: Floats  # what the card adds to it
    known: Numbers  # whether the last two are known for this rank and other suits
    twin: Numbers  # the line whose figures are also those of this one
    rest: Positions  # what is undealt after the card; its first line is the one looked at


@kernel
def new_scratch() -> Scratch:
    by_line, by_suit, marks = np.zeros(LINES), np.zeros((2, LINES, 2)), np.zeros((2, LINES), np.int64)
    return Scratch(by_line, by_suit[0], by_suit[1], marks[0], marks[1], lines.new_position())


@kernel
def find_twins(position: Position, twin: Numbers) -> None:
    """The first of the empty rows stands for all of them, and so for columns; any other line for itself."""
    for side in range(0, LINES, SIDE):
        empty = -1
        for i in range(side, side + SIDE):
            twin[i] = i
            if position.lines[i].length == 0:
                empty = i if empty < 0 else empty
                twin[i] = empty


@kernel
def most_added(position: Position, gain: Row) -> float:
    """What a card adds in the best free cell, if it adds `gain` to each line."""
    most = _NEVER
    for row in range(SIDE):
        if position.lines[row].length < SIDE:
            best = _NEVER
            for column in range(SIDE):
                if position.grid[SIDE * row + column] < 0:
                    best = max(best, gain[SIDE + column])
            most = max(most, gain[row] + best)
    return most


@kernel
def foresee(position: Position, values: Values, scratch: Scratch, out: Floats) -> float:
    """Write the expected score after each undealt card, if it is the next and placed best, to `out`; return the mean.

    The score is that according to the values of the lines.
    """
    now, beside, added, known, twin, rests = scratch
    rest = rests[0]
    line = rest.lines[0]
    find_twins(position, twin)
    full, total, count = 0.0, 0.0, 0
    for i in range(LINES):
        if position.lines[i].length == SIDE:
            full += lines.score_of(position, position.lines[i])
        else:
            now[i] = values[lines.number_of(position, lines.stage_of(position.played + 1, i), position.lines[i])]
    rest.fine = position.fine
    for card in range(52):
        rank, suit = card >> 2, card & 3
        if suit == 0:
            known[:] = 0
        if not position.left_ranks[suit] >> rank & 1:
            continue
        copy_bytes(position, rest, _UNDEALT)
        undealt, expected = lines.take(rest, card), full
        for i in range(LINES):
            suits, length = position.lines[i].suits, position.lines[i].length
            if length == SIDE:
                continue
            own = int(suits == 0 or suits == 1 << suit)
            if twin[i] < i:
                beside[i, own], added[i, own] = beside[twin[i], own], added[twin[i], own]
            elif own or not known[i]:
                stage, known[i] = lines.stage_of(position.played + 1, i), known[i] or not own
                lines.copy_line(position.lines[i], line)
                lines.notice(line, rank, undealt)
                changed = own or undealt == 0 or line.mask >> rank & 1
                beside[i, own] = values[lines.number_of(rest, stage, line)] if changed else now[i]
                if length == SIDE - 1:
                    added[i, own] = position.points[lines.category_with(line, card)] - beside[i, own]
                else:
                    added[i, own] = values[lines.number_with(rest, stage, line, card)] - beside[i, own]
            expected += beside[i, own]
            rest.gain[i] = added[i, own]
        out[card] = expected + most_added(position, rest.gain)
        total += out[card]
        count += 1
    return total / count
