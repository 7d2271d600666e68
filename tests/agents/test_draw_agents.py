"""The players of five-card draw: the paper's tables and rule by hand, what is learned and kept, and who beats whom."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fifthstreet import cli
from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Decision, Turn
from fifthstreet.agents.draw import adaptive, equilibrium, evolution, exchange, genes, styles
from fifthstreet.agents.draw.hands import CLASS, CLASSES, KIND, KIND_NAMES, NAMES, class_named
from fifthstreet.agents.draw.reading import sensible_trade
from fifthstreet.agents.draw.values import read_values
from fifthstreet.arena.match import match
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.session import session
from fifthstreet.arena.units import Players
from fifthstreet.cards import Card, parse_cards, show
from fifthstreet.errors import InputError
from fifthstreet.estimate import mean
from fifthstreet.evaluation.discards import discards
from fifthstreet.evaluation.strength import evaluate
from fifthstreet.games.betting import CALL, FOLD, Move
from fifthstreet.games.five_card_draw import DrawView, FiveCardDraw, Trade
from fifthstreet.games.game import CHANCE
from fifthstreet.rng import seeded, stream

GAME = FiveCardDraw()
STYLES = ("loose-aggressive", "loose-passive", "tight-aggressive", "tight-passive")


def seen(hand: str, *actions: int, rules: FiveCardDraw = GAME, new: str = "") -> DrawView:
    """What the seat to the left of the dealer sees with this hand, after these actions."""
    given, later, moves = parse_cards(hand), parse_cards(new), list(actions)
    spare = [Card(card) for card in range(52) if card not in {*given, *later}]
    cards, state = [*given, *spare[: 5 * rules.seats - 5], *later, *spare[5 * rules.seats - 5 :]], rules.start()
    while True:
        seat = rules.to_act(state)
        if seat == CHANCE:
            state = rules.after(state, cards.pop(0))
        elif moves:
            state = rules.after(state, moves.pop(0))
        else:
            return rules.view(state, 0)


def decide(spec: str, view: DrawView, mind: Any = None) -> Decision:
    agent, rules = agent_named(spec, GAME.name), FiveCardDraw(seats=view.seats)
    return agent.decide(turn(rules, view, 0, agent.mind(rules) if mind is None else mind))


def turn(rules: FiveCardDraw, view: DrawView, number: int, mind: Any) -> Turn[DrawView]:
    """A turn in which the agent's random numbers depend on `number`."""
    choices = rules.choices(rules.imagine(view, stream(0, "hidden cards")))
    return Turn(rules, view, choices, stream(number, "turn"), mind)


# The four styles.


def test_classes_go_up_with_strength() -> None:
    assert (np.diff(CLASS[1:]) >= 0).all()
    assert (NAMES[0], NAMES[-1], CLASSES) == ("0", "Royal Flush", 93)
    for hand, name in (
        ("AhKd9c5s2d", "0"),
        ("8h8dAcKs2d", "Pair 8's"),
        ("AhAd2c2s3d", "2 Pairs A High"),
        ("ThTdTc2s3d", "Three 10's"),
        ("Ah2d3c4s5d", "Straight 5 High"),
        ("7h5h4h3h2h", "Flush 7 High"),
        ("2h2d2cAsAd", "Full House 2 High"),
        ("KhQhJhTh9h", "Straight Flush K High"),
    ):
        assert NAMES[CLASS[evaluate(hand)]] == name
    with pytest.raises(InputError, match="Pair 1's"):
        class_named("Pair 1's")


@pytest.mark.parametrize(
    "style", [styles.LOOSE_AGGRESSIVE, styles.LOOSE_PASSIVE, styles.TIGHT_AGGRESSIVE, styles.TIGHT_PASSIVE]
)
def test_the_tables_cover_every_hand_once(style: styles.Style) -> None:
    for table in style:
        assert (table[0].hand_from, table[-1].hand_to) == ("0", "Royal Flush")
        for below, above in pairwise(table):
            gap = class_named(above.hand_from) - class_named(below.hand_to)
            assert gap == 1 or (gap == 2 and above.hand_from.endswith("6 High"))  # a straight to the five


