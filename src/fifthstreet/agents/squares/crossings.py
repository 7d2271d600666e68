"""What the values of single lines leave out: how lines that cross go together, learned by a small network.

Lines are valued one by one, as if each had the cards to come to itself. The network corrects the sum of their values:
whether the ranks and suits that a row waits for are those that the column waits for in the cell where they cross, how
many lines wait for the same ranks, and how many of these cards are left. It has a vector for each of these: the ranks
of a line, its shape (how many cards, of which kinds, of which suit) and how many cards that it waits for are undealt,
rows and columns apart; every free cell, by the kinds of its row and its column and how many cards that both wait for
are undealt; how many cards of each rank are undealt, and how many lines wait for it to fill a straight and to make more
of a pair; how many cards of each suit are undealt, and how many lines wait for it; the number of cards played. The
vectors are added up, go through a ramp (ReLU), and are weighed.

It learns by temporal differences, as the lines did before (`temporal`), from games in which it chooses the cells, and
the values of the lines go on learning beside it. The luck of each card, according to the lines as they were before, is
left out: a quarter of the games then teach more than all did with it. Of a full grid, whose score is known, it says
nothing.
"""

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.squares import foresight, lines
from fifthstreet.agents.squares.foresight import foresee
from fifthstreet.agents.squares.lines import Floats, Line, Numbers, Position, Positions, Values
from fifthstreet.agents.squares.narl import any_cell, number_lines
from fifthstreet.agents.squares.temporal import EXPLORED, in_rounds, missed, move
from fifthstreet.games.poker_squares import CELLS, LINES, SIDE
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, pick, uniform

Weights = NDArray[np.float32]
"""The vectors of the network, one in each row; a row of sums is also one."""

_F = np.float32
WIDTH = 32

# Masks of up to four ranks, numbered; and the ranks that would bring such a line nearer to a straight.
_MASKS = [mask for mask in range(1 << 13) if mask.bit_count() < SIDE]
MASK_NUMBER = np.zeros(1 << 13, np.int64)
MASK_NUMBER[_MASKS] = np.arange(len(_MASKS))
_STRAIGHTS = [mask for mask in range(1 << 13) if mask.bit_count() == SIDE and lines.WITHIN[mask]]
WANTED = np.array(
    [functools.reduce(int.__or__, (s for s in _STRAIGHTS if s & m == m), 0) & ~m for m in range(1 << 13)], np.int64
)
# Ranks as four bits each, to count them, and to find what is undealt of them.
ONES = np.array([sum(1 << 4 * rank for rank in range(13) if m >> rank & 1) for m in range(1 << 13)], np.int64)
NIBBLES = np.array([sum(15 << 4 * rank for rank in range(13) if m >> rank & 1) for m in range(1 << 13)], np.int64)
# Undealt cards that two lines both wait for, by their number: none, few, some, many.
SHARED = np.array([0, 1, 1, 2, 2, 2] + [3] * 47, np.int64)

# What is known of a line, in columns: its kind (length, and what it can become), the ranks it waits for, and its suit;
# the numbers of its three vectors; and the ranks it needs soon for a straight, those it has and wants more of, and the
# suit it collects, all with four bits each, so that they can be added up.
KIND, WAITS, SUIT, RANKS, SHAPE, LIVE, RUNS, SETS, SUITED, KNOWN = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
SORTS = 8 * SIDE
ANY_SUIT, NO_SUIT = 4, 5

# The vectors, one after the other: of lines, first those of rows and then those of columns; of free cells; of what is
# undealt; of the stage. The last row is what the ramp's numbers are multiplied by.
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
def live(position: Position, ranks: int) -> int:
    """How many cards of these ranks, four bits each, are undealt."""
    counts = position.left_counts & ranks
    counts = (counts & 0x0F0F0F0F0F0F0F) + (counts >> 4 & 0x0F0F0F0F0F0F0F)
    return (counts * 0x01010101010101 >> 48) & 0xFF


