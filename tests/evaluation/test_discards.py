"""Discards against enumeration by the readable rules."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from fifthstreet.cards import Card, parse_cards, show
from fifthstreet.errors import InputError
from fifthstreet.evaluation.discards import discards
from fifthstreet.evaluation.hand import strength
from fifthstreet.evaluation.strength import evaluate


@pytest.mark.parametrize("hand", ["AhKhQhJh2c", "9c9d8s7s2d", "2c3d4h5s7c"])
def test_they_are_what_enumeration_gives(hand: str) -> None:
    held = parse_cards(hand)
    deck = [Card(card) for card in range(52) if card not in held]
    for found in discards(hand, most=2):
        kept = [card for card in held if card not in found.cards]
        if len(found.cards) == 2 and found.cards[0] != held[0]:
            continue  # four pairs of cards are enough for rules in plain Python
        new = list(combinations(deck, len(found.cards)))
        assert found.hands == len(new)
        mean = sum(strength([*kept, *some]) for some in new) / len(new)
        assert found.worth == pytest.approx(mean, rel=1e-12)


def test_all_five_may_go() -> None:
    found, held = discards("AhKhQhJh2c"), parse_cards("AhKhQhJh2c")
    deck = [card for card in range(52) if card not in held]
    assert len(found) == 32
    assert sorted(each.hands for each in found) == sorted(comb(47, len(each.cards)) for each in found)
    for gone in (3, 5):
        each = next(each for each in found if len(each.cards) == gone)
        new = np.array(list(combinations(deck, gone)), np.uint8)
        kept = np.array([[card for card in held if card not in each.cards]] * len(new), np.uint8)
        assert each.worth == pytest.approx(evaluate(np.hstack([kept, new])).mean(), rel=1e-12)
    assert [each.worth for each in found] == sorted((each.worth for each in found), reverse=True)


def test_another_worth_and_the_suits_make_no_difference() -> None:
    wins = np.zeros(7463)
    wins[7462] = 1  # nothing but a royal flush
    best = discards("AhKhQhJh2c", most=2, worth=wins)[0]
    assert show(best.cards) == "2c"
    assert best.worth == pytest.approx(1 / 47)
    one, two = (discards(hand, most=3) for hand in ("AhKhQhJh2c", "AsKsQsJs2d"))
    assert [each.worth for each in one] == pytest.approx([each.worth for each in two])


@pytest.mark.parametrize(
    ("hand", "most", "quoted"),
    [
        ("AhKh", 5, "'AhKh' has 2 cards"),
        ("AhKhQhJhAh", 5, "Ah is there twice"),
        ("AhKhQhJh2c", 6, "6 cards to discard"),
    ],
)
def test_wrong_hands_are_quoted(hand: str, most: int, quoted: str) -> None:
    with pytest.raises(InputError) as error:
        discards(hand, most)
    assert quoted in str(error.value)
    with pytest.raises(InputError, match="worth of shape"):
        discards("AhKhQhJh2c", worth=np.zeros(3))
