"""Randomness that is passed in: named streams from one seed, the same in Python and inside kernels.

A stream is four 64-bit words, the state of xoshiro256++ (Blackman and Vigna, 2018). `stream(7, "dealer")` always gives
the same numbers, and `fork` gives a kernel its own stream for each deal, so that results do not depend on the number
of workers or on how the work is cut.
"""

import hashlib
import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import whole
from fifthstreet.kernel import kernel

RngState = NDArray[np.uint64]

_U = np.uint64
_SHIFT_32, _LOW_32, _LARGEST = _U(32), _U(0xFFFFFFFF), _U(0xFFFFFFFFFFFFFFFF)
MOST_CHOICES = 2**62


@kernel
def next_word(rng: RngState) -> Any:
    """The next 64 random bits."""
    s0, s1, s2, s3 = rng[0], rng[1], rng[2], rng[3]
    total = s0 + s3
    result = ((total << _U(23)) | (total >> _U(41))) + s0
    shifted = s1 << _U(17)
    s2 ^= s0
    s3 ^= s1
    rng[1] = s1 ^ s2
    rng[0] = s0 ^ s3
    rng[2] = s2 ^ shifted
    rng[3] = (s3 << _U(45)) | (s3 >> _U(19))
    return result


@kernel
def _below_many(rng: RngState, bound: Any) -> int:
    """A whole number below a bound of more than 32 bits, which is a uint64."""
    # a word's remainder; the words after the last full multiple would favour small remainders, and are drawn again
    while True:
        word = next_word(rng)
        remainder = word % bound
        if word - remainder <= _LARGEST - bound + _U(1):
            return np.int64(remainder)  # type: ignore[return-value]


@kernel
def below(rng: RngState, n: int) -> int:
    """A whole number from 0 to n − 1, each exactly as likely; n is at most 2⁶²."""
    return below_32(rng, n) if n <= 0x100000000 else _below_many(rng, _U(n))


@kernel
def below_32(rng: RngState, n: int) -> int:
    """The same for n up to 2³², with half a word and a multiplication (Lemire, 2019): for cards, on hot paths."""
    bound = _U(n)
    product = (next_word(rng) >> _SHIFT_32) * bound
    if (product & _LOW_32) < bound:
        threshold = (_U(0x100000000) - bound) % bound
        while (product & _LOW_32) < threshold:
            product = (next_word(rng) >> _SHIFT_32) * bound
    return np.int64(product >> _SHIFT_32)  # type: ignore[return-value]


@kernel
def uniform(rng: RngState) -> float:
    """A number in [0, 1) with 53 random bits."""
    return np.float64(next_word(rng) >> _U(11)) * 2.0**-53


@kernel
def pick(rng: RngState, row: NDArray[np.int64], i: int, size: int) -> int:
    """Pick one of row[i:size] at random, swap it to place `i`, and return it."""
    place = i + below_32(rng, size - i)
    picked = row[place]
    row[place] = row[i]
    row[i] = picked
    return int(picked)


@kernel
def pick_some(rng: RngState, row: NDArray[np.int64], size: int, wanted: int) -> None:
    """Put this many of the first `size` numbers, picked at random, at the front of the row."""
    for i in range(wanted):
        pick(rng, row, i, size)


@kernel
def fork(parent: RngState, index: int, child: RngState) -> None:
    """Make `child` the stream number `index` of `parent`, by mixing with SplitMix64; the parent is not advanced."""
    word = _U(index) * _U(0x9E3779B97F4A7C15)
    for i in range(4):
        word = (word ^ parent[i]) + _U(0x9E3779B97F4A7C15)
        mixed = (word ^ (word >> _U(30))) * _U(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> _U(27))) * _U(0x94D049BB133111EB)
        word = mixed ^ (mixed >> _U(31))
        child[i] = word


def seeded(seed: int, *names: str | int) -> RngState:
    """The state of the stream with this seed and name."""
    parts = [name if isinstance(name, str) else int(name) for name in names]
    digest = hashlib.blake2b(repr((int(seed), *parts)).encode(), digest_size=32).digest()
    return np.frombuffer(digest, dtype=np.uint64).copy()


class Stream(random.Random):
    """A stream with all the methods of `random.Random`; `.state` is what kernels take."""

    def __new__(cls, state: RngState) -> "Stream":
        return super().__new__(cls)

    def __init__(self, state: RngState) -> None:
        self.state = state
        self.gauss_next = None

    def __reduce__(self) -> Any:
        return Stream, (self.state.copy(),)

    def getstate(self) -> tuple[Any, ...]:
        return self.state.copy(), self.gauss_next

    def setstate(self, state: tuple[Any, ...]) -> None:
        self.state[:], self.gauss_next = state

    def random(self) -> float:
        return uniform(self.state)

    def getrandbits(self, k: int) -> int:
        value = 0
        for _ in range(0, k, 64):
            value = value << 64 | int(next_word(self.state))
        return value >> (-k % 64)

    def below(self, n: int) -> int:
        """A whole number from 0 to n − 1."""
        if type(n) is not int or not 0 < n <= MOST_CHOICES:
            n = whole(n, "choices to draw from", least=1, most=MOST_CHOICES)
        return below.dispatcher(self.state, n)

    def seed(self, *_: Any, **__: Any) -> None:
        raise TypeError("a stream is made from its name and seed, and is not seeded again")


def stream(seed: int, *names: str | int) -> Stream:
    """The stream of this name under this seed.

    >>> stream(7, "dealer").random() == stream(7, "dealer").random()
    True
    >>> stream(7, "dealer").random() == stream(7, "seat", 1).random()
    False
    """
    return Stream(seeded(seed, *names))
