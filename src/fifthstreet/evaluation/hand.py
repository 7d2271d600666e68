"""The ranking of poker hands as readable rules, which the compiled evaluator is tested against.

Two five-card hands compare as their `value`s do. There are 7,462 different values; the position of a value among them,
1 for seven-high to 7,462 for a royal flush, is the hand's strength.

>>> describe(strength(parse_cards("As Ah 8c 8d Qs")))
'two pair, aces and eights, queen kicker'
"""

import bisect
import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import combinations, combinations_with_replacement

from fifthstreet.cards import Card, CardError, parse_cards, show
from fifthstreet.errors import whole

__all__ = ["Category", "category", "classes", "describe", "parse_cards", "strength", "value"]


class Category(IntEnum):
    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


Value = tuple[Category, tuple[int, ...]]
"""A category and the ranks that break ties within it, most significant first."""

STRENGTHS = 7462
WHEEL = (12, 3, 2, 1, 0)  # A 5 4 3 2, the only straight with a low ace

_BY_COUNTS = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.PAIR,
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
}


def _value(ranks: Iterable[int], flush: bool) -> Value:
    counted = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    order = tuple(rank for rank, _ in counted)
    category = _BY_COUNTS[tuple(count for _, count in counted)]
    if category is Category.HIGH_CARD:
        straight = order == WHEEL or order[0] - order[4] == 4
        if order == WHEEL:
            order = (3, 2, 1, 0, -1)
        if straight:
            return (Category.STRAIGHT_FLUSH if flush else Category.STRAIGHT), order[:1]
        if flush:
            category = Category.FLUSH
    return category, order


def value(five: Sequence[Card]) -> Value:
    """Return the value of five cards; better hands have greater values."""
    return _value([card.rank for card in five], flush=len({card.suit for card in five}) == 1)


@functools.cache
def classes() -> tuple[Value, ...]:
    """Return all distinct values from worst to best: entry s − 1 is the value of strength s."""
    rank_sets = [ranks for ranks in combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4]]
    plain = {_value(ranks, flush=False) for ranks in rank_sets}
    flushes = {_value(ranks, flush=True) for ranks in combinations(range(13), 5)}
    return tuple(sorted(plain | flushes))


def strength(hand: Sequence[Card]) -> int:
    """Return the strength, 1 to 7,462, of the best five of five to seven cards."""
    if not 5 <= len(hand) <= 7:
        raise CardError(f"{show(hand)!r} has {len(hand)} cards: a hand has 5, 6 or 7")
    best = max(value(five) for five in combinations(hand, 5))
    return bisect.bisect_left(classes(), best) + 1


def category(strength: int) -> Category:
    """Return the category of a strength."""
    return classes()[whole(strength, "as a strength", least=1, most=STRENGTHS) - 1][0]


_NAMES = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]


def _name(rank: int) -> str:
    return _NAMES[rank]


def _plural(rank: int) -> str:
    return "sixes" if _NAMES[rank] == "six" else _NAMES[rank] + "s"


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def describe(strength: int) -> str:
    """Return the hand of this strength in words; no two strengths read the same.

    >>> describe(7462), describe(7461), describe(1)
    ('royal flush', 'straight flush, king high', 'high card, seven, five, four, three and two')
    """
    kind = category(strength)
    ranks = classes()[strength - 1][1]
    names = [_name(rank) for rank in ranks]
    if strength == STRENGTHS:
        return "royal flush"
    match kind:
        case Category.STRAIGHT_FLUSH | Category.STRAIGHT:
            return f"{kind}, {names[0]} high"
        case Category.FLUSH | Category.HIGH_CARD:
            return f"{kind}, {_list(names)}"
        case Category.FOUR_OF_A_KIND:
            return f"{kind}, {_plural(ranks[0])}, {names[1]} kicker"
        case Category.FULL_HOUSE:
            return f"{kind}, {_plural(ranks[0])} full of {_plural(ranks[1])}"
        case Category.THREE_OF_A_KIND:
            return f"{kind}, {_plural(ranks[0])}, {_list(names[1:])} kickers"
        case Category.TWO_PAIR:
            return f"{kind}, {_plural(ranks[0])} and {_plural(ranks[1])}, {names[2]} kicker"
        case Category.PAIR:
            return f"pair of {_plural(ranks[0])}, {_list(names[1:])} kickers"
