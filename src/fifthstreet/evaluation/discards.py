"""The exact value of every discard from a five-card draw hand: all possible replacements are enumerated."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card, CardError, cards, show
from fifthstreet.errors import InputError, whole
from fifthstreet.evaluation.hand import STRENGTHS
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, Ints, strength_56
from fifthstreet.kernel import kernel

Floats = NDArray[np.float64]

HAND = 5
_STRENGTH = np.arange(STRENGTHS + 1, dtype=np.float64)


@dataclass(frozen=True)
class Discard:
    """A set of cards to discard, and the mean value of the hand after drawing replacements."""

    cards: tuple[Card, ...]
    worth: float
    hands: int  # how many different hands the draw can make

    def to_dict(self) -> dict[str, object]:
        return {"discard": show(self.cards), "worth": self.worth, "hands": self.hands}


def discards(hand: str | Iterable[int], most: int = HAND, worth: Floats | None = None) -> list[Discard]:
    """Return every discard of up to `most` cards, best first, with the exact mean strength of the resulting hand.

    `worth`, an array indexed by strength (0 to 7,462), averages those values instead of the strength itself.

    >>> best = discards("Ah Kh Qh Jh 2c")[0]
    >>> best.cards, best.hands, round(best.worth, 1)
    ((2c,), 47, 3343.0)
    """
    held = cards(hand)
    if len(held) != HAND:
        raise CardError(f"{show(held)!r} has {len(held)} cards: a hand of draw poker has 5")
    most = whole(most, "cards to discard", least=0, most=HAND)
    if worth is not None and np.shape(worth) != (STRENGTHS + 1,):
        raise InputError(f"worth of shape {np.shape(worth)}: it needs a value for each strength from 0 to {STRENGTHS}")
    means, counts = np.empty(1 << HAND), np.zeros(1 << HAND, np.int64)
    value = _STRENGTH if worth is None else np.ascontiguousarray(worth, np.float64)
    mean_worths(np.array(held, np.int64), most, value, means, counts)
    found = [
        Discard(
            tuple(card for i, card in enumerate(held) if places >> i & 1), float(means[places]), int(counts[places])
        )
        for places in range(1 << HAND)
        if counts[places]
    ]
    return sorted(found, key=lambda each: (-each.worth, len(each.cards)))


@kernel
def mean_worths(hand: Ints, most: int, worth: Floats, means: Floats, counts: Ints) -> None:
    """For each bit mask of replaced cards, fill in the mean worth of the new hand and the number of possible hands."""
    deck, size = np.empty(52, np.int64), 0
    for card in range(52):
        held = False
        for i in range(HAND):
            held |= hand[i] == card
        if not held:
            deck[size] = card
            size += 1
    for places in range(1 << HAND):
        missing, key, bits = 0, EMPTY, np.uint64(0)
        for i in range(HAND):
            if (places >> i) & 1:
                missing += 1
            else:
                key += KEY[hand[i]]
                bits |= BIT[hand[i]]
        counts[places] = 0
        if missing <= most:
            means[places], counts[places] = mean_over_draws(key, bits, missing, deck, size, worth)


@kernel
def mean_over_draws(
    key: np.uint64, bits: np.uint64, missing: int, deck: Ints, size: int, worth: Floats
) -> tuple[float, int]:
    """Return the mean worth over all draws of `missing` cards from the deck, and the number of draws."""
    if missing == 0:
        return worth[strength_56(key, bits)], 1
    total, count = 0.0, 0
    keys, sets, place = np.empty(HAND, np.uint64), np.empty(HAND, np.uint64), np.empty(HAND, np.int64)
    keys[0], sets[0], place[0], depth = key, bits, size, 0
    while depth >= 0:  # cards in descending order; the innermost is a plain loop
        if depth == missing - 1:
            for i in range(place[depth]):
                total += worth[strength_56(keys[depth] + KEY[deck[i]], sets[depth] | BIT[deck[i]])]
            count += place[depth]
            depth -= 1
            continue
        place[depth] -= 1
        if place[depth] < missing - 1 - depth:
            depth -= 1
            continue
        card = deck[place[depth]]
        keys[depth + 1], sets[depth + 1] = keys[depth] + KEY[card], sets[depth] | BIT[card]
        place[depth + 1] = place[depth]
        depth += 1
    return total / count, count
