"""The players of the hold'em simulator against its tables, formulas and text."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from fifthstreet.agents import Agent, agent_named
from fifthstreet.agents.agent import Decision, Turn
from fifthstreet.agents.holdem.hand_strength import act_on, hand_strength, willing_to_pay
from fifthstreet.agents.holdem.opponent_model import CELLS, MODEL, OpponentModel, adjusted, read_actions
from fifthstreet.agents.holdem.power_ranking import raise_size
from fifthstreet.agents.holdem.reading import raises, share_against_one
from fifthstreet.arena.session import session
from fifthstreet.cards import Card
from fifthstreet.evaluation.equity import equity
from fifthstreet.evaluation.hand import strength
from fifthstreet.evaluation.preflop import preflop_table
from fifthstreet.games.holdem import Chips, Holdem, HoldemState, HoldemView, rewind
from fifthstreet.papers.holdem_simulator.tables import watched
from fifthstreet.rng import stream
from support_holdem import hand, seen

TWO, THREE = Holdem(seats=2), Holdem(seats=3)


def decide(spec: str | Agent, view: HoldemView, number: int = 0) -> Decision:
    agent = agent_named(spec, "holdem") if isinstance(spec, str) else spec
    rules = Holdem(seats=view.seats)
    return agent.decide(Turn(rules, view, rules.choices(view), stream(number, "t"), agent.mind(rules)))


def test_random_folds_calls_and_raises_alike_and_by_one_to_four_big_blinds() -> None:
    view = seen(THREE)
    actions = Counter(int(decide("random", view, n).action) for n in range(3000))
    folds, calls = actions.pop(-1), actions.pop(0)
    assert all(abs(count - 1000) < 150 for count in (folds, calls, sum(actions.values())))
    assert set(actions) == set(range(2 + 2, 2 + 8 + 1))


def test_who_may_check_does_not_fold() -> None:
    view = seen(TWO, 0, 0, board="2c7d9h")
    assert {int(decide("random", view, n).action) for n in range(200)} >= {0}
    assert -1 not in {int(decide("random", view, n).action) for n in range(200)}


# Table 2.1: what each level does against a bet, by its hand on a board of 2c 7d 9h.
@pytest.mark.parametrize(
    ("cards", "conservative", "moderate", "risky"),
    [
        ("AcKd", "fold", "fold", "fold"),
        ("AcAd", "fold", "fold", "call"),
        ("7c9d", "fold", "call", "raise"),
        ("9c9d", "call", "raise", "raise"),
        ("8cTd", "fold", "fold", "fold"),
    ],
)
def test_the_thresholds_of_table_2_1(cards: str, conservative: str, moderate: str, risky: str) -> None:
    view = seen(TWO, 0, 0, 10, hands=f"2d3s{cards}", board="2c7d9h")
    assert view.seat == 1
    for level, wanted in (("conservative", conservative), ("moderate", moderate), ("risky", risky)):
        action = int(decide(f"power-ranking:aggressivity={level}", view).action)
        assert ("fold", "call", "raise")[min(action, 1) + 1] == wanted, level


def test_formula_2_1() -> None:
    assert raise_size(3, 2.0, 10) == pytest.approx(math.exp(-2) * 200 + 10)
    view = seen(TWO, 0, 0, 10, hands="2d3s9c9d", board="2c7d9h")
    wanted = 10 + int(math.exp(3 / 3 - 3) * 100 * 2 + 2)
    assert decide("power-ranking", view).action == wanted
    assert decide("power-ranking", view).figures["power"] == 3


def test_hand_strength_is_the_share_of_worse_hands() -> None:
    for board in ("2c7d9h", "2c7d9hJs", "2c7d9hJsKc"):
        streets = (len(board) // 2 - 3) * (0, 0)
        view = seen(TWO, 0, 0, *streets, hands="JdTc8s8h", board=board)  # seat 0 acts first after the flop
        table = view.board_cards
        mine = strength([*view.hand(0), *table])
        left = [Card(c) for c in range(52) if c not in {*view.hand(0), *table}]
        others = [strength([*pair, *table]) for pair in combinations(left, 2)]
        share = sum((mine > other) + (mine == other) / 2 for other in others) / len(others)
        assert share_against_one(view, 0, view.street) == pytest.approx(share, abs=1e-12)


def test_before_the_flop_it_is_the_table_for_as_many_players() -> None:
    for seats in (3, 6, 10):
        for cards, name in (("AcKc", "AKs"), ("KcAd", "AKo"), ("7d7h", "77")):
            view = seen(Holdem(seats=seats), hands=f"2c2d3c3d{cards}")
            assert view.seat == 2
            assert decide("hand-strength", view).figures["hand strength"] == preflop_table(seats)[name].share


def test_against_more_opponents_it_is_a_power() -> None:
    view = seen(THREE, 0, 0, 0, hands="AcAd", board="2c7d9h")
    agent = agent_named("hand-strength", "holdem")
    one = share_against_one(view, view.seat, 1)
    assert view.live == 3
    assert hand_strength(view, agent.mind(THREE), stream(0, "x").state) == pytest.approx(one**2)


def test_formulas_3_1_and_3_2_and_the_pot_odds_rule() -> None:
    assert willing_to_pay(0.5, 3.0, 20) == pytest.approx(math.exp(-1.5) * 300 + 20)
    mind = agent_named("hand-strength", "holdem").mind(TWO)
    view = seen(TWO, 0, 0, 60, board="2c7d9h")  # a call costs 60 into a pot of 64: odds 60/124
    assert act_on(view, mind, 60 * 60 / 124 - 0.01) == -1
    assert act_on(view, mind, 60 * 60 / 124 + 0.01) == 0  # one raise: from 30 on it would raise, but the bet is there
    assert act_on(view, mind, 119) == 0  # willing to pay more than the call, less than the least raise
    assert act_on(view, mind, 130) == 130
    by = agent_named("hand-strength:raises=by", "holdem").mind(TWO)
    assert act_on(view, by, 61) == 121
    assert act_on(view, by, 31) == 120  # above 60/(1 + 1): the least raise; between 29 and 30 it only calls
    assert act_on(view, by, 29.5) == 0
    free = seen(TWO, 0, 0, board="2c7d9h")
    assert act_on(free, mind, 12.9) == 12


def test_improved_hand_strength_is_the_equity() -> None:
    view = seen(TWO, 0, 0, hands="JdTc8s8h", board="2c7d9h")
    exact = equity(["JdTc", "random"], "2c7d9h").players[0].share
    found = decide("improved-hand-strength:samples=200000", view).figures["hand strength"]
    assert abs(found - exact) < 0.006
    three = seen(THREE, 0, 0, 0, hands="JdTc8s8h2d2s", board="2c7d9h")
    for against, others in (("all", ["random"] * 2), ("one", ["random"])):
        share = equity(["JdTc", *others], "2c7d9h", samples=400_000, seed=1).players[0].share
        found = decide(f"improved-hand-strength:samples=200000,against={against}", three).figures["hand strength"]
        assert abs(found - share) < 0.008
    assert abs(decide("hand-strength", view).figures["hand strength"] - exact) > 0.1  # a draw is worth nothing there


def test_formula_4_1_leaves_the_bet_alone_while_nothing_is_known() -> None:
    assert adjusted(50.0, 0, 0, False) == 50
    assert adjusted(50.0, 3, 1, False) == pytest.approx(40)
    assert adjusted(50.0, 0, 4, False) == pytest.approx(70)


def test_formula_4_1_as_printed_takes_nothing_known_for_no_bet() -> None:
    assert adjusted(50.0, 0, 0, True) == 0
    assert adjusted(50.0, 1, 4, True) == pytest.approx(15)
    assert adjusted(50.0, 3, 1, True) == pytest.approx(-10)
    view = seen(TWO, 0, 0, 60, board="2c7d9h")
    assert decide("opponent-model:adjustment=printed", view).action == -1


def test_a_pooled_model_remembers_everybody_together() -> None:
    agents = ["opponent-model", "call-station", "always-raise", "random"]
    one, all_ = (
        session("holdem:cap=3", [f"opponent-model:model={model}", *agents[1:]], 20, 1).memories[0]
        for model in ("each", "pooled")
    )
    assert {row["player"] for row in all_} == {0}
    assert len({row["player"] for row in one}) > 1
    assert len(all_) < len(one)


def test_b_is_left_out_of_the_formulas_where_that_is_asked_for() -> None:
    view = seen(TWO, 0, 0, 10, hands="2d3s9c9d", board="2c7d9h")
    plain = int(math.exp(3 / 3 - 3) * 100 * 2)
    assert decide("power-ranking:add_blind=false", view).action == 10 + plain
    with_b, without = (
        decide(f"hand-strength:add_blind={add}", view).figures["willing to pay"] for add in ("true", "false")
    )
    assert with_b - without == pytest.approx(2)


def test_a_power_for_all_players_counts_oneself_too() -> None:
    view = seen(THREE, 0, 0, 0, hands="AcAd", board="2c7d9h")
    one = share_against_one(view, view.seat, 1)
    strength = decide("hand-strength:against=players", view).figures["hand strength"]
    assert strength == pytest.approx(one**3)


def test_a_raise_that_pays_w_adds_it_to_what_was_bet() -> None:
    mind = agent_named("hand-strength:raises=pay", "holdem").mind(TWO)
    view = seen(TWO, 0, 0, 10, 60, board="2c7d9h")  # seat 0 has bet 10, and 60 is the bet
    assert view.bets[view.seat] == 10
    assert act_on(view, mind, 99) == 0  # 109 would be less than the least raise, to 110
    assert act_on(view, mind, 100) == 110
    assert act_on(view, agent_named("hand-strength", "holdem").mind(TWO), 109) == 0


def test_improved_hand_strength_over_all_hands_is_the_mean_over_boards() -> None:
    """On the turn there are few boards: compare with all of them, for one opponent, ranked by the readable rules."""
    view = seen(TWO, 0, 0, 0, 0, hands="JdTc8s8h", board="2c7d9hJs")
    exact = equity(["JdTc", "random"], "2c7d9hJs").players[0].share
    agent = "improved-hand-strength:samples=3000,hands=all,against=one"
    assert abs(decide(agent, view).figures["hand strength"] - exact) < 0.01
    three = seen(THREE, 0, 0, 0, hands="JdTc8s8h2d2s", board="2c7d9h")
    one, players = (
        decide(f"improved-hand-strength:samples=20,hands=all,per_card=true,against={against}", three)
        for against in ("one", "players")
    )
    assert players.figures["hand strength"] == pytest.approx(one.figures["hand strength"] ** 3)


def test_watched_players_play_as_they_do_unwatched() -> None:
    agents = ["hand-strength", "opponent-model", "power-ranking", "opponent-model:aggressivity=risky"]
    rules = "holdem:stack=1000000,raising_passes=3,minimum_raise=false"
    plain, counted = session(rules, agents, 400, 2), session(rules, watched(agents), 400, 2)
    assert np.array_equal(plain.by_hand, counted.by_hand)
    rows = counted.memories[1]
    decisions = {row["after hand"]: row for row in rows if "after hand" in row}
    assert list(decisions) == [0, 10, 100]
    assert all(0 <= row["adjusted"] <= row["decisions"] for row in decisions.values())
    estimates = {row["player"]: row for row in rows if "player" in row}
    assert set(estimates) == {0, 2, 3}
    assert all(0 < row["error"] < 1 and 0 < row["spread"] < 0.6 for row in estimates.values())
    (showdowns,) = counted.memories[0]
    assert 0 < showdowns["share"] < showdowns["showdowns"] <= 400


def test_the_first_hand_is_played_as_hand_strength_plays_it() -> None:
    for seed in range(20):
        one, two = (
            session("holdem", [kind, "honest:samples=5", "call-station"], 1, seed).by_hand
            for kind in ("hand-strength", "opponent-model")
        )
        assert np.array_equal(one, two)


def test_actions_are_put_into_the_classes_of_section_4_2() -> None:
    rules = Holdem(seats=4, stack=5000)
    # Before the flop: 2 raises to 8 (two thirds of nothing: cost 2 of pot 3), 3 calls, 0 folds, 1 raises to 600;
    # then 2 folds and 3 calls; on the flop both check.
    state = hand(rules, 8, 0, -1, 600, -1, 0, 0, 0, board="2c7d9h")
    cells = np.empty(state.history_length, np.int64)
    read_actions(rules.view(state, 0), cells)
    # stage, players (0: 1–3, 1: 4–7), raises over 2, pot odds over 0.3, raise, bet over 500
    wanted = [
        (0, 1, 0, 1, 1, 0),  # 2 of 5 is 0.4
        (0, 1, 0, 1, 0, 0),  # 8 of 19
        None,
        (0, 0, 0, 0, 1, 1),  # 6 of 25 is 0.24; bets 598
        None,
        (0, 0, 0, 1, 0, 1),  # 592 of 1209; before it two raises
        (1, 0, 0, 0, 0, 0),
        (1, 0, 0, 0, 0, 0),
    ]
    shape = (4, 3, 2, 2, 2, 2)
    assert math.prod(shape) == CELLS
    for cell, place in zip(cells.tolist(), wanted, strict=True):
        found = tuple(int(i) for i in np.unravel_index(max(cell, 0), shape))
        assert cell == -1 if place is None else found == place


def test_the_model_is_filled_at_showdowns_by_player() -> None:
    """Who sits where changes with the button; what is remembered of a player does not."""
    agents = ["opponent-model", "call-station", "always-raise", "random"]
    found = session("holdem:cap=3", agents, 400, 1)
    rows = found.memories[0]
    seen_of: dict[int, Counter[str]] = {player: Counter() for player in range(4)}
    for row in rows:
        seen_of[row["player"]][row["action"]] += row["observations"]
        assert 0 <= row["hand strength"] <= 1
    assert not seen_of[0]  # nothing of itself
    assert set(seen_of[1]) == {"call"}
    assert seen_of[2]["raise"] > 100
    assert seen_of[1]["call"] > 300
    assert seen_of[3]["raise"] > 20
    assert seen_of[3]["call"] > 20
    assert all(not memory for memory in found.memories[1:])


def test_what_was_not_shown_is_not_remembered() -> None:
    model = OpponentModel()
    lesson = model.lesson(THREE)
    assert lesson is not None
    for actions, showdown in (((8, -1, -1), False), ((8, 0, -1, *(0, 0) * 3), True)):
        mind, state = model.mind(THREE), hand(THREE, *actions)
        assert THREE.to_act(state) is None
        lesson(THREE.view(state, 1), 0.0, mind)
        counts = mind[MODEL:].reshape(-1, 2)[:, 0].reshape(10, CELLS).sum(axis=1)
        moves = Counter(done.seat for done in state.actions)
        shown = [other for other in (0, 2) if showdown and not state.folded[other]]
        assert counts.tolist() == [moves[p] if p in shown else 0 for p in range(10)]


def test_it_believes_what_it_saw() -> None:
    """A model that saw an opponent raise with strong hands only lowers its bet against that raise."""
    agent = agent_named("opponent-model", "holdem")
    view = seen(THREE, 8, hands="AcKd", board="")
    cells = np.empty(1, np.int64)
    read_actions(view, cells)
    results = []
    for average in (0.9, 0.2):
        mind = agent.mind(THREE)
        place = MODEL + 2 * (2 * CELLS + int(cells[0]))
        mind[place], mind[place + 1] = 7, 7 * average
        decision = agent.decide(Turn(THREE, view, THREE.choices(view), stream(0, "x"), mind))
        assert decision.figures["opponents"] == {2: {"hand strength": pytest.approx(average), "observations": 7}}
        results.append(decision.figures["willing to pay"] / decision.figures["before adjustment"])
    assert results == [pytest.approx(0.9), pytest.approx(1.1)]


def test_it_remembers_the_strength_of_the_moment_and_believes_the_latest_action() -> None:
    """An opponent who limps with nothing, and bets three of a kind on the flop."""
    model, rules = OpponentModel(), Holdem(seats=2)
    # Seat 1 has the button: it limps, seat 0 checks; on the flop seat 0 checks, seat 1 bets and is called.
    state = hand(rules, 0, 0, 0, 20, 0, *[0] * 4, hands="AcKd2d2s", board="2c7d9hJsKc")
    assert rules.to_act(state) is None
    view, mind = rules.view(state, 0), model.mind(rules)
    lesson = model.lesson(rules)
    assert lesson is not None
    lesson(view, 0.0, mind)
    found = {(row["stage"], row["action"]): row["hand strength"] for row in model.memory(mind)}
    assert found["before the flop", "call"] == pytest.approx(preflop_table(2)["22"].share)
    assert found["flop", "raise"] == pytest.approx(share_against_one(view, 1, 1))
    assert found["flop", "raise"] > 0.95
    # The same line again: facing the bet, what counts is the bet, not the limp.
    again = seen(rules, 0, 0, 0, 20, hands="AcKd8d8s", board="2c7d9h")
    believed = model.decide(Turn(rules, again, rules.choices(again), stream(0, "x"), mind)).figures["opponents"]
    assert believed[1]["hand strength"] == pytest.approx(found["flop", "raise"])


def test_a_hand_is_wound_back_with_all_its_settings() -> None:
    free = Holdem(seats=3, raising_passes=2, minimum_raise=False)
    for rules in (
        free,
        Holdem(seats=3, cap=3),
        Holdem(seats=4, limit=True, cap=2, ante=1),
        Holdem(seats=2, straddle=4),
    ):
        state = hand(rules, 0)
        again = HoldemState.blank()
        rewind(state, again)
        assert again.freeze() == rules.start()


def test_with_no_blinds_nothing_has_been_raised_yet() -> None:
    rules = Holdem(chips=Chips((200, 200, 200), (0, 0, 0), (1, 1, 1), 2))
    assert raises(seen(rules)) == 0
    assert raises(seen(rules, 10)) == 1
    assert raises(seen(THREE)) == 0
    assert raises(seen(THREE, 10)) == 1
