"""Equities against tables by others, sampling against enumeration, and whatever can be wrong in a question."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fifthstreet.cards import Card, show
from fifthstreet.errors import InputError
from fifthstreet.evaluation import preflop
from fifthstreet.evaluation.equity import Equity, equity
from fifthstreet.evaluation.ranges import CLASSES
from fifthstreet.evaluation.strength import evaluate

from support import Rows


def winners(result: Equity) -> dict[int, int]:
    return {mask: int(count) for mask, count in enumerate(result.by_winners) if count}


def test_rows_by_others_match_ups(rows: Rows) -> None:
    table = rows("equity/preflop_matchups.csv")
    assert len(table) == 14_000
    for row in table:
        expected = {1: row["hand1_wins"], 2: row["hand2_wins"], 3: row["ties"]}
        counts = {mask: int(count) for mask, count in expected.items() if int(count)}
        assert winners(equity([row["hand1"], row["hand2"]])) == counts, row


def test_rows_by_others_many_players(rows: Rows) -> None:
    table = rows("equity/multiway_spots.csv")
    assert len(table) == 300
    for row in table:
        result = equity(row["hands"].split("|"), row["board"], row["dead"])
        assert winners(result) == {int(m): int(c) for m, _, c in (x.partition(":") for x in row["win_masks"].split())}
        assert [p.share for p in result.players] == pytest.approx(
            [float(e) for e in row["equities"].split()], abs=1e-11
        )


def test_rows_by_others_against_a_random_hand(rows: Rows) -> None:
    table = {row["hand"]: row for row in rows("equity/preflop_vs_random.csv")}
    assert len(table) == 169
    wins, losses, ties = preflop.against_one()
    for i, name in enumerate(CLASSES):
        row = table[name]
        assert (wins[i], losses[i], ties[i]) == tuple(int(row[key]) for key in ("wins", "losses", "ties"))
        assert preflop.preflop_table(2)[name].share == pytest.approx(float(row["equity"]), abs=1e-11)


def test_a_class_against_random_by_enumeration_of_hands() -> None:
    """The same number by another way: every opponent's hand, one after the other."""
    result = equity(["AhKh", "random"], exact=True)
    index = CLASSES.index("AKs")
    wins, losses, ties = preflop.against_one()
    assert winners(result) == {1: wins[index], 2: losses[index], 3: ties[index]}


cards = st.lists(st.integers(0, 51), min_size=20, max_size=20, unique=True)


@settings(max_examples=60)
@given(cards, st.integers(2, 5), st.integers(3, 5), st.integers(0, 4))
def test_enumeration_agrees_with_brute_force(deck: list[int], players: int, on_board: int, dead: int) -> None:
    hands = [deck[2 * i : 2 * i + 2] for i in range(players)]
    board = deck[2 * players : 2 * players + on_board]
    gone = deck[2 * players + on_board :][:dead]
    known = {*board, *gone, *(card for held in hands for card in held)}
    left = [card for card in range(52) if card not in known]
    counts: dict[int, int] = {}
    boards = np.array([[*board, *rest] for rest in combinations(left, 5 - on_board)], np.uint8)
    strengths = np.array(
        [evaluate(np.hstack([np.tile(np.array(h, np.uint8), (len(boards), 1)), boards])) for h in hands]
    )
    for column in (strengths == strengths.max(axis=0)).T:
        mask = sum(1 << player for player in range(players) if column[player])
        counts[mask] = counts.get(mask, 0) + 1
    assert winners(equity(hands, board, gone)) == counts


def test_flops_seen_one_by_one_add_up_to_the_preflop_count() -> None:
    """The grouped enumeration before the flop against the plain one after it, summed over all flops."""
    total = np.zeros(4, np.int64)
    held = [Card.parse(c) for c in ("9h", "8h", "Jd", "Jh")]
    left = [card for card in range(52) if card not in held]
    for flop in combinations(left, 3):
        total += equity([held[:2], held[2:]], flop).by_winners
    assert (total == 10 * equity([held[:2], held[2:]]).by_winners).all()  # a board has ten flops


def test_sampling_agrees_with_enumeration() -> None:
    for hands, board, dead in (
        (["AhKh", "QdQc"], "", ""),
        (["AhKh", "QQ+, 76s:0.5"], "2c7d8h", "9s"),
        (["random", "77", "A5s-A2s"], "Th9h2c3d", ""),
        (["AKs", "AKs", "QQ+"], "", "2c"),
    ):
        exact = equity(hands, board, dead, exact=True)
        sampled = equity(hands, board, dead, samples=400_000, seed=11)
        assert (exact.method, sampled.method) == ("exact", "sampled")
        for a, b in zip(exact.players, sampled.players, strict=True):
            deviation = (b.ci95[1] - b.ci95[0]) / 2 / 1.96
            assert abs(a.share - b.share) < 5 * deviation + 1e-12  # fails once in a million


def test_weights_weigh() -> None:
    pure = [equity(["AhKh", hand], exact=True).players[0].share for hand in ("QdQc", "7c2d")]
    mixed = equity(["AhKh", "QdQc:3, 7c2d:1"], exact=True).players[0].share
    assert mixed == pytest.approx((3 * pure[0] + pure[1]) / 4)


