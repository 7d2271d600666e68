"""Ranges of starting hands in the usual notation, and the 169 classes of the 1,326 hands.

    AhKh          one hand                      AKs, AKo, AK      suited, offsuit, both
    77            a pair                        77+, ATs+, K9o+   and higher pairs, or higher kickers
    77-TT         pairs from 77 to TT           A5s-A2s           the same high card, kickers in between
    98s-65s       98s, 87s, 76s, 65s            Axs, Kx           any lower kicker
    random, any   all hands                     15%               the 15 % with the highest equity against a random hand
    QQ:0.5        half the weight

Parts are separated by commas or spaces. If a hand is listed twice, its last weight counts.

>>> len(Range.parse("AKs, QQ+")), len(Range.parse("random"))
(22, 1326)
"""

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from fifthstreet.cards import RANKS, Card, CardError, show
from fifthstreet.errors import InputError

Combo = tuple[Card, Card]
"""Two cards, the higher first."""


class RangeError(InputError):
    """Text that is not a range of hands."""


ALL_COMBOS: tuple[Combo, ...] = tuple((Card(a), Card(b)) for a, b in combinations(range(51, -1, -1), 2))


def _class_name(high: int, low: int, suited: bool) -> str:
    return RANKS[high] + RANKS[low] + ("" if high == low else "s" if suited else "o")


CLASSES: tuple[str, ...] = tuple(
    _class_name(max(row, column), min(row, column), row > column)
    for row in range(12, -1, -1)
    for column in range(12, -1, -1)
)
"""The 169 classes row by row, as in the usual chart: AA top left, suited above the diagonal, offsuit below."""


def class_of(combo: Iterable[int]) -> str:
    """Return the class of a hand.

    >>> class_of(Range.parse("KhAh").combos[0])
    'AKs'
    """
    a, b = sorted((Card(card) for card in combo), reverse=True)
    return _class_name(a.rank, b.rank, a.suit == b.suit)


@functools.cache
def _by_class() -> dict[str, tuple[Combo, ...]]:
    found: dict[str, list[Combo]] = {name: [] for name in CLASSES}
    for combo in ALL_COMBOS:
        found[class_of(combo)].append(combo)
    return {name: tuple(combos) for name, combos in found.items()}


def combos_of(class_name: str) -> tuple[Combo, ...]:
    """Return the hands of a class: 6 for a pair, 4 for a suited class, 12 for an offsuit one."""
    return _by_class()[class_name]


@dataclass(frozen=True)
class Range:
    """A set of starting hands, each with a weight."""

    text: str
    weights: dict[Combo, float]

    @classmethod
    def parse(cls, text: str) -> "Range":
        weights: dict[Combo, float] = {}
        parts = [part for part in re.split(r"[,\s]+", text.strip()) if part]
        if not parts:
            raise RangeError(f"{text!r} names no hands: a range is like 'AKs, 77+' or 'random'")
        for part in parts:
            name, _, given = part.partition(":")
            weight = _weight(given, part) if ":" in part else 1.0
            for combo in _expand(name, text):
                weights[combo] = weight
        weights = {combo: weight for combo, weight in weights.items() if weight > 0}
        if not weights:
            raise RangeError(f"{text!r} names no hands: all its weights are 0")
        return cls(text.strip(), weights)

    @property
    def combos(self) -> tuple[Combo, ...]:
        return tuple(self.weights)

    @property
    def is_random(self) -> bool:
        """Whether this is any two cards, all equally likely."""
        return len(self.weights) == len(ALL_COMBOS) and len(set(self.weights.values())) == 1

    def without(self, gone: Iterable[int]) -> "Range":
        """Return the range without the hands that contain one of these cards."""
        away = set(gone)
        left = {combo: weight for combo, weight in self.weights.items() if not away.intersection(combo)}
        if not left:
            raise RangeError(f"{self.text!r} is impossible: no hand of it is left without {show(sorted(away))}")
        return Range(self.text, left)

    def __len__(self) -> int:
        return len(self.weights)

    def __iter__(self) -> Iterator[Combo]:
        return iter(self.weights)

    def __str__(self) -> str:
        return self.text


def _weight(given: str, part: str) -> float:
    weight = _number(given)
    if weight is None or (weight and not 1e-6 <= weight <= 1e6):
        raise RangeError(f"{part!r} has no weight {given!r}: a weight is 0, or from 0.000001 to 1000000, as in QQ:0.5")
    return weight


