"""All five-card and all seven-card hands, enumerated in order and counted by strength."""

from collections.abc import Iterator
from math import comb

import numpy as np
from numpy.typing import NDArray

from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, Strengths, strength_7, strength_56
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order


def five_card_histogram() -> NDArray[np.int64]:
    """Return how many of the 2,598,960 five-card hands have each strength; entry 0 is unused."""
    return np.bincount(all_five(), minlength=7463)


def seven_card_histogram(workers: int = 1) -> NDArray[np.int64]:
    """Return how many of the 133,784,560 seven-card hands have each strength; entry 0 is unused."""

    def part(highest: int) -> NDArray[np.int64]:
        return sum((np.bincount(some, minlength=7463) for some in all_seven(highest)), np.zeros(7463, np.int64))

    return sum(in_order(part, range(51, 5, -1), workers), np.zeros(7463, np.int64))


def all_five() -> Strengths:
    """Return the strengths of all five-card hands, in card order."""
    out = np.empty(comb(52, 5), np.uint16)
    _five_cards(out)
    return out


def all_seven(highest: int) -> Iterator[Strengths]:
    """Yield the strengths of all seven-card hands with this highest card, in parts that reuse the same memory."""
    out = np.empty(comb(highest - 1, 5), np.uint16)
    for second in range(5, highest):
        part = out[: comb(second, 5)]
        _seven_cards(highest, second, part)
        yield part


@kernel
def _five_cards(out: Strengths) -> None:
    count = np.uint64(0)
    for a in range(52):
        key_a, bits_a = EMPTY + KEY[a], BIT[a]
        for b in range(a):
            key_b, bits_b = key_a + KEY[b], bits_a | BIT[b]
            for c in range(b):
                key_c, bits_c = key_b + KEY[c], bits_b | BIT[c]
                for d in range(c):
                    key_d, bits_d = key_c + KEY[d], bits_c | BIT[d]
                    for e in range(d):
                        out[count] = strength_56(key_d + KEY[e], bits_d | BIT[e])
                        count += np.uint64(1)


@kernel
def _seven_cards(a: int, b: int, out: Strengths) -> None:
    """Fill `out` with the strengths of all hands whose two highest cards are a and b."""
    count = np.uint64(0)
    key_b, bits_b = EMPTY + KEY[a] + KEY[b], BIT[a] | BIT[b]
    for c in range(b):
        key_c, bits_c = key_b + KEY[c], bits_b | BIT[c]
        for d in range(c):
            key_d, bits_d = key_c + KEY[d], bits_c | BIT[d]
            for e in range(d):
                key_e, bits_e = key_d + KEY[e], bits_d | BIT[e]
                for f in range(e):
                    key_f, bits_f = key_e + KEY[f], bits_e | BIT[f]
                    for g in range(f):
                        out[count] = strength_7(key_f + KEY[g], bits_f | BIT[g])
                        count += np.uint64(1)
