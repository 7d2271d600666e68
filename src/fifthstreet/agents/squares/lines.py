"""A grid as its ten lines, and the abstraction of a line by which values are learned, packed into one number.

The abstraction (Neller, Messinger and Yang 2015, "Abstracting Independent Hands") knows of a row or column: how many
cards were played in the game; whether it is a row or a column; how many cards of each rank it has, and how many of that
rank are undealt; whether a flush can still be made, and how many cards of the suit are undealt; whether a straight can;
whether a royal flush can. What can be made is read strictly: all cards that it still needs are undealt.

A finer one, for players beyond the paper, also knows how many straights can be made, up to five, and whether a straight
flush can. Both kinds lie in one table.

A full line needs no abstraction, since what it scores is known. An evaluation is a flat table with a value for every
abstraction, and another with a correction for every distribution of the lines' sizes, which is zero unless it was
learned.
"""

from typing import Any

import numpy as np

from fifthstreet.games.poker_squares import CELLS, GRID, LINES, NEXT, SIDE, is_dealt
from fifthstreet.kernel import kernel
from fifthstreet.rng import below

# A line: counts by rank, four bits each; its ranks as a mask, and how many; suits as a mask; cards; and the weights of
# its ranks with what is undealt of them, added up.
COUNTS, MASK, KINDS, SUITS, SIZE, TOTAL, FACTS = 0, 1, 2, 3, 4, 5, 6
# What is undealt: counts by rank, four bits each; the ranks as a mask; how many of each suit; their ranks as masks.
# Beside it, whether abstractions are fine.
LEFT_COUNTS, LEFT_MASK, LEFT_SUITED, LEFT_RANKS, FINE, LEFT = 0, 1, 2, 6, 10, 11

# The ranks of a line with what is undealt of them: each kind of (count, undealt) has a weight, and every possible
# collection of up to four cards another sum of weights.
_KINDS = [(count, undealt) for count in range(1, 5) for undealt in range(5 - count)]
_WEIGHTS = (1, 5, 21, 55, 103, 167, 190, 33, 121, 9)
WEIGHT = np.zeros(5 * 8, np.int64)
for (_count, _undealt), _weight in zip(_KINDS, _WEIGHTS, strict=True):
    WEIGHT[8 * _count + _undealt] = _weight


