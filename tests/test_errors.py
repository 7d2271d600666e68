"""What errors quote is cut short before it is formatted."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from fifthstreet.agents import agent_named
from fifthstreet.cards import Card, cards, parse_cards
from fifthstreet.errors import InputError, quoted, whole
from fifthstreet.games import game_named

LONG = "a" * 5000


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (None, "None"),
        ("Ah", "'Ah'"),
        (Decimal("2.50"), "2.50"),
        (Decimal("1e-100000000"), "1E-100000000"),
        (Decimal("0e-100000000"), "0E-100000000"),
    ],
)
def test_values_are_quoted(value: object, text: str) -> None:
    assert quoted(value) == text


def test_a_number_too_long_to_be_written_is_described() -> None:
    assert quoted(10**5000) == quoted(-(10**5000)) == "a number of about 5,000 digits"


@pytest.mark.parametrize(
    "value",
    [LONG, LONG.encode(), [LONG] * 100, {LONG: LONG}, [10**5000], Decimal("1" * 5000), "\0" * 60],
)
def test_what_is_long_is_cut(value: object) -> None:
    assert len(quoted(value)) <= 4 * 60 + 3  # a character may need four to be shown
    assert len(quoted("x" * 100)) == 63


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError


def test_an_object_that_cannot_be_shown_is_quoted_all_the_same() -> None:
    assert "Unspeakable" in quoted(Unspeakable())


@pytest.mark.parametrize(
    "ask",
    [
        lambda: agent_named(f"./{LONG}.py:Mine", "kuhn"),
        lambda: agent_named(f"./{'a' * 256}.py:Mine", "kuhn"),
        lambda: agent_named(f"{'a/' * 3000}mine.py:{LONG}", "kuhn"),
        lambda: agent_named(LONG, "kuhn"),
        lambda: agent_named(f"equilibrium:bluff={LONG}", "kuhn"),
        lambda: agent_named(f"equilibrium:{LONG}=1", "kuhn"),
        lambda: game_named(LONG),
        lambda: game_named(f"./{LONG}.py:Mine"),
        lambda: game_named(f"holdem:stack={'9' * 5000}"),
        lambda: game_named(f"holdem:stack={'9' * 4000}"),
        lambda: game_named(f"holdem:cap={'9' * 23}"),
        lambda: parse_cards(LONG),
        lambda: parse_cards(LONG + "a"),
        lambda: cards([10**5000]),
        lambda: Card(10**5000),
        lambda: Card.parse(LONG),
        lambda: whole(10**5000, "deals", most=5),
        lambda: whole(LONG, "deals", most=5),
    ],
)
def test_input_of_any_length_is_refused_in_a_short_sentence(ask: Callable[[], object]) -> None:
    with pytest.raises(InputError) as error:
        ask()
    assert len(str(error.value)) <= 300 and "\n" not in str(error.value)
