"""The chance of each pair of opposing columns, by a small network that learned from self-play; games played out by it.

A column is known by its ranks and whether its cards are of one suit. For every such hand the network holds a vector,
and four more for what of the unseen cards would help it: its main rank, its other ranks, its suit, and the ranks of a
straight. The vectors of both columns and one for the stage of the game go through a leaky ramp to the chance that the
column is won. A player puts a card where the chance of three columns grows most, the columns taken as independent
(equation 3): by what the column gains, times the chance that of the other four exactly two are won.

The network learns the first three rows, where all cards lie open: from games against itself, by temporal differences
with traces, towards the share of columns and games that are won when the last row is played out several times by the
model of `last_row`. Several learners start each step from the same weights, play games of their own, and their weights
are averaged, so that the result does not depend on the number of cores.
"""

import functools
import math
from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.five_o.chances import Chances, Numbers, game_chance, leverage
from fifthstreet.agents.five_o.hands import FEWEST, USEFUL, WEIGHT
from fifthstreet.agents.five_o.last_row import Bits, sampled_rows
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY
from fifthstreet.games.deck import CARDS
from fifthstreet.games.five_o import COLUMNS, row_of, seat_of
from fifthstreet.kernel import kernel
from fifthstreet.learned import Recipe, frozen
from fifthstreet.learned.steps import State, in_steps
from fifthstreet.parallel import in_order
from fifthstreet.rng import RngState, below, fork, pick_some, seeded, uniform

_U, _F = np.uint64, np.float32

OPEN_PLIES = 30  # placements before the last row

# The hands of up to four cards: a number for every multiset of ranks, and once more for those of one suit.
_MULTISETS = [ranks for size in range(1, 5) for ranks in combinations_with_replacement(range(13), size)]
RANKINGS = len(_MULTISETS)
HANDS = 2 * RANKINGS


def _four_bits(ranks: Iterable[int]) -> int:
    """A mask with four bits for each rank."""
    return sum(0xF << 4 * rank for rank in ranks)


def _helpful() -> tuple[NDArray[np.int16], NDArray[np.uint64]]:
    """The number of each hand by its sum of weights; and the ranks that help it: main, others, for a straight."""
    number, helpful = np.zeros(len(FEWEST), np.int16), np.zeros((RANKINGS, 3), np.uint64)
    for i, ranks in enumerate(_MULTISETS):
        number[sum(int(WEIGHT[rank]) for rank in ranks)] = i
        main = max(set(ranks), key=lambda rank: (ranks.count(rank), rank))
        useful = int(USEFUL[sum(1 << rank for rank in ranks)]) if len(set(ranks)) == len(ranks) else 0
        straight = [rank for rank in range(13) if useful >> rank & 1]
        helpful[i] = _four_bits([main]), _four_bits(set(ranks) - {main}), _four_bits(straight)
    return number, helpful


NUMBER, HELPFUL = _helpful()

# The weights, row by row: by role (mine, theirs), hand and kind of help; by placement; of the ramp; and in the last row
# one by placement. Loops over a row run to its size, not to WIDTH: where the compiler knows the length, it unrolls the
# loop and finds no vector instructions.
WIDTH, HELPS, LIVE = 32, 5, 3.0
STAGE = 2 * HANDS * HELPS
RAMP = STAGE + OPEN_PLIES
BIAS = RAMP + 1
VECTORS = BIAS + 1
LEAK = _F(0.1)  # of the ramp below zero; set by hand, like the sizes above

# The logistic function from −10 to 10, in 64 steps per unit; one more, so that the last has a neighbour.
FARTHEST, STEPS = 10, 64
LOGISTIC = (1 / (1 + np.exp(-np.arange(-FARTHEST * STEPS, FARTHEST * STEPS + 2) / STEPS))).astype(np.float32)

Weights = NDArray[np.float32]
Floats = NDArray[np.float32]

# Facts of a column: sum of weights, common suit or −1, size, and number of the hand. What is unseen: counts by rank in
# four bits each, counts by suit in eight bits each, and the count of all.
TOTAL, SUIT, SIZE, NUMBERED, FACTS = 0, 1, 2, 3, 4
BY_RANK, BY_SUIT, ALL, UNSEEN = 0, 1, 2, 3
_FULL = np.array([sum(4 << 4 * rank for rank in range(13)), 0x0D0D0D0D, 52], np.uint64)


class Position(NamedTuple):
    """A position as the network reads it; the first three by side and column."""

    facts: Numbers
    keys: Bits  # with the bits, for the strength
    bits: Bits
    unseen: Bits


