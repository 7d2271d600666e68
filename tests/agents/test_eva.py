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
from fifthstreet.games.game import CHANCE, Mind
from fifthstreet.games.holdem import Chips, Holdem, HoldemView
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


def mind(given: str, seats: int = 3) -> Mind:
    return agent_named(f"eva:{given}", "holdem").mind(Holdem(seats=seats))


def test_investments_are_those_of_figure_1() -> None:
    view = seen(THREE, 6, 0, hands="", board="")  # 6 to call, pot 6 + 6 + 2; seat 1 has bet 2 of its 200
    assert [eva.amount(view, kind) for kind in range(5)] == [6, 12, 14, 28, 200]


def test_what_is_in_the_pool() -> None:
    view = seen(THREE, 6, 0)
    for given, pools in (("net", (18, 84)), ("growing", (18, 84)), ("fixed", (26, 26))):
        assert (eva.pool(view, mind(f"pool={given}"), 6), eva.pool(view, mind(f"pool={given}"), 28)) == pools


def test_what_counts_as_invested() -> None:
    view = seen(THREE, 6, 0, 0, 0, 0, 10, 0, hands="", board="")  # the flop: 6 from everyone, a bet of 10, a call
    assert (view.street, view.seat, view.pot) == (1, 1, 38)
    for given, staked in (("street", 10), ("hand", 16), ("new", 10)):
        assert eva.investment(view, mind(f"invested={given}"), 10) == staked
    before = seen(THREE, 6, 0)  # seat 1 has the big blind of 2 in
    for given, staked in (("street", 6), ("hand", 6), ("new", 4)):
        assert eva.investment(before, mind(f"invested={given}"), 6) == staked


@pytest.mark.parametrize("pool", ["net", "growing", "fixed"])
def test_the_value_added_is_the_formula(pool: str) -> None:
    view = seen(THREE, 6, 0)
    decision = decide(f"eva:caution=none,pool={pool}", view)
    one, better = decision.figures["better than one"], decision.figures["better than all"]
    assert better == pytest.approx(one**2)
    for name, bet, total in (("call", 6, 18), ("raise 3 BB", 12, 36), ("raise pot", 14, 42), ("all-in", 200, 600)):
        won = {"net": total - bet, "growing": total, "fixed": 26}[pool]
        value = better * won - (1 - better) * bet
        assert decision.figures["value added"][name] == pytest.approx(value)
        assert decision.values[0 if name == "call" else bet] == pytest.approx(value)
    best = max(decision.values, key=lambda action: decision.values[action])
    assert decision.action == (best if decision.values[best] > 0 else -1)


def first_decisions(spec: str, seats: int, hands: int) -> list[int]:
    game, rng = Holdem(seats=seats), stream(3, "first")
    found = []
    for number in range(hands):
        state = game.start()
        while (seat := game.to_act(state)) == CHANCE:
            state, _ = game.deal(state, rng)
        assert seat is not None
        found.append(int(decide(spec, game.view(state, seat), number).action))
    return found


def test_with_a_fixed_pool_it_calls_with_every_hand_heads_up_and_never_raises() -> None:
    assert set(first_decisions("eva:pool=fixed", 2, 60)) == {0}
    six = first_decisions("eva:pool=fixed", 6, 100)
    assert set(six) <= {-1, 0}
    assert six.count(-1) > 85


def test_with_a_growing_pool_it_moves_all_in_with_every_hand_heads_up() -> None:
    assert set(first_decisions("eva:pool=growing,caution=none", 2, 60)) == {200}
    assert 200 not in first_decisions("eva:pool=growing,sure=1", 2, 60)


def test_it_gives_up_where_nothing_adds_value_and_checks_where_that_is_free() -> None:
    river = {"hands": "2d3s8s8h", "board": "4c7d9hJsKc"}
    view = seen(TWO, *[0] * 6, **river)  # seat 0 holds nothing, and checking costs nothing
    assert decide("eva", view).action == 0
    view = seen(TWO, *[0] * 7, 100, **river)
    decision = decide("eva:caution=none", view)
    assert max(decision.values.values()) < 0
    assert decision.action == -1
    assert decide("eva", view).action == -1
    assert "no action adds value" in decision.reason


