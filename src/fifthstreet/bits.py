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