def _number(text: str) -> float | None:
    """Return a plain decimal number, or None; float() would also accept nan, inf and underscores."""
    return float(text) if re.fullmatch(r"[0-9]*\.?[0-9]+(e-?[0-9]{1,3})?|[0-9]+\.", text, re.ASCII) else None


_CLASS = re.compile(r"([2-9TJQKA])([2-9TJQKAX])([SO]?)")


def _expand(name: str, text: str) -> tuple[Combo, ...]:
    """Return the hands in one part of a range, such as 77+."""
    if not name.isascii():
        raise RangeError(f"{name!r} is not a range: try AKs, 77+, A5s-A2s, AhKh, random or 15%")
    if not name.endswith("%"):
        name = name.replace("10", "T")
    word = name.upper()
    if word in ("RANDOM", "ANY", "ANY2", "*"):
        return ALL_COMBOS
    if word.endswith("%"):
        return _top(word[:-1], name)
    if len(name) == 4 and not set("-+") & set(name):
        try:
            first, second = Card.parse(name[:2]), Card.parse(name[2:])
        except CardError as error:
            raise RangeError(f"{name!r} is not a hand: {error}") from None
        if first == second:
            raise RangeError(f"{name!r} is not a hand: {first} is there twice")
        return ((max(first, second), min(first, second)),)
    if word.endswith("+"):
        return _all(_upwards(*_read(word[:-1], name, text)))
    if "-" in word:
        start, _, end = word.partition("-")
        return _all(_between(_read(start, name, text), _read(end, name, text), name))
    return _all([_read(word, name, text)])


Shape = tuple[int, int, str]
"""High rank, low rank (−1 for any lower), and "s", "o" or "" for both."""


def _read(word: str, name: str, text: str) -> Shape:
    match = _CLASS.fullmatch(word)
    if match is None:
        where = "" if name == text.strip() else f" (in {text!r})"
        raise RangeError(f"{name!r} is not a range: try AKs, 77+, A5s-A2s, AhKh, random or 15%{where}")
    high, low = RANKS.index(match[1]), RANKS.find(match[2])
    if low == high and match[3]:
        raise RangeError(f"{name!r} is not a range: a pair is neither suited nor offsuit")
    return (max(high, low), min(high, low), match[3].lower())


def _upwards(high: int, low: int, kind: str) -> list[Shape]:
    if high == low:
        return [(rank, rank, "") for rank in range(high, 13)]
    return [(high, kicker, kind) for kicker in range(max(low, 0), high)]


def _between(start: Shape, end: Shape, name: str) -> list[Shape]:
    (high, low, kind), (high_end, low_end, kind_end) = max(start, end), min(start, end)
    gap = high - low
    if kind == kind_end and low >= 0 and low_end >= 0:
        if gap == high_end - low_end:
            return [(rank, rank - gap, kind) for rank in range(high_end, high + 1)]
        if high == high_end and gap and low_end != high:
            return [(high, kicker, kind) for kicker in range(low_end, low + 1)]
    raise RangeError(f"{name!r} is not a range: its ends must be alike, as in 77-TT, A5s-A2s or 98s-65s")


def _all(shapes: Iterable[Shape]) -> tuple[Combo, ...]:
    found: list[Combo] = []
    for high, low, kind in shapes:
        for kicker in range(high) if low < 0 else (low,):
            kinds = (False,) if kicker == high else (True, False) if not kind else (kind == "s",)
            for suited in kinds:
                found.extend(combos_of(_class_name(high, kicker, suited)))
    return tuple(found)


def _top(number: str, name: str) -> tuple[Combo, ...]:
    """Return the top `number` per cent of hands by exact equity against a random hand, in whole classes.

    The last class is included if that brings the number of hands closer to the request.
    """
    share = _number(number)
    if share is None or not 0 < share <= 100:
        raise RangeError(f"{name!r} is not a share of all hands: give a percentage above 0% and up to 100%")
    from fifthstreet.evaluation.preflop import ordered_classes

    wanted = share / 100 * len(ALL_COMBOS)
    found: list[Combo] = []
    for class_name in ordered_classes():
        more = combos_of(class_name)
        if found and abs(len(found) + len(more) - wanted) > abs(len(found) - wanted):
            break
        found.extend(more)
    return tuple(found)
