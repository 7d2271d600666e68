"""A compact strategy in numbers: what evolution and co-evolution work on, and what the champion plays.

Everything rests on one figure, the share of hands that are better: before the exchange by the exact mean worth of the
best exchange, after it by the hand itself. Several opponents, and an opponent who took few cards, make it larger. A
call is made up to a limit that falls with the price, a raise up to a lower one, in parts of the pot; of the hands that
are good for neither, some bluff. Each round has its own numbers for three situations: no bet, one, and several.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.draw.exchange import exchanges, final_shares, number_of
from fifthstreet.agents.draw.reading import give_up, raise_by
from fifthstreet.evaluation.hand import STRENGTHS
from fifthstreet.games.betting import CALL, FOLDED, LIVE, RAISES, SEAT, SEATS, pot_of, to_call
from fifthstreet.games.five_card_draw import (
    CARDS,
    EXCHANGE,
    FIRST_ROUND,
    HAND,
    STREET,
    TRADED,
    strength_of,
)
from fifthstreet.kernel import kernel
from fifthstreet.rng import uniform

SITUATIONS = ("no bet", "a bet", "a raise")
KINDS = ("call", "steepness", "raise", "bluff", "size")  # logarithms, but for the bluff: of its odds
CROWD = len(SITUATIONS) * len(KINDS) * 2  # how much every further opponent counts
PAT, ONE = CROWD + 1, CROWD + 2  # how much worse a hand stands against one who took no card, or one
LARGEST = CROWD + 3  # the largest raise, in pots
GENES = CROWD + 4
AT_TABLES = 4.0  # the largest raise, in pots

BINS = 4096  # of the mean worth before the exchange


def default_genes(largest: float = AT_TABLES) -> NDArray[np.float64]:
    """Sensible numbers to start from."""
    genes = np.zeros(GENES)
    for place in range(2 * len(SITUATIONS)):
        tight = place % len(SITUATIONS)
        genes[place * len(KINDS) :][: len(KINDS)] = (
            math.log((1.0, 0.5, 0.2)[tight]),
            0.3,
            math.log((0.25, 0.08, 0.03)[tight]),
            (-2.0, -4.0, -5.0)[tight],
            math.log(0.6),
        )
    genes[CROWD:] = 0.0, math.log(3.0), math.log(1.5), math.log(largest)
    return genes


def simple_genes(calls: float, raises: float, size: float) -> NDArray[np.float64]:
    """Somebody who calls and raises with so many times the hands that are fair for the price, always by this size."""
    one = np.zeros(GENES)
    for place in range(2 * len(SITUATIONS)):
        one[place * len(KINDS) :][: len(KINDS)] = math.log(calls), -20.0, math.log(raises), -20.0, math.log(size)
    one[LARGEST] = math.log(size)
    return one


class Tables(NamedTuple):
    """What all players with genes look up."""

    better_at_end: NDArray[np.float64]  # by strength, the share of final hands that are better
    better_before: NDArray[np.float64]  # the same before the exchange, by the mean worth of the best exchange
    best: NDArray[np.float64]  # for every hand, the best exchange and its mean worth


SHARES_SIZE = STRENGTHS + 1 + BINS + 1


def tables(most: int) -> Tables:
    best = exchanges(most)
    bins = np.bincount(((best % 1) * BINS).astype(np.int64), minlength=BINS + 1)
    return Tables(1 - final_shares(most), 1 - (bins.cumsum() - bins / 2) / len(best), best.astype(np.float64))


@kernel
def sorted_hand(view: Any, hand: Any) -> None:
    """The seat's cards from the highest."""
    first = CARDS + HAND * view[SEAT]
    for i in range(HAND):
        higher = 0
        for j in range(HAND):
            higher += view[first + j] > view[first + i]
        hand[higher] = view[first + i]


@kernel
def best_exchange(view: Any, best: Any) -> float:
    hand = np.empty(HAND, np.int64)
    sorted_hand(view, hand)
    return best[number_of(hand)]


@kernel
def share_better(view: Any, tables: Any) -> float:
    """The share of hands that are better than the seat's."""
    if view[STREET] == FIRST_ROUND:
        return tables.better_before[int(best_exchange(view, tables.best) % 1 * BINS)]
    return tables.better_at_end[strength_of(view, view[SEAT])]


@kernel
def outlook(view: Any, genes: Any, better: float) -> float:
    """The same among several opponents, and by what they took: about the chance that somebody is better."""
    fewest = HAND
    for other in range(view[SEATS]):
        if other != view[SEAT] and view[FOLDED + other] == 0 and view[TRADED + other] >= 0:
            fewest = min(fewest, view[TRADED + other])
    if fewest < 2 and view[STREET] != FIRST_ROUND:
        better *= math.exp(genes[PAT + fewest])
    return 1 - (1 - min(better, 1.0)) ** ((view[LIVE] - 1) ** math.exp(genes[CROWD]))


@kernel
def situation(view: Any) -> int:
    """Where the numbers for this round and these bets begin."""
    bets = 0 if to_call(view, view[SEAT]) == 0 else 1 if view[RAISES] <= 1 else 2
    return (bets + (0 if view[STREET] == FIRST_ROUND else 3)) * 5


@kernel
def fair_calls(view: Any) -> float:
    """The share of hands that must call, lest any bluff of this size pays: what was there before over what is now."""
    cost = to_call(view, view[SEAT])
    return max(0.0, 1 - cost / max(pot_of(view), 1))


@kernel
def limit_of(view: Any, steepness: float) -> float:
    """How the limits fall with the price: at least as fast as the fair calls, or a huge bet would always pay."""
    return fair_calls(view) ** max(1.0, math.exp(steepness))


@kernel
def best_trade(view: Any, best: Any) -> int:
    hand = np.empty(HAND, np.int64)
    sorted_hand(view, hand)
    going, wanted = 0, int(best[number_of(hand)])
    for i in range(HAND):
        if (wanted >> i) & 1:
            going |= 1 << hand[i]
    return going


@kernel
def by_genes(view: Any, genes: Any, tables: Any, words: Any) -> int:
    if view[STREET] == EXCHANGE:
        return best_trade(view, tables.best)
    first, better = situation(view), outlook(view, genes, share_better(view, tables))
    limit = limit_of(view, genes[first + 1])
    bluffs = uniform(words) < 1 / (1 + math.exp(-genes[first + 3]))  # drawn every time, so that numbers stay in step
    calls = better < math.exp(genes[first]) * limit
    # The limit of a raise falls twice as fast, or whoever waits for a hand and bets huge would be paid too well.
    if better < math.exp(genes[first + 2]) * limit**2 or (bluffs and not calls):
        size = math.exp(min(genes[first + 4], genes[LARGEST]))
        return raise_by(view, int(size * (pot_of(view) + to_call(view, view[SEAT])) + 0.5))
    return CALL if calls else give_up(view)
