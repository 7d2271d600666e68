import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fifthstreet import rng
from fifthstreet.errors import InputError


def test_xoshiro_gives_its_published_sequence() -> None:
    """The first outputs of xoshiro256++ from the state 1, 2, 3, 4, as its authors' reference code prints them."""
    words = np.array([1, 2, 3, 4], np.uint64)
    expected = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    assert [int(rng.next_word(words)) for _ in expected] == expected


def test_streams_are_named_and_independent() -> None:
    assert rng.seeded(1, "dealer").tolist() == rng.seeded(1, "dealer").tolist()
    names = [("dealer",), ("agent", 0), ("agent", 1), ("agent", "1")]
    assert len({tuple(rng.seeded(seed, *name).tolist()) for seed in (0, 1, -1, 2**70) for name in names}) == 16


@given(st.integers(1, 2**32) | st.integers(2**32, 2**62), st.integers(0, 2**64 - 1))
def test_below_stays_below(n: int, seed: int) -> None:
    assert 0 <= rng.stream(seed, "t").below(n) < n


def test_below_nothing_is_refused() -> None:
    for wrong in (0, -1, 1.5, 2**62 + 1, 10**5000):
        with pytest.raises(InputError, match="choices to draw from"):
            rng.stream(1, "t").below(wrong)  # type: ignore[arg-type]


def test_below_is_uniform() -> None:
    stream = rng.stream(1, "uniform")
    counts = np.bincount([stream.below(7) for _ in range(70_000)], minlength=7)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 40  # chi-square with 6 degrees: once in two million


@pytest.mark.parametrize("n", [2**32 + 1, 3 * 2**40, 2**62 - 1, 2**62])
def test_below_is_uniform_beyond_32_bits(n: int) -> None:
    stream = rng.stream(1, "uniform", n)
    drawn = [stream.below(n) for _ in range(70_000)]
    for part in ([7 * number // n for number in drawn], [number % 7 for number in drawn]):  # high bits and low bits
        counts = np.bincount(part, minlength=7)
        assert ((counts - 10_000) ** 2 / 10_000).sum() < 40


def test_more_than_32_bits_change_nothing_for_fewer() -> None:
    stream = rng.stream(1, "small")
    assert [stream.below(n) for n in (2, 52, 1000, 10**6, 2**32)] == [1, 25, 917, 408976, 685804242]


def test_forks_differ_and_leave_the_parent_alone() -> None:
    parent = rng.seeded(3, "p")
    before = parent.copy()
    children = []
    for index in range(1000):
        child = np.empty(4, np.uint64)
        rng.fork(parent, index, child)
        children.append(tuple(child.tolist()))
    assert len(set(children)) == 1000
    assert (parent == before).all()


def test_a_stream_has_the_methods_of_random() -> None:
    stream = rng.stream(5, "s")
    deck = list(range(52))
    stream.shuffle(deck)
    assert sorted(deck) == list(range(52)) != deck
    assert 0 <= stream.random() < 1
    assert stream.getrandbits(3) < 8
    assert stream.getrandbits(200) < 2**200
    assert math.isfinite(stream.gauss(0, 1))


def test_a_stream_can_be_copied_kept_and_put_back() -> None:
    stream = rng.stream(5, "s")
    stream.random()
    others = [copy.deepcopy(stream), pickle.loads(pickle.dumps(stream))]
    state = stream.getstate()
    numbers = [stream.random() for _ in range(3)]
    assert all([other.random() for _ in range(3)] == numbers for other in others)
    stream.setstate(state)
    assert [stream.random() for _ in range(3)] == numbers
    assert rng.seeded(1, "a", 3).tolist() == rng.seeded(1, "a", np.int64(3)).tolist()  # type: ignore[arg-type]
