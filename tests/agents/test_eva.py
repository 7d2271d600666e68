"""The EVA agent against enumeration by the readable rules and its formulas by hand."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Decision, Turn
from fifthstreet.agents.holdem import eva
from fifthstreet.agents.holdem.tight_aggressive import ANSWER, OPENING
from fifthstreet.arena.match import match
from fifthstreet.cards import Card
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import strength
from fifthstreet.evaluation.ranges import CLASSES, Range
from fifthstreet.evaluation.starting import BOARDS, combos_by_class, strengths_of_classes
from fifthstreet.games.holdem import Holdem, HoldemView
from fifthstreet.rng import stream
from support_holdem import seen

TWO, THREE = Holdem(seats=2), Holdem(seats=3)


def decide(spec: str, view: HoldemView, number: int = 0) -> Decision:
    agent = agent_named(spec, "holdem")
    rules = Holdem(seats=view.seats)
    return agent.decide(Turn(rules, view, rules.choices(view), stream(number, "t"), agent.mind(rules)))


def test_on_the_river_it_is_the_share_of_worse_hands() -> None:
    view = seen(TWO, *[0] * 6, hands="JdTc8s8h", board="2c7d9hJsKc")
    mine = strength([*view.hand(0), *view.board_cards])
    left = [Card(c) for c in range(52) if c not in {*view.hand(0), *view.board_cards}]
    exact = np.mean([mine > strength([*pair, *view.board_cards]) for pair in combinations(left, 2)])
    worse = np.zeros(eva.WIDTH + 1, np.int32)
    assert eva.enumerate_opponent(view, worse) == 990
    assert eva.mean_over_boards(view, worse) / 990 == pytest.approx(exact, abs=1e-12)
    found = decide("eva:samples=100000", view).figures["better than one"]
    assert abs(found - exact) < 5 * 0.5 / 100_000**0.5


@pytest.mark.parametrize(("streets", "sets"), [(0, 178_365), (1, 15_180), (2, 990)])
def test_sampling_comes_near_to_enumeration(streets: int, sets: int) -> None:
    view = seen(TWO, 0, 0, *[0, 0] * streets, hands="JdTc8s8h", board="2c7d9hJsKc"[: 6 + 2 * streets])
    worse = np.zeros(eva.WIDTH + 1, np.int32)
    assert eva.enumerate_opponent(view, worse) == sets
    exact = eva.mean_over_boards(view, worse) / sets
    for found in (
        decide("eva:samples=100000", view).figures["better than one"],
        eva.both_sampled(view, 100_000, stream(1, "both").state),
    ):
        assert abs(found - exact) < 5 * 0.5 / 100_000**0.5


def test_before_the_flop_all_boards_are_counted() -> None:
    assert (strengths_of_classes().sum(axis=1) == BOARDS).all()
    view = seen(TWO, hands="8s8hAcAd")  # the dealer, seat 1, acts first
    found = decide("eva:samples=100000", view).figures["better than one"]
    assert abs(found - eva.both_sampled(view, 200_000, stream(2, "both").state)) < 5 * 0.002
    assert combos_by_class().sum() == 1326


def test_investments_are_those_of_figure_1() -> None:
    view = seen(THREE, 6, 0, hands="", board="")  # 6 to call, pot 6 + 6 + 2; seat 1 has bet 2 of its 200
    assert [eva.amount(view, kind) for kind in range(5)] == [6, 12, 14, 28, 200]
    assert eva.pool(view, 6) == 18
    assert eva.pool(view, 28) == 84


def test_the_value_added_is_the_formula() -> None:
    view = seen(THREE, 6, 0)
    decision = decide("eva:risk=1", view)
    one, better = decision.figures["better than one"], decision.figures["better than all"]
    assert better == pytest.approx(one**2)
    for name, bet, pool in (("call", 6, 18), ("raise 3 BB", 12, 36), ("raise pot", 14, 42), ("all-in", 200, 600)):
        value = better * pool - (1 - better) * bet
        assert decision.figures["value added"][name] == pytest.approx(value)
        assert decision.values[0 if name == "call" else bet] == pytest.approx(value)
    best = max(decision.values, key=lambda action: decision.values[action])
    assert decision.action == (best if decision.values[best] > 0 else -1)


def test_it_gives_up_where_nothing_adds_value_and_checks_where_that_is_free() -> None:
    river = {"hands": "2d3s8s8h", "board": "4c7d9hJsKc"}
    view = seen(TWO, *[0] * 6, **river)  # seat 0 holds nothing, and checking costs nothing
    assert decide("eva", view).action == 0
    view = seen(TWO, *[0] * 7, 100, **river)
    decision = decide("eva:risk=1", view)
    assert max(decision.values.values()) < 0
    assert decision.action == -1
    assert decide("eva", view).action == -1


def test_the_limit_on_risk() -> None:
    view = seen(TWO, hands="8s8h9c9d")
    assert decide("eva:risk=1", view).action == 200
    limited = decide("eva:risk=0.2,sure=1", view)
    assert 0 < limited.action <= 1 + 0.2 * 199
    assert "all-in" not in limited.figures["value added"]
    assert decide("eva:risk=0.2,sure=0.5", view).action == 200
    for wrong in ("risk=-1", "risk=nan", "sure=2", "samples=0"):
        with pytest.raises(InputError, match=wrong.split("=")[0]):
            agent_named(f"eva:{wrong}", "holdem")


def test_the_table_of_the_appendix() -> None:
    expected = dict(zip(CLASSES, eva.expectations(), strict=True))
    ranks = dict(zip(CLASSES, eva.class_ranks(), strict=True))
    assert max(expected, key=expected.__getitem__) == "AA"
    assert ranks["AA"] == pytest.approx(1 - 3 / 1326)
    assert expected["AKs"] > expected["AKo"]
    assert combos_by_class() @ eva.class_ranks() / 1326 == pytest.approx(0.5)
    assert combos_by_class() @ eva.expectations() / 1326 == pytest.approx(0.5)
    view = seen(TWO, hands="8s8hAcAd")
    assert decide("eva:ranking=expectation", view).figures["better than one"] == pytest.approx(ranks["AA"])


def test_charts_are_ranges_that_widen() -> None:
    sizes = [len(Range.parse(text).combos) for text in OPENING.values()]
    assert sizes == sorted(sizes)
    assert 80 < sizes[0] < 150
    ranges = [set(Range.parse(text).combos) for text in OPENING.values()]
    assert all(narrow < wide for narrow, wide in pairwise(ranges))
    assert set(Range.parse(ANSWER["raise"]).combos) < set(Range.parse(ANSWER["call"]).combos)


def test_tight_aggressive_folds_what_is_not_on_its_chart() -> None:
    early = Holdem(seats=9)
    for cards, folds in (("7c2d", True), ("AcAd", False), ("Ac8c", True)):
        view = seen(early, hands=f"3c3d4c4d{cards}")
        assert view.seat == 2
        assert (decide("tight-aggressive", view).action == -1) is folds


def test_tight_aggressive_answers_a_raise_by_the_chart_and_a_bet_by_its_share() -> None:
    for cards, wanted in (("7c2d", -1), ("AcQc", 0), ("AcAd", 24)):
        view = seen(Holdem(seats=4), 8, hands=f"3c3d4c4d5c5d{cards}")
        assert view.seat == 3
        assert decide("tight-aggressive", view).action == wanted
    for cards, wanted in (("3c4d", -1), ("9c8d", 0), ("9c9d", 34)):  # against a bet of 10 into a pot of 4
        view = seen(TWO, 0, 0, 10, hands=f"2d3s{cards}", board="2c7d9h")
        assert view.seat == 1
        assert decide("tight-aggressive:samples=2000", view).action == wanted, cards


def test_tight_aggressive_beats_those_who_do_not_look_at_their_cards() -> None:
    for other in ("call-station", "random"):
        result = match("holdem", ["tight-aggressive:samples=50", other], 4000, 1)
        assert result.standings[0].payoff.low > 0, other