# Hand, style, round: what Tables 1 to 4 say with a small pot (5, one of each ante).
@pytest.mark.parametrize(
    ("hand", "spec", "first", "second"),
    [
        ("8h8dAcKs2d", "loose-aggressive", "fold", "fold"),
        ("9h9dAcKs2d", "loose-aggressive", "call", "call"),
        ("AhAd9cKs2d", "loose-aggressive", 5, "call"),
        ("AhAdKcKs2d", "loose-aggressive", 5, "call"),
        ("4h4d4cKs2d", "loose-aggressive", 10, "call"),
        ("7h7d7cKs2d", "loose-aggressive", 15, 5),
        ("AhAdAcKs2d", "loose-aggressive", 20, 5),
        ("Ah2d3c4s5d", "loose-aggressive", 25, 10),
        ("AhAdAcAs5d", "loose-aggressive", 25, 20),
        ("AhKhQhJhTh", "loose-aggressive", 25, 25),
        ("JhJdJcKs2d", "loose-passive", "call", "call"),
        ("QhQdQcKs2d", "loose-passive", 5, "call"),
        ("2h2d2cAsAd", "loose-passive", 10, 10),
        ("6h6d6c6sAd", "loose-passive", 10, 15),
        ("AhAd9cKs2d", "tight-aggressive", "fold", "fold"),
        ("3h3d2c2sAd", "tight-aggressive", "call", "call"),
        ("5h5d5cKs2d", "tight-aggressive", 5, "call"),
        ("JhJdJcKs2d", "tight-aggressive", 5, 5),
        ("7h5h4h3h2h", "tight-aggressive", 25, 15),
        ("AhAdKcKs2d", "tight-passive", "call", "fold"),
        ("2h2d2cAsKd", "tight-passive", "call", "call"),
        ("AhKdQcJsTd", "tight-passive", "call", 5),
        ("AhKhQhJh9h", "tight-passive", 5, 5),
        ("KhQhJhTh9h", "tight-passive", 10, 15),
        ("AhKhQhJhTh", "tight-passive", 15, 15),
    ],
)
def test_styles_play_as_the_tables_say(hand: str, spec: str, first: Any, second: Any) -> None:
    rules = FiveCardDraw(seats=2)
    for wanted, before in ((first, ()), (second, (CALL, CALL, 0, 0))):
        free = seen(hand, *before, rules=rules)
        facing = seen(hand, *before, CALL, 3, rules=rules)
        if wanted == "fold":
            assert decide(spec, free).action == CALL  # a check costs nothing
            assert decide(spec, facing).action == FOLD
        elif wanted == "call":
            assert decide(spec, free).action == decide(spec, facing).action == CALL
        else:
            assert decide(spec, free).action == wanted
            assert decide(spec, facing).action == 3 + wanted


def test_a_large_pot_is_called_and_not_raised() -> None:
    rules = FiveCardDraw(seats=2)
    hand = "AhAd9cKs2d"  # raise 5 if the pot is at most 100
    assert decide("loose-aggressive", seen(hand, CALL, 98, rules=rules)).action == 103
    assert decide("loose-aggressive", seen(hand, CALL, 99, rules=rules)).action == CALL