def _collections(kinds: list[tuple[int, int]], room: int) -> list[int]:
    """The sums of weights of all collections of these kinds with so many cards at most."""
    if not kinds:
        return [0]
    (count, undealt), rest = kinds[0], kinds[1:]
    weight = int(WEIGHT[8 * count + undealt])
    return [n * weight + more for n in range(room // count + 1) for more in _collections(rest, room - n * count)]


_SUMS = sorted(_collections(_KINDS, 4))
PATTERN = np.zeros(max(_SUMS) + 1, np.int64)
PATTERN[_SUMS] = np.arange(len(_SUMS))
PATTERNS, FLUSHES, HOPES = len(_SUMS), 14, 18
REST = FLUSHES * HOPES
ABSTRACTIONS = 2 * (CELLS + 1) * PATTERNS * REST

# Straights, from the wheel up, as masks of ranks; which of them hold all of a mask, and which lie all within one.
_STRAIGHTS = [0b1000000001111, *(0b11111 << low for low in range(9))]
FITS = np.array([sum((s & m == m) << i for i, s in enumerate(_STRAIGHTS)) for m in range(1 << 13)], np.int16)
WITHIN = np.array([sum((s & m == s) << i for i, s in enumerate(_STRAIGHTS)) for m in range(1 << 13)], np.int16)
ROYAL = 0b11111 << 8
HOW_MANY = np.array([min(straights.bit_count(), 5) for straights in range(1 << 10)], np.int64)

ONE_SUIT = np.array([0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], np.bool_)  # masks of suits with one in them
SUIT_OF = np.array([0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0], np.int64)

# The sizes of the lines as one number: so many lines of one card, of two, and so on.
SIZE_WEIGHT = np.array([0, 1, 11, 11**2, 11**3, 11**4], np.int64)
SIZES = 10 * 11**4 + 1

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
_FOURS, _FIVES, _EIGHTS = (digit * 0x1111111111111 for digit in (4, 5, 8))


@kernel
def no_cards(lines: Any, left: Any, fine: bool) -> None:
    lines[:], left[FINE] = 0, fine
    left[LEFT_COUNTS], left[LEFT_MASK] = _FOURS, (1 << 13) - 1
    for suit in range(4):
        left[LEFT_SUITED + suit], left[LEFT_RANKS + suit] = 13, (1 << 13) - 1


@kernel
def take(left: Any, card: int) -> int:
    """Take a card from those undealt; how many of its rank remain."""
    rank, suit = card >> 2, card & 3
    left[LEFT_COUNTS] -= 1 << 4 * rank
    undealt = left[LEFT_COUNTS] >> 4 * rank & 15
    if undealt == 0:
        left[LEFT_MASK] &= ~(1 << rank)
    left[LEFT_SUITED + suit] -= 1
    left[LEFT_RANKS + suit] &= ~(1 << rank)
    return undealt


@kernel
def notice(line: Any, rank: int, undealt: int) -> None:
    """Let a line know that one card less of a rank, so many now, is undealt."""
    if line[MASK] >> rank & 1:
        kind = 8 * (line[COUNTS] >> 4 * rank & 15) + undealt
        line[TOTAL] += WEIGHT[kind] - WEIGHT[kind + 1]


@kernel
def deal(lines: Any, left: Any, card: int) -> None:
    """Take a card from those undealt, with all lines knowing."""
    undealt = take(left, card)
    for i in range(LINES):
        notice(lines[i], card >> 2, undealt)


@kernel
def put(line: Any, card: int, left: Any) -> None:
    """Add a dealt card to a line."""
    rank = card >> 2
    kind = 8 * (line[COUNTS] >> 4 * rank & 15) + (left[LEFT_COUNTS] >> 4 * rank & 15)
    line[TOTAL] += WEIGHT[kind + 8] - WEIGHT[kind]
    line[COUNTS] += 1 << 4 * rank
    line[KINDS] += 1 - (line[MASK] >> rank & 1)
    line[MASK] |= 1 << rank
    line[SUITS] |= 1 << (card & 3)
    line[SIZE] += 1


@kernel
def place(lines: Any, cell: int, card: int, left: Any) -> None:
    """Put a dealt card into a cell, that is into its row and its column."""
    put(lines[cell // SIDE], card, left)
    put(lines[SIDE + cell % SIDE], card, left)


@kernel
def read_grid(data: Any, fine: bool, lines: Any, left: Any) -> None:
    """The lines of a grid, and what is undealt when the next card is drawn."""
    no_cards(lines, left, fine)
    for cell in range(CELLS):
        card = data[GRID + cell]
        if card >= 0:
            deal(lines, left, card)
            place(lines, cell, card, left)
    if data[NEXT] >= 0:
        deal(lines, left, data[NEXT])


@kernel
def packed(stage: int, total: int, mask: int, all_different: bool, suits: int, size: int, left: Any) -> int:
    """The number of an abstraction."""
    flush, hope = 0, 0
    if all_different:
        straights = FITS[mask] & WITHIN[mask | left[LEFT_MASK]]
        if straights:
            hope = 3 * HOW_MANY[straights] if left[FINE] else 3
        if ONE_SUIT[suits]:
            suit = SUIT_OF[suits]
            if left[LEFT_SUITED + suit] >= SIDE - size:
                flush = 1 + left[LEFT_SUITED + suit]
            if mask & ROYAL == mask and ROYAL & ~(mask | left[LEFT_RANKS + suit]) == 0:
                hope += 2
            elif left[FINE] and straights & WITHIN[mask | left[LEFT_RANKS + suit]]:
                hope += 1
    return ((stage * PATTERNS + PATTERN[total]) * FLUSHES + flush) * HOPES + hope


@kernel
def stage_of(played: int, line: int) -> int:
    return 2 * played + (line >= SIDE)


@kernel
def number_of(stage: int, line: Any, left: Any) -> int:
    """The number of the abstraction of a line that is not full."""
    size = line[SIZE]
    return packed(stage, line[TOTAL], line[MASK], line[KINDS] == size, line[SUITS], size, left)


@kernel
def number_with(stage: int, line: Any, card: int, left: Any) -> int:
    """The same with a card more, when it is not full then."""
    rank = card >> 2
    kind = 8 * (line[COUNTS] >> 4 * rank & 15) + (left[LEFT_COUNTS] >> 4 * rank & 15)
    size, new = line[SIZE], 1 - (line[MASK] >> rank & 1)
    return packed(
        stage,
        line[TOTAL] + WEIGHT[kind + 8] - WEIGHT[kind],
        line[MASK] | 1 << rank,
        line[KINDS] + new == size + 1,
        line[SUITS] | 1 << (card & 3),
        size + 1,
        left,
    )


@kernel
def category(counts: int, mask: int, kinds: int, suits: int, size: int) -> int:
    """What a line is so far; a straight or flush needs five cards."""
    spare = size - kinds
    if spare == 0:
        if size < SIDE:
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
def category_of_line(line: Any) -> int:
    return category(line[COUNTS], line[MASK], line[KINDS], line[SUITS], line[SIZE])


@kernel
def category_with(line: Any, card: int) -> int:
    """What a line is with a card more."""
    rank = card >> 2
    return category(
        line[COUNTS] + (1 << 4 * rank),
        line[MASK] | 1 << rank,
        line[KINDS] + 1 - (line[MASK] >> rank & 1),
        line[SUITS] | 1 << (card & 3),
        line[SIZE] + 1,
    )


@kernel
def gains(played: int, card: int, lines: Any, left: Any, points: Any, values: Any, gain: Any) -> None:
    """What a dealt card adds to each line that has room, valued as the lines are when it lies somewhere."""
    for i in range(LINES):
        line = lines[i]
        if line[SIZE] < SIDE:
            stage = stage_of(played + 1, i)
            if line[SIZE] == SIDE - 1:
                new = points[category_with(line, card)]
            else:
                new = values[number_with(stage, line, card, left)]
            gain[i] = new - values[number_of(stage, line, left)]


@kernel
def value_of(played: int, lines: Any, left: Any, points: Any, values: Any, sizes: Any) -> float:
    """The score that the lines promise."""
    total = sizes[sizes_of(lines)] if sizes.size > 0 else 0.0
    for i in range(LINES):
        if lines[i, SIZE] == SIDE:
            total += points[category_of_line(lines[i])]
        else:
            total += values[number_of(stage_of(played, i), lines[i], left)]
    return total


@kernel
def value_by(numbers: Any, lines: Any, points: Any, values: Any) -> float:
    """The same of lines whose numbers are known, −1 of a full one."""
    total = 0.0
    for i in range(LINES):
        total += points[category_of_line(lines[i])] if numbers[i] < 0 else values[numbers[i]]
    return total


@kernel
def sizes_of(lines: Any) -> int:
    total = 0
    for i in range(LINES):
        total += SIZE_WEIGHT[lines[i, SIZE]]
    return total


@kernel
def sizes_with(now: int, lines: Any, row: int, column: int) -> int:
    """The sizes when a card more lies in this row and column."""
    long, tall = lines[row, SIZE], lines[SIDE + column, SIZE]
    return now + SIZE_WEIGHT[long + 1] - SIZE_WEIGHT[long] + SIZE_WEIGHT[tall + 1] - SIZE_WEIGHT[tall]


@kernel
def alike(lines: Any, cell: int) -> int:
    """The first of the free cells that are the same to the player: empty rows are alike, and empty columns."""
    row, column = cell // SIDE, cell % SIDE
    if lines[row, SIZE] == 0:
        row = 0
        while lines[row, SIZE] > 0:
            row += 1
    if lines[SIDE + column, SIZE] == 0:
        column = 0
        while lines[SIDE + column, SIZE] > 0:
            column += 1
    return SIDE * row + column


@kernel
def best_cell(grid: Any, lines: Any, gain: Any, sizes: Any, words: Any) -> int:
    """The free cell where the card adds most: of equals one at random, or with no words the first."""
    best, most, equals = -1, 0.0, 1
    corrected = sizes.size > 0
    now = sizes_of(lines) if corrected else 0
    for row in range(SIDE):
        if lines[row, SIZE] == SIDE:
            continue
        for column in range(SIDE):
            if grid[SIDE * row + column] >= 0:
                continue
            value = gain[row] + gain[SIDE + column]
            if corrected:
                value += sizes[sizes_with(now, lines, row, column)]
            if best < 0 or value > most:
                best, most, equals = SIDE * row + column, value, 1
            elif value == most and words.size > 0:
                equals += 1
                if below(words, equals) == 0:
                    best = SIDE * row + column
    return best


@kernel
def play_on(
    grid: Any, lines: Any, left: Any, cards: Any, first: int, end: int, points: Any, values: Any, sizes: Any, words: Any
) -> None:
    """Place these cards greedily, from the one after `first` are played until `end` are."""
    gain = np.empty(LINES)
    for played in range(first, end):
        card = cards[played - first]
        deal(lines, left, card)
        gains(played, card, lines, left, points, values, gain)
        cell = best_cell(grid, lines, gain, sizes, words)
        grid[cell] = card
        place(lines, cell, card, left)


@kernel
def undealt(view: Any, cards: Any) -> int:
    """Write down the cards that are neither on the grid nor in hand; how many there are."""
    count = 0
    for card in range(52):
        if not is_dealt(view, card):
            cards[count] = card
            count += 1
    return count


@kernel
def draw(cards: Any, i: int, count: int, words: Any) -> int:
    """Put one of the cards that are left behind the first i, as the next of them."""
    drawn = i + below(words, count - i)
    cards[i], cards[drawn] = cards[drawn], cards[i]
    return cards[i]


@kernel
def draw_some(cards: Any, count: int, wanted: int, words: Any) -> None:
    """Shuffle so many of the cards to the front."""
    for i in range(wanted):
        draw(cards, i, count, words)