@kernel
def know(position: Position, line: Line, known: Numbers) -> None:
    """Write what is known of a line that is not full."""
    size, mask, spare, suits = line.length, line.mask, line.length - line.kinds, line.suits
    suit = ANY_SUIT if size == 0 else lines.SUIT_OF[suits] if lines.ONE_SUIT[suits] else NO_SUIT
    # No two cards of a rank, a pair, two pair, three of a kind, four of a kind.
    shape = spare if spare < 2 else 4 if spare > 2 else lines.category_of_line(line)
    if shape == 0:
        known[KIND], known[WAITS] = 8 * size + 2 * (lines.FITS[mask] != 0) + (suit != NO_SUIT), NIBBLES[WANTED[mask]]
    else:
        known[KIND], known[WAITS] = 8 * size + 3 + shape, NIBBLES[mask]
    known[SUIT] = suit
    known[RUNS] = ONES[WANTED[mask]] if shape == 0 and size >= 3 else 0
    known[SETS] = ONES[mask] if shape > 0 else 0
    known[SUITED] = 1 << 4 * suit if suit < ANY_SUIT and size >= 2 else 0
    known[RANKS] = MASK_NUMBER[mask]
    known[SHAPE] = SHAPES + (size * SIDE + shape) * 5 + (1 + suit if suit < ANY_SUIT else 0)
    known[LIVE] = OUTS + 16 * known[KIND] + min(live(position, known[WAITS]), 15)


@kernel
def crossing(position: Position, row: Numbers, column: Numbers) -> int:
    """The number of a free cell's vector."""
    suits = 1
    if row[SUIT] == NO_SUIT or column[SUIT] == NO_SUIT:
        suits = 0
    elif row[SUIT] != column[SUIT] and row[SUIT] != ANY_SUIT and column[SUIT] != ANY_SUIT:
        suits = 2
    shared = SHARED[live(position, row[WAITS] & column[WAITS])]
    return int(((row[KIND] * SORTS + column[KIND]) * 4 + shared) * 3 + suits)


@kernel
def line_vectors(position: Position, played: int, known: Numbers, out: Numbers) -> int:
    """Write the numbers of the vectors of the stage and of lines that are not full, and return how many they are."""
    out[0], count = STAGE + played, 1
    for i in range(LINES):
        if position.lines[i].length == SIDE:
            known[i] = 0
            continue
        own = OF_A_LINE if i >= SIDE else 0
        know(position, position.lines[i], known[i])
        for vector in range(RANKS, RUNS):
            out[count] = own + known[i, vector]
            count += 1
    return count


@kernel
def demand_vectors(position: Position, known: Numbers, out: Numbers, first: int) -> int:
    """Write the vectors of ranks and suits from place `first` on, and return where they end."""
    runs, sets, suited = 0, 0, 0
    for i in range(LINES):
        runs += known[i, RUNS]
        sets += known[i, SETS]
        suited += known[i, SUITED]
    for rank in range(13):
        wanted = 4 * min(runs >> 4 * rank & 15, 3) + min(sets >> 4 * rank & 15, 3)
        out[first + rank] = BY_RANK + 16 * (5 * rank + (position.left_counts >> 4 * rank & 15)) + wanted
    for suit in range(4):
        wanted = min(suited >> 4 * suit & 15, 3)
        out[first + 13 + suit] = BY_SUIT + 4 * (14 * suit + position.left_suited[suit]) + wanted
    return first + 17