@kernel
def new_position() -> Position:
    """A position without cards."""
    sides = (2, COLUMNS)
    facts, keys, bits = np.zeros((2, COLUMNS, FACTS), np.int64), np.full(sides, EMPTY), np.zeros(sides, np.uint64)
    return Position(facts, keys, bits, _FULL.copy())


@kernel(allocates=False)
def copy_position(source: Position, out: Position) -> None:
    """Copy all numbers, one by one: assigning whole arrays takes long to compile."""
    for side in range(2):
        for column in range(COLUMNS):
            out.keys[side, column], out.bits[side, column] = source.keys[side, column], source.bits[side, column]
            for fact in range(FACTS):
                out.facts[side, column, fact] = source.facts[side, column, fact]
    for i in range(UNSEEN):
        out.unseen[i] = source.unseen[i]


@kernel(allocates=False)
def see(unseen: Bits, card: int) -> None:
    unseen[BY_RANK] -= _U(1) << _U(4 * (card >> 2))
    unseen[BY_SUIT] -= _U(1) << _U(8 * (card & 3))
    unseen[ALL] -= _U(1)


@kernel(allocates=False)
def suit_with(fact: Numbers, card: int) -> int:
    suit = card & 3
    return suit if fact[SIZE] == 0 or fact[SUIT] == suit else -1


@kernel(allocates=False)
def number_with(fact: Numbers, card: int, suit: int) -> int:
    """The number of the hand with another card, which leaves it this common suit."""
    return NUMBER[fact[TOTAL] + WEIGHT[card >> 2]] + (RANKINGS if suit >= 0 else 0)


@kernel(allocates=False)
def put(position: Position, side: int, column: int, card: int) -> None:
    """Add a card to a column of up to three."""
    fact = position.facts[side, column]
    suit = suit_with(fact, card)
    fact[NUMBERED] = number_with(fact, card, suit)
    fact[TOTAL] += WEIGHT[card >> 2]
    fact[SUIT] = suit
    fact[SIZE] += 1
    position.keys[side, column] += KEY[card]
    position.bits[side, column] |= BIT[card]


@kernel(allocates=False)
def counted(ranks: Any) -> Any:
    """The sum of counts of four bits."""
    pairs = (ranks & _U(0x0F0F0F0F0F0F0F0F)) + ((ranks >> _U(4)) & _U(0x0F0F0F0F0F0F0F0F))
    return _F(np.int64((pairs * _U(0x0101010101010101)) >> _U(56)))


@kernel(allocates=False)
def live(number: int, suit: int, unseen: Bits, out: Floats) -> None:
    """Write 1, and the shares among the unseen cards of a hand's main rank, other ranks, straight and suit."""
    share = _F(LIVE) / _F(np.int64(unseen[ALL]))
    ranks = number - RANKINGS if number >= RANKINGS else number
    out[0] = _F(1)
    out[1] = counted(unseen[BY_RANK] & HELPFUL[ranks, 0]) * share
    out[2] = counted(unseen[BY_RANK] & HELPFUL[ranks, 1]) * share
    out[3] = counted(unseen[BY_RANK] & HELPFUL[ranks, 2]) * share
    out[4] = _F(0)
    if number >= RANKINGS:
        out[4] = _F(np.int64((unseen[BY_SUIT] >> _U(8 * suit)) & _U(255))) * share


@kernel(allocates=False)
def add_hand(weights: Weights, role: int, number: int, help: Floats, out: Floats) -> None:
    """Write what a hand contributes to the ramp."""
    first = (role * HANDS + number) * HELPS
    hand, main, others = weights[first], weights[first + 1], weights[first + 2]
    straight, suit = weights[first + 3], weights[first + 4]
    a, b, c, d = help[1], help[2], help[3], help[4]
    for k in range(hand.size):
        out[k] = hand[k] + a * main[k] + b * others[k] + c * straight[k] + d * suit[k]


@kernel(allocates=False)
def logistic(x: Any) -> Any:
    """1 / (1 + e⁻ˣ) from a table, which is much faster than the exponential."""
    place = (min(max(x, _F(-FARTHEST)), _F(FARTHEST)) + _F(FARTHEST)) * _F(STEPS)
    i = int(place)
    return LOGISTIC[i] + (place - _F(i)) * (LOGISTIC[i + 1] - LOGISTIC[i])


@kernel(allocates=False)
def summed(ramp: Floats) -> Any:
    """The sum, in parts so that it is not one long chain of additions."""
    for k in range(8):
        ramp[k] = (ramp[k] + ramp[k + 8]) + (ramp[k + 16] + ramp[k + 24])
    return ((ramp[0] + ramp[4]) + (ramp[1] + ramp[5])) + ((ramp[2] + ramp[6]) + (ramp[3] + ramp[7]))