@pytest.mark.parametrize(
    ("hand", "going"),
    [
        ("AhKd9c5s2d", "5s2d"),
        ("8h8dAcKs2d", "Ks2d"),
        ("8h8dAcAs2d", "2d"),
        ("8h8d8cAs2d", "As2d"),
        ("8h8d8c8s2d", "2d"),
        ("8h8d8cAsAd", ""),
        ("9h8d7c6s2d", "2d"),
        ("Kh8d7c6s5d", "Kh"),
        ("AhKhQh3h2c", "2c"),
        ("6h5d4c3s2d", ""),
        ("Ah5d4c3s2d", ""),
        ("Ah5d4c3s8d", "4c3s"),  # A 5 4 3 is no row of four here
        ("AhKhQh3h2h", ""),
    ],
)
def test_a_sensible_trade(hand: str, going: str) -> None:
    view = seen(hand, *[CALL] * 5)
    assert Trade(sensible_trade(view, 0)) == Trade.of(going)
    assert decide("tight-passive", view).action == Trade.of(going)
    none = seen(hand, *[CALL] * 5, rules=FiveCardDraw(trade=0))
    assert sensible_trade(none, 0) == 0


# The adaptive player.


def test_the_three_worked_examples() -> None:
    """12.5566 is printed as 12.57."""
    for value, players, ac, by in ((8.0, 5, 7.53, 0), (8.0, 3, 12.557, 11), (9.0, 3, 15.89, 16)):
        assert adaptive.account(value, 50, players) == pytest.approx(ac, abs=0.005)
        assert adaptive.answer(value, 50, players) == by
    assert [adaptive.answer(value, 50, 3) for value in (5.9, 6.0, 7.9)] == [-1, 0, 0]
    assert [adaptive.weight(value) for value in (7.9, 8.0, 8.99, 9.0, 9.99, 10.0)] == [1, 3, 3, 4, 4, 5]
    assert [adaptive.answer(10.0, pot, 5) > 0 for pot in (99, 101)] == [True, False]  # 100 / 5 / log 100 is 10


@pytest.mark.parametrize("pot", [0, 1])
def test_the_smallest_pots_are_played_like_one_of_two(pot: int) -> None:
    """The logarithm of 1 is 0, that of 0 does not exist."""
    assert adaptive.answer(10.0, pot, 2) == adaptive.answer(10.0, 2, 2) == 64  # 5 times the root of 50 / 0.30103
    lone = FiveCardDraw(seats=2, ante=pot)
    assert decide("adaptive", seen("8h8dAcKs2d", rules=lone)).action > 0


@pytest.mark.parametrize(("value", "players", "up"), [(8.0, 3, 11), (9.0, 3, 16), (8.5, 2, 14)])
def test_raises_may_be_rounded_up(value: float, players: int, up: int) -> None:
    ac = value * value / players / np.log10(50)
    exact = np.sqrt(ac) * (3 if value < 9 else 4)
    assert up - 1 < exact <= up
    assert adaptive.answer(value, 50, players, True) == up
    assert adaptive.answer(value, 50, players) == int(exact + 0.5)


def test_it_plays_by_the_value_of_its_hand() -> None:
    spec = "adaptive"
    mind = agent_named(spec, GAME.name).mind(GAME)
    view = seen("8h8dAcKs2d")
    pair = adaptive.VALUES + class_named("Pair 8's")
    for value, wanted in ((10.0, 27), (9.0, 19), (8.0, 13), (7.0, CALL), (6.0, CALL), (5.9, CALL)):
        mind[pair] = value
        decision = decide(spec, view, mind)
        assert decision.action == wanted
        assert decision.reason.startswith(f"Pair 8's has the learning value {value:.1f}")
    facing = seen("8h8dAcKs2d", CALL, 3, CALL, CALL, CALL)
    assert decide(spec, facing, mind).action == FOLD


