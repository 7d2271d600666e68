"""What an unfinished column is worth: Aharon and Mandel's hand evaluations (§II.A.1) and equations (1) and (2).

Readings. The draws of equations (1) and (2) are all cards that the player will still place while the column can take
one: what is left of this round, if the column is still open in it, and five for every later round. They ask for a suit
or a rank exactly as often as it is needed, as printed. In the fast evaluation the chance of a flush or straight is the
share of the unseen cards that are of the suit, or of a rank that some straight through the hand still needs.
`getPackExpect` is described in words only; its weights here follow the words: instant rewards over future ones, values
from 1 to 17.
"""

import math
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.bits import ones
from fifthstreet.evaluation import hand
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_56
from fifthstreet.kernel import kernel
from fifthstreet.record import Row

_RANKS = range(13)
_STRAIGHTS = (0b1000000001111, *(0b11111 << low for low in range(9)))  # the wheel first


# For each rank a number, such that all sums of up to four differ; each is the least that goes with those before it.
_WEIGHTS = (1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194, 13663, 22432)


def _build() -> dict[str, Any]:
    place = {value: index + 1 for index, value in enumerate(hand.classes())}
    fewest = np.zeros(4 * _WEIGHTS[-1] + 1, np.uint16)  # by sum of weights, the least strength to be reached
    fives = [ranks for ranks in combinations_with_replacement(_RANKS, 5) if ranks[0] != ranks[4]]
    for ranks in fives:
        value = place[hand._value(ranks, flush=False)]
        for size in range(1, 5):
            for held in set(combinations(ranks, size)):
                total = sum(_WEIGHTS[rank] for rank in held)
                if fewest[total] == 0 or value < fewest[total]:
                    fewest[total] = value
    flush, straight = np.zeros(2**13, np.uint16), np.zeros(2**13, np.uint16)
    useful = np.zeros(2**13, np.uint16)  # the ranks that some straight through these still needs
    for five in combinations(_RANKS, 5):
        value, mask = place[hand._value(five, flush=True)], sum(1 << rank for rank in five)
        for size in range(1, 5):
            for held in combinations(five, size):
                part = sum(1 << rank for rank in held)
                if mask not in _STRAIGHTS and (flush[part] == 0 or value < flush[part]):
                    flush[part] = value
                if mask in _STRAIGHTS:
                    useful[part] |= mask & ~part
                    value_of_straight = place[hand._value(five, flush=False)]
                    if straight[part] == 0 or value_of_straight < straight[part]:
                        straight[part] = value_of_straight
    return {"fewest": fewest, "flush": flush, "straight": straight, "useful": useful}


_tables = cache.arrays(__file__, "five-o-hands", _build)
WEIGHT = np.array(_WEIGHTS)
FEWEST, FLUSH_VALUE, STRAIGHT_VALUE, USEFUL = (_tables[name] for name in ("fewest", "flush", "straight", "useful"))


STRAIGHTS = np.array(_STRAIGHTS)
BINOMIAL = np.array([[math.comb(n, k) for k in range(53)] for n in range(53)], float)

Cards = NDArray[np.int64] | Row
"""The cards of a column, −1 behind the last."""

Counts = NDArray[np.int64]
"""How many cards are unseen: of each of 13 ranks, of each of four suits, and in all."""

SUITS_LEFT, ALL_LEFT, LEFT = 13, 17, 18  # places in the counts


@kernel
def hypergeometric(unseen: int, relevant: int, draws: int, needed: int) -> float:
    """Equation (1): the chance that exactly `needed` of the draws are relevant."""
    if needed > draws or needed > relevant or draws - needed > unseen - relevant:
        return 0.0
    return BINOMIAL[relevant, needed] * BINOMIAL[unseen - relevant, draws - needed] / BINOMIAL[unseen, draws]