@kernel(allocates=False)
def chance(weights: Weights, ply: int, mine: Floats, theirs: Floats, ramp: Floats) -> Any:
    """The chance that the column is won, from what both hands contribute to the ramp."""
    stage, slopes = weights[STAGE + ply], weights[RAMP]
    for k in range(stage.size):
        x = stage[k] + mine[k] + theirs[k]
        ramp[k] = slopes[k] * max(x, LEAK * x)
    return logistic(summed(ramp) + weights[BIAS, ply])


@kernel(allocates=False)
def best_placement(
    weights: Weights, ply: int, card: int, position: Position, p: Chances, with_card: Chances, scratch: Floats
) -> int:
    """The column where the card raises the chance to win the game most.

    Writes the chance of each column without the card to `p`, and with it to `with_card`, −1 where the column is full.
    """
    side, row, facts, unseen = seat_of(ply), row_of(ply), position.facts, position.unseen
    help, mine, theirs, ramp = scratch[0], scratch[1], scratch[2], scratch[3]
    for column in range(COLUMNS):
        fact, other = facts[side, column], facts[1 - side, column]
        live(other[NUMBERED], other[SUIT], unseen, help)
        add_hand(weights, 1, other[NUMBERED], help, theirs)
        live(fact[NUMBERED], fact[SUIT], unseen, help)
        add_hand(weights, 0, fact[NUMBERED], help, mine)
        p[column] = chance(weights, ply, mine, theirs, ramp)
        with_card[column] = -1.0
        if fact[SIZE] == row:
            suit = suit_with(fact, card)
            number = number_with(fact, card, suit)
            live(number, suit, unseen, help)
            add_hand(weights, 0, number, help, mine)
            with_card[column] = chance(weights, ply, mine, theirs, ramp)
    best, most = -1, 0.0
    for column in range(COLUMNS):
        if with_card[column] >= 0:
            gain = (with_card[column] - p[column]) * leverage(p, column)
            if best < 0 or gain > most:
                best, most = column, gain
    return best


@kernel(allocates=False)
def open_columns(ply: int) -> int:
    """The number of columns that can take the next card."""
    return COLUMNS - ply // 2 % COLUMNS


@kernel(allocates=False)
def open_placement(facts: Numbers, ply: int, pick: int) -> int:
    """The `pick`-th of the columns that are open in this row."""
    side, row = seat_of(ply), row_of(ply)
    for column in range(COLUMNS):
        if facts[side, column, SIZE] == row:
            if pick == 0:
                return column
            pick -= 1
    return -1


@kernel(allocates=False)
def teach(
    weights: Weights,
    ply: int,
    mine: int,
    my_help: Floats,
    theirs: int,
    help: Floats,
    step: Any,
    one: Floats,
    two: Floats,
) -> None:
    """Move the weights of one pair of columns along the slope of its chance."""
    add_hand(weights, 0, mine, my_help, one)
    add_hand(weights, 1, theirs, help, two)
    stage, slopes, first, second = weights[STAGE + ply], weights[RAMP], mine * HELPS, (HANDS + theirs) * HELPS
    shared = _F(0.1) * step  # what all hands have in common moves more slowly
    weights[BIAS, ply] += shared
    for k in range(stage.size):
        x = stage[k] + one[k] + two[k]
        slope = _F(1) if x > 0 else LEAK
        one[k] = slopes[k] * slope
        slopes[k] += shared * x * slope
        stage[k] += shared * one[k]
    for j in range(HELPS):
        a, b, of_mine, of_theirs = step * my_help[j], step * help[j], weights[first + j], weights[second + j]
        for k in range(of_mine.size):
            of_mine[k] += a * one[k]
            of_theirs[k] += b * one[k]


# λ of the temporal differences, the share of random placements, last rows sampled at the end of a game, and the weight
# of the game beside its columns. Set by hand, like the rates below; no search over them is recorded.
TRACE, EXPLORED, LAST_ROWS, WHOLE_GAME = 0.7, 0.03, 8, 0.5