def test_each_of_ten_kinds_of_hands_may_have_one_value() -> None:
    spec = "adaptive:hands=kinds"
    mind = agent_named(spec, GAME.name).mind(GAME)
    mind[adaptive.VALUES + KIND_NAMES.index("A Pair")] = 5.0
    for hand in ("8h8dAcKs2d", "AhAdJcKs2d"):
        decision = decide(spec, seen(hand, CALL, 3, CALL, CALL, CALL), mind)
        assert (decision.action, decision.reason) == (FOLD, "A Pair has the learning value 5.0")
    assert decide(spec, seen("AhKdJc9s2d"), mind).action > 0
    assert [row["hand"] for row in agent_named(spec, GAME.name).memory(mind)] == list(KIND_NAMES)
    for hand, kind in (
        ("AhKdJc9s2d", "Single Card"),
        ("AhAdKcKs2d", "Two Pairs"),
        ("KhQhJhTh9h", "Straight Flush"),
        ("AhKhQhJhTh", "Royal Flush"),
        ("5h4h3h2hAh", "Straight Flush"),
    ):
        assert KIND_NAMES[KIND[evaluate(hand)]] == kind


def lesson(view: DrawView, payoff: float, mind: Any) -> dict[str, float]:
    """Which values a lesson moves, and by how much."""
    before = mind.copy()
    adaptive.adapt(view, payoff, mind)
    moved = mind[adaptive.VALUES : adaptive.LESSONS] - before[adaptive.VALUES : adaptive.LESSONS]
    return {NAMES[i]: round(float(moved[i]), 6) for i in np.flatnonzero(moved)}


TWO = FiveCardDraw(seats=2)


def learner(more: str = "", value: float = 9.0) -> Any:
    """The mind of a player with a value for every class, all the same."""
    found = agent_named(f"adaptive{more and ':'}{more}", TWO.name).mind(TWO)
    found[adaptive.VALUES : adaptive.LESSONS] = value
    return found


# A pair of eights becomes three of a kind, and is bet and called; or all check; or nobody calls; or it folds.
CALLED = seen("8h8dAcKs2d", 5, CALL, Trade.of("Ks2d"), 0, CALL, CALL, rules=TWO, new="8c3c")
CHECKED = seen("8h8dAcKs2d", CALL, CALL, Trade.of("Ks2d"), 0, CALL, CALL, rules=TWO, new="8c3c")
BET_LATER = seen("8h8dAcKs2d", CALL, CALL, Trade.of("Ks2d"), 0, CALL, 5, FOLD, rules=TWO, new="8c3c")
GIVEN_UP = seen("8h8dAcKs2d", 5, CALL, Trade.of("Ks2d"), 0, 5, FOLD, rules=TWO, new="8c3c")
NOBODY = seen("8h8dAcKs2d", 5, FOLD, rules=TWO)
FOLDED = seen("8h8dAcKs2d", 5, 9, FOLD, rules=TWO)


def test_values_move_by_a_tenth() -> None:
    assert lesson(CALLED, 6, learner()) == {"Pair 8's": 0.1}
    assert lesson(CALLED, -6, learner()) == {"Pair 8's": -0.1}
    assert lesson(CALLED, 6, learner("credit=final")) == {"Three 8's": 0.1}
    assert lesson(CALLED, -6, learner("credit=both")) == {"Pair 8's": -0.1, "Three 8's": -0.1}
    assert lesson(CALLED, 0, learner()) == {}  # a pot that was split
    for edge, payoff in ((10.0, 6), (1.0, -6)):
        assert lesson(CALLED, payoff, learner(value=edge)) == {}
    assert lesson(CALLED, -6, learner("lowest=zero", 1.0)) == {"Pair 8's": -0.1}


@pytest.mark.parametrize(("wins", "taught_by"), [("shown", 1), ("called", 2), ("any", 3)])
def test_which_wins_teach(wins: str, taught_by: int) -> None:
    """A showdown always; a bet that was called before the last one was not; a bet that nobody called."""
    taught = [bool(lesson(view, 6, learner(f"wins={wins}"))) for view in (CALLED, GIVEN_UP, NOBODY)]
    assert taught == [number < taught_by for number in range(3)]


