"""The exact distribution of seven-card strengths for each of the 169 starting hands, over all boards.

Computed once and kept in the user's cache.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.evaluation.hand import STRENGTHS
from fifthstreet.evaluation.ranges import CLASSES, combos_of
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, Ints, strength_7
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order

BOARDS = 2_118_760  # C(50, 5)


@functools.cache
def strengths_of_classes() -> NDArray[np.int64]:
    """Return how many of the 2,118,760 boards give each class each strength: shape (169, 7463)."""
    found: NDArray[np.int64] = cache.arrays(__file__, "starting-hands", _compute)["counts"]
    return found


def combos_by_class() -> NDArray[np.int64]:
    return np.array([len(combos_of(name)) for name in CLASSES])


def _compute() -> dict[str, Ints]:
    def one(name: str) -> NDArray[np.int64]:
        counts = np.zeros(STRENGTHS + 1, np.int64)
        first, second = combos_of(name)[0]
        count_boards(int(first), int(second), counts)
        return counts

    return {"counts": np.array(list(in_order(one, CLASSES)))}


@kernel
def count_boards(first: int, second: int, counts: Ints) -> None:
    """Count how many of all boards give these two cards each strength."""
    deck, size = np.empty(50, np.int64), 0
    for card in range(52):
        if card != first and card != second:
            deck[size] = card
            size += 1
    for a in range(size):
        key_a = EMPTY + KEY[first] + KEY[second] + KEY[deck[a]]
        bits_a = BIT[first] | BIT[second] | BIT[deck[a]]
        for b in range(a):
            key_b, bits_b = key_a + KEY[deck[b]], bits_a | BIT[deck[b]]
            for c in range(b):
                key_c, bits_c = key_b + KEY[deck[c]], bits_b | BIT[deck[c]]
                for d in range(c):
                    key_d, bits_d = key_c + KEY[deck[d]], bits_c | BIT[deck[d]]
                    for e in range(d):
                        counts[strength_7(key_d + KEY[deck[e]], bits_d | BIT[deck[e]])] += 1
