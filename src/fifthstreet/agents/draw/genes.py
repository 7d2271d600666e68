"""A compact strategy in numbers: what evolution and co-evolution work on, and what the champion plays.

Everything rests on one figure, the share of hands that are better: before the exchange by the exact mean worth of the
best exchange, after it by the hand itself. More opponents, and an opponent who took few cards, make it larger. The
strategy calls while this figure is below a limit that falls with the price of a call, and raises, by a share of the
pot, below a lower limit; some of the hands that are good for neither bluff. Each round has its own numbers for three
situations: no bet, one bet, and several.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.draw.exchange import exchanges, final_shares, number_of, places_in
from fifthstreet.games.betting import CALL
from fifthstreet.games.five_card_draw import EXCHANGE, FIRST_ROUND, HAND, DrawTable, DrawView, set_at, strength_of
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, uniform

Numbers = NDArray[np.float64]

SITUATIONS = ("no bet", "a bet", "a raise")
KINDS = ("call", "steepness", "raise", "bluff", "size")  # logarithms; for the bluff, of its odds
CROWD = len(SITUATIONS) * len(KINDS) * 2  # how much every further opponent counts
PAT, ONE = CROWD + 1, CROWD + 2  # how much more hands are better if an opponent took no card, or one
LARGEST = CROWD + 3  # the largest raise, in pots
GENES = CROWD + 4
AT_TABLES = 4.0  # the largest raise, in pots

BINS = 4096  # of the mean worth before the exchange


def default_genes(largest: float = AT_TABLES) -> Numbers:
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


def simple_genes(calls: float, raises: float, size: float) -> Numbers:
    """The genes of a player who calls and raises with this multiple of the fair share of hands, by one size."""
    one = np.zeros(GENES)
    for place in range(2 * len(SITUATIONS)):
        one[place * len(KINDS) :][: len(KINDS)] = math.log(calls), -20.0, math.log(raises), -20.0, math.log(size)
    one[LARGEST] = math.log(size)
    return one


class Tables(NamedTuple):
    """What players with genes look up."""

    better_at_end: Numbers  # by strength, the share of final hands that are better
    better_before: Numbers  # the same before the exchange, by the mean worth of the best exchange
    best: Numbers  # for every hand, the best exchange and its mean worth


def tables(most: int) -> Tables:
    """The tables for a game in which at most this many cards are exchanged."""
    best = exchanges(most)
    bins = np.bincount(((best % 1) * BINS).astype(np.int64), minlength=BINS + 1)
    return Tables(1 - final_shares(most), 1 - (bins.cumsum() - bins / 2) / len(best), best.astype(np.float64))


@kernel
def best_exchange(table: DrawTable, seat: int, best: Numbers) -> float:
    """What `exchange.exchanges` says of the seat's hand: the best places to exchange, plus the mean worth."""
    return best[number_of(table.cards[seat])]


@kernel
def best_places(table: DrawTable, seat: int, best: Numbers) -> int:
    """The best places to exchange in the seat's hand, as bits."""
    return places_in(table.cards[seat], int(best_exchange(table, seat, best)))


@kernel
def best_trade(view: DrawView, best: Numbers) -> int:
    """The best set of cards to exchange."""
    return set_at(view, view.seat, best_places(view, view.seat, best))


@kernel
def share_better(view: DrawView, tables: Tables) -> float:
    """The share of hands that are better than the seat's."""
    if view.street == FIRST_ROUND:
        return tables.better_before[int(best_exchange(view, view.seat, tables.best) % 1 * BINS)]
    return tables.better_at_end[strength_of(view, view.seat)]


@kernel
def outlook(view: DrawView, genes: Numbers, better: float) -> float:
    """About the chance that an opponent has a better hand, from the share of better hands and what opponents took."""
    fewest = HAND
    for other in range(view.seats):
        if other != view.seat and view.folded[other] == 0 and view.traded[other] >= 0:
            fewest = min(fewest, view.traded[other])
    if fewest < 2 and view.street != FIRST_ROUND:
        better *= math.exp(genes[PAT + fewest])
    return 1 - (1 - min(better, 1.0)) ** ((view.live - 1) ** math.exp(genes[CROWD]))


@kernel
def situation(view: DrawView) -> int:
    """Where the numbers for this round and these bets begin."""
    bets = 0 if view.to_call == 0 else 1 if view.raises <= 1 else 2
    return (bets + (0 if view.street == FIRST_ROUND else 3)) * 5


@kernel
def fair_calls(view: DrawView) -> float:
    """The share of hands that must call so that no bluff of this size pays: the pot before the bet over that after."""
    return max(0.0, 1 - view.to_call / max(view.pot, 1))


@kernel
def limit_of(view: DrawView, steepness: float) -> float:
    """How the limits fall with the price: at least as fast as the fair calls, or a huge bet would always pay."""
    return fair_calls(view) ** max(1.0, math.exp(steepness))


@kernel
def by_genes(view: DrawView, genes: Numbers, tables: Tables, rng: RngState) -> int:
    if view.street == EXCHANGE:
        return best_trade(view, tables.best)
    first, better = situation(view), outlook(view, genes, share_better(view, tables))
    limit = limit_of(view, genes[first + 1])
    bluffs = uniform(rng) < 1 / (1 + math.exp(-genes[first + 3]))  # drawn every time, to keep random numbers in step
    calls = better < math.exp(genes[first]) * limit
    # The limit of a raise falls twice as fast: otherwise waiting for a hand and betting huge would pay too well.
    if better < math.exp(genes[first + 2]) * limit**2 or (bluffs and not calls):
        size = math.exp(min(genes[first + 4], genes[LARGEST]))
        return raise_by(view, size * (view.pot + view.to_call) + 0.5)
    return CALL if calls else give_up(view)