@pytest.mark.parametrize(
    ("losses", "taught"), [("both", [True, True]), ("shown", [True, False]), ("folded", [False, True])]
)
def test_which_losses_teach(losses: str, taught: list[bool]) -> None:
    assert [bool(lesson(view, -6, learner(f"losses={losses}"))) for view in (CALLED, FOLDED)] == taught


def test_a_check_teaches_only_where_it_counts_as_a_call() -> None:
    for view in (CHECKED, BET_LATER):  # at a showdown without a bet, or in a fold to the first bet
        assert lesson(view, -1, learner()) == {}
        assert lesson(view, -1, learner("lessons=meant")) == {"Pair 8's": -0.1}
    assert lesson(CALLED, -6, learner("lessons=meant", 5.0)) == {}  # it meant to fold
    assert lesson(CALLED, -6, learner(value=5.0)) == {"Pair 8's": -0.1}


def test_it_learns_to_fold_and_then_to_win() -> None:
    players = Players(GAME, [agent_named("adaptive", GAME.name), *(agent_named("loose-passive", GAME.name),) * 4], True)
    turns = [np.roll(np.arange(5), -turn) for turn in range(5)]
    tables = [(GAME.seated(turn.tolist(), [10_000] * 5), turn) for turn in turns]
    won = np.zeros((6_000, 5))
    players.play(tables, Seeds.of(1, 5), 0, won)
    assert won[:300, 0].sum() < 0 < won[-1_000:, 0].sum()
    mind = players.minds[0]
    assert mind[adaptive.VALUES] < 6  # nothing
    assert mind[adaptive.VALUES + class_named("Full House A High")] > 8
    assert mind[0] == 6_000 > mind[1] > mind[2] > 0


def test_training_counts_for_nobody_and_is_the_same_in_python() -> None:
    agents = ["adaptive:train=300", "loose-aggressive", "tight-passive"]
    fast, slow = (match(GAME.name, agents, 20, 3, unit=20, compiled=way) for way in (True, False))
    assert np.array_equal(fast.by_deal, slow.by_deal)
    assert not np.array_equal(fast.by_deal, match(GAME.name, ["adaptive", *agents[1:]], 20, 3, unit=20).by_deal)
    after = session(GAME.name, agents, 40, 2)
    assert sum(row["lessons"] for row in after.memories[0]) > 50
    assert after.by_hand.shape == (1, 40, 3)


