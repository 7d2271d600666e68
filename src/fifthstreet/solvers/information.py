"""Information sets by number: a view is an information set, and equal views have equal bytes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.kernel import kernel

Bytes = NDArray[np.uint8]


class InformationSets(NamedTuple):
    """A hash table of views. Kernels add to it as long as there is room."""

    slots: NDArray[np.int32]  # by hash: the number of an information set, or −1; a power of two, at most half full
    views: Bytes  # (information sets, bytes of a view)
    used: NDArray[np.int64]  # how many there are, in one element

    @classmethod
    def for_most(cls, most: int, view_size: int) -> "InformationSets":
        """An empty table with room for this many."""
        slots = np.full(1 << int(2 * most).bit_length(), -1, np.int32)
        views = np.zeros((most, view_size), np.uint8)
        return cls(slots, views, np.zeros(1, np.int64))


_PRIME, _BASIS, _SHIFT = np.uint64(0x100000001B3), np.uint64(0xCBF29CE484222325), np.uint64(29)


@kernel(allocates=False)
def hash_of(view: Bytes) -> np.uint64:
    """The 64-bit FNV-1a hash of a view's bytes, mixed once more so that its low bits are good."""
    value = _BASIS
    for byte in view:
        value = (value ^ np.uint64(byte)) * _PRIME
    return (value ^ (value >> _SHIFT)) * _PRIME


@kernel(allocates=False)
def number_of(view: Bytes, known: InformationSets) -> int:
    """The number of an information set, which is added if it is new; −1 if there is no room for it."""
    wanted = hash_of(view)
    mask = known.slots.size - 1
    place = np.int64(wanted >> np.uint64(20)) & mask
    while known.slots[place] >= 0:
        number = known.slots[place]
        same, i = True, 0
        while same and i < view.size:
            same = known.views[number, i] == view[i]
            i += 1
        if same:
            return int(number)
        place = (place + 1) & mask
    number = known.used[0]
    if number == known.views.shape[0]:
        return -1
    known.slots[place] = number
    for i in range(view.size):
        known.views[number, i] = view[i]
    known.used[0] = number + 1
    return int(number)