@kernel
def cell_vectors(position: Position, known: Numbers, out: Numbers, first: int) -> int:
    """Write the vectors of free cells from place `first` on, and return where they end."""
    for cell in range(CELLS):
        if position.grid[cell] < 0:
            out[first] = CROSSINGS + crossing(position, known[cell // SIDE], known[SIDE + cell % SIDE])
            first += 1
    return first


@kernel
def all_vectors(position: Position, known: Numbers, out: Numbers) -> int:
    """Write the vectors of a grid, and return how many they are."""
    first = demand_vectors(position, known, out, line_vectors(position, position.played, known, out))
    return cell_vectors(position, known, out, first)


@kernel
def add_up(weights: Weights, vectors: Numbers, end: int, total: Weights) -> None:
    """Add the vectors with these numbers to `total`.

    Two at a time, in loops whose length the compiler does not know: it makes vector instructions only of those.
    """
    for i in range(0, end - 1, 2):
        one, other = weights[vectors[i]], weights[vectors[i + 1]]
        for k in range(one.size):
            total[k] += one[k] + other[k]
    if end % 2:
        one = weights[vectors[end - 1]]
        for k in range(one.size):
            total[k] += one[k]


@kernel
def ramp(weights: Weights, total: Weights, products: Weights) -> float:
    """The network's result from the sum of its vectors; `products` is memory to work in."""
    slopes = weights[VECTORS]
    for k in range(slopes.size):
        products[k] = slopes[k] * max(total[k], _F(0))
    for half in (16, 8, 4, 2, 1):  # pairs, so that the sum is not one long chain
        for k in range(half):
            products[k] += products[k + half]
    return products[0]


@kernel
def swap(weights: Weights, is_column: bool, old: Numbers, new: Numbers, full: bool, total: Weights) -> None:
    """Replace a line's vectors by those with another card; a full line has none."""
    own = OF_A_LINE if is_column else 0
    ranks, shape, outs = weights[own + old[RANKS]], weights[own + old[SHAPE]], weights[own + old[LIVE]]
    for k in range(ranks.size):
        total[k] -= ranks[k] + shape[k] + outs[k]
    if not full:
        ranks, shape, outs = weights[own + new[RANKS]], weights[own + new[SHAPE]], weights[own + new[LIVE]]
        for k in range(ranks.size):
            total[k] += ranks[k] + shape[k] + outs[k]


class Scratch(NamedTuple):
    """Memory to work in."""

    known: Numbers  # of each line as it is, and of each line with another card
    vectors: Numbers  # numbers of vectors
    sums: Weights  # three sums of vectors
    spare: Positions  # its first line is one with another card


@kernel
def new_scratch() -> Scratch:
    known, vectors = np.zeros((2, LINES, KNOWN), np.int64), np.zeros(MOST, np.int64)
    return Scratch(known, vectors, np.zeros((3, WIDTH), _F), lines.new_position())


@kernel
def correction(position: Position, weights: Weights, scratch: Scratch) -> float:
    """What has to be added to the values of the lines, according to the network."""
    sums = scratch.sums
    sums[0] = 0
    add_up(weights, scratch.vectors, all_vectors(position, scratch.known[0], scratch.vectors), sums[0])
    return ramp(weights, sums[0], sums[1])


@kernel(changes="position")
def expected_scores(
    position: Position, card: int, values: Values, weights: Weights, scratch: Scratch, out: Floats
) -> int:
    """Fill `out` with the network's expected score for placing a dealt card in each free cell; return the best cell.

    Of cells that are alike only the first is filled.
    """
    known, vectors, sums, spare = scratch
    now, new, shared, total, line = known[0], known[1], sums[0], sums[1], spare[0].lines[0]
    played = position.played
    lines.gains(position, card, values)
    base, best = lines.value_of(position, played + 1, values, values[:0]), -1
    shared[:] = 0
    add_up(weights, vectors, line_vectors(position, played + 1, now, vectors), shared)
    new[:] = 0
    for i in range(LINES):
        if position.lines[i].length < SIDE - 1:
            lines.copy_line(position.lines[i], line)
            lines.put(position, line, card)
            know(position, line, new[i])
    for cell in range(CELLS):
        if position.grid[cell] >= 0 or lines.alike(position, cell) != cell:
            continue
        row, column = cell // SIDE, SIDE + cell % SIDE
        total[:] = shared
        for i in (row, column):
            swap(weights, i >= SIDE, now[i], new[i], position.lines[i].length == SIDE - 1, total)
            for k in range(KNOWN):
                now[i, k], new[i, k] = new[i, k], now[i, k]
        position.grid[cell] = card
        end = cell_vectors(position, now, vectors, demand_vectors(position, now, vectors, 0))
        add_up(weights, vectors, end, total)
        position.grid[cell] = -1
        for i in (row, column):
            for k in range(KNOWN):
                now[i, k], new[i, k] = new[i, k], now[i, k]
        out[cell] = base + position.gain[row] + position.gain[column]
        if played + 1 < CELLS:
            out[cell] += ramp(weights, total, sums[2])
        if best < 0 or out[cell] > out[best]:
            best = cell
    return best


# The length of a step, set by hand for scores with a standard deviation of SPREAD; other scores are scaled to it.
VALUE_RATE = 0.03  # of the lines' values
RATE = 0.006  # of the vectors
RAMP_RATE = 0.00006  # of the last row
SPREAD = 10.0
UNIT = 5_000  # games of a learner in a round


@kernel(changes="position")
def learn(
    position: Position, placing: Values, values: Values, weights: Weights, games: int, pace: float, rng: RngState
) -> None:
    """Play by the network; every grid is drawn towards those after it and the final score, less luck.

    `placing` holds the values of lines that tell how lucky a card was; `pace` is the part of the rates that is left.
    """
    deck, scratch, out = np.arange(52), new_scratch(), np.zeros(CELLS)
    hope, anywhere = np.zeros(CELLS), np.zeros(CELLS, np.bool_)
    ahead, by_card = foresight.new_scratch(), np.zeros(52)
    vectors, ends = np.zeros((CELLS, MOST), np.int64), np.zeros(CELLS, np.int64)
    totals, expected, slope = np.zeros((CELLS, WIDTH), _F), np.zeros(CELLS), np.zeros(WIDTH, _F)
    passed = np.zeros((CELLS, LINES), np.int64)
    slopes = weights[VECTORS]
    for _ in range(games):
        lines.clear(position, True)
        for played in range(CELLS):
            mean = foresee(position, placing, ahead, by_card)
            card = pick(rng, deck, played, len(deck))
            lines.deal(position, card)
            cell = expected_scores(position, card, values, weights, scratch, out)
            hope[played] = out[cell] - (by_card[card] - mean)
            anywhere[played] = uniform(rng) < EXPLORED
            if anywhere[played]:
                cell = any_cell(position, rng)
            lines.place(position, cell, card)
            number_lines(position, passed[played])
            expected[played] = lines.value_by(position, passed[played], values)
            if played < CELLS - 1:
                now = vectors[played]
                ends[played] = all_vectors(position, scratch.known[0], now)
                totals[played] = 0
                add_up(weights, now, ends[played], totals[played])
                expected[played] += ramp(weights, totals[played], slope)
        error = 0.0
        for played in range(CELLS - 2, -1, -1):
            error = missed(hope[played + 1], anywhere[played + 1], error, expected[played])
            move(values, passed[played], pace * VALUE_RATE * error)
            for k in range(WIDTH):
                on = totals[played, k] > 0
                slope[k] = _F(pace * RATE * error) * slopes[k] if on else _F(0)
                slopes[k] += _F(pace * RAMP_RATE * error) * totals[played, k] if on else _F(0)
            for i in range(ends[played]):
                vector = weights[vectors[played, i]]
                for k in range(vector.size):
                    vector[k] += slope[k]


def self_taught(
    points: tuple[int, ...], start: Values, spread: float, games: int, seed: int = 0
) -> tuple[Values, Weights]:
    """The values of lines and the weights of the network after this many games.

    It starts from the values `start`; `spread` is the standard deviation of scores when they alone decide.
    """
    chosen = np.random.default_rng(seed)
    weights = chosen.normal(0, 0.15, (VECTORS + 1, WIDTH)).astype(np.float32)  # small, set by hand like the rates
    weights[CROSSINGS:BY_RANK] *= 0.2
    weights[VECTORS] *= 0.07
    scale = np.float32(max(spread, 1e-3) / SPREAD)
    placing = start / scale

    learner = functools.partial(_learner, placing)
    scaled = (np.array(points, np.float64) / scale).tolist()
    values, weights = in_rounds(learner, scaled, (placing, weights), games, UNIT, "crossing lines", seed)
    weights[VECTORS] *= scale
    return values * scale, weights


def _learner(
    placing: Values, position: Position, values: Values, weights: Weights, games: int, pace: float, rng: RngState
) -> None:
    learn(position, placing, values, weights, games, pace, rng)


@kernel(changes="position")
def greedy_games(position: Position, values: Values, weights: Weights, decks: Numbers, scores: Floats) -> None:
    """Write the score of play by the network with each of these decks to `scores`."""
    scratch, out = new_scratch(), np.zeros(CELLS)
    for game in range(decks.shape[0]):
        lines.clear(position, True)
        for played in range(CELLS):
            card = decks[game, played]
            lines.deal(position, card)
            lines.place(position, expected_scores(position, card, values, weights, scratch, out), card)
        scores[game] = lines.value_of(position, CELLS, values, values[:0])
