"""How the paper divides hands: into classes in Tables 1 to 4, and into ten kinds in section 2.

A class is a category and its highest rank. All hands without a pair are one class, the "0" of the tables. A flush
counts by its highest card, two pairs by the higher pair, a full house by the three of a kind; kickers make no
difference.
"""

from typing import Any

import numpy as np

from fifthstreet import cache
from fifthstreet.cards import RANKS
from fifthstreet.errors import InputError
from fifthstreet.evaluation import hand
from fifthstreet.evaluation.hand import STRENGTHS, Category

_WORDS = {
    Category.PAIR: "Pair {}'s",
    Category.TWO_PAIR: "2 Pairs {} High",
    Category.THREE_OF_A_KIND: "Three {}'s",
    Category.STRAIGHT: "Straight {} High",
    Category.FLUSH: "Flush {} High",
    Category.FULL_HOUSE: "Full House {} High",
    Category.FOUR_OF_A_KIND: "Four {}'s",
    Category.STRAIGHT_FLUSH: "Straight Flush {} High",
}
NOTHING, ROYAL = "0", "Royal Flush"


def _name(category: Category, rank: int) -> str:
    if category is Category.HIGH_CARD:
        return NOTHING
    if category is Category.STRAIGHT_FLUSH and rank == 12:
        return ROYAL
    return _WORDS[category].format(RANKS[rank].replace("T", "10"))


def _count() -> dict[str, Any]:
    classes, names, last = np.zeros(STRENGTHS + 1, np.int64), [], ""
    for strength, (category, ranks) in enumerate(hand.classes(), 1):
        name = _name(category, ranks[0])
        if name != last:
            names.append(name)
            last = name
        classes[strength] = len(names) - 1
    return {"classes": classes, "names": np.array(names)}


_found = cache.arrays(__file__, "draw-classes", _count)

CLASS = _found["classes"]
"""The class of each strength, from 0 for no pair to the royal flush."""

NAMES: tuple[str, ...] = tuple(_found["names"].tolist())
CLASSES = len(NAMES)

KIND_NAMES = (
    "Single Card",
    "A Pair",
    "Two Pairs",
    "Three of a Kind",
    "Straight",
    "Flush",
    "Full House",
    "Four of a Kind",
    "Straight Flush",
    "Royal Flush",
)
"""The ten kinds of hands as section 2 of the paper lists them, from the lowest."""

KIND = np.array([0, *(category + (ranks[0] == 12 and category == 8) for category, ranks in hand.classes())])
"""The kind of each strength."""

KIND_OF_CLASS = KIND[np.unique(CLASS, return_index=True)[1]]
"""The kind of each class."""


def class_named(text: str) -> int:
    """The class of a hand named as in the tables; `Straight` alone is the lowest one.

    The tables begin flushes at `Flush 6 High`, although the lowest has a seven, and straights at `Straight 6 High`,
    although the lowest has a five.

    >>> NAMES[class_named("Pair 8's")], NAMES[class_named("Straight")], NAMES[class_named("Flush 6 High")]
    ("Pair 8's", 'Straight 5 High', 'Flush 7 High')
    """
    wanted = " ".join(text.split()).replace("Ace", "A")
    if wanted in NAMES:
        return NAMES.index(wanted)
    lowest = {"Straight": "Straight 5 High", "Flush 6 High": "Flush 7 High"}.get(wanted)
    if lowest is None:
        raise InputError(f"{text!r} is not a hand as the tables name them, like 2 Pairs 3 High or Royal Flush")
    return NAMES.index(lowest)
