"""Sets as the bits of a whole number."""

from typing import Any

import numpy as np

from fifthstreet.kernel import kernel


@kernel
def ones(number: Any) -> int:
    """How many bits of a whole number, signed or not, are set; its highest bit must not be."""
    left, count = np.int64(number), 0
    while left:
        left &= left - 1
        count += 1
    return count


@kernel
def place_of_one(number: int, i: int) -> int:
    """The place of the i-th bit that is set, from the lowest, found by halves."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        lower = ones((number >> place) & ((1 << width) - 1))
        if i >= lower:
            i -= lower
            place += width
    return place
