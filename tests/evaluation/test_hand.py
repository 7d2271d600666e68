from collections import Counter

import pytest

from fifthstreet.cards import CardError, parse_cards
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import Category, category, classes, describe, strength

ORDER = [  # each beats the one before
    "7c 5d 4h 3s 2c",
    "Ac Kd Qh Js 9c",
    "2c 2d 3h 4s 5c",
    "Ac Ad Kh Qs Jc",
    "2c 2d 3h 3s 4c",
    "Ac Ad Kh Ks Qc",
    "2c 2d 2h 3s 4c",
    "Ac Ad Ah Ks Qc",
    "Ac 2d 3h 4s 5c",
    "Ac Kd Qh Js Tc",
    "7c 5c 4c 3c 2c",
    "Ac Kc Qc Jc 9c",
    "2c 2d 2h 3s 3c",
    "Ac Ad Ah Ks Kc",
    "2c 2d 2h 2s 3c",
    "Ac Ad Ah As Kc",
    "Ac 2c 3c 4c 5c",
    "Kc Qc Jc Tc 9c",
    "Ac Kc Qc Jc Tc",
]


def test_the_order_of_hands() -> None:
    strengths = [strength(parse_cards(hand)) for hand in ORDER]
    assert strengths == sorted(set(strengths))
    assert strengths[0] == 1
    assert strengths[-1] == 7462


def test_there_are_7462_classes() -> None:
    assert len(classes()) == 7462
    assert Counter(kind for kind, _ in classes()) == {
        Category.HIGH_CARD: 1277,
        Category.PAIR: 2860,
        Category.TWO_PAIR: 858,
        Category.THREE_OF_A_KIND: 858,
        Category.STRAIGHT: 10,
        Category.FLUSH: 1277,
        Category.FULL_HOUSE: 156,
        Category.FOUR_OF_A_KIND: 156,
        Category.STRAIGHT_FLUSH: 10,
    }


def test_every_strength_has_words_of_its_own() -> None:
    assert len({describe(s) for s in range(1, 7463)}) == 7462


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("As Ah 8c 8d Qs", "two pair, aces and eights, queen kicker"),
        ("As Ah 8c 8d Qs Qd 2c", "two pair, aces and queens, eight kicker"),
        ("6s 6h 6c Kd 2s", "three of a kind, sixes, king and two kickers"),
        ("6s 6h 6c Kd Ks", "full house, sixes full of kings"),
        ("5s 4s 3s 2s As", "straight flush, five high"),
        ("Kd Jd 9d 4d 2d", "flush, king, jack, nine, four and two"),
        ("9d 9s 9h 9c 2d", "four of a kind, nines, two kicker"),
        ("Td Ts 7h 4c 2d", "pair of tens, seven, four and two kickers"),
        ("Ad Qs 7h 4c 2d", "high card, ace, queen, seven, four and two"),
    ],
)
def test_words(cards: str, words: str) -> None:
    assert describe(strength(parse_cards(cards))) == words


@pytest.mark.parametrize("wrong", [0, 7463, -1])
def test_no_such_strength(wrong: int) -> None:
    with pytest.raises(InputError, match=str(wrong)):
        category(wrong)


def test_hands_have_five_to_seven_cards() -> None:
    for count in (0, 4, 8):
        with pytest.raises(CardError, match=f"{count} cards"):
            strength(parse_cards("AhKhQhJhTh9h8h7h"[: 2 * count]))
