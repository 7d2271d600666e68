"""Hold'em spots: against published solutions, by hand, against slow and readable twins, and wrong input."""

import functools
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fifthstreet import InputError, Spot, solve_spot
from fifthstreet.arena.spots import play_of
from fifthstreet.benchmarks.spots import CASES, spot_of
from fifthstreet.evaluation.strength import evaluate
from fifthstreet.solvers import boards, vector_cfr
from fifthstreet.solvers import solve_spot as solving
from fifthstreet.solvers import spot_solver as spots
from fifthstreet.solvers.betting_tree import SIDES, Betting, Node, lines_of, nodes_of, sizes_from
from fifthstreet.solvers.lanes import EIGHT, ONE
from fifthstreet.solvers.spot_solution import SpotSolution
from fifthstreet.solvers.spot_solver import Look

RIVERS = ("R01", "R02", "R03", "R04", "R05", "R07", "R09", "R10")
NARROW = ("R01", "R02", "R03", "R04", "R10")
TURNS = ("T01", "T02", "T03", "T05")
FLOP = "F01"
POLAR: dict[str, Any] = {"board": "As9c4d3h2c", "pot": 100, "sizes": "all-in"}


@pytest.fixture(scope="session")
def published(data: Path) -> dict[str, Any]:
    """Spots that another solver has solved, by name."""
    place = data / "solver" / "spots.json"
    if not place.is_file():
        pytest.skip(f"needs published spots, and there is no {place}")
    return {spot["id"]: spot for spot in json.loads(place.read_text())}


# The betting.


def test_trees_have_the_published_lines(published: dict[str, Any]) -> None:
    for given in published.values():
        spot = Spot.from_dict(given)
        root = spot.tree()
        assert lines_of(root) == given["tree"]["lines"], given["id"]
        acting = [sum(node.actor < 2 and node.street == street for node in nodes_of(root)) for street in range(3)]
        assert acting == list(given["tree"]["decision_nodes"].values())


def test_amounts_are_whole_and_raises_at_least_as_large_as_the_last() -> None:
    lines = lines_of(Betting(2, 25, 1000, sizes_from("50% 110% / 1c", 2), raise_cap=2).tree())
    assert "bet 13 raise 26 raise 39 call" in lines  # 12.5 rounded; a raise by a chip is lifted to the last increase
    assert "bet 28 fold" in lines
    assert not any(line.count("raise") > 2 for line in lines)


def test_sizes_by_street_and_side() -> None:
    found = sizes_from("flop 33%; turn, river oop 75% 20c / a; river ip all-in")
    assert found["flop"]["ip"] == {"bet": ["33%"], "raise": ["33%"]}
    assert found["turn"]["oop"] == {"bet": ["75%", "20c"], "raise": ["a"]}
    assert found["turn"]["ip"] == {"bet": [], "raise": []}
    assert found["river"]["ip"]["bet"] == ["all-in"]


# Published solutions.


def check_against(given: dict[str, Any], found: SpotSolution) -> None:
    result, pot = given["result"], given["pot"]
    low, high = result["value_bracket_oop"]
    slack = 2 * found.exploitability / 100 * pot + 1e-5 * pot
    assert low - slack <= found.ev["oop"] <= high + slack
    assert abs(found.ev["oop"] - result["ev"]["oop"]) < 0.001 * pot
    assert abs(found.ev["oop"] + found.ev["ip"] - pot) < 1e-4 * pot
    for side in SIDES:
        assert abs((found.equity[side] or 0) - result["equity"][side]) < 1e-6


def check_hands(given: dict[str, Any], found: SpotSolution, rows: Any, mean: float) -> None:
    """Every hand's equity, and what hands are worth on average to this share of the pot."""
    for side in SIDES:
        mine = {row["hand"]: row for row in found.hands(side)}
        theirs = [row for row in rows("solver/hands.csv") if row["spot"] == given["id"] and row["side"] == side]
        assert len(mine) == len(theirs) == given["combos"][side]
        off = []
        for row in theirs:
            assert abs(mine[row["hand"]]["equity"] - float(row["equity"])) < 2e-6
            off.append(abs(mine[row["hand"]]["ev"] - float(row["ev"])))
        assert np.mean(off) < mean * given["pot"]


