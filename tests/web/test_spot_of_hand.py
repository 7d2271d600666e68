"""What should I have done? Moments of hands as spots: the street, the line, and the ranges of a coach."""

import json
import re
from typing import Any

import pytest

from fifthstreet.cards import parse_cards
from fifthstreet.evaluation.ranges import Range
from fifthstreet.games.betting import CALL, FOLD
from fifthstreet.games.holdem import Holdem
from fifthstreet.web.drawing.heads_up import heads_up
from support_web import THREE_HANDED, Served


@pytest.fixture(scope="module")
def hand(server: Served) -> str:
    found = server.post("/api/hands", THREE_HANDED.encode())
    return str(found["hands"][0]["id"])


def spots(server: Served, hand: str) -> list[int]:
    """The steps from which the page offers to solve."""
    frames = server.get(f"/api/hands/{hand}")["frames"]
    return [frame["step"] for frame in frames if frame["spot"]]


def spot_at(server: Served, hand: str, step: int, coach: str | None = None) -> Any:
    status, text = server.ask(f"/api/hands/{hand}/spot", {"step": step, "coach": coach})
    assert status == 200, text
    return json.loads(text)


def test_spots_are_where_two_are_left(server: Served, hand: str) -> None:
    assert spots(server, hand) == [12, 13]  # the river's two decisions; on the turn three were in until the last


def test_the_river_begins_with_what_was_paid(server: Served, hand: str) -> None:
    found = spot_at(server, hand, 13)
    assert found["board"] == "2h7c5sTh3d" and found["pot"] == 18 + 30 + 40 and found["stack"] == 80 - 36
    assert found["line"] == ["bet 30"] and found["names"] == ["Bob", "Cem"] and found["to_act"] == "ip"
    assert found["held"] == "9d9c" and found["done"]["kind"] == "call"
    assert found["oop"] == found["ip"] == "random"
    assert "30c" in found["sizes"]


def test_what_nobody_knows_is_not_said(server: Served, hand: str) -> None:
    assert spot_at(server, hand, 12)["held"] is None  # Bob's cards were never seen


def test_the_spot_can_be_solved(server: Served, hand: str) -> None:
    found = spot_at(server, hand, 13, "tight-aggressive")
    parts = {name: found[name] for name in ("board", "oop", "ip", "pot", "stack", "sizes", "raise_cap")}
    seen = server.ask("/api/spots/look", parts)[1]
    assert '"error"' not in seen
    ranges = {side: Range.parse(found[side]) for side in ("oop", "ip")}
    for each in ranges.values():
        assert 20 < len(each) < 1000  # it believes in something, and not in everything
        assert max(each.weights.values()) == 1
    nines = parse_cards("9d9c")
    assert ranges["ip"].weights[nines[0], nines[1]] == 1  # what was held is in the range


def test_a_coach_that_plays_everything_alike_rules_nothing_out(server: Served, hand: str) -> None:
    """It calls whatever it holds: nobody's raise fits, and nobody's call tells anything."""
    found = spot_at(server, hand, 13, "call-station")
    left = 47 * 46 // 2
    assert len(Range.parse(found["oop"])) == len(Range.parse(found["ip"])) == left
    assert {*Range.parse(found["oop"]).weights.values(), *Range.parse(found["ip"]).weights.values()} == {1}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([], "is not a moment"),
        ({}, "step None is not a whole number"),
        ({"step": 99}, "this hand has 14 of them"),
        ({"step": 0}, "is no spot"),
        ({"step": 13, "coach": "nobody"}, "'nobody' is not an agent"),
        ({"step": 13, "coach": 5}, "5 is not the name of an agent"),
        ({"step": 13, "coach": "./mine.py:Mine"}, "is not an agent"),
        ({"step": 13, "range": "AA"}, "is not a moment"),
    ],
)
def test_moments_that_are_refused(server: Served, hand: str, given: Any, why: str) -> None:
    assert why in server.refused(f"/api/hands/{hand}/spot", given)


def played(*actions: int, seats: int = 3, stack: int = 100) -> Any:
    """The last moment of a hand with these actions, as a spot."""
    game = Holdem(seats=seats, stack=stack, small_blind=1, big_blind=2)
    state = game.start()
    states: list[Any] = []
    done: list[int] = []
    deck = iter(parse_cards("AhKhQhJhTh9h2c7d5s3c4d8c"))
    waiting = list(actions)
    while True:
        seat = game.to_act(state)
        if seat == -1:
            state = game.after(state, next(deck))
            continue
        states.append(state)
        if not waiting or seat is None:
            return heads_up(states, done)
        done.append(waiting.pop(0))
        state = game.after(state, done[-1])


SEE_TURN = (CALL, CALL, CALL, CALL, CALL, CALL)  # three limp, and check the flop


def test_money_of_those_who_fold_is_in_the_pot_from_the_start() -> None:
    found = played(*SEE_TURN, 10, CALL, 30, FOLD)  # first bets, second calls, third raises, first folds
    assert found["pot"] == 6 + 10 and found["stack"] == 98 and found["seats"] == [1, 2]
    assert found["line"] == ["bet 10", "raise 30"] and found["to_act"] == 0
    assert re.search(r"turn 66% 10c all-in / 100% 20c all-in; river", found["sizes"])


def test_a_bet_of_somebody_who_folds_later_becomes_that_of_the_caller() -> None:
    found = played(*SEE_TURN, CALL, CALL, 10, CALL, 40, FOLD)  # two check, third bets, first calls, second raises
    assert found["seats"] == [0, 1] and found["line"] == ["bet 10", "raise 40"] and found["pot"] == 16


def test_what_cannot_be_called_counts_for_nothing() -> None:
    found = played(CALL, CALL, CALL, CALL, 98, seats=2)
    assert found["line"] == ["allin 98"] and found["stack"] == 98


def test_more_than_two_and_no_decisions_are_no_spots() -> None:
    assert played(*SEE_TURN) is None and played(CALL) is None
    assert played(98, 100, CALL, FOLD) is None  # all-in: nobody decides any more
