"""What players read from a view of five-card draw, and what they trade."""

import numpy as np

from fifthstreet.agents.draw.hands import CLASS
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_56
from fifthstreet.games.five_card_draw import HAND, DrawTable, DrawView, strength_of
from fifthstreet.games.game import Mind
from fifthstreet.kernel import kernel

HANDS, PLAYED, WON = range(3)  # where the paper's players count hands in their minds
COUNTS = 3  # how many places that takes


@kernel
def sensible_trade(table: DrawTable, seat: int) -> int:
    """The set of cards that a sensible player in this seat trades.

    A straight or better is kept whole, and so are pairs and threes in any hand. Without a pair, four cards of a suit or
    four in a row are drawn to with one card. Otherwise the lowest unpaired cards go, as many as are allowed, three at
    most.
    """
    once, twice = 0, 0  # ranks in the hand, and ranks in it more than once, as bits
    for i in range(HAND):
        rank = 1 << (table.cards[seat, i] >> 2)
        twice |= once & rank
        once |= rank
    if twice == 0 and table.most_traded > 0:
        odd = odd_one(table, seat, once)
        if odd >= 0:
            return odd
    going, singles = 0, once & ~twice
    for _ in range(min(table.most_traded, 3)):
        lowest = singles & -singles
        singles ^= lowest
        for i in range(HAND):
            card = table.cards[seat, i]
            if lowest == 1 << (card >> 2):
                going |= 1 << card
    return going


WHEEL = 0b1_0000_0000_1111  # the ranks of A 5 4 3 2


@kernel
def odd_one(table: DrawTable, seat: int, ranks: int) -> int:
    """Of a hand of five ranks, the card beside four of a suit or four in a row, as a set of cards.

    0 if all five belong together, −1 if no four do.
    """
    suits = 0  # how many of each, three bits for each suit
    for i in range(HAND):
        suits += 1 << 3 * (table.cards[seat, i] & 3)
    most = max(max(suits & 7, (suits >> 3) & 7), max((suits >> 6) & 7, (suits >> 9) & 7))
    lowest = ranks & -ranks
    if most == HAND or ranks == 31 * lowest or ranks == WHEEL:
        return 0
    for i in range(HAND):
        card = table.cards[seat, i]
        if most == 4:
            if (suits >> 3 * (card & 3)) & 7 == 1:
                return 1 << card
        else:
            others = ranks ^ 1 << (card >> 2)
            if others == 15 * (others & -others):
                return 1 << card
    return -1


@kernel
def strength_before(view: DrawView) -> int:
    """The strength of the hand that the seat was dealt, before the exchange."""
    seat, kept = view.seat, HAND - max(0, view.traded[view.seat])
    key, bits = EMPTY, np.uint64(0)
    for i in range(HAND):  # the cards kept come first
        card = view.cards[seat, i] if i < kept else view.discards[seat, i - kept]
        key += KEY[card]
        bits |= BIT[card]
    return int(strength_56(key, bits))


@kernel
def class_before(view: DrawView) -> int:
    """The class of that hand."""
    return CLASS[strength_before(view)]


@kernel
def class_now(view: DrawView) -> int:
    """The class of the hand that the seat holds."""
    return CLASS[strength_of(view, view.seat)]


@kernel
def in_second_round(view: DrawView) -> bool:
    """Whether the seat got as far as the exchange."""
    return view.traded[view.seat] >= 0


@kernel
def count(mind: Mind, played: bool, payoff: float) -> None:
    """Count a hand. It was played if the player meant to call or raise, even where a check was free."""
    mind[HANDS] += 1
    mind[PLAYED] += played
    mind[WON] += played and payoff > 0


@kernel
def called_by_others(view: DrawView) -> bool:
    """Whether another player has put in more than the ante."""
    found = False
    for other in range(view.seats):
        found |= other != view.seat and view.wagered[other] > 0
    return found


@kernel
def has_folded(view: DrawView) -> bool:
    return view.folded[view.seat] == 1


@kernel
def has_paid(view: DrawView) -> bool:
    """Whether the seat has put in more than the ante."""
    return view.wagered[view.seat] > 0


@kernel
def is_shown(view: DrawView) -> bool:
    """Whether the hand, now over, has come to a showdown."""
    return view.live > 1