@pytest.mark.parametrize("name", [*RIVERS, *TURNS])
def test_values_equities_and_hands_are_the_published_ones(published: dict[str, Any], rows: Any, name: str) -> None:
    found = solve_spot(Spot.from_dict(published[name]), until=0.1)
    assert found.exploitability <= 0.1
    check_against(published[name], found)
    check_hands(published[name], found, rows, 0.005)


@pytest.mark.parametrize("name", NARROW)
def test_single_hands_are_the_published_ones_if_solved_well(published: dict[str, Any], name: str) -> None:
    given = published[name]
    found = solve_spot(Spot.from_dict(given), until=0.01)
    hands = {side: {row["hand"]: row for row in found.hands(side)} for side in SIDES}
    for row in given["result"]["hands"]:
        near = max(0.005 * given["pot"], 3 * row["ev_spread"])
        assert abs(hands[row["side"]][row["hand"]]["ev"] - row["ev"]) < near


def test_a_flop_on_one_thread_and_on_two(published: dict[str, Any]) -> None:
    spot = Spot.from_dict(published[FLOP])
    alone, both = (solve_spot(spot, iterations=20, until=1e-6, workers=workers) for workers in (1, 2))
    assert np.array_equal(alone._solver.game.average, both._solver.game.average)
    found = solve_spot(spot, until=0.5, workers=2)
    check_against(published[FLOP], found)
    turn = found.at("check", "check", "2s")
    assert turn.board[3:] == (turn.board[3],) and turn.side == "oop"
    assert sum(turn.frequency.values()) == pytest.approx(1)


def test_the_benchmark_has_the_published_spots(published: dict[str, Any], rows: Any) -> None:
    recorded = {
        row["spot"]: float(row["cpu_s_min"] or row["wall_s_min"])
        for row in rows("solver/timing.csv")
        if row["threads"] == "1" and row["target_pct_of_pot"] == "0.5"
    }
    assert {*CASES, "R01", "R02"} == {*recorded}  # two that are solved in no time are left out
    for name, case in CASES.items():
        given, spot = published[name], spot_of(case)
        wanted = Spot.from_dict(given)
        assert (spot.board, spot.oop.weights, spot.ip.weights) == (wanted.board, wanted.oop.weights, wanted.ip.weights)
        assert lines_of(spot.tree()) == given["tree"]["lines"], name
        assert (case.cpu_s, case.memory_mb) == (recorded[name], given["peer"]["memory_mb"])


# By hand.


def test_toy_spots_have_the_values_found_by_hand() -> None:
    first = solve_spot(POLAR["board"], "AA,QJs", "KK", POLAR["pot"], 100, POLAR["sizes"], until=0.005)
    assert first.ev["oop"] == pytest.approx(450 / 7, abs=0.01)
    assert first.strategy("AdAc")["allin 100"] == pytest.approx(1, abs=0.01)
    assert first.strategy("QJs")["allin 100"] == pytest.approx(1.5 / 4, abs=0.02)
    assert first.at("all-in").strategy("KdKc")["call"] == pytest.approx(1 / 2, abs=0.02)
    second = solve_spot(POLAR["board"], "KK", "AA,QJs", POLAR["pot"], 50, POLAR["sizes"], until=0.005)
    assert second.ev["ip"] == pytest.approx(400 / 7, abs=0.01)
    assert second.at("check").strategy("QJs")["allin 50"] == pytest.approx(1 / 4, abs=0.02)
    assert second.at("check", "all-in").strategy("KK")["call"] == pytest.approx(2 / 3, abs=0.02)


# Readable twins.

