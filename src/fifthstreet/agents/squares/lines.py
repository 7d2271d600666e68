"""A grid as its ten lines, and the abstraction of a line by which values are learned, packed into one number.

The abstraction (Neller, Messinger and Yang 2015, "Abstracting Independent Hands") knows of a row or column: how many
cards were played in the game; whether it is a row or a column; how many cards of each rank it has, and how many of that
rank are undealt; whether a flush can still be made, and how many cards of the suit are undealt; whether a straight can;
whether a royal flush can. A hand can be made only if every card that it still needs is undealt.

A finer abstraction, for players beyond the paper, also knows how many straights can be made, up to five, and whether a
straight flush can. Both kinds are numbered in one table.

A full line needs no abstraction, since its score is known. An evaluation is a flat table with a value for every
abstraction, and optionally another with a correction for every distribution of the lines' lengths.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from fifthstreet.games.poker_squares import CELLS, LINES, SIDE, SquaresTable
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Record, Row, one_record
from fifthstreet.rng import RngState, below

Number = Annotated[int, Field(np.int64)]
Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
Values = NDArray[np.float32]
"""What lines are worth, by the number of their abstraction."""


class Line(Record):
    """What the abstraction and the score depend on in a row or column."""

    counts: Number  # cards of each rank, four bits each
    mask: Number  # ranks, one bit each
    kinds: Number  # how many different ranks
    suits: Number  # one bit each
    length: Number  # how many cards
    total: Number  # the weights of its ranks with what is undealt of them, added up


class Undealt(Record):
    """The cards that may still come."""

    left_counts: Number  # cards of each rank, four bits each
    left_mask: Number  # ranks, one bit each
    left_suited: Annotated[Row, Field(np.int64, shape=4)]  # cards of each suit
    left_ranks: Annotated[Row, Field(np.int64, shape=4)]  # the ranks of each suit, one bit each


class Position(Undealt):
    """A grid while it is filled, with its lines kept up to date card by card."""

    last = ("gain",)

    fine: Number  # 1 for the finer abstraction
    played: Number  # cards on the grid
    grid: Annotated[Row, Field(np.int64, shape=CELLS)]  # the card in each cell, −1 in a free one
    points: Annotated[Row, Field(np.float64, shape=10)]  # of each category
    lines: Annotated[Sequence[Line], Field(Line, shape=LINES)]
    gain: Annotated[Row, Field(np.float64, shape=LINES)]  # what a card adds to each line, written by `gains`


POSITION = Position.dtype
WHOLE = Position.head  # the bytes that make a copy of a position
Positions = Sequence[Position]
"""An array with one position, as memory for a kernel to work in."""

# The ranks of a line with what is undealt of them: each kind of (count, undealt) has a weight, chosen so that every
# possible collection of up to four cards has a different sum of weights.
_KINDS = [(count, undealt) for count in range(1, 5) for undealt in range(5 - count)]
_WEIGHTS = (1, 5, 21, 55, 103, 167, 190, 33, 121, 9)
WEIGHT = np.zeros(5 * 8, np.int64)
for (_count, _undealt), _weight in zip(_KINDS, _WEIGHTS, strict=True):
    WEIGHT[8 * _count + _undealt] = _weight


def _collections(kinds: list[tuple[int, int]], most: int) -> list[int]:
    """The sums of weights of all collections of these kinds with at most this many cards."""
    if not kinds:
        return [0]
    (count, undealt), rest = kinds[0], kinds[1:]
    weight = int(WEIGHT[8 * count + undealt])
    return [n * weight + more for n in range(most // count + 1) for more in _collections(rest, most - n * count)]


_SUMS = sorted(_collections(_KINDS, 4))
PATTERN = np.zeros(max(_SUMS) + 1, np.int64)
PATTERN[_SUMS] = np.arange(len(_SUMS))
PATTERNS, FLUSHES, HOPES = len(_SUMS), 14, 18
REST = FLUSHES * HOPES
ABSTRACTIONS = 2 * (CELLS + 1) * PATTERNS * REST

# Straights, from the wheel up, as masks of ranks; which of them contain a mask, and which are contained in one.
_STRAIGHTS = [0b1000000001111, *(0b11111 << low for low in range(9))]
FITS = np.array([sum((s & m == m) << i for i, s in enumerate(_STRAIGHTS)) for m in range(1 << 13)], np.int16)
WITHIN = np.array([sum((s & m == s) << i for i, s in enumerate(_STRAIGHTS)) for m in range(1 << 13)], np.int16)
ROYAL = 0b11111 << 8
HOW_MANY = np.array([min(straights.bit_count(), 5) for straights in range(1 << 10)], np.int64)

ONE_SUIT = np.array([0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], np.bool_)  # masks of suits with one in them
SUIT_OF = np.array([0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0], np.int64)

# The lengths of all lines as one number: how many have one card, how many two, and so on.
LENGTH_WEIGHT = np.array([0, 1, 11, 11**2, 11**3, 11**4], np.int64)
SIZES = 10 * 11**4 + 1

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
_FOURS, _FIVES, _EIGHTS = (digit * 0x1111111111111 for digit in (4, 5, 8))


def empty_grid(points: Sequence[float]) -> Position:
    """A position for kernels to play in, with this point system."""
    return Position.of(points=points).thaw()


@kernel
def new_position() -> Positions:
    """Memory for a position."""
    return one_record(POSITION)


@kernel(changes="position")
def clear(position: Position, fine: bool) -> None:
    """Take all cards back and set which abstraction is used; the points stay."""
    position.fine, position.played = fine, 0
    position.left_counts, position.left_mask = _FOURS, (1 << 13) - 1
    for suit in range(4):
        position.left_suited[suit], position.left_ranks[suit] = 13, (1 << 13) - 1
    for cell in range(CELLS):
        position.grid[cell] = -1
    for i in range(LINES):
        clear_line(position.lines[i])


@kernel
def clear_line(line: Line) -> None:
    line.counts, line.mask, line.kinds, line.suits, line.length, line.total = 0, 0, 0, 0, 0, 0


@kernel
def copy_line(line: Line, out: Line) -> None:
    out.counts, out.mask, out.kinds = line.counts, line.mask, line.kinds
    out.suits, out.length, out.total = line.suits, line.length, line.total


@kernel(changes="position")
def take(position: Position, card: int) -> int:
    """Take a card from those undealt; returns how many of its rank remain."""
    rank, suit = card >> 2, card & 3
    position.left_counts -= 1 << 4 * rank
    undealt = position.left_counts >> 4 * rank & 15
    if undealt == 0:
        position.left_mask &= ~(1 << rank)
    position.left_suited[suit] -= 1
    position.left_ranks[suit] &= ~(1 << rank)
    return undealt


@kernel
def notice(line: Line, rank: int, undealt: int) -> None:
    """Update a line after a card of this rank was dealt, of which `undealt` remain."""
    if line.mask >> rank & 1:
        kind = 8 * (line.counts >> 4 * rank & 15) + undealt
        line.total += WEIGHT[kind] - WEIGHT[kind + 1]


@kernel(changes="position")
def deal(position: Position, card: int) -> None:
    """Take a card from those undealt and update all lines."""
    undealt = take(position, card)
    for i in range(LINES):
        notice(position.lines[i], card >> 2, undealt)


@kernel(changes="position")
def put(position: Position, line: Line, card: int) -> None:
    """Add a dealt card to a line."""
    rank = card >> 2
    kind = 8 * (line.counts >> 4 * rank & 15) + (position.left_counts >> 4 * rank & 15)
    line.total += WEIGHT[kind + 8] - WEIGHT[kind]
    line.counts += 1 << 4 * rank
    line.kinds += 1 - (line.mask >> rank & 1)
    line.mask |= 1 << rank
    line.suits |= 1 << (card & 3)
    line.length += 1


@kernel(changes="position")
def place(position: Position, cell: int, card: int) -> None:
    """Place a dealt card in a cell."""
    position.grid[cell] = card
    position.played += 1
    put(position, position.lines[cell // SIDE], card)
    put(position, position.lines[SIDE + cell % SIDE], card)


@kernel(changes="position")
def read_grid(view: SquaresTable, fine: bool, position: Position) -> None:
    """Make `position` that of a view; its next card, if it is drawn, counts as dealt."""
    for category in range(10):
        position.points[category] = view.points[category]
    clear(position, fine)
    for cell in range(CELLS):
        card = view.grid[cell]
        if card >= 0:
            deal(position, card)
            place(position, cell, card)
    if view.next_card >= 0:
        deal(position, view.next_card)


@kernel
def packed(position: Position, stage: int, total: int, mask: int, all_different: bool, suits: int, length: int) -> int:
    """The number of an abstraction."""
    flush, hope = 0, 0
    if all_different:
        straights = FITS[mask] & WITHIN[mask | position.left_mask]
        if straights:
            hope = 3 * HOW_MANY[straights] if position.fine else 3
        if ONE_SUIT[suits]:
            suit = SUIT_OF[suits]
            if position.left_suited[suit] >= SIDE - length:
                flush = 1 + position.left_suited[suit]
            if mask & ROYAL == mask and ROYAL & ~(mask | position.left_ranks[suit]) == 0:
                hope += 2
            elif position.fine and straights & WITHIN[mask | position.left_ranks[suit]]:
                hope += 1
    return ((stage * PATTERNS + PATTERN[total]) * FLUSHES + flush) * HOPES + hope


@kernel
def stage_of(played: int, i: int) -> int:
    """The part of an abstraction that says how many cards are played, and whether line `i` is a row or a column."""
    return 2 * played + (i >= SIDE)


@kernel
def number_of(position: Position, stage: int, line: Line) -> int:
    """The number of the abstraction of a line that is not full."""
    length = line.length
    return packed(position, stage, line.total, line.mask, line.kinds == length, line.suits, length)


@kernel
def number_with(position: Position, stage: int, line: Line, card: int) -> int:
    """The number of the abstraction of a line with one more card, if it is not full then."""
    rank = card >> 2
    kind = 8 * (line.counts >> 4 * rank & 15) + (position.left_counts >> 4 * rank & 15)
    length, new = line.length, 1 - (line.mask >> rank & 1)
    return packed(
        position,
        stage,
        line.total + WEIGHT[kind + 8] - WEIGHT[kind],
        line.mask | 1 << rank,
        line.kinds + new == length + 1,
        line.suits | 1 << (card & 3),
        length + 1,
    )


@kernel
def category(counts: int, mask: int, kinds: int, suits: int, length: int) -> int:
    """The category of a line as it is; a straight or flush needs five cards."""
    spare = length - kinds
    if spare == 0:
        if length < SIDE:
            return HIGH_CARD
        straight = FITS[mask] & WITHIN[mask] != 0
        if ONE_SUIT[suits]:
            return (ROYAL_FLUSH if mask == ROYAL else STRAIGHT_FLUSH) if straight else FLUSH
        return STRAIGHT if straight else HIGH_CARD
    if spare == 1:
        return PAIR
    if counts & _FOURS:
        return FOUR
    if spare == 2:
        return THREE if (counts + _FIVES) & _EIGHTS else TWO_PAIR
    return FULL_HOUSE


@kernel
def category_of_line(line: Line) -> int:
    return category(line.counts, line.mask, line.kinds, line.suits, line.length)


@kernel
def category_with(line: Line, card: int) -> int:
    """The category of a line with one more card."""
    rank = card >> 2
    return category(
        line.counts + (1 << 4 * rank),
        line.mask | 1 << rank,
        line.kinds + 1 - (line.mask >> rank & 1),
        line.suits | 1 << (card & 3),
        line.length + 1,
    )


@kernel
def score_of(position: Position, line: Line) -> float:
    """The points of a line as it is."""
    return position.points[category_of_line(line)]


@kernel(changes="position")
def gains(position: Position, card: int, values: Values) -> None:
    """Write what a dealt card would add to each line that has room to `gain`."""
    for i in range(LINES):
        line = position.lines[i]
        if line.length < SIDE:
            stage = stage_of(position.played + 1, i)
            if line.length == SIDE - 1:
                new = position.points[category_with(line, card)]
            else:
                new = values[number_with(position, stage, line, card)]
            position.gain[i] = new - values[number_of(position, stage, line)]


@kernel
def value_of(position: Position, played: int, values: Values, sizes: Values) -> float:
    """The expected score according to the lines, after this many cards."""
    total = sizes[sizes_of(position)] if sizes.size > 0 else 0.0
    for i in range(LINES):
        line = position.lines[i]
        if line.length == SIDE:
            total += score_of(position, line)
        else:
            total += values[number_of(position, stage_of(played, i), line)]
    return total


@kernel
def value_by(position: Position, numbers: Numbers, values: Values) -> float:
    """The same where the numbers of the lines are known, −1 for a full one."""
    total = 0.0
    for i in range(LINES):
        total += score_of(position, position.lines[i]) if numbers[i] < 0 else values[numbers[i]]
    return total


@kernel
def sizes_of(position: Position) -> int:
    """The lengths of all lines as one number."""
    total = 0
    for i in range(LINES):
        total += LENGTH_WEIGHT[position.lines[i].length]
    return total


@kernel
def sizes_with(position: Position, now: int, row: int, column: int) -> int:
    """The lengths as one number, `now` without and the result with another card in this row and column."""
    long, tall = position.lines[row].length, position.lines[SIDE + column].length
    return now + LENGTH_WEIGHT[long + 1] - LENGTH_WEIGHT[long] + LENGTH_WEIGHT[tall + 1] - LENGTH_WEIGHT[tall]


@kernel
def alike(position: Position, cell: int) -> int:
    """The first of the free cells that are equivalent to this one: empty rows are alike, and so are empty columns."""
    row, column = cell // SIDE, cell % SIDE
    if position.lines[row].length == 0:
        row = 0
        while position.lines[row].length > 0:
            row += 1
    if position.lines[SIDE + column].length == 0:
        column = 0
        while position.lines[SIDE + column].length > 0:
            column += 1
    return SIDE * row + column


@kernel
def best_cell(position: Position, sizes: Values, rng: RngState) -> int:
    """The free cell where the card adds most by `gain`: of equals one at random, or the first if `rng` is empty."""
    best, most, equals = -1, 0.0, 1
    corrected = sizes.size > 0
    now = sizes_of(position) if corrected else 0
    for row in range(SIDE):
        if position.lines[row].length == SIDE:
            continue
        for column in range(SIDE):
            if position.grid[SIDE * row + column] >= 0:
                continue
            value = position.gain[row] + position.gain[SIDE + column]
            if corrected:
                value += sizes[sizes_with(position, now, row, column)]
            if best < 0 or value > most:
                best, most, equals = SIDE * row + column, value, 1
            elif value == most and rng.size > 0:
                equals += 1
                if below(rng, equals) == 0:
                    best = SIDE * row + column
    return best


@kernel(changes="position")
def play_on(position: Position, cards: Numbers, end: int, values: Values, sizes: Values, rng: RngState) -> None:
    """Place these cards greedily, until `end` cards are on the grid."""
    for i in range(end - position.played):
        deal(position, cards[i])
        gains(position, cards[i], values)
        place(position, best_cell(position, sizes, rng), cards[i])


@kernel
def undealt_cards(position: Position, cards: Numbers) -> int:
    """Write the undealt cards to `cards`, and return how many they are."""
    count = 0
    for card in range(52):
        if position.left_ranks[card & 3] >> (card >> 2) & 1:
            cards[count] = card
            count += 1
    return count
