import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fifthstreet.cards import DECK_SIZE, Card, CardError, cards, parse_cards, show


def test_a_card_is_rank_times_four_plus_suit() -> None:
    assert Card.parse("2c") == 0
    assert Card.parse("As") == 51
    assert [Card.of(rank, suit) for rank in range(13) for suit in range(4)] == list(range(DECK_SIZE))
    assert (str(Card(50).rank), str(Card(50).suit)) == ("A", "h")


@given(st.lists(st.integers(0, 51), unique=True, max_size=52))
def test_cards_print_as_they_parse(numbers: list[int]) -> None:
    assert parse_cards(show(numbers)) == numbers
    assert parse_cards(" ".join(str(Card(n)) for n in numbers)) == numbers


def test_other_spellings() -> None:
    assert parse_cards("10h, aD KS") == parse_cards("ThAdKs")


@pytest.mark.parametrize(
    ("text", "quoted"),
    [("Xh", "'X'"), ("Ax", "'x'"), ("A", "'A'"), ("AhAh", "Ah is there twice"), ("AhK", "'AhK'")],
)
def test_wrong_cards_are_quoted(text: str, quoted: str) -> None:
    with pytest.raises(CardError) as error:
        parse_cards(text)
    assert quoted in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("number", [-1, 52, 3.5, None, True, float("nan"), float("inf"), [1]])
def test_wrong_numbers_are_refused(number: object) -> None:
    with pytest.raises(CardError):
        cards([number])  # type: ignore[list-item]


@pytest.mark.parametrize("number", [-1, 52, 99, 3.5, None, "Ah", float("nan"), [1]])
def test_a_card_is_checked_when_it_is_made(number: Any) -> None:
    with pytest.raises(CardError, match="is not a card"):
        Card(number)


def test_a_card_is_the_same_from_any_whole_number() -> None:
    assert str(Card(np.int64(50))) == "Ah"  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(Card(50))) is Card(50)


@given(st.text())
def test_any_text_is_cards_or_a_card_error(text: str) -> None:
    for parse in (Card.parse, parse_cards):
        try:
            found = parse(text)
        except CardError:
            continue
        assert found == parse(str(found) if isinstance(found, Card) else show(found))
