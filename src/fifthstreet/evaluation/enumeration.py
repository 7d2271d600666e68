"""Every hand there is: all five-card and all seven-card hands, counted by strength."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_7, strength_56
from fifthstreet.kernel import kernel


def five_card_histogram() -> NDArray[np.int64]:
    """How many of the 2,598,960 five-card hands have each strength; entry 0 is empty."""
    counts = np.zeros(7463, np.int64)
    _five_cards(counts)
    return counts


def seven_card_histogram(workers: int = 1) -> NDArray[np.int64]:
    """How many of the 133,784,560 seven-card hands have each strength; entry 0 is empty."""

    def part(highest: int) -> NDArray[np.int64]:
        counts = np.zeros(7463, np.int64)
        _seven_cards(highest, counts)
        return counts

    with ThreadPoolExecutor(workers) as pool:
        total: NDArray[np.int64] = sum(pool.map(part, range(51, 5, -1)), np.zeros(7463, np.int64))
        return total


@kernel
def _five_cards(counts: Any) -> None:
    for a in range(52):
        key_a, bits_a = EMPTY + KEY[a], BIT[a]
        for b in range(a):
            key_b, bits_b = key_a + KEY[b], bits_a | BIT[b]
            for c in range(b):
                key_c, bits_c = key_b + KEY[c], bits_b | BIT[c]
                for d in range(c):
                    key_d, bits_d = key_c + KEY[d], bits_c | BIT[d]
                    for e in range(d):
                        counts[strength_56(key_d + KEY[e], bits_d | BIT[e])] += 1


@kernel
def _seven_cards(highest: int, counts: Any) -> None:
    """All hands whose highest card is this one."""
    key_a, bits_a = EMPTY + KEY[highest], BIT[highest]
    for b in range(highest):
        key_b, bits_b = key_a + KEY[b], bits_a | BIT[b]
        for c in range(b):
            key_c, bits_c = key_b + KEY[c], bits_b | BIT[c]
            for d in range(c):
                key_d, bits_d = key_c + KEY[d], bits_c | BIT[d]
                for e in range(d):
                    key_e, bits_e = key_d + KEY[e], bits_d | BIT[e]
                    for f in range(e):
                        key_f, bits_f = key_e + KEY[f], bits_e | BIT[f]
                        for g in range(f):
                            counts[strength_7(key_f + KEY[g], bits_f | BIT[g])] += 1
