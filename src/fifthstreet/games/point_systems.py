"""The point systems and deals of the Poker Squares contest, so that scores compare with its players' deal by deal.

A point system is ten whole numbers from −128 to 127: high card, pair, two pair, three of a kind, straight, flush, full
house, four of a kind, straight flush, royal flush. It is named, drawn from a seed, or written out:

>>> points("american")
(0, 2, 5, 10, 15, 20, 25, 50, 75, 100)
>>> points("single:3")
(0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
>>> points("1 1 1 1 1 1 1 1 1 1") == points("ameritish:21347")
False

The contest draws everything with Java's random numbers: a linear congruential generator of 48 bits, of which each
number takes the upper ones (https://docs.oracle.com/javase/8/docs/api/java/util/Random.html).
"""

import math
import re

from fifthstreet.cards import Card
from fifthstreet.errors import InputError
from fifthstreet.naming import did_you_mean

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
AMERICAN = (0, 2, 5, 10, 15, 20, 25, 50, 75, 100)
ENGLISH = (0, 1, 3, 6, 12, 5, 10, 16, 30, 30)
LEAST, MOST = -128, 127

Points = tuple[int, ...]


class JavaRandom:
    """Java's random numbers from a seed."""

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ 0x5DEECE66D) & (1 << 48) - 1

    def bits(self, count: int) -> int:
        self._state = (self._state * 0x5DEECE66D + 0xB) & (1 << 48) - 1
        return self._state >> 48 - count

    def below(self, n: int) -> int:
        if n & -n == n:
            return n * self.bits(31) >> 31
        while True:
            drawn = self.bits(31)
            if drawn - drawn % n + n - 1 < 1 << 31:  # else the last stretch is not a whole n
                return drawn % n

    def fraction(self) -> float:
        return ((self.bits(26) << 27) + self.bits(27)) / (1 << 53)


def _ameritish(random: JavaRandom) -> Points:
    """Between American and English: the most that a hand scores, and each hand's share of it."""
    royal = random.below(71) + 30
    found = [0]
    for american, english in zip(AMERICAN[1:-1], ENGLISH[1:-1], strict=True):
        low, high = sorted((american / AMERICAN[-1], english / ENGLISH[-1]))
        found.append(math.floor(royal * (random.fraction() * (high - low) + low) + 0.5))
    return (*found, royal)


def _random(random: JavaRandom) -> Points:
    return tuple(random.below(256) - 128 for _ in CATEGORIES)


def _hypercorner(random: JavaRandom) -> Points:
    return tuple(1 if random.bits(1) else -1 for _ in CATEGORIES)


_DRAWN = {"ameritish": _ameritish, "random": _random, "hypercorner": _hypercorner}
_NAMED = {"american": AMERICAN, "english": ENGLISH, "british": ENGLISH}


def points(text: str) -> Points:
    """The point system that the text names, draws or writes out."""
    name, colon, rest = text.strip().lower().partition(":")
    if not colon and name in _NAMED:
        return _NAMED[name]
    if colon and name in _DRAWN:
        return _DRAWN[name](JavaRandom(_seed(rest, text)))
    if colon and name == "single":
        category = _seed(rest, text)
        if not 0 <= category < len(CATEGORIES):
            raise InputError(f"{text!r} is not a point system: hands are numbered from 0, high card, to 9, royal flush")
        return tuple(int(i == category) for i in range(len(CATEGORIES)))
    return _written_out(text)


def _seed(text: str, whole: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        raise InputError(f"{whole!r} is not a point system: {text!r} is not a whole number of up to 19 digits")
    return int(text)


def _written_out(text: str) -> Points:
    parts = re.split(r"[\s/]+", text.strip())
    if not all(re.fullmatch(r"[-+]?[0-9]{1,9}", part) for part in parts):
        known = ", ".join((*_NAMED, *(f"{name}:SEED" for name in _DRAWN), "single:0 to single:9"))
        close = did_you_mean(text.strip(), _NAMED)
        raise InputError(f"{text!r} is not a point system{close}: it is {known}, or ten whole numbers")
    if len(parts) != len(CATEGORIES):
        raise InputError(f"{text!r} has {len(parts)} numbers: a point system has ten, from high card to royal flush")
    found = tuple(int(part) for part in parts)
    for number in found:
        if not LEAST <= number <= MOST:
            raise InputError(f"{number} in {text!r} is out of range: points go from {LEAST} to {MOST}")
    return found


def contest_deal(seed: int) -> list[Card]:
    """The order of all 52 cards in the contest's deal of this seed."""
    random, deck = JavaRandom(seed), list(range(52))
    for size in range(52, 1, -1):
        place = random.below(size)
        deck[size - 1], deck[place] = deck[place], deck[size - 1]
    # Theirs is suit · 13 + rank with the ace first, and the last card is drawn first.
    return [Card.of((card % 13 - 1) % 13, card // 13) for card in reversed(deck)]
