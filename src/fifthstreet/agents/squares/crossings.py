"""What the values of single lines leave out: how lines that cross go together, by a small network.

Lines are valued one by one, as if each had the cards to come for itself. The network says what is wrong with their sum:
whether the ranks and suits that a row waits for are those that the column waits for in the cell where they cross, how
many lines wait for the same ranks, and what is left of them. It has a vector for each of these: the ranks of a line,
its shape (how many cards, of which kinds, of which suit) and how many cards that it waits for are undealt, rows and
columns apart; every free cell, by the kinds of its row and its column and how many cards that both wait for are
undealt; what is undealt of each rank, and how many lines wait for it to fill a straight and to make more of a pair;
what is undealt of each suit, and how many lines wait for it; the number of cards played. They are added up, go through
a ramp, and are weighed.

It learns by temporal differences, as the lines did before (`temporal`), from games that it plays by its own word, and
the values of the lines go on learning beside it. What luck each card was, by the lines as they were before, is left
out: a quarter of the games then teach more than all did with it. Of a full grid, whose score is known, it says nothing.
"""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.squares.foresight import foresee, foresights
from fifthstreet.agents.squares.lines import (
    FACTS,
    FITS,
    KINDS,
    LEFT,
    LEFT_COUNTS,
    LEFT_SUITED,
    MASK,
    ONE_SUIT,
    SIZE,
    SUIT_OF,
    SUITS,
    THREE,
    TWO_PAIR,
    WITHIN,
    alike,
    category_of_line,
    deal,
    draw,
    gains,
    no_cards,
    place,
    put,
    value_by,
    value_of,
)
from fifthstreet.agents.squares.narl import any_cell, number_lines
from fifthstreet.agents.squares.temporal import EXPLORED, in_rounds, missed, move
from fifthstreet.games.poker_squares import CELLS, LINES, SIDE
from fifthstreet.kernel import kernel
from fifthstreet.rng import uniform

_F = np.float32
WIDTH = 32

# Masks of up to four ranks, numbered; and the ranks that would bring such a line nearer to a straight.
_MASKS = [mask for mask in range(1 << 13) if mask.bit_count() < SIDE]
MASK_NUMBER = np.zeros(1 << 13, np.int64)
MASK_NUMBER[_MASKS] = np.arange(len(_MASKS))
_STRAIGHTS = [mask for mask in range(1 << 13) if mask.bit_count() == SIDE and WITHIN[mask]]
WANTED = np.array(
    [functools.reduce(int.__or__, (s for s in _STRAIGHTS if s & m == m), 0) & ~m for m in range(1 << 13)], np.int64
)
# Ranks as four bits each, to count them, and to find what is undealt of them.
ONES = np.array([sum(1 << 4 * rank for rank in range(13) if m >> rank & 1) for m in range(1 << 13)], np.int64)
NIBBLES = np.array([sum(15 << 4 * rank for rank in range(13) if m >> rank & 1) for m in range(1 << 13)], np.int64)
# So many undealt cards that two lines both wait for: none, few, some, many.
SHARED = np.array([0, 1, 1, 2, 2, 2] + [3] * 47, np.int64)

# What is known of a line: its kind (size, and what it can become), the ranks it waits for, and its suit; the numbers of
# its three vectors; and the ranks it needs soon for a straight, those it has and wants more of, and the suit it
# collects, all with four bits each, so that they can be added up.
KIND, WAITS, SUIT, RANKS, SHAPE, LIVE, RUNS, SETS, SUITED, KNOWN = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
SORTS = 8 * SIDE
ANY_SUIT, NO_SUIT = 4, 5

# The vectors, one after the other: of lines, first those of rows and then those of columns; of free cells; of what is
# undealt; of the stage. Behind them what the ramp's numbers are multiplied by.
SHAPES = len(_MASKS)
OUTS = SHAPES + SIDE * SIDE * 5
OF_A_LINE = OUTS + SORTS * 16
CROSSINGS = 2 * OF_A_LINE
BY_RANK = CROSSINGS + SORTS * SORTS * 12
BY_SUIT = BY_RANK + 13 * 5 * 16
STAGE = BY_SUIT + 4 * 14 * 4
VECTORS = STAGE + CELLS + 1
MOST = 3 * LINES + CELLS + 13 + 4 + 1  # vectors at once


