"""Sessions: the button moves, stacks reset or carry over, memories last."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from matplotlib.figure import Figure

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.arena.session import session
from fifthstreet.errors import InputError
from fifthstreet.games.holdem import Chips, Holdem, HoldemView

LEARNERS = ["opponent-model", "random", "honest:samples=5", "opponent-model:aggressivity=risky"]


@pytest.mark.parametrize("stacks", ["reset", "carry"])
def test_compiled_and_in_python_it_is_the_same_to_the_last_chip(stacks: str) -> None:
    fast, slow = (
        session("holdem", LEARNERS, 120, 2, runs=2, stacks=stacks, compiled=way)  # type: ignore[arg-type]
        for way in (True, False)
    )
    assert np.array_equal(fast.by_hand, slow.by_hand)
    assert fast.memories == slow.memories
    assert fast.by_hand.any()


def test_the_result_does_not_depend_on_the_workers_and_runs_differ() -> None:
    one, two = (session("holdem", LEARNERS, 100, 2, runs=3, workers=w) for w in (1, 3))
    assert np.array_equal(one.by_hand, two.by_hand)
    assert not np.array_equal(one.by_hand[0], one.by_hand[1])
    longer = session("holdem", LEARNERS, 150, 2)
    assert np.array_equal(longer.by_hand[0, :100], session("holdem", LEARNERS, 100, 2).by_hand[0])


def test_chips_are_neither_made_nor_lost() -> None:
    found = session(
        "holdem", ["random", "call-station", "always-raise", "honest:samples=5"], 400, 3, stacks="carry", runs=4
    )
    assert (found.by_hand.sum(axis=2) == 0).all()
    owned = 200 + found.by_hand.cumsum(axis=1)
    assert owned.min() == 0
    for run in owned:
        broke = run == 0
        assert (broke[1:] >= broke[:-1]).all()  # who has nothing left stays out
    assert found.won(0).count == 4
    assert "up to 400 hands" in str(found)


@dataclass
class Watcher(Agent):
    """Gives up where it can, and notes where it sits and who the others are."""

    name: ClassVar[str] = "watcher"

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        return Decision(turn.choices[0])

    def learn(self, view: HoldemView, payoff: float) -> None:
        NOTES.append((view.seat, list(view.players[: view.seats])))


NOTES: list[tuple[int, list[int]]] = []


def test_the_button_moves_on_and_players_keep_their_numbers() -> None:
    NOTES.clear()
    session("holdem", [Watcher(), "call-station", "call-station"], 6, 1)
    assert [seat for seat, _ in NOTES] == [
        0,
        2,
        1,
        0,
        2,
        1,
    ]  # small blind, dealer, big blind
    for seat, players in NOTES:
        assert players[seat] == 0
        assert sorted(players) == [0, 1, 2]
        assert players == [players[0], (players[0] + 1) % 3, (players[0] + 2) % 3]  # the order round the table stays


def test_with_stacks_that_carry_over_the_button_goes_to_the_next_who_is_left() -> None:
    NOTES.clear()
    session("holdem:stack=20", [Watcher(), "always-raise", "always-raise", "random"], 40, 1, stacks="carry")
    tables = [players for _, players in NOTES]
    assert len({len(players) for players in tables}) > 1  # somebody went broke while it watched
    for before, now in pairwise(tables):
        left = [player for player in before if player in now]
        assert now == left[1:] + left[:1]


@pytest.mark.parametrize("ante_by", ["all", "big-blind", "button"])
def test_antes_and_straddles_are_neither_made_nor_lost(ante_by: str) -> None:
    game = f"holdem:stack=9,ante=2,ante_by={ante_by},straddle=4"
    found = session(game, ["random", "call-station", "always-raise", "random"], 200, 3, stacks="carry", runs=40)
    assert (found.by_hand.sum(axis=2) == 0).all()
    assert (9 + found.by_hand.cumsum(axis=1)).min() == 0


def test_intervals_are_by_hand_or_by_batch_and_centred() -> None:
    alone = session("holdem", ["random", "call-station"], 150, 1, runs=2)
    assert alone.won(0).count == 300
    learning = session("holdem", ["opponent-model", "call-station"], 250, 1, runs=3)
    assert learning.won(0).count == 6
    for found in (alone, learning):
        won = found.won(0)
        assert won.value == pytest.approx(found.by_hand[..., 0].mean())
        assert won.value == pytest.approx((won.low + won.high) / 2)


@dataclass
class Tally(Watcher):
    """Counts its hands in Python, and has no method to show them."""

    never: int = 3
    hands: int = 0

    def learn(self, view: HoldemView, payoff: float) -> None:
        self.hands += 1


def test_what_a_python_agent_remembers_is_in_its_attributes() -> None:
    found = session("holdem", [Tally(), "random"], 7, 1)
    assert found.memories == ([{"attribute": "hands", "value": "7"}], [])


def test_payoffs_have_units() -> None:
    found = session("holdem:big_blind=4", ["random", "call-station"], 50, 1)
    assert found.table()[0] == ["agent", "total chips", "chips per hand", "95 % interval", "bb/100"]
    told = found.to_dict()
    assert told["payoff_unit"] == "chips per hand"
    assert told["agents"][0]["bb_per_100"]["value"] == pytest.approx(25 * found.won(0).value)
    assert found.plot(Figure().subplots()).get_ylabel() == "chips won so far"
    carried = session("holdem", ["random", "call-station"], 50, 1, stacks="carry", runs=2)
    assert carried.table()[0] == ["agent", "total chips", "chips per run", "95 % interval"]
    assert "bb_per_100" not in carried.to_dict()["agents"][0]


def test_what_cannot_be_a_session() -> None:
    with pytest.raises(InputError, match="kuhn has no sessions"):
        session("kuhn", ["random", "random"])
    with pytest.raises(InputError, match="2 to 10"):
        session("holdem", ["random"])
    with pytest.raises(InputError, match="'foo'"):
        session("holdem", ["random", "random"], 5, stacks="foo")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="workers"):
        session("holdem", ["random", "random"], 5, workers=0)
    with pytest.raises(InputError, match="cannot be compiled"):
        session("holdem", [Watcher(), "random"], 5, compiled=True)
    with pytest.raises(InputError, match="chips of its own"):
        session(Holdem(chips=Chips((10, 10), (2, 1), (0, 0), 2)), ["random", "random"], 5)
    with pytest.raises(InputError, match="hands"):
        session("holdem", ["random", "random"], 0)
    with pytest.raises(InputError, match="too many: at most 100,000,000 hands in all"):
        session("holdem", ["random", "random"], 2_000_000_000)