TURN: dict[str, Any] = {
    "board": "Jd8c4cKc",
    "oop": "22-66,A8s,KQs,98s,A4o",
    "ip": "77-TT,AJ,QJs,T9s",
    "pot": 80,
    "stack": 200,
    "sizes": "50% / a",
}


class Slow:
    """The betting of a river in plain Python, hand against hand: what strategies win, and what is best against them."""

    def __init__(self, found: SpotSolution) -> None:
        self.found, solver = found, found._solver
        self.root, self.pot = solver.root, found.spot.pot
        self.hands = [[solver.combo(side, i) for i in range(int(np.diff(solver.hands.start)[side]))] for side in (0, 1)]
        weights = np.split(solver.hands.weight.astype(float), [int(solver.hands.start[1])])
        self.weights = weights
        strengths = [np.array([evaluate([*found.spot.board, *hand]) for hand in hands]) for hands in self.hands]
        self.joint = np.array([[not set(a) & set(b) for b in self.hands[1]] for a in self.hands[0]], float)
        self.joint *= weights[0][:, None] * weights[1]
        self.sign = np.sign(strengths[0][:, None] - strengths[1])
        self.chances: dict[Node, Any] = {}

    def strategy(self, node: Node) -> Any:
        """(hands, actions) of the side to act."""
        if node not in self.chances:
            place = self.found.at(*node.line)
            rows = {row["hand"]: row for row in place.hands()}
            names = ["".join(map(str, hand)) for hand in self.hands[node.actor]]
            self.chances[node] = np.array([[rows[name][action] for action in node.actions] for name in names])
        return self.chances[node]

    def worth(self, node: Node, joint: Any, best: int | None) -> Any:
        """What out of position wins with each of its hands, times the deals; `best` is a side that plays best."""
        if node.actor == 4:
            lost = self.pot / 2 + min(node.paid)
            return joint * (lost if node.paid[0] > node.paid[1] else -lost)
        if node.actor == 3:
            return joint * self.sign * (self.pot / 2 + node.paid[0])
        side = node.actor
        if best != side:
            total = 0.0
            for a, child in enumerate(node.children):
                chance = self.strategy(node)[:, a]
                total = total + self.worth(child, joint * (chance[:, None] if side == 0 else chance), best)
            return total
        parts = np.array([self.worth(child, joint, best) for child in node.children])
        by_hand = parts.sum(axis=2 if side == 0 else 1)
        choice = (by_hand if side == 0 else -by_hand).argmax(axis=0)
        return (
            np.array([parts[choice[i], i] for i in range(len(choice))])
            if side == 0
            else np.array([parts[choice[j], :, j] for j in range(len(choice))]).T
        )

    def value(self, best: int | None = None) -> float:
        return float(self.worth(self.root, self.joint, best).sum() / self.joint.sum())


@pytest.mark.parametrize("board", ["Ks8d5c3h2d", "QhQd7c4s4d"])
def test_value_and_exploitability_are_those_of_an_independent_best_response(board: str) -> None:
    found = solve_spot(
        board, "AKs,KQ:0.5,99,77,A5s,QJs,T9s", "AA:0.5,KQs,QQ-TT,88:0.75,JTs,98s,A4s", 60, 190, "50% 100% / all-in",
        iterations=30, until=1e-6,
    )  # fmt: skip
    slow = Slow(found)
    assert found.ev["oop"] == pytest.approx(slow.value() + 30, abs=1e-3)
    gained = (slow.value(best=0) - slow.value(best=1)) / 2
    assert found.exploitability == pytest.approx(100 * gained / 60, abs=1e-3)


def test_sweeps_in_eight_lanes_and_in_one_give_the_same() -> None:
    one, eight = (solve_spot(**TURN, iterations=20, until=1e-6, lanes=lanes) for lanes in (ONE, EIGHT))
    assert one.exploitability == pytest.approx(eight.exploitability, abs=1e-3)
    assert one.ev["oop"] == pytest.approx(eight.ev["oop"], abs=1e-3)
    for first, second in zip(one.hands(), eight.hands(), strict=True):
        assert first["ev"] == pytest.approx(second["ev"], abs=0.02)


