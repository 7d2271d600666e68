"""Sets as bits, against Python's own numbers."""

import numpy as np
import pytest

from fifthstreet.bits import ones, place_of_one
from fifthstreet.rng import stream


@pytest.mark.parametrize("number", [0, 1, 0b1011, (1 << 52) - 1, 1 << 62])
def test_ones_are_counted_in_numbers_with_and_without_a_sign(number: int) -> None:
    assert ones(number) == ones(np.uint64(number)) == number.bit_count()


def test_the_place_of_each_one_from_the_lowest() -> None:
    rng = stream(1, "bits")
    for _ in range(200):
        number = rng.getrandbits(52)
        places = [place for place in range(52) if number >> place & 1]
        assert [place_of_one(number, i) for i in range(len(places))] == places
