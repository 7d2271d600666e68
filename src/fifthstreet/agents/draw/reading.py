"""What players read off a view of five-card draw, how they put a wish into a legal action, and what they trade."""

from typing import Any

import numpy as np

from fifthstreet.agents.draw.hands import CLASS
from fifthstreet.evaluation.strength import evaluate_5
from fifthstreet.games.betting import ANTES, CALL, FOLD, FOLDED, HIGH, PAID, SEATS
from fifthstreet.games.five_card_draw import CARDS, DISCARDS, HAND, MOST_TRADED, SEAT, TRADED, limits, strength_of
from fifthstreet.kernel import kernel

HANDS, PLAYED, WON, COUNTS = range(4)  # where the paper's players keep count in their minds, and how many places it takes


@kernel
def pot(view: Any) -> int:
    """All chips that have been put in."""
    total = 0
    for seat in range(view[SEATS]):
        total += view[PAID + seat] + view[ANTES + seat]
    return total


@kernel
def raise_by(view: Any, amount: int) -> int:
    """A raise by so much above the highest bet, as near as the rules allow; a call where no raise is allowed."""
    _, lowest, highest = limits(view, view[SEAT])
    return CALL if highest == 0 else max(lowest, min(highest, view[HIGH] + amount))


@kernel
def give_up(view: Any) -> int:
    """Fold, or check where that is free."""
    return FOLD if limits(view, view[SEAT])[0] > 0 else CALL


@kernel
def sensible_trade(view: Any) -> int:
    """What a sensible player trades.

    A straight or better stays as it is, and so do pairs and threes in any hand; four cards to a flush or four in a row
    are drawn to with one card, if there is no pair; otherwise the lowest single cards go, as many as are allowed, three
    at most.
    """
    first, most = CARDS + HAND * view[SEAT], view[MOST_TRADED]
    ranks, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    for place in range(first, first + HAND):
        ranks[view[place] >> 2] += 1
        suits[view[place] & 3] += 1
    singles = 0
    for place in range(first, first + HAND):
        singles += ranks[view[place] >> 2] == 1
    if singles == HAND:
        drawn = odd_one(view, first, ranks, suits)
        if drawn != -1:
            return drawn if most > 0 else 0
    wanted, going = min(most, min(singles, 3)), 0
    for rank in range(13):
        for place in range(first, first + HAND):
            if wanted > 0 and view[place] >> 2 == rank and ranks[rank] == 1:
                going |= 1 << view[place]
                wanted -= 1
    return going


@kernel
def odd_one(view: Any, first: int, ranks: Any, suits: Any) -> int:
    """The card beside four of a suit or four in a row, 0 if all five belong together, −1 if there is nothing of it."""
    flush, lowest, highest = 0, 13, -1
    for suit in range(4):
        flush = max(flush, suits[suit])
    for rank in range(13):
        if ranks[rank]:
            lowest, highest = min(lowest, rank), rank
    wheel = ranks[12] and ranks[0] and ranks[1] and ranks[2] and ranks[3]
    if flush == 5 or highest - lowest == 4 or wheel:
        return 0
    for place in range(first, first + HAND):
        rank = view[place] >> 2
        if flush == 4 and suits[view[place] & 3] == 1:
            return 1 << view[place]
        if flush < 4 and (rank == lowest or rank == highest):
            low, high = 13, -1
            for other in range(13):
                if ranks[other] and other != rank:
                    low, high = min(low, other), other
            if high - low == 3:
                return 1 << view[place]
    return -1


@kernel
def class_before(view: Any) -> int:
    """The class of the hand that the seat was dealt, before the exchange."""
    first, going = HAND * view[SEAT], max(0, view[TRADED + view[SEAT]])
    hand = np.empty(HAND, np.int64)
    for i in range(HAND):  # what stayed lies in front
        hand[i] = view[CARDS + first + i] if i < HAND - going else view[DISCARDS + first + i - HAND + going]
    return CLASS[evaluate_5(hand[0], hand[1], hand[2], hand[3], hand[4])]


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