def test_workers_and_units_change_nothing() -> None:
    one = equity(["AhKh", "random", "QQ+"], samples=120_001, seed=4, workers=1)
    three = equity(["AhKh", "random", "QQ+"], samples=120_001, seed=4, workers=3)
    assert (one.by_winners == three.by_winners).all()
    assert one.deals == 120_001
    other = equity(["AhKh", "random", "QQ+"], samples=120_001, seed=5)
    assert (one.by_winners != other.by_winners).any()


def test_ten_players() -> None:
    result = equity(["random"] * 10, samples=20_000)
    assert sum(player.share for player in result.players) == pytest.approx(1)
    assert equity([[2 * i, 2 * i + 1] for i in range(10)], samples=10).deals == 10
    assert equity([[2 * i, 2 * i + 1] for i in range(10)], [51, 50, 49]).method == "exact"


def test_what_the_answer_says() -> None:
    result = equity(["AhKh", "QdQc"]).to_dict()
    assert result["method"] == "exact"
    assert result["deals"] == 1_712_304
    first = result["players"][0]
    assert first == {
        "hand": "AhKh",
        "wins": 787_966,
        "ties": 6_732,
        "share": pytest.approx((787_966 + 3_366) / 1_712_304),
        "ci95": [first["share"], first["share"]],
    }
    sampled = equity(["AhKh", "QdQc"], samples=1000).to_dict()["players"][0]
    assert sampled["ci95"][0] < sampled["share"] < sampled["ci95"][1]


@pytest.mark.parametrize(
    ("hands", "board", "dead", "quoted"),
    [
        (["AhKh"], "", "", "1 hand given"),
        ([], "", "", "0 hands given"),
        (["random"] * 11, "", "", "11 hands given"),
        ("AhKh", "", "", "'AhKh' is not 2 to 10 hands"),
        (["AhKh", "AhQc"], "", "", "Ah is there twice"),
        (["AhKh", "QdQc"], "Ah2c3c", "", "Ah is there twice"),
        (["AhKh", "QdQc"], "", "Qd", "Qd is there twice"),
        (["AhKh", "QdQc"], "2c3c4c", "2c", "2c is there twice"),
        (["AhKh", "QdQc"], "2c2c3c", "", "2c is there twice"),
        (["AhAh", "QdQc"], "", "", "Ah is there twice"),
        (["AhKh", "QdQc"], "2c3c4c5c6c7c", "", "6 cards: a board has at most 5"),
        (["AhKh", ""], "", "", "names no hands"),
        (["AhKh", "XYZ"], "", "", "'XYZ'"),
        (["AA", "QdQc"], "AhAdAs", "", "'AA' is impossible"),
        (["AA", "AA", "AA"], "", "", "cannot be dealt together"),
        ([[0, 1, 2], "QdQc"], "", "", "3 cards: a starting hand has 2"),
        ([[0, 99], "QdQc"], "", "", "99"),
        (["random", "random"], "", show(range(45)), "leave too few to deal"),
    ],
)
def test_wrong_questions_are_quoted(hands: Any, board: str, dead: str, quoted: str) -> None:
    for samples in (None, 100):
        with pytest.raises(InputError) as error:
            equity(hands, board, dead, samples=samples)
        assert quoted in str(error.value)
        assert "\n" not in str(error.value)


def test_too_many_ways_to_enumerate_are_refused() -> None:
    with pytest.raises(InputError, match="too many to enumerate"):
        equity(["random"] * 3, "2c3d4h5s6c", exact=True)


def test_few_samples_have_wide_intervals() -> None:
    sure = equity(["AhAd", "2c7d"], "AsAc8h9h", samples=50).players[0]
    assert (sure.share, sure.ci95[1]) == (1, 1)
    assert sure.ci95[0] < 0.95


def test_wrong_settings_are_quoted() -> None:
    with pytest.raises(InputError, match="cannot be combined"):
        equity(["AhKh", "QdQc"], exact=True, samples=5)
    for wrong in ([None, "AA"], None, 7, [["Ah"], "AA"]):
        with pytest.raises(InputError):
            equity(wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        equity(["AhKh", "QdQc"], None)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        preflop.preflop_table(2.5)  # type: ignore[arg-type]
    for samples, workers in ((0, None), (-5, None), (1.5, None), (None, 0)):
        with pytest.raises(InputError):
            equity(["AhKh", "QdQc"], samples=samples, workers=workers)  # type: ignore[arg-type]
    for players in (0, 1, 11):
        with pytest.raises(InputError, match=str(players)):
            preflop.preflop_table(players)


@given(st.lists(st.text() | st.sampled_from(["AhKh", "QQ+", "random", "2c2c", "Ah Kh"]), max_size=4), st.text())
def test_any_text_is_an_equity_or_an_input_error(hands: list[str], board: str) -> None:
    try:
        result = equity(hands, board, samples=10, workers=1)
    except InputError:
        return
    assert sum(player.share for player in result.players) == pytest.approx(1)
