"""Variance reduction: the same mean for every kind of agent, or a refusal in one sentence."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from fifthstreet.agents import Agent, Decision, Turn
from fifthstreet.arena.laboratory import laboratory
from fifthstreet.arena.match import MatchResult, match
from fifthstreet.errors import InputError
from fifthstreet.games.kuhn import Kuhn
from fifthstreet.kernel import kernel

MATCHES = {
    "five-o": ["greedy-1", "random"],
    "five-o:hidden=4": ["reflex-1", "random"],
    "poker-squares:system=english": ["greedy", "random"],
}


@dataclass
class First(Agent):
    """Takes the first choice, in plain Python, and remembers what it was paid."""

    name: ClassVar[str] = "first"

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(turn.choices[0])

    def learn(self, view: Any, payoff: float) -> None:
        PAID.append(payoff)


PAID: list[float] = []


def reduced(game: str, agents: list[Any], deals: int, **more: Any) -> MatchResult:
    return match(game, agents, deals, seed=2, reduce_variance=True, value_lessons=500, **more)


@pytest.mark.parametrize("game", MATCHES)
def test_compiled_and_plain_loops_take_out_the_same_luck(game: str) -> None:
    fast, slow = reduced(game, MATCHES[game], 12), reduced(game, MATCHES[game], 12, compiled=False)
    assert fast.compiled and not slow.compiled
    np.testing.assert_allclose(fast.by_deal, slow.by_deal, rtol=0, atol=1e-6)
    plain = match(game, MATCHES[game], 12, seed=2).by_deal
    assert not np.isclose(fast.by_deal, plain).all()
    if not game.startswith("poker-squares"):
        np.testing.assert_allclose(fast.by_deal.sum(axis=1), 0, atol=1e-9)


def test_an_agent_in_plain_python_plays_without_luck_and_is_paid_with_it() -> None:
    PAID.clear()
    found = reduced("five-o", [First(), "random"], 5, unit=5)
    assert not found.compiled
    assert found.reduced
    assert set(PAID) <= {-1.0, 0.0, 1.0}
    assert not set(found.by_deal.ravel()) <= {-1.0, 0.0, 1.0}


def test_results_say_so_and_call_no_deal_won_or_lost() -> None:
    found, plain = reduced("five-o", ["reflex-1", "random"], 20), match("five-o", ["reflex-1", "random"], 20, seed=2)
    assert found.to_dict()["reduce_variance"] is True
    assert plain.to_dict()["reduce_variance"] is False
    assert "luck of the cards taken out" in str(found)
    assert "luck" not in str(plain)
    assert "won" in plain.table()[0]
    assert "won" not in found.table()[0]
    assert "wins" not in found.to_dict()["agents"][0]


def test_the_store_keeps_results_with_and_without_luck_apart(tmp_path: Any) -> None:
    with laboratory(store=tmp_path / "runs.db"):
        plain = match("five-o", ["reflex-1", "random"], 20, seed=2).by_deal
        fair = reduced("five-o", ["reflex-1", "random"], 20).by_deal
        again = match("five-o", ["reflex-1", "random"], 20, seed=2).by_deal
        assert np.array_equal(plain, again)
        assert not np.array_equal(plain, fair)
        assert np.array_equal(fair, reduced("five-o", ["reflex-1", "random"], 20).by_deal)


@kernel
def half(state: Any, knowledge: Any, payoffs: Any) -> None:
    payoffs[:] *= knowledge[0]


class ValuedKuhn(Kuhn):
    """Calls half of every payoff luck."""

    def luck_reduction(self, lessons: int | None) -> Any:
        return half, np.array([0.5], np.float32), lessons or 1


@pytest.mark.parametrize("compiled", [True, False])
def test_a_game_may_bring_a_value_function_of_its_own(compiled: bool) -> None:
    agents = ["equilibrium", "random"]
    found = match(ValuedKuhn(), agents, 50, seed=2, reduce_variance=True, compiled=compiled).by_deal
    assert np.array_equal(found, match("kuhn", agents, 50, seed=2).by_deal / 2)


def test_a_game_without_a_value_function_is_refused() -> None:
    with pytest.raises(InputError, match=r"'kuhn' has no value function .*five-o and poker-squares"):
        match("kuhn", ["random", "random"], 10, reduce_variance=True)
    with pytest.raises(InputError, match="0 lessons for the value function"):
        match("five-o", ["random", "random"], 10, reduce_variance=True, value_lessons=0)
