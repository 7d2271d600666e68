import pytest
from hypothesis import given
from hypothesis import strategies as st

from fifthstreet.cards import parse_cards
from fifthstreet.evaluation.ranges import ALL_COMBOS, CLASSES, Range, RangeError, class_of, combos_of


def test_the_169_classes_hold_every_hand_once() -> None:
    assert len(CLASSES) == len(set(CLASSES)) == 169
    assert (CLASSES[0], CLASSES[1], CLASSES[13], CLASSES[-1]) == ("AA", "AKs", "AKo", "22")
    everything = [combo for name in CLASSES for combo in combos_of(name)]
    assert sorted(everything) == sorted(ALL_COMBOS)
    assert {len(combos_of(name)) for name in ("AA", "22")} == {6}
    assert (len(combos_of("AKs")), len(combos_of("AKo"))) == (4, 12)


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("AKs", "AKs"),
        ("KA", "AKs AKo"),
        ("77+", "77 88 99 TT JJ QQ KK AA"),
        ("ATs+", "ATs AJs AQs AKs"),
        ("K9o+", "K9o KTo KJo KQo"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("77-TT", "77 88 99 TT"),
        ("98s-65s", "98s 87s 76s 65s"),
        ("QTo-97o", "QTo J9o T8o 97o"),
        ("4xs", "43s 42s"),
        ("A10s, 1010", "ATs TT"),
        ("aks, qq+  T9O", "AKs QQ KK AA T9o"),
    ],
)
def test_notation(text: str, classes: str) -> None:
    expected = {combo for name in classes.split() for combo in combos_of(name)}
    assert set(Range.parse(text)) == expected


def test_all_hands_and_shares_of_them() -> None:
    assert Range.parse("random").is_random
    assert Range.parse("100%").is_random
    assert not Range.parse("99%").is_random
    tenth = Range.parse("10%")
    assert abs(len(tenth) - 132.6) <= 6
    assert {class_of(combo) for combo in tenth} >= {"AA", "KK", "QQ", "AKs"}
    assert set(Range.parse("5%")) < set(tenth)


def test_weights() -> None:
    found = Range.parse("QQ+:0.5, AKs, AhKh:0.25, KK:0")
    assert len(found) == 6 + 6 + 4
    assert found.weights[tuple(parse_cards("AhKh"))] == 0.25  # type: ignore[index]
    assert found.weights[tuple(parse_cards("AdAc"))] == 0.5  # type: ignore[index]


def test_cards_elsewhere_are_taken_out() -> None:
    assert len(Range.parse("AA").without(parse_cards("Ah"))) == 3
    with pytest.raises(RangeError, match="'AA' is impossible"):
        Range.parse("AA").without(parse_cards("AhAdAc"))


@pytest.mark.parametrize(
    "text",
    (
        *("", " , ", "AKx", "77s", "AKs-QJo", "77-A2s", "A5s-K2s", "1%%", "0%", "101%", "nan%", "QQ:", "QQ:-1", "QQ:x"),
        *(
            "QQ:0",
            "QQ:inf",
            "AhAh",
            "Ah",
            "7-7",
            "+",
            "-",
            "AKs++",
            "AhKx",
            "AA-",
            "Ax-Kx",
            "AKſ",
            "1_5%",
            "QQ:1_0",
            "QQ:1e308",
            "QQ:1e-9",
        ),
    ),
)
def test_wrong_ranges_are_quoted(text: str) -> None:
    with pytest.raises(RangeError) as error:
        Range.parse(text)
    assert repr(text)[1:-1].strip(" ,") in str(error.value)


@given(st.text() | st.text("AKQJT98765432shdcxo+-:%., 01"))
def test_any_text_is_a_range_or_a_range_error(text: str) -> None:
    try:
        found = Range.parse(text)
    except RangeError:
        return
    assert len(found) > 0
    assert set(found) <= set(ALL_COMBOS)