def test_without_vectors_spots_are_solved_on_single_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(game: Any, memory: Any, task: Any) -> float:
        if len(game.lanes) > 1:
            raise TypeError("no vectors")
        return work(game, memory, task)

    work = vector_cfr.work
    monkeypatch.setattr(vector_cfr, "work", refusing)
    monkeypatch.setattr(spots, "usable_lanes", functools.cache(spots.usable_lanes.__wrapped__))
    monkeypatch.setattr(solving, "usable_lanes", spots.usable_lanes)
    monkeypatch.setattr(spots, "best_lanes", lambda: EIGHT)
    assert spots.usable_lanes() == ONE
    found = solve_spot(POLAR["board"], "AA,QJs", "KK", 100, 100, "all-in", until=0.1)
    assert found.ev["oop"] == pytest.approx(450 / 7, abs=0.1)


def test_everything_runs_as_plain_python() -> None:
    code = (
        "from fifthstreet import solve_spot; print(solve_spot('As9c4d3h2c', 'AA,QJs', 'KK', 100, 100, 'a', until=2).ev)"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert eval(done.stdout)["oop"] == pytest.approx(450 / 7, abs=2)


def test_boards_that_differ_by_suits_alone_are_dealt_once_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    merged = solve_spot(**TURN, iterations=30, until=1e-6)
    monkeypatch.setattr(spots, "symmetry_of", lambda cards, ranges, hands, number: boards.no_symmetry(hands))
    every = solve_spot(**TURN, iterations=30, until=1e-6)
    assert len(merged._solver.boards.list) == 36 and len(every._solver.boards.list) == 49
    assert merged.ev["oop"] == pytest.approx(every.ev["oop"], abs=0.02)
    assert merged.equity["oop"] == pytest.approx(every.equity["oop"], abs=1e-9)
    spades, hearts = (merged.at("check", "check", card) for card in ("2s", "2h"))
    assert spades.strategy("5h5d") == pytest.approx(hearts.strategy("5s5d"), abs=1e-5)
    other = every.at("check", "check", "2s")
    assert spades.ev["oop"] == pytest.approx(other.ev["oop"], abs=0.3)


# Fixed play.


def test_the_best_answer_to_play_fixed_by_hand() -> None:
    board, pot, stack = POLAR["board"], 100, 100
    folds = solve_spot(board, "AA,QJs", "KK", pot, stack, "all-in", locks={"allin 100": {"any": {"fold": 1.0}}})
    assert folds.ev["oop"] == pytest.approx(100, abs=0.5)  # every hand bets and wins the pot
    calls = solve_spot(board, "AA,QJs", "KK", pot, stack, "all-in", locks={"all-in": {"KK": {"call": 1.0}}})
    assert calls.strategy("QJs")["check"] > 0.95
    assert calls.ev["oop"] == pytest.approx(3 / 7 * 200, abs=0.5)  # sets win pot and stack, the others nothing
    assert calls.at("all-in").strategy("KK") == pytest.approx({"fold": 0, "call": 1}, abs=1e-6)


def test_the_best_answer_to_an_agent() -> None:
    spot = Spot.of("Ks8d5c3h2d", "AKs,99,77,QJs", "KQs,TT,JTs", 100, 100, "50% / all-in")
    optimal = solve_spot(spot, until=0.2)
    station = solve_spot(spot, until=0.2, locks={"ip": play_of("call-station", spot)})
    assert station.at("bet 50").strategy("JTs") == pytest.approx({"fold": 0, "call": 1, "allin 100": 0}, abs=1e-6)
    assert station.ev["oop"] > optimal.ev["oop"] + 1


def test_locks_that_make_no_sense_are_refused() -> None:
    spot = Spot.of("As9c4d3h2c", "AA,QJs", "KK", 100, 100, "all-in")
    for locks, said in (
        ({"bet 20": {"any": {"fold": 1}}}, "'bet 20' is no action"),
        ({"check, check": {"any": {"fold": 1}}}, "nobody acts"),
        ({"all-in": {"any": {"raise 5": 1}}}, "'raise 5' is no action here"),
        ({"all-in": {"any": {"fold": 0.4}}}, "no probabilities"),
        ({"all-in": {"AA": {"fold": 1}}}, "says nothing about K"),
        ({"all-in": {"any": {"fold": float("nan"), "call": 1}}}, "no probabilities"),
    ):
        with pytest.raises(InputError, match=said):
            solve_spot(spot, locks=locks)


# Keeping, showing, stopping.


def test_solutions_are_saved_loaded_and_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = solve_spot("Ks8d5c3h", "AKs,99,QJs", "KQs,TT,JTs", 100, 150, "50% / a", until=1)
    file = tmp_path / "kept.npz"
    found.save(file)
    again = SpotSolution.load(file)
    assert again.hands() == found.hands() and again.iterations == found.iterations and again.looks == found.looks
    assert again.at("check", "check", "Kh").to_dict() == found.at("check", "check", "Kh").to_dict()
    file.write_bytes(file.read_bytes()[:-300])
    with pytest.raises(InputError, match="is not a kept solution"):
        SpotSolution.load(file)
    with pytest.raises(InputError, match="there is no file"):
        SpotSolution.load(tmp_path / "none.npz")
    with pytest.raises(InputError, match=r"ends in \.npz"):
        found.save(tmp_path / "kept.txt")
    monkeypatch.setenv("FIFTHSTREET_CACHE", str(tmp_path))
    runs = []
    for _ in range(2):
        looks: list[Look] = []
        runs.append(solve_spot(found.spot, until=1, cached=True, report=looks.append))
        runs.append(looks)  # type: ignore[arg-type]
    assert runs[1] and not runs[3]
    assert runs[0].to_dict() == runs[2].to_dict()


def test_a_solution_with_fixed_play_is_saved_too(tmp_path: Path) -> None:
    play = {"any": {"check": 0.5, "bet 50": 0.5}}
    found = solve_spot("Ks8d5c3h", "AKs,99", "KQs,TT", 100, 150, "50% / a", locks={"": play}, until=2)
    found.save(tmp_path / "kept.npz")
    again = SpotSolution.load(tmp_path / "kept.npz")
    assert again.hands() == found.hands() and again.strategy("99") == pytest.approx({"check": 0.5, "bet 50": 0.5})


def test_a_hand_shows_what_it_does_and_adds_up() -> None:
    found = solve_spot("Ks8d5c3h2d", "AKs,99,QJs,KQo", "KQs,TT,JTs", 100, 150, "50% 100% / a", until=0.5)
    for place in (found.root, found.at("check"), found.at("bet 50"), found.at("check", "bet 100")):
        for row in place.hands():
            assert sum(row[action] for action in place.actions) == pytest.approx(1, abs=1e-6)
            worth = sum(row[action] * row[f"ev of {action}"] for action in place.actions)
            assert worth == pytest.approx(row["ev"], abs=0.01)
        mean = place.ev
        assert (mean["oop"] or 0) + (mean["ip"] or 0) == pytest.approx(100 + sum(place._node.paid), abs=0.01)
    assert found.root.ev == pytest.approx(found.ev, abs=0.01)
    assert "linear-gradient" in found._repr_html_() and found.table()[1]
    assert len(found.grid()) == 13 and found.grid()[0][0] is None and found.grid()[0][1]["class"] == "AKs"  # type: ignore[index]
    for steps, said in (
        (("bet 70",), "there are check, bet 50"),
        (("check", "check", "Ah"), "nobody acts"),
    ):
        with pytest.raises(InputError, match=said):
            found.at(*steps)
    with pytest.raises(InputError, match="not in the range"):
        found.strategy("AhAd")


def test_cards_are_dealt_where_a_street_ends() -> None:
    found = solve_spot("Ks8d5c3h", "AKs,99,QJs", "KQs,TT,JTs", 100, 150, "50% / a", until=1)
    dealt = found.at("check", "check")
    assert dealt.side is None and dealt.actions == ()
    with pytest.raises(InputError, match="Ks is already"):
        dealt.at("Ks")
    river = dealt.at("9c")
    assert river.side == "oop" and len(river.board) == 5
    assert all("9c" not in row["hand"] for row in river.hands())
    runs = found.at("check", "all-in", "call") if "all-in" in found.at("check").actions else found.at("check", "bet 50")
    assert runs.to_dict()["board"] == "Ks8d5c3h"


def test_ctrl_c_returns_the_best_so_far() -> None:
    seen: list[Look] = []

    def interrupt(look: Look) -> None:
        seen.append(look)
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = solve_spot("Ks8d5c3h2d", "AKs,99,QJs", "KQs,TT,JTs", 100, 150, until=1e-7, report=interrupt)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert found.iterations == seen[2].iterations and found.looks == tuple(seen)


def test_a_spot_is_solved_outside_the_main_thread() -> None:
    found: list[SpotSolution] = []
    thread = threading.Thread(target=lambda: found.append(solve_spot("As9c4d3h2c", "AA,QJs", "KK", 100, 100, "a")))
    thread.start()
    thread.join()
    assert found[0].exploitability <= 0.5


# Wrong input.

GOOD: dict[str, Any] = {
    "board": "Ks8d5c3h2d",
    "oop": "AKs",
    "ip": "KQs,TT",
    "pot": 100,
    "stack": 150,
    "sizes": "50%",
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"board": "Ks8d"}, "has 2 cards: a spot has 3 to 5"),
        ({"board": "Ks8d5c3h2d2c"}, "has 6 cards"),
        ({"board": "KsKs5c"}, "twice"),
        ({"oop": "8d8d"}, "twice"),
        ({"oop": "KsKd"}, "is impossible"),
        ({"oop": "TT:nan"}, "has no weight 'nan'"),
        ({"oop": "AcAd", "ip": "AcAd"}, "can be dealt together"),
        ({"pot": 0}, "0 chips in the pot"),
        ({"pot": 1.5}, "1.5 chips in the pot"),
        ({"stack": -3}, "-3 chips in each stack"),
        ({"stack": float("nan")}, "nan chips"),
        ({"sizes": "0%"}, "more than nothing"),
        ({"sizes": "0.1%"}, "less than a chip"),
        ({"sizes": "nan%"}, "'nan%' is not a size"),
        ({"sizes": "half"}, "'half' is not a size"),
        ({"sizes": {"river": {"oop": {"bet": "50%"}}}}, "are not lists"),
        ({"sizes": {"turn": {}}}, "nothing about the river"),
        ({"raise_cap": -1}, "-1 raises"),
        ({"sizes": "1c 2c 3c 4c", "stack": 10_000}, "positions: use fewer sizes"),
    ],
)
def test_wrong_input_is_refused_in_one_sentence(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        solve_spot(**(GOOD | change))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("until", [0, -1, float("nan"), float("inf"), "x", True])
def test_a_target_that_is_none_is_refused(until: Any) -> None:
    with pytest.raises(InputError, match="percentage of the pot"):
        solve_spot(**GOOD, until=until)


def test_a_tree_too_large_for_memory_is_refused_before_it_is_made() -> None:
    with pytest.raises(InputError, match=r"needs about [0-9,]+ MB, and at most 4,000 are allowed"):
        solve_spot("Ah8d5c", "any", "any", 100, 2000, "50% 100% / 60%", raise_cap=1)


def test_a_spot_without_a_key_is_refused() -> None:
    with pytest.raises(InputError, match="no 'ip'"):
        Spot.from_dict({"board": "Ks8d5c3h2d", "oop": "AKs"})
    with pytest.raises(InputError, match="is not a spot"):
        Spot.from_dict([1])