def test_the_limit_on_risk() -> None:
    view = seen(TWO, hands="8s8h9c9d")
    assert decide("eva:caution=none", view).action == 200
    limited = decide("eva:risk=0.2,sure=1", view)
    assert 0 < limited.action <= 1 + 0.2 * 199
    assert "all-in" not in limited.figures["value added"]
    assert decide("eva:risk=0.2,sure=0.5", view).action == 200
    for wrong in ("risk=-1", "risk=nan", "sure=2", "samples=0", "pool=big", "invested=all", "caution=much"):
        with pytest.raises(InputError, match=wrong.split("=")[0]):
            agent_named(f"eva:{wrong}", "holdem")


def test_the_limit_on_risk_does_not_stop_calls() -> None:
    view = seen(TWO, 200, hands="AcAdKsQh")  # all-in by the dealer; a call costs all 198 behind
    assert view.to_call == 198
    for caution in ("limit", "none"):
        decision = decide(f"eva:risk=0,sure=1,pool=growing,caution={caution}", view)
        assert decision.action == 0
        assert decision.values[0] > 0


def test_the_factor_on_p_when_somebody_is_all_in() -> None:
    short = Chips(stacks=(20, 200, 200), blinds=(1, 2, 0), antes=(0, 0, 0), least_bet=2)
    game = Holdem(chips=short)
    # The average stack is 140; the small blind has 19 behind, the big blind 198.
    for actions, wanted in (((6, 20), 0.85), ((200, 0), 0.85**2), ((6,), 1.0), ((200,), 2.0)):
        view = seen(game, *actions, hands="2c3dAcAdKsKh")
        assert eva.factor(view) == pytest.approx(wanted)
        decision = decide_at(game, "eva:caution=factor", view)
        better = decision.figures["better than all"]
        assert decision.figures["counted as"] == pytest.approx(min(1.0, better * wanted))
        assert ("all-in" in decision.reason) == (wanted != 1)


def decide_at(game: Holdem, spec: str, view: HoldemView) -> Decision:
    agent = agent_named(spec, "holdem")
    return agent.decide(Turn(game, view, game.choices(view), stream(0, "t"), agent.mind(game)))


def test_sunk_costs_do_not_count_unless_asked_for() -> None:
    view = seen(TWO, 20, 0, 30, hands="9c8d5s5h", board="2c7d9h")
    paid, unpaid = view.thaw(), view.thaw()
    paid.wagered[view.seat], unpaid.wagered[view.seat] = 40, 0
    for given, same in (("street", True), ("new", True), ("hand", False)):
        first, second = (decide(f"eva:invested={given}", each.freeze()) for each in (paid, unpaid))
        assert (first.values == second.values) is same


def test_the_segments_of_the_appendix() -> None:
    ends = eva.street_segments()
    assert ends.shape == (3, eva.SEGMENTS + 1)
    assert (np.diff(ends) > 0).all()
    assert np.ptp(ends[0]) < np.ptp(ends[2])  # the fewer cards are known, the closer the expectations are together
    assert np.abs(ends[2] - np.linspace(0, 1, eva.SEGMENTS + 1)).max() < 0.02  # on the river the score is a share
    segments = mind("ranking=expectation")
    for number, street in enumerate(ends):
        first = eva.KNOTS + number * (eva.SEGMENTS + 1)
        middle = (street[4] + street[5]) / 2
        for score, share in ((street[0] - 0.01, 0), (street[5], 0.25), (middle, 0.225), (street[-1] + 0.01, 1)):
            assert eva.share_below(score, segments, first) == pytest.approx(share)


def test_a_strong_hand_is_in_the_highest_segment() -> None:
    view = seen(TWO, 0, 0, hands="AcAd8s8h", board="2c7dAh")
    score, share = (decide(f"eva:ranking={name}", view).figures["better than one"] for name in ("score", "expectation"))
    assert 0.9 < score < share <= 1


def test_the_first_opponents_beaten_are_counted() -> None:
    view = seen(TWO, *[0] * 6, hands="JdTc8s8h", board="2c7d9hJsKc")
    worse = np.zeros(eva.WIDTH + 1, np.int32)
    count = eva.enumerate_opponent(view, worse)
    exact = eva.mean_over_boards(view, worse) / count
    beaten = np.zeros(4, np.int64)
    eva.count_beaten(view, 40_000, stream(4, "beaten").state, beaten)
    assert abs(beaten[1] / 40_000 - exact) < 5 * 0.5 / 200
    assert beaten[1] > beaten[2] > beaten[3] > 0


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