def test_what_was_learned_is_kept_and_read_again(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    place = tmp_path / "values.json"
    command = ["session", GAME.name, "adaptive", *["loose-aggressive"] * 2, "--hands", "500", "--keep", str(place)]
    monkeypatch.setattr("sys.argv", ["fifthstreet", *command])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert not end.value.code
    rows = json.loads(place.read_text())["memory"]
    assert len(rows) == CLASSES
    agent = agent_named(f"adaptive:values={place}", GAME.name)
    assert agent.memory(agent.mind(GAME))[0]["value"] == rows[0]["value"] < 10
    assert read_values(place, NAMES) == pytest.approx([row["value"] for row in rows])
    monkeypatch.setattr("sys.argv", ["fifthstreet", *command[:-1], str(tmp_path / "no" / "such")])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    assert "cannot be written" in capsys.readouterr().err


GOOD: list[dict[str, Any]] = [{"hand": name, "value": 7} for name in NAMES]


@pytest.mark.parametrize(
    ("content", "quoted"),
    [
        ("nonsense", "is not a file of learning values"),
        ("[]", "is not a file of learning values"),
        (json.dumps({"memory": [{"hand": "0"}]}), "is not a file of learning values"),
        (json.dumps({"memory": GOOD[:-1]}), "no learning value for 'Royal Flush'"),
        (json.dumps({"memory": [*GOOD[:-1], {"hand": "Royal Flush", "value": 11}]}), "has 11 for 'Royal Flush'"),
        (json.dumps({"memory": [*GOOD[:-1], {"hand": "Royal Flush", "value": "x"}]}), "has 'x' for 'Royal Flush'"),
        (json.dumps({"memory": [*GOOD, {"hand": "Joker", "value": 5}]}), "has 5 for 'Joker'"),
        (json.dumps({"memory": [*GOOD, GOOD[0]]}), f"{CLASSES + 1} rows"),
        (None, "cannot be read"),
    ],
)
def test_a_damaged_file_of_values_is_refused(content: str | None, quoted: str, tmp_path: Path) -> None:
    place = tmp_path / "values.json"
    if content is not None:
        place.write_text(content)
    with pytest.raises(InputError) as error:
        agent_named(f"adaptive:values={place}", GAME.name)
    assert quoted in str(error.value)
    assert str(place) in str(error.value)


@pytest.mark.parametrize(
    "wrong",
    [
        "adaptive:train=-1",
        "adaptive:credit=none",
        "adaptive:lowest=two",
        "evolved:table=nowhere",
        "champion:generations=-1",
        "champion:iterations=-1",
    ],
)
def test_wrong_parameters_are_quoted(wrong: str) -> None:
    with pytest.raises(InputError, match=wrong.split("=")[1]):
        agent_named(wrong, GAME.name)


# Evolution and the champion.


def test_evolved_values_win_more_than_those_they_came_from() -> None:
    others = list(STYLES)
    before, after = (
        match(GAME.name, [f"evolved:generations={number}", *others], 1_000, 1).standings[0].payoff for number in (0, 5)
    )
    assert after.low > before.high


def test_the_best_exchange_is_the_one_that_counting_finds() -> None:
    worth, best = exchange.final_shares(2), exchange.exchanges(2)
    assert (best >= 0).all()
    rng = stream(1, "exchange")
    hands = [rng.sample(range(52), 5) for _ in range(60)] + [
        list(parse_cards("AhAdKhQh9h")),
        list(parse_cards("AsAhKsQs9s")),
    ]
    for hand in hands:
        cards = sorted(hand, reverse=True)
        number = int(exchange.number_of(np.array(cards)))
        places, mean = divmod(float(best[number]), 1)
        found = discards([Card(card) for card in cards], 2, worth)
        assert mean == pytest.approx(found[0].worth, abs=1e-6)
        going = tuple(card for i, card in enumerate(cards) if int(places) >> i & 1)
        assert any(show(each.cards) == show(going) for each in found if each.worth > found[0].worth - 1e-6)


def test_numbers_of_hands_are_all_different() -> None:
    numbers = {
        int(exchange.number_of(np.array(hand))) for hand in ([0, 1, 2, 3, 4], [51, 50, 49, 48, 47], [4, 3, 2, 1, 0])
    }
    assert numbers == {0, exchange.ALL_HANDS - 1}


def test_breeding_makes_players_stronger_and_a_rival_is_bred_against_one() -> None:
    shared, game = genes.tables(2), FiveCardDraw()
    weak = genes.default_genes()
    bred, won = evolution.coevolved(game, shared, 7, pairs=6, hands=400)
    assert won.shape == (7, 9)
    mixed = tuple(evolution.STYLES.values())
    before, after = (
        evolution.results(game, (evolution.player(each), *mixed), shared, seeded(3, "after"), 20_000, 150.0)[0][0]
        for each in (weak, bred)
    )
    assert after > before + 0.1
    victim = evolution.Player(evolution.BY_TABLE, styles.mind_of(styles.TIGHT_PASSIVE))
    rival = evolution.rival(victim, game, shared, 4, 400, ("test",))
    assert evolution.results(game, (evolution.player(rival), victim), shared, seeded(4, "duel"), 10_000)[0][0] > 0.3


def test_the_champion_bluffs_unless_it_is_told_not_to() -> None:
    agent, quiet = (agent_named(f"champion:generations=0,iterations=0{more}", GAME.name) for more in ("", ",bluff=no"))
    assert all(0 < row["bluff"] < 1 for row in agent.memory(agent.mind(GAME)))
    assert all(row["bluff"] < 1e-9 for row in quiet.memory(quiet.mind(GAME)))
    view = seen("8h7d5c3s2d", *[CALL] * 5, *[0] * 5)
    mind = agent.mind(GAME)
    raised = [agent.decide(turn(GAME, view, n, mind)) for n in range(200)]
    bluffs = [decision for decision in raised if decision.action > 0]
    assert 5 < len(bluffs) < 60
    assert all(decision.reason.endswith("and bluffs") for decision in bluffs)
    none = quiet.mind(GAME)
    assert not any(quiet.decide(turn(GAME, view, n, none)).action > 0 for n in range(50))


# Heads-up.


def test_what_is_learned_heads_up_are_chances_of_allowed_actions() -> None:
    chances = equilibrium.learned(20_000).reshape(-1, equilibrium.CHOICES)
    assert (chances >= 0).all()
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert not chances[:, equilibrium.RAISE + equilibrium.OWN_SIZES :].any()
    opening = chances[8 : equilibrium.BUCKETS]  # nothing has been bet, so nobody gives up; the best hands are too rare
    assert not opening[:, equilibrium.GIVE_UP].any()


def test_what_is_known_heads_up_is_read_from_the_history() -> None:
    game = FiveCardDraw(seats=2)
    state = game.start()
    for card in parse_cards("AhAdKhQh9h2c3c4c5d7d"):
        state = game.after(state, card)
    for action in (Move(CALL), Move(2), Move(8), Move(CALL)):  # a check, a raise by the pot, by all of it again
        state = game.after(state, action)
    known = equilibrium.Known.blank()
    equilibrium.read(game.view(state, 0), known)
    assert [*known.paid] == [9, 9]
    assert known.leader == 1  # the first seat raised last
    assert known.street == 1


@pytest.mark.parametrize(
    ("amount", "as_one_of"), [(0.1, 0.5), (0.5, 0.5), (0.8, 0.5), (0.9, 1.5), (5.0, 5.0), (1_000.0, 50.0)]
)
def test_raises_count_as_the_nearest_size(amount: float, as_one_of: float) -> None:
    assert equilibrium.SIZES[equilibrium.nearest(amount)] == as_one_of


def test_regret_falls_with_deals() -> None:
    """How much more than it won the best single action with each opening hand would have won a deal."""
    solver, found = equilibrium.sampler(GAME), []
    for deals in (500, 5_000, 50_000):
        solver.run(deals - solver.iterations)
        known = solver.found.known
        seen = known.views[: known.used[0]].view(equilibrium.Seen.dtype)[:, 0]
        opening = (seen["place"] < equilibrium.BUCKETS * equilibrium.CHOICES) & (seen["learns"] == 1)
        best = solver.found.regrets[: len(seen)][opening].max(axis=1)
        found.append(best.sum() / (deals * (deals + 1) / 2))  # later deals count more
    assert found[0] > 2 * found[1] > 4 * found[2]


def test_after_little_learning_a_style_is_beaten_heads_up() -> None:
    table = evolution.heads_up(20_000), evolution.STYLES["tight-passive"]
    won = [evolution.results(GAME, table, genes.tables(2), seeded(6, "style", i), 2_000)[0][0] for i in range(20)]
    assert mean(won).low > 0


@pytest.mark.parametrize("trade", [0, 1, 2])
def test_the_champion_trades_no_more_than_is_allowed(trade: int) -> None:
    result = match(f"{GAME.name}:seats=2,trade={trade}", ["champion:generations=0,iterations=1000", "random"], 50, 1)
    assert result.compiled


@pytest.mark.parametrize("style", STYLES)
def test_tables_of_one_style_are_fair(style: str) -> None:
    found = session(GAME.name, [style] * 5, 4_000, 1)
    assert all(abs(found.won(player).value) < 2.2 * found.won(player).half_width for player in range(5))
