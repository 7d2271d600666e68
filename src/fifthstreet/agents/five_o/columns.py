"""Values of unfinished columns learned by self-play, and games played out by them in microseconds.

A column is known by its ranks and whether its cards are of one suit. For each such hand the tables hold the mean and
the variance of what it became in self-play: the final strength as a normal score, so that a column wins against another
with the chance Φ of their difference. A player takes the column with which the chance of three columns grows most, each
won independently of the others (equation 3). Since that chance is linear in each column's, its growth is what the
column gains times the chance that of the other four exactly two are won.
"""

import functools
import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache, rng
from fifthstreet.agents.five_o import hands
from fifthstreet.agents.five_o.hands import WEIGHT
from fifthstreet.evaluation import strength
from fifthstreet.evaluation.hand import STRENGTHS
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_56
from fifthstreet.games import five_o
from fifthstreet.games.five_o import COLUMNS
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order
from fifthstreet.rng import below, uniform

_U = np.uint64
HANDS = len(hands.FEWEST)  # by sum of weights; behind them those of one suit
SCORES = 4 * HANDS  # then the normal score of every strength
VALUES = SCORES + STRENGTHS + 1

GENERATIONS, GAMES, UNIT = 3, 200_000, 10_000
EXPLORED = 0.05  # the share of placements that are random while learning

# A board in play, by side and column: sum of weights, suit or −1, cards; mean and variance as the owner knows them, and
# as the opponent does.
TOTAL, SUIT, SIZE, MEAN, VARIANCE, SEEN_MEAN, SEEN_VARIANCE, FACTS = 0, 1, 2, 3, 4, 5, 6, 7


@kernel
def hand_number(total: float, suit: float) -> int:
    return int(total) + (HANDS if suit >= 0 else 0)


@kernel
def put_card(facts: Any, keys: Any, bits: Any, side: int, column: int, card: int, hidden: int, values: Any) -> None:
    """Add a card to a column, and look up what the column is worth now."""
    fact = facts[side, column]
    row = fact[SIZE]
    suit = card & 3
    fact[TOTAL] += WEIGHT[card >> 2]
    fact[SUIT] = suit if row == 0 or fact[SUIT] == suit else -1
    fact[SIZE] += 1
    keys[side, column] += KEY[card]
    bits[side, column] |= BIT[card]
    if row == 4:
        fact[MEAN], fact[VARIANCE] = values[SCORES + strength_56(keys[side, column], bits[side, column])], 0.0
    else:
        place = 2 * hand_number(fact[TOTAL], fact[SUIT])
        fact[MEAN], fact[VARIANCE] = values[place], values[place + 1]
    if row != hidden:
        fact[SEEN_MEAN], fact[SEEN_VARIANCE] = fact[MEAN], fact[VARIANCE]


@kernel
def ahead(difference: float, variance: float) -> float:
    """Φ, near enough: the chance that the score of one column exceeds that of the other."""
    return 1 / (1 + math.exp(-1.702 * difference / math.sqrt(variance + 1e-4)))


@kernel
def two_of_four(chances: Any, column: int) -> float:
    """The chance that exactly two of the other columns are won."""
    none, one, two = 1.0, 0.0, 0.0
    for other in range(COLUMNS):
        if other != column:
            p = chances[other]
            two = two * (1 - p) + one * p
            one = one * (1 - p) + none * p
            none *= 1 - p
    return two


@kernel
def best_placement(facts: Any, keys: Any, bits: Any, side: int, card: int, row: int, values: Any) -> int:
    """The column with which the chance to win the game grows most."""
    chances = np.empty(COLUMNS)
    for column in range(COLUMNS):
        mine, theirs = facts[side, column], facts[1 - side, column]
        chances[column] = ahead(mine[MEAN] - theirs[SEEN_MEAN], mine[VARIANCE] + theirs[SEEN_VARIANCE])
    best, most = -1, 0.0
    for column in range(COLUMNS):
        mine, theirs = facts[side, column], facts[1 - side, column]
        if mine[SIZE] > row:
            continue
        if row == 4:
            key, held = keys[side, column] + KEY[card], bits[side, column] | BIT[card]
            mean, variance = values[SCORES + strength_56(key, held)], 0.0
        else:
            place = int(mine[TOTAL]) + WEIGHT[card >> 2] + (HANDS if mine[SUIT] == (card & 3) else 0)
            mean, variance = values[2 * place], values[2 * place + 1]
        new = ahead(mean - theirs[SEEN_MEAN], variance + theirs[SEEN_VARIANCE])
        gain = (new - chances[column]) * two_of_four(chances, column)
        if best < 0 or gain > most:
            best, most = column, gain
    return best


@kernel
def any_placement(facts: Any, side: int, row: int, words: Any) -> int:
    """One of the columns that are open in this row."""
    left = 0
    for column in range(COLUMNS):
        left += facts[side, column, SIZE] == row
    pick = below(words, left)
    for column in range(COLUMNS):
        if facts[side, column, SIZE] == row:
            if pick == 0:
                return column
            pick -= 1
    return -1


