"""What players read off a view of five-card draw, how they put a wish into a legal action, and what they trade."""

from typing import Any

import numpy as np

from fifthstreet.agents.draw.hands import CLASS
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_56
from fifthstreet.games.betting import CALL, FOLD, FOLDED, HIGH, PAID, SEAT, SEATS, to_call
from fifthstreet.games.five_card_draw import CARDS, DISCARDS, HAND, MOST_TRADED, TRADED, limits, strength_of
from fifthstreet.kernel import kernel

HANDS, PLAYED, WON, COUNTS = range(
    4
)  # where the paper's players keep count in their minds, and how many places it takes


@kernel
def raise_by(view: Any, amount: int) -> int:
    """A raise by so much above the highest bet, as near as the rules allow; a call where no raise is allowed."""
    _, lowest, highest = limits(view, view[SEAT])
    return CALL if highest == 0 else max(lowest, min(highest, view[HIGH] + amount))


@kernel
def give_up(view: Any) -> int:
    """Fold, or check where that is free."""
    return FOLD if to_call(view, view[SEAT]) > 0 else CALL


@kernel
def sensible_trade(view: Any) -> int:
    """What a sensible player trades.

    A straight or better stays as it is, and so do pairs and threes in any hand; four cards of a suit or four in a row
    are drawn to with one card, if there is no pair; otherwise the lowest single cards go, as many as are allowed, three
    at most.
    """
    first, most = CARDS + HAND * view[SEAT], view[MOST_TRADED]
    once, twice = 0, 0  # ranks that are there, and those that are there more than once, as bits
    for place in range(first, first + HAND):
        rank = 1 << (view[place] >> 2)
        twice |= once & rank
        once |= rank
    if twice == 0 and most > 0:
        odd = odd_one(view, first, once)
        if odd >= 0:
            return odd
    going, singles = 0, once & ~twice
    for _ in range(min(most, 3)):
        lowest = singles & -singles
        singles ^= lowest
        for place in range(first, first + HAND):
            if lowest == 1 << (view[place] >> 2):
                going |= 1 << view[place]
    return going


WHEEL = 0b1_0000_0000_1111  # the ranks of A 5 4 3 2


@kernel
def odd_one(view: Any, first: int, ranks: int) -> int:
    """Of five ranks, the card beside four of a suit or four in a row; 0 if all belong together, −1 if none does."""
    suits = 0  # how many of each, three bits for each suit
    for place in range(first, first + HAND):
        suits += 1 << 3 * (view[place] & 3)
    most = max(max(suits & 7, (suits >> 3) & 7), max((suits >> 6) & 7, (suits >> 9) & 7))
    lowest = ranks & -ranks
    if most == HAND or ranks == 31 * lowest or ranks == WHEEL:
        return 0
    for place in range(first, first + HAND):
        if most == 4:
            if (suits >> 3 * (view[place] & 3)) & 7 == 1:
                return 1 << view[place]
        else:
            others = ranks ^ 1 << (view[place] >> 2)
            if others == 15 * (others & -others):
                return 1 << view[place]
    return -1


@kernel
def class_before(view: Any) -> int:
    """The class of the hand that the seat was dealt, before the exchange."""
    first, going = HAND * view[SEAT], max(0, view[TRADED + view[SEAT]])
    key, bits = EMPTY, np.uint64(0)
    for i in range(HAND):  # what stayed lies in front
        card = view[CARDS + first + i] if i < HAND - going else view[DISCARDS + first + i - HAND + going]
        key += KEY[card]
        bits |= BIT[card]
    return CLASS[strength_56(key, bits)]


@kernel
def class_now(view: Any) -> int:
    return CLASS[strength_of(view, view[SEAT])]


@kernel
def in_second_round(view: Any) -> bool:
    """Whether the seat got as far as the exchange."""
    return view[TRADED + view[SEAT]] >= 0


@kernel
def count(mind: Any, played: bool, payoff: float) -> None:
    """Keep count of a hand. It was played if the player meant to call or raise, also where that cost nothing."""
    mind[HANDS] += 1
    mind[PLAYED] += played
    mind[WON] += played and payoff > 0


@kernel
def called_by_others(view: Any) -> bool:
    """Whether anybody else has put in more than the ante."""
    found = False
    for other in range(view[SEATS]):
        found |= other != view[SEAT] and view[PAID + other] > 0
    return found


@kernel
def has_folded(view: Any) -> bool:
    return view[FOLDED + view[SEAT]] == 1