@kernel
def straight_chance(ranks: int, left: Counts, draws: int) -> float:
    """Equation (2): over all straights through these ranks, the chance that each missing rank is drawn exactly once."""
    total = 0.0
    for straight in STRAIGHTS:
        if ranks & ~straight:
            continue
        ways, relevant, missing = 1.0, 0, 0
        for rank in range(13):
            if (straight & ~ranks) >> rank & 1:
                ways *= left[rank]
                relevant += left[rank]
                missing += 1
        others = left[ALL_LEFT] - relevant
        if missing <= draws and draws - missing <= others:
            total += ways * BINOMIAL[others, draws - missing] / BINOMIAL[left[ALL_LEFT], draws]
    return total


@kernel
def summary(cards: Cards, size: int) -> tuple[int, int, int]:
    """Sum of weights, set of ranks, and the suit if the cards have one in common, else −1."""
    total, ranks, suit = 0, 0, cards[0] & 3
    for i in range(size):
        card = cards[i]
        total += WEIGHT[card >> 2]
        ranks |= 1 << (card >> 2)
        if (card & 3) != suit:
            suit = -1
    return total, ranks, suit


@kernel
def keys_of(cards: Cards, size: int) -> tuple[Any, Any]:
    """Key and bits of the first cards of a column, as hand strengths are looked up."""
    key, bits = EMPTY, np.uint64(0)
    for i in range(size):
        key += KEY[cards[i]]
        bits |= BIT[cards[i]]
    return key, bits


@kernel
def full_value(cards: Cards) -> int:
    key, bits = keys_of(cards, 5)
    return int(strength_56(key, bits))


@kernel
def combined(now: int, flush: float, flush_value: int, straight: float, straight_value: int, size: int) -> float:
    """The present value, and the values of a flush and a straight by their chances."""
    straight = min(straight, 1 - flush)
    future = flush * flush_value + straight * straight_value
    return (1 - flush - straight) * now + future * size / 5


@kernel
def precise_value(cards: Cards, size: int, left: Counts, draws: int) -> float:
    """`eval`: the least strength to be reached, and flush and straight by equations (1) and (2)."""
    if size == 5:
        return float(full_value(cards))
    total, ranks, suit = summary(cards, size)
    flush, straight = 0.0, 0.0
    if suit >= 0:
        flush = hypergeometric(left[ALL_LEFT], left[SUITS_LEFT + suit], draws, 5 - size)
    if USEFUL[ranks] and ones(ranks) == size:
        straight = straight_chance(ranks, left, draws)
    return combined(FEWEST[total], flush, FLUSH_VALUE[ranks], straight, STRAIGHT_VALUE[ranks], size)


@kernel
def fast_value(cards: Cards, size: int, left: Counts) -> float:
    """`fastEval`: the same with rough chances."""
    if size == 5:
        return float(full_value(cards))
    total, ranks, suit = summary(cards, size)
    flush, straight = 0.0, 0.0
    if suit >= 0:
        flush = left[SUITS_LEFT + suit] / left[ALL_LEFT]
    useful = int(USEFUL[ranks])
    if useful and ones(ranks) == size:
        relevant = 0
        for rank in range(13):
            if useful >> rank & 1:
                relevant += left[rank]
        straight = relevant / left[ALL_LEFT]
    return combined(FEWEST[total], flush, FLUSH_VALUE[ranks], straight, STRAIGHT_VALUE[ranks], size)


@kernel
def rough_value(cards: Cards, size: int) -> float:
    """`getPackExpect`, 1 to 17: a little for the high card, most for common ranks, suit and sequence by size."""
    _, ranks, suit = summary(cards, size)
    high, pairs, most = 0, 0, 1
    for rank in range(13):
        if ranks >> rank & 1:
            high = rank
            count = 0
            for i in range(size):
                count += (cards[i] >> 2) == rank
            pairs += count == 2
            most = max(most, count)
    value = 1 + 1.5 * high / 12
    if most == 4:
        value += 12
    elif most == 3:
        value += 6 + 4 * pairs
    else:
        value += 3 * pairs
    if size > 1 and most == 1:
        value += size / 5 * (2 if size < 5 else 7.5) * (suit >= 0)
        spans = int(USEFUL[ranks]) != 0 if size < 5 else False
        if size == 5:
            for straight in STRAIGHTS:
                spans |= ranks == straight
        value += size / 5 * (1.5 if size < 5 else 7) * spans
    return value