@kernel
def play_on(facts: Any, keys: Any, bits: Any, cards: Any, first: int, last: int, hidden: int, values: Any) -> None:
    """Both sides place cards in turn by these values, from one placement of the game to another."""
    for ply in range(first, last):
        side, row, card = ply % 2, 1 + ply // (2 * COLUMNS), cards[ply - first]
        column = best_placement(facts, keys, bits, side, card, row, values)
        put_card(facts, keys, bits, side, column, card, hidden, values)


@kernel
def outcome(facts: Any, side: int) -> float:
    """1, a half or 0 for a game won, drawn or lost."""
    won = 0
    for column in range(COLUMNS):
        mine, theirs = facts[side, column, MEAN], facts[1 - side, column, MEAN]
        won += (mine > theirs) - (mine < theirs)
    return 1.0 if won > 0 else 0.5 if won == 0 else 0.0


@kernel
def shuffled(words: Any, deck: Any) -> None:
    for i in range(deck.size - 1):
        place = i + below(words, deck.size - i)
        deck[i], deck[place] = deck[place], deck[i]


@kernel
def learn(games: int, values: Any, explored: float, words: Any, sums: Any, strengths: Any) -> None:
    """Self-play: for every hand that occurred, how often, and the sum and sum of squares of the final scores."""
    deck, visited = np.arange(52), np.empty((2, COLUMNS, 4), np.int64)
    for _ in range(games):
        shuffled(words, deck)
        facts, keys = np.zeros((2, COLUMNS, FACTS)), np.full((2, COLUMNS), EMPTY)
        bits = np.zeros((2, COLUMNS), np.uint64)
        for i in range(2 * COLUMNS):
            put_card(facts, keys, bits, i // COLUMNS, i % COLUMNS, deck[i], 4, values)
        for ply in range(five_o.PLACEMENTS):
            side, row, card = ply % 2, 1 + ply // (2 * COLUMNS), deck[2 * COLUMNS + ply]
            if ply % (2 * COLUMNS) == 0:
                for place in range(2 * COLUMNS):
                    fact = facts[place // COLUMNS, place % COLUMNS]
                    visited[place // COLUMNS, place % COLUMNS, row - 1] = hand_number(fact[TOTAL], fact[SUIT])
            if uniform(words) < explored:
                column = any_placement(facts, side, row, words)
            else:
                column = best_placement(facts, keys, bits, side, card, row, values)
            put_card(facts, keys, bits, side, column, card, 4, values)
        for side in range(2):
            for column in range(COLUMNS):
                score = facts[side, column, MEAN]
                strengths[strength_56(keys[side, column], bits[side, column])] += 1
                for row in range(4):
                    entry = sums[visited[side, column, row]]
                    entry[0] += 1
                    entry[1] += score
                    entry[2] += score * score


@functools.cache
def learned() -> NDArray[np.float64]:
    """The values, learned once and kept."""
    version = cache.version_of(__file__, *(str(m.__file__) for m in (hands, strength, five_o, rng)))
    found: NDArray[np.float64] = cache.arrays("five-o-columns", version, lambda: {"values": self_play()})["values"]
    return found


def self_play(generations: int = GENERATIONS, games: int = GAMES, seed: int = 0) -> NDArray[np.float64]:
    """Learn from random play first, then from play by what was learned."""
    values = np.zeros(VALUES)
    values[SCORES:] = np.linspace(-3, 3, STRENGTHS + 1)  # until the strengths that occur are known
    for generation in range(generations + 1):
        base = rng.words(seed, "five-o", generation)
        unit = functools.partial(_unit, values, 1.0 if generation == 0 else EXPLORED, base)
        sums, strengths = np.zeros((2 * HANDS, 3)), np.zeros(STRENGTHS + 1)
        for part in in_order(unit, range(-(-games // UNIT))):
            sums += part[0]
            strengths += part[1]
        values = _updated(values, sums, strengths, rescale=generation < 2)
    return values


def _unit(values: NDArray[np.float64], explored: float, base: Any, number: int) -> tuple[Any, Any]:
    words = np.empty(4, np.uint64)
    rng.fork(base, number, words)
    sums, strengths = np.zeros((2 * HANDS, 3)), np.zeros(STRENGTHS + 1)
    learn(UNIT, values, explored, words, sums, strengths)
    return sums, strengths


def _updated(values: NDArray[np.float64], sums: Any, strengths: Any, rescale: bool) -> NDArray[np.float64]:
    """Means and variances of what was seen, drawn to the old ones where little was."""
    new = values.copy()
    old = values[:SCORES].reshape(-1, 2)
    weight = 20.0
    count = sums[:, 0] + weight
    mean = (sums[:, 1] + weight * old[:, 0]) / count
    square = (sums[:, 2] + weight * (old[:, 1] + old[:, 0] ** 2)) / count
    new[:SCORES] = np.stack([mean, np.maximum(square - mean**2, 1e-3)], axis=1).ravel()
    if rescale:  # scores are normal for the strengths that now occur; the hands follow in the next generation
        below = (strengths.cumsum() - strengths / 2 + 1e-9) / strengths.sum()
        new[SCORES:] = [NormalDist().inv_cdf(min(max(share, 1e-6), 1 - 1e-6)) for share in below]
    return new
