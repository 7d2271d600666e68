"""What an unfinished column is worth: Aharon and Mandel's hand evaluations (§II.A.1) and equations (1) and (2).

There are two interpretations, because the authors' program differs from their text.

- The text. The draws of equations (1) and (2) are all cards that the player will still place while the column can take
  one: what is left of this round, if the column is still open in it, and five for every later round. They ask for a
  suit or a rank exactly as often as it is needed, as printed. A flush counts as the weakest one with the hand's highest
  card, a straight as the weakest that the hand can reach. In the fast evaluation the chance of a flush or a straight is
  the share of the unseen cards that are of the suit, or of a rank next to one of the hand's. `getPackExpect` is
  described in words only; its weights here follow the words: instant rewards over future ones, values from 1 to 17.
- The program. Draws are five for every round that has not begun. A flush counts as the middle of those with the hand's
  highest card, a straight as the one that ends with it, and a lone ace is not the ace of a five-high straight. In the
  fast evaluation a straight's chance is the product of the shares of the missing ranks, summed over the straights.
  `getPackExpect` compares cards where it means ranks, so it never sees a pair; without this slip it is "mended".
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
    flush, middle = np.zeros(13), np.zeros(13)  # by the highest card: the weakest, and the middle of all
    straight, ending = np.zeros(2**13, np.uint16), np.zeros(13)
    useful = np.zeros(2**13, np.uint16)  # the ranks that some straight through these still needs
    for five in combinations(_RANKS, 5):
        mask = sum(1 << rank for rank in five)
        for size in range(1, 5):
            for held in combinations(five, size):
                part = sum(1 << rank for rank in held)
                if mask in _STRAIGHTS:
                    useful[part] |= mask & ~part
                    value_of_straight = place[hand._value(five, flush=False)]
                    if straight[part] == 0 or value_of_straight < straight[part]:
                        straight[part] = value_of_straight
    for rank in _RANKS:
        top = max(rank, 5)  # no flush is lower than 7-5-4-3-2
        fives = [five for five in combinations(range(top + 1), 5) if five[4] == top]
        made = [place[hand._value(five, flush=True)] for five in fives if sum(1 << r for r in five) not in _STRAIGHTS]
        flush[rank], middle[rank] = min(made), (min(made) + max(made)) / 2
        ending[rank] = place[hand._value((0, 1, 2, 3, 12) if rank < 4 else range(rank - 4, rank + 1), flush=False)]
    tables = {"fewest": fewest, "straight": straight, "useful": useful}
    return tables | {"flush": flush, "middle": middle, "ending": ending}


_tables = cache.arrays(__file__, "five-o-hands", _build)
WEIGHT = np.array(_WEIGHTS)
FEWEST, STRAIGHT_VALUE, USEFUL = (_tables[name] for name in ("fewest", "straight", "useful"))
LEAST_FLUSH, MIDDLE_FLUSH, STRAIGHT_ENDING = (_tables[name] for name in ("flush", "middle", "ending"))
ACE = 1 << 12  # the rank of a lone ace, as a set


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
def straight_chance(ranks: int, left: Counts, draws: int, first: int = 0) -> float:
    """Equation (2): over all straights through these ranks, the chance that each missing rank is drawn exactly once.

    first  0 for all straights, 1 without the one from ace to five
    """
    total = 0.0
    for straight in STRAIGHTS[first:]:
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
def share_next_to(ranks: int, left: Counts) -> float:
    """The share of the unseen cards whose rank is next to one of these and not among them; an ace is high and low."""
    beside = (ranks << 1 | ranks >> 1 | ranks >> 12 | (ranks & 1) << 12) & 0x1FFF & ~ranks
    count = 0
    for rank in range(13):
        if beside >> rank & 1:
            count += left[rank]
    return count / left[ALL_LEFT]


@kernel
def product_of_shares(ranks: int, left: Counts, first: int) -> float:
    """Over all straights through these ranks, the product of the shares of the unseen cards that it still needs."""
    total = 0.0
    for straight in STRAIGHTS[first:]:
        if ranks & ~straight == 0:
            product = 1.0
            for rank in range(13):
                if (straight & ~ranks) >> rank & 1:
                    product *= left[rank] / left[ALL_LEFT]
            total += product
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
def highest(ranks: int) -> int:
    rank = 12
    while not ranks >> rank & 1:
        rank -= 1
    return rank


@kernel
def combined(total: int, ranks: int, size: int, flush: float, straight: float, program: bool) -> float:
    """The least strength to be reached, and the values of a flush and a straight by their chances."""
    top = highest(ranks)
    flush_value = MIDDLE_FLUSH[top] if program else LEAST_FLUSH[top]
    straight_value = STRAIGHT_ENDING[top] if program else float(STRAIGHT_VALUE[ranks])
    straight = min(straight, 1 - flush)
    future = flush * flush_value + straight * straight_value
    return (1 - flush - straight) * FEWEST[total] + future * size / 5


@kernel
def precise_value(cards: Cards, size: int, left: Counts, draws: int, program: bool) -> float:
    """`eval`: the least strength to be reached, and flush and straight by equations (1) and (2)."""
    if size == 5:
        return float(full_value(cards))
    total, ranks, suit = summary(cards, size)
    flush, straight = 0.0, 0.0
    if suit >= 0:
        flush = hypergeometric(left[ALL_LEFT], left[SUITS_LEFT + suit], draws, 5 - size)
    if USEFUL[ranks] and ones(ranks) == size:
        straight = straight_chance(ranks, left, draws, 1 if program and ranks == ACE else 0)
    return combined(total, ranks, size, flush, straight, program)


@kernel
def fast_value(cards: Cards, size: int, left: Counts, program: bool) -> float:
    """`fastEval`: the same with rough chances."""
    if size == 5:
        return float(full_value(cards))
    total, ranks, suit = summary(cards, size)
    flush, straight = 0.0, 0.0
    if suit >= 0:
        flush = left[SUITS_LEFT + suit] / left[ALL_LEFT]
    if program:
        straight = product_of_shares(ranks, left, 1 if ranks == ACE else 0)
    elif USEFUL[ranks] and ones(ranks) == size:
        straight = share_next_to(ranks, left)
    return combined(total, ranks, size, flush, straight, program)


@kernel
def rank_counts(cards: Cards, size: int) -> tuple[int, int]:
    """The cards of the most common rank, and how many ranks are there exactly twice."""
    most, pairs = 1, 0
    for i in range(size):
        count, first = 0, True
        for j in range(size):
            if cards[i] >> 2 == cards[j] >> 2:
                count += 1
                first &= j >= i
        most = max(most, count)
        pairs += first and count == 2
    return most, pairs


@kernel
def rough_value(cards: Cards, size: int) -> float:
    """`getPackExpect`, 1 to 17: a little for the high card, most for common ranks, suit and sequence by size."""
    _, ranks, suit = summary(cards, size)
    most, pairs = rank_counts(cards, size)
    value = 1 + 1.5 * highest(ranks) / 12
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


@kernel
def program_rough_value(cards: Cards, size: int, sees_pairs: bool) -> float:
    """`getPackExpect` as the authors' program has it, 0 to 25 if it sees pairs.

    A suit in common gives 2 and ranks within five 2, both by size; a royal flush gives 4 and the highest card up to 1.
    A pair gives 4, three of a kind 6, four 8, two pairs 16 and a full house 24, then instead of the ranks within five.
    """
    _, ranks, suit = summary(cards, size)
    most, pairs = rank_counts(cards, size) if sees_pairs else (1, 0)
    top, low = highest(ranks), 0
    while not ranks >> low & 1:
        low += 1
    value = top / 12
    if suit >= 0:
        value += 2 * size / 5
    if pairs == 2:
        value += 16
    elif most == 3 and pairs == 1:
        value += 24
    elif most > 1:
        value += 2 * most
    elif top - low <= 4:
        value += 2 * size / 5
    if size == 5 and suit >= 0 and low == 8:
        value += 4
    return value