@kernel
def live(ranks: int, left: Any) -> int:
    """How many cards of these ranks, four bits each, are undealt."""
    counts = left[LEFT_COUNTS] & ranks
    counts = (counts & 0x0F0F0F0F0F0F0F) + (counts >> 4 & 0x0F0F0F0F0F0F0F)
    return (counts * 0x01010101010101 >> 48) & 0xFF


@kernel
def know(line: Any, left: Any, known: Any) -> None:
    """Write down what is known of a line that is not full."""
    size, mask, spare, suits = line[SIZE], line[MASK], line[SIZE] - line[KINDS], line[SUITS]
    suit = ANY_SUIT if size == 0 else SUIT_OF[suits] if ONE_SUIT[suits] else NO_SUIT
    # No two cards of a rank, a pair, two pair, three of a kind, four of a kind.
    shape = spare if spare < 2 else 4 if spare > 2 else THREE if category_of_line(line) == THREE else TWO_PAIR
    if shape == 0:
        known[KIND], known[WAITS] = 8 * size + 2 * (FITS[mask] != 0) + (suit != NO_SUIT), NIBBLES[WANTED[mask]]
    else:
        known[KIND], known[WAITS] = 8 * size + 3 + shape, NIBBLES[mask]
    known[SUIT] = suit
    known[RUNS] = ONES[WANTED[mask]] if shape == 0 and size >= 3 else 0
    known[SETS] = ONES[mask] if shape > 0 else 0
    known[SUITED] = 1 << 4 * suit if suit < ANY_SUIT and size >= 2 else 0
    known[RANKS] = MASK_NUMBER[mask]
    known[SHAPE] = SHAPES + (size * SIDE + shape) * 5 + (1 + suit if suit < ANY_SUIT else 0)
    known[LIVE] = OUTS + 16 * known[KIND] + min(live(known[WAITS], left), 15)


@kernel
def crossing(row: Any, column: Any, left: Any) -> int:
    """The number of a free cell's vector."""
    suits = 1
    if row[SUIT] == NO_SUIT or column[SUIT] == NO_SUIT:
        suits = 0
    elif row[SUIT] != column[SUIT] and row[SUIT] != ANY_SUIT and column[SUIT] != ANY_SUIT:
        suits = 2
    return ((row[KIND] * SORTS + column[KIND]) * 4 + SHARED[live(row[WAITS] & column[WAITS], left)]) * 3 + suits


@kernel
def line_vectors(played: int, lines: Any, left: Any, known: Any, out: Any) -> int:
    """The numbers of the vectors of the stage and of lines that are not full, and how many there are."""
    out[0], count = STAGE + played, 1
    for i in range(LINES):
        if lines[i, SIZE] == SIDE:
            known[i] = 0
            continue
        own = OF_A_LINE if i >= SIDE else 0
        know(lines[i], left, known[i])
        for vector in range(RANKS, RUNS):
            out[count] = own + known[i, vector]
            count += 1
    return count


@kernel
def demand_vectors(left: Any, known: Any, out: Any, first: int) -> int:
    """Those of ranks and suits, written from a place on, and where they end."""
    runs, sets, suited = 0, 0, 0
    for i in range(LINES):
        runs += known[i, RUNS]
        sets += known[i, SETS]
        suited += known[i, SUITED]
    for rank in range(13):
        wanted = 4 * min(runs >> 4 * rank & 15, 3) + min(sets >> 4 * rank & 15, 3)
        out[first + rank] = BY_RANK + 16 * (5 * rank + (left[LEFT_COUNTS] >> 4 * rank & 15)) + wanted
    for suit in range(4):
        wanted = min(suited >> 4 * suit & 15, 3)
        out[first + 13 + suit] = BY_SUIT + 4 * (14 * suit + left[LEFT_SUITED + suit]) + wanted
    return first + 17