@kernel
def learn(weights: Weights, games: int, rate: float, rng: RngState) -> None:
    """Learn from games against itself.

    Every position is drawn towards the positions after it and the end of the game, by column and as a whole.
    """
    deck, start, position = np.arange(CARDS), new_position(), new_position()
    facts, unseen = position.facts, position.unseen
    with_card, scratch, wins = np.empty(COLUMNS), np.empty((4, WIDTH), _F), np.empty(COLUMNS)
    numbers = np.empty((OPEN_PLIES, COLUMNS, 2), np.int64)
    helps = np.empty((OPEN_PLIES, COLUMNS, 2, HELPS), _F)
    p, game = np.empty((OPEN_PLIES, COLUMNS)), np.empty(OPEN_PLIES)
    aims = np.empty(COLUMNS)
    for _ in range(games):
        pick_some(rng, deck, deck.size, deck.size - 1)
        copy_position(start, position)
        for i in range(2 * COLUMNS):
            put(position, i // COLUMNS, i % COLUMNS, deck[i])
            see(unseen, deck[i])
        for ply in range(OPEN_PLIES):
            side, card = seat_of(ply), deck[2 * COLUMNS + ply]
            see(unseen, card)
            column = best_placement(weights, ply, card, position, p[ply], with_card, scratch)
            if uniform(rng) < EXPLORED:
                column = open_placement(facts, ply, below(rng, open_columns(ply)))
            put(position, side, column, card)
            p[ply, column] = with_card[column]
            game[ply] = game_chance(p[ply])
            for column in range(COLUMNS):
                for role in range(2):
                    fact = facts[side if role == 0 else 1 - side, column]
                    numbers[ply, column, role] = fact[NUMBERED]
                    live(fact[NUMBERED], fact[SUIT], unseen, helps[ply, column, role])
        # The first position to learn is one after a placement of the second side.
        aim = 1 - sampled_rows(position.keys, position.bits, deck[40:], LAST_ROWS, 0.5, rng, wins)
        for column in range(COLUMNS):
            aims[column] = 1 - wins[column]
        for ply in range(OPEN_PLIES - 1, -1, -1):
            value = game[ply]
            pull = WHOLE_GAME * (aim - value) / max(value * (1 - value), 0.01)
            for column in range(COLUMNS):
                q = p[ply, column]
                step = rate * (aims[column] - q + pull * leverage(p[ply], column) * q * (1 - q))
                pair, help = numbers[ply, column], helps[ply, column]
                teach(weights, ply, pair[0], help[0], pair[1], help[1], _F(step), scratch[0], scratch[1])
                aims[column] = 1 - (TRACE * aims[column] + (1 - TRACE) * q)
            aim = 1 - (TRACE * aim + (1 - TRACE) * value)


GAMES, LEARNERS, UNIT = 8_000_000, 2, 10_000
RATE, LAST_RATE = 0.03, 0.0006


@functools.cache
def learned(games: int = GAMES) -> Weights:
    """The weights after this many games of self-play, learned once and kept in half precision."""
    return frozen({"weights": recipe(games).arrays()["weights"].astype(np.float32)})["weights"]


def recipe(games: int = GAMES) -> Recipe:
    return Recipe(
        __file__,
        f"five-o-pairs-{games}",
        lambda: {"weights": self_play(games).astype(np.float16)},
        game="five-o",
        agent="champion",
        cost=430 * games / GAMES,
        games=games,
        shapes={"weights": (VECTORS, WIDTH)},
        shipped=games == GAMES,
    )


def self_play(games: int, seed: int = 0) -> Weights:
    base = seeded(seed, "five-o")
    steps = max(1, games // (LEARNERS * UNIT))
    size = min(UNIT, max(1, games // LEARNERS))

    def step(number: int, state: State) -> State:
        rate = RATE + (LAST_RATE - RATE) * number / steps
        unit = functools.partial(_learner, state["weights"], size, rate, base)
        parts = list(in_order(unit, range(number * LEARNERS, (number + 1) * LEARNERS)))
        return {"weights": np.asarray(np.mean(parts, axis=0, dtype=np.float32))}

    return in_steps("learning Five-O from games against itself", steps, lambda: _untaught(seed), step)["weights"]


def _untaught(seed: int) -> State:
    chosen = np.random.default_rng(seed)
    weights = np.zeros((VECTORS, WIDTH), np.float32)
    weights[:STAGE:HELPS] = chosen.normal(0, 0.05, (2 * HANDS, WIDTH))
    weights[STAGE:RAMP] = chosen.normal(0, 0.3, WIDTH)
    weights[RAMP] = chosen.normal(0, 2 / math.sqrt(WIDTH), WIDTH)
    return {"weights": weights}


def _learner(weights: Weights, games: int, rate: float, base: RngState, number: int) -> Weights:
    rng = np.empty(4, np.uint64)
    fork(base, number, rng)
    own = weights.copy()
    learn(own, games, rate, rng)
    return own
