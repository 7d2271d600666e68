"""Sessions: the button moves, stacks reset or carry over, memories last."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.arena.session import session
from fifthstreet.errors import InputError
from fifthstreet.games.betting import PLAYERS
from fifthstreet.games.holdem import HoldemView

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
    """Calls, and notes where it sits and who the others are."""

    name: ClassVar[str] = "watcher"
    notes: list[tuple[int, list[int]]] = field(default_factory=list)

    def decide(self, turn: Turn) -> Decision:
        return Decision(0)

    def learn(self, view: HoldemView, payoff: float) -> None:
        NOTES.append((view.seat, view.data[PLAYERS : PLAYERS + view.seats].tolist()))


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


def test_what_cannot_be_a_session() -> None:
    with pytest.raises(InputError, match="kuhn has no sessions"):
        session("kuhn", ["random", "random"])
    with pytest.raises(InputError, match="2 to 10"):
        session("holdem", ["random"])
    with pytest.raises(InputError, match="hands"):
        session("holdem", ["random", "random"], 0)