@kernel
def cell_vectors(grid: Any, left: Any, known: Any, out: Any, first: int) -> int:
    """The same of free cells."""
    for cell in range(CELLS):
        if grid[cell] < 0:
            out[first] = CROSSINGS + crossing(known[cell // SIDE], known[SIDE + cell % SIDE], left)
            first += 1
    return first


@kernel
def all_vectors(played: int, grid: Any, lines: Any, left: Any, known: Any, out: Any) -> int:
    first = demand_vectors(left, known, out, line_vectors(played, lines, left, known, out))
    return cell_vectors(grid, left, known, out, first)


@kernel
def add_up(weights: Any, vectors: Any, first: int, end: int, total: Any) -> None:
    """Two at a time, in loops whose length the compiler does not know: it makes vector instructions of those only."""
    for i in range(first, end - 1, 2):
        one, other = weights[vectors[i]], weights[vectors[i + 1]]
        for k in range(one.size):
            total[k] += one[k] + other[k]
    if (end - first) % 2:
        one = weights[vectors[end - 1]]
        for k in range(one.size):
            total[k] += one[k]


@kernel
def ramp(weights: Any, total: Any, room: Any) -> float:
    slopes = weights[VECTORS]
    for k in range(slopes.size):
        room[k] = slopes[k] * max(total[k], _F(0))
    for half in (16, 8, 4, 2, 1):  # pairs, so that the sum is not one long chain
        for k in range(half):
            room[k] += room[k + half]
    return room[0]


@kernel
def swap(weights: Any, side: int, old: Any, new: Any, full: bool, total: Any) -> None:
    """Put a line's vectors with another card in the place of those without; a full line has none."""
    own = OF_A_LINE if side else 0
    ranks, shape, outs = weights[own + old[RANKS]], weights[own + old[SHAPE]], weights[own + old[LIVE]]
    for k in range(ranks.size):
        total[k] -= ranks[k] + shape[k] + outs[k]
    if not full:
        ranks, shape, outs = weights[own + new[RANKS]], weights[own + new[SHAPE]], weights[own + new[LIVE]]
        for k in range(ranks.size):
            total[k] += ranks[k] + shape[k] + outs[k]


@kernel
def rooms() -> Any:
    """Working memory: what is known of lines, as they are and with a card; numbers of vectors; sums and products."""
    return (
        np.zeros((2, LINES, KNOWN), np.int64),
        np.zeros(MOST, np.int64),
        np.zeros((3, WIDTH), _F),
        np.zeros(LINES),
        np.zeros(FACTS, np.int64),
    )


@kernel
def correction(played: int, grid: Any, lines: Any, left: Any, weights: Any, room: Any) -> float:
    """What is to be added to the values of the lines, by the network's word."""
    known, vectors, sums, _, _ = room
    sums[0] = 0
    add_up(weights, vectors, 0, all_vectors(played, grid, lines, left, known[0], vectors), sums[0])
    return ramp(weights, sums[0], sums[1])


@kernel
def promised(
    played: int,
    card: int,
    grid: Any,
    lines: Any,
    left: Any,
    points: Any,
    values: Any,
    weights: Any,
    room: Any,
    out: Any,
) -> int:
    """What the grid promises with a dealt card in each free cell, of those alike in the first; and the best."""
    known, vectors, sums, gain, line = room
    now, new, shared, total = known[0], known[1], sums[0], sums[1]
    gains(played, card, lines, left, points, values, gain)
    base, best = value_of(played + 1, lines, left, points, values, sums[0, :0]), -1
    shared[:] = 0
    add_up(weights, vectors, 0, line_vectors(played + 1, lines, left, now, vectors), shared)
    new[:] = 0
    for i in range(LINES):
        if lines[i, SIZE] < SIDE - 1:
            line[:] = lines[i]
            put(line, card, left)
            know(line, left, new[i])
    for cell in range(CELLS):
        if grid[cell] >= 0 or alike(lines, cell) != cell:
            continue
        row, column = cell // SIDE, SIDE + cell % SIDE
        total[:] = shared
        for i in (row, column):
            swap(weights, i >= SIDE, now[i], new[i], lines[i, SIZE] == SIDE - 1, total)
            for k in range(KNOWN):
                now[i, k], new[i, k] = new[i, k], now[i, k]
        grid[cell] = card
        end = cell_vectors(grid, left, now, vectors, demand_vectors(left, now, vectors, 0))
        add_up(weights, vectors, 0, end, total)
        grid[cell] = -1
        for i in (row, column):
            for k in range(KNOWN):
                now[i, k], new[i, k] = new[i, k], now[i, k]
        out[cell] = base + gain[row] + gain[column]
        if played + 1 < CELLS:
            out[cell] += ramp(weights, total, sums[2])
        if best < 0 or out[cell] > out[best]:
            best = cell
    return best


VALUE_RATE, RATE, RAMP_RATE = 0.03, 0.006, 0.00006  # of the lines' values, of the vectors, of the ramp


@kernel
def learn(points: Any, placing: Any, values: Any, weights: Any, games: int, pace: float, words: Any) -> None:
    """Play by the network's word; every grid is drawn towards those after it and the final score, less luck."""
    lines, left, grid = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.zeros(CELLS, np.int64)
    deck, room, out = np.arange(52), rooms(), np.zeros(CELLS)
    hope, anywhere, ahead, by_card = np.zeros(CELLS), np.zeros(CELLS, np.bool_), foresights(), np.zeros(52)
    vectors, ends = np.zeros((CELLS, MOST), np.int64), np.zeros(CELLS, np.int64)
    totals, promise, slope = np.zeros((CELLS, WIDTH), _F), np.zeros(CELLS), np.zeros(WIDTH, _F)
    passed = np.zeros((CELLS, LINES), np.int64)
    slopes = weights[VECTORS]
    for _ in range(games):
        no_cards(lines, left, True)
        grid[:] = -1
        for played in range(CELLS):
            mean = foresee(played, grid, lines, left, points, placing, ahead, by_card)
            card = draw(deck, played, len(deck), words)
            deal(lines, left, card)
            cell = promised(played, card, grid, lines, left, points, values, weights, room, out)
            hope[played] = out[cell] - (by_card[card] - mean)
            anywhere[played] = uniform(words) < EXPLORED
            if anywhere[played]:
                cell = any_cell(grid, CELLS - played, words)
            grid[cell] = card
            place(lines, cell, card, left)
            number_lines(played + 1, lines, left, passed[played])
            promise[played] = value_by(passed[played], lines, points, values)
            if played < CELLS - 1:
                now = vectors[played]
                ends[played] = all_vectors(played + 1, grid, lines, left, room[0][0], now)
                totals[played] = 0
                add_up(weights, now, 0, ends[played], totals[played])
                promise[played] += ramp(weights, totals[played], slope)
        error = 0.0
        for played in range(CELLS - 2, -1, -1):
            error = missed(hope[played + 1], anywhere[played + 1], error, promise[played])
            move(values, passed[played], pace * VALUE_RATE * error)
            for k in range(WIDTH):
                on = totals[played, k] > 0
                slope[k] = _F(pace * RATE * error) * slopes[k] if on else _F(0)
                slopes[k] += _F(pace * RAMP_RATE * error) * totals[played, k] if on else _F(0)
            for i in range(ends[played]):
                vector = weights[vectors[played, i]]
                for k in range(vector.size):
                    vector[k] += slope[k]


UNIT = 5_000  # games of a learner in a round
SPREAD = 10.0  # of scores: what the rates above are made for


def self_taught(
    points: tuple[int, ...], lines: NDArray[np.float32], spread: float, games: int, seed: int = 0
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The values of lines and the weights after so many games, from lines with these values, whose scores spread so."""
    chosen = np.random.default_rng(seed)
    weights = chosen.normal(0, 0.15, (VECTORS + 1, WIDTH)).astype(np.float32)
    weights[CROSSINGS:BY_RANK] *= 0.2
    weights[VECTORS] *= 0.07
    scale = np.float32(max(spread, 1e-3) / SPREAD)
    learner = functools.partial(learn, np.array(points, np.float64) / scale, lines / scale)
    values, weights = in_rounds(learner, (lines / scale, weights), games, UNIT, "crossing lines", seed)
    weights[VECTORS] *= scale
    return values * scale, weights


@kernel
def greedy_games(points: Any, values: Any, weights: Any, decks: Any, scores: Any) -> None:
    """The score of play by the network's word on each of these orders of cards."""
    lines, left, grid = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.zeros(CELLS, np.int64)
    room, out, none = rooms(), np.zeros(CELLS), np.zeros(0, _F)
    for game in range(decks.shape[0]):
        no_cards(lines, left, True)
        grid[:] = -1
        for played in range(CELLS):
            card = decks[game, played]
            deal(lines, left, card)
            cell = promised(played, card, grid, lines, left, points, values, weights, room, out)
            grid[cell] = card
            place(lines, cell, card, left)
        scores[game] = value_of(CELLS, lines, left, points, values, none)
