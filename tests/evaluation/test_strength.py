"""The compiled evaluator against its readable twin, against published counts, and against tables by others."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fifthstreet.cards import Card, CardError, parse_cards
from fifthstreet.errors import InputError
from fifthstreet.evaluation import hand
from fifthstreet.evaluation.enumeration import five_card_histogram, seven_card_histogram
from fifthstreet.evaluation.hand import Category, category
from fifthstreet.evaluation.strength import (
    BIT,
    EMPTY,
    KEY,
    evaluate,
    evaluate_5,
    evaluate_7,
    strength_7,
    strength_56,
)

from support import Rows


def test_all_five_card_hands_agree_with_the_readable_rules() -> None:
    """The rules look at ranks and at whether there is one suit; so do we here, for each of 2,598,960 hands."""
    hands = np.array(list(combinations(range(52), 5)), np.uint8)
    ranks, suits = np.sort(hands >> 2, axis=1), hands & 3
    flush = (suits == suits[:, :1]).all(axis=1)
    codes = (ranks.astype(np.int64) * 13 ** np.arange(5)).sum(axis=1) * 2 + flush
    kinds, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    assert len(kinds) == 7462
    expected = np.array([hand.strength([Card(card) for card in hands[i]]) for i in first])
    assert (evaluate(hands) == expected[inverse]).all()
    assert sorted(expected) == list(range(1, 7463))


def by_category(histogram: Any) -> dict[Category, int]:
    found = dict.fromkeys(Category, 0)
    for strength in range(1, 7463):
        found[category(strength)] += int(histogram[strength])
    return found


def test_the_histogram_of_all_five_card_hands() -> None:
    assert by_category(five_card_histogram()) == {
        Category.HIGH_CARD: 1_302_540,
        Category.PAIR: 1_098_240,
        Category.TWO_PAIR: 123_552,
        Category.THREE_OF_A_KIND: 54_912,
        Category.STRAIGHT: 10_200,
        Category.FLUSH: 5_108,
        Category.FULL_HOUSE: 3_744,
        Category.FOUR_OF_A_KIND: 624,
        Category.STRAIGHT_FLUSH: 40,
    }


def test_the_histogram_of_all_seven_card_hands() -> None:
    histogram = seven_card_histogram(workers=2)
    assert histogram.sum() == 133_784_560
    assert histogram[7462] == 4_324  # royal flushes
    assert by_category(histogram) == {
        Category.HIGH_CARD: 23_294_460,
        Category.PAIR: 58_627_800,
        Category.TWO_PAIR: 31_433_400,
        Category.THREE_OF_A_KIND: 6_461_620,
        Category.STRAIGHT: 6_180_020,
        Category.FLUSH: 4_047_644,
        Category.FULL_HOUSE: 3_473_184,
        Category.FOUR_OF_A_KIND: 224_848,
        Category.STRAIGHT_FLUSH: 41_584,
    }


@given(st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True))
def test_any_hand_agrees_with_the_readable_rules(numbers: list[int]) -> None:
    expected = hand.strength([Card(number) for number in numbers])
    assert evaluate(numbers) == expected
    assert evaluate(np.array(numbers)) == expected
    assert evaluate(np.array([numbers, numbers], np.int32)).tolist() == [expected] * 2


def test_cards_can_be_added_one_by_one() -> None:
    rng = np.random.default_rng(1)
    for _ in range(500):
        cards = rng.permutation(52)[:7]
        key, bits = EMPTY, np.uint64(0)
        for number, card in enumerate(cards, 1):
            with np.errstate(over="ignore"):
                key, bits = key + KEY[card], bits | BIT[card]
            if number in (5, 6):
                assert strength_56(key, bits) == evaluate(cards[:number])
        assert strength_7(key, bits) == evaluate(cards) == evaluate_7(*cards.tolist())
        assert evaluate_5(*cards[:5].tolist()) == evaluate(cards[:5])


def test_rows_by_others_all_five_card_classes(rows: Rows) -> None:
    table = rows("evaluator/five_card_classes.csv")
    assert len(table) == 7462
    histogram = five_card_histogram()
    for row in table:
        strength = evaluate(row["hand"])
        assert strength == 7463 - int(row["rank"])
        assert histogram[strength] == int(row["combinations"])
        kind = "straight flush" if row["category"] == "Royal Flush" else row["category"].lower()
        assert {"one pair": "pair"}.get(kind, kind) == str(category(strength))


def test_rows_by_others_random_hands(rows: Rows) -> None:
    table = rows("evaluator/random_hands.csv")
    assert len(table) == 10_000
    for row in table:
        assert evaluate(row["hand"]) == 7463 - int(row["rank"])


def test_rows_by_others_labelled_categories(data: Any) -> None:
    table = np.loadtxt(data / "evaluator/labelled_categories.csv", delimiter=",", dtype=int)
    assert len(table) == 10_000
    suits, ranks, label = table[:, 0:10:2] - 1, (table[:, 1:10:2] - 2) % 13, table[:, 10]
    strengths = evaluate(ranks * 4 + suits)
    found = np.array([9 if s == 7462 else int(category(int(s))) for s in strengths])
    assert (found == label).all()


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint32, np.int64])
def test_arrays_of_any_whole_type_and_layout(dtype: type) -> None:
    hands = np.array([np.random.default_rng(i).permutation(52)[:7] for i in range(1000)])
    expected = evaluate(hands.astype(np.uint8))
    assert (evaluate(hands.astype(dtype)) == expected).all()
    assert (evaluate(np.asfortranarray(hands.astype(dtype))) == expected).all()
    assert (evaluate(hands.astype(dtype)[::-1])[::-1] == expected).all()


def test_workers_change_nothing() -> None:
    rng = np.random.default_rng(2)
    hands = np.argsort(rng.random((50_001, 52)), axis=1)[:, :7].astype(np.uint8)
    assert (evaluate(hands) == evaluate(hands, workers=3)).all()
    assert (evaluate(hands) == evaluate(hands, workers=None)).all()
    for workers in (0, -1):
        with pytest.raises(InputError, match=f"{workers} workers"):
            evaluate(hands, workers=workers)


def test_no_hands_have_no_strengths() -> None:
    assert evaluate(np.empty((0, 7), np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    ("given", "quoted"),
    [
        ("AhKhQhJh", "4 cards"),
        ("AhKhQhJhTh9h8h7h", "8 cards"),
        ("AhAhKhQhJh", "Ah is there twice"),
        ("AhKhQhJhTx", "'x'"),
        ([0, 1, 2, 3, 52], "52"),
        ([0, 1, 2, 3, -1], "-1"),
        ([0, 1, 2, 3, 3], "2s is there twice"),
        (np.zeros((2, 4), np.uint8), "(2, 4)"),
        (np.zeros((2, 8), np.uint8), "(2, 8)"),
        (np.zeros((2, 3, 5), np.uint8), "(2, 3, 5)"),
        (np.zeros((2, 5)), "float64"),
        (np.array([["Ah"] * 5]), "<U2"),
        (np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 60]], np.uint8), "60 in row 1"),
        (np.array([[0, 1, 2, 3, 4, 5, 255]], np.uint8), "255 in row 0"),
        (np.array([[0, 1, 2, 3, 4, 5, -3]]), "-3 in row 0"),
        (np.array([[0, 1, 2, 3, 4, 5, 300]]), "300 in row 0"),
        (7, "7"),
        (None, "None"),
    ],
)
def test_wrong_hands_are_quoted(given: Any, quoted: str) -> None:
    with pytest.raises(CardError) as error:
        evaluate(given)
    assert quoted in str(error.value)


def test_rows_with_a_card_twice_are_found_on_request() -> None:
    hands = np.array([[0, 1, 2, 3, 4], [5, 6, 7, 8, 5]], np.uint8)
    with pytest.raises(CardError, match="row 1 holds a card twice"):
        evaluate(hands, check=True)
    assert evaluate(hands[:1], check=True).tolist() == [evaluate(parse_cards("2c2d2h2s3c"))]
