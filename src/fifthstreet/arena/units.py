"""Units of work: some deals in a row, each from every seating, compiled where every agent is, in Python otherwise.

Both ways deal the same cards and give the same payoffs to the last chip. Fresh agents play the unit from each seating,
so that nobody who learns meets a deal twice, and units can be played in any order by anyone.
"""

import copy
import json
import math
from collections.abc import Callable, Sequence
from itertools import cycle, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, AgentFailure
from fifthstreet.arena.play import Record, blamed, play
from fifthstreet.arena.seeds import Seeds
from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame, Policy, no_lesson
from fifthstreet.kernel import PLAIN_PYTHON, Kernel, kernel
from fifthstreet.rng import fork

Seating = tuple[AnyGame, NDArray[np.int64]]
"""A game, and the agent in each of its seats."""

_MOST_ORDERS = math.factorial(7)


def seatings(seats: int, agents: int, every_order: bool = False) -> NDArray[np.int64]:
    """Which agent sits where, a row for each time that a deal is played.

    Every agent sits once in every seat, the order around the table staying the same; with `every_order`, all orders are
    played. In a game for one, every agent plays alone.
    """
    if seats == 1:
        return np.arange(agents).reshape(-1, 1)
    if every_order:
        if math.factorial(agents) > _MOST_ORDERS:
            raise InputError(
                f"{agents} agents have {math.factorial(agents):,} orders: every order is for up to 7 agents"
            )
        return np.array(list(permutations(range(agents))))
    return np.array([np.roll(np.arange(agents), shift) for shift in range(agents)])


def is_compiled(game: AnyGame, agents: Sequence[Agent]) -> bool:
    """Whether all of these agents are kernels here and learn nothing in Python, so that the unit runs without it."""
    if PLAIN_PYTHON or game.rules is None:
        return False
    return all(_policy(agent, game) is not None and type(agent).learn is Agent.learn for agent in agents)


def _policy(agent: Agent, game: AnyGame) -> Policy | None:
    with blamed(agent, "to give its policy"):
        policy = agent.policy(game)
    if policy is not None and not isinstance(policy, Kernel):
        raise AgentFailure(f"{agent.name} has the policy {policy!r}, which is not a kernel")
    return policy


class Players:
    """Fresh copies of agents, each with a mind of its own, that play deal after deal of one game."""

    def __init__(self, game: AnyGame, agents: Sequence[Agent], compiled: bool) -> None:
        self.agents = [_fresh(agent) for agent in agents]
        self.game, self.minds = game, _minds(self.agents, game)
        self.compiled = compiled
        self.records: list[tuple[int, Record]] | None = None  # the number of each deal and what happened, if asked for
        self._kernels: tuple[Any, ...] = ()
        self._run: Callable[..., int] | None = None

    def play(self, seatings: Sequence[Seating], seeds: Seeds, first: int, totals: NDArray[np.float64]) -> None:
        """Play a deal for every row of `totals`, from one seating after the other, and add what everyone won."""
        if self.compiled:
            self._play_compiled(seatings, seeds, first, totals)
        else:
            self._play_in_python(seatings, seeds, first, totals)

    def warm_up(self, seatings: Sequence[Seating], seeds: Seeds, number: int) -> None:
        """Play what somebody wants to play before it counts; `number` keeps the deals of tables apart."""
        hands = max(agent.warm_up for agent in self.agents)
        if hands:
            self.play(seatings, seeds.apart("warm-up"), number * hands, np.zeros((hands, len(self.agents))))

    def _play_compiled(
        self, seatings: Sequence[Seating], seeds: Seeds, first: int, totals: NDArray[np.float64]
    ) -> None:
        if not self._kernels:
            self._kernels = (*_kernels(seatings[0][0], self.agents), _padded(self.minds))
        setups, orders = (
            np.array(rows) for rows in zip(*((game.setup(), order) for game, order in seatings), strict=True)
        )
        given = (*self._kernels, setups, orders, seeds.dealer, seeds.agents, first, totals)
        if self._run is None:
            self._run = _run.entry(*given)
        failed = self._run(*given)
        if failed >= 0:  # the same deals in Python say who did what
            again = Players(self.game, self.agents, compiled=False)
            again.play(seatings, seeds, first, totals[: failed + 1].copy())
            names = " or ".join(agent.name for agent in self.agents)
            raise AgentFailure(f"the compiled policy of {names} chose what is not allowed in deal {first + failed}")

    def _play_in_python(
        self, seatings: Sequence[Seating], seeds: Seeds, first: int, totals: NDArray[np.float64]
    ) -> None:
        for deal, (game, order) in zip(range(len(totals)), cycle(seatings)):
            dealer, streams = seeds.for_deal(first + deal)
            agents, rngs, minds = ([things[i] for i in order] for things in (self.agents, streams, self.minds))
            record = play(game, agents, dealer, rngs, minds)
            totals[deal, order] += record.payoffs
            if self.records is not None:
                self.records.append((first + deal, record))


def play_unit(
    game: AnyGame,
    agents: Sequence[Agent],
    orders: NDArray[np.int64],
    seeds: Seeds,
    first: int,
    deals: int,
    compiled: bool,
    records: list[tuple[int, int, str]] | None = None,
) -> NDArray[np.float64]:
    """Each agent's payoff in each deal, the mean over the seatings in which it played.

    Where records are wanted, the record of every game is added to them: deal, seating, JSON.
    """
    totals = np.zeros((deals, len(agents)))
    for seating, order in enumerate(orders):
        players = Players(game, agents, compiled)
        players.warm_up([(game, np.roll(order, shift)) for shift in range(order.size)], seeds, first)
        before = [mind.copy() for mind in players.minds]
        players.records = [] if records is not None else None
        players.play([(game, order)], seeds, first, totals)
        _refuse_secret_memories(players, before)
        if records is not None:
            records += [(deal, seating, json.dumps(record.to_dict())) for deal, record in players.records or ()]
    return totals * (len(agents) / orders.size)


def _refuse_secret_memories(players: Players, before: list[NDArray[np.float64]]) -> None:
    """Who remembers must say so, or the deals of a unit would be taken for independent and cut anywhere."""
    for agent, then, now in zip(players.agents, before, players.minds, strict=True):
        if not agent.learns and not np.array_equal(then, now, equal_nan=True):
            raise AgentFailure(f"{agent.name} writes to its mind, but says that it does not learn")


def _fresh(agent: Agent) -> Agent:
    with blamed(agent, "to be copied for a unit"):
        return copy.deepcopy(agent)


def _kernels(game: AnyGame, agents: Sequence[Agent]) -> tuple[Any, Any, Any]:
    """The compiled table, and the policies and lessons of these agents, as values that it can be given."""
    found = [_policy(agent, game) for agent in agents]
    if game.rules is None or None in found:
        raise AssertionError("a compiled unit needs compiled rules and agents")
    policies, lessons = (
        _padded(found),
        _padded([agent.lesson(game) or no_lesson for agent in agents]),
    )
    policy_type, lesson_type, table_type = _signatures(game, len(policies))
    return (
        game.rules.play_out.pointer(table_type),
        tuple(policy.pointer(policy_type) for policy in policies),
        tuple(lesson.pointer(lesson_type) for lesson in lessons),
    )


def _padded(things: Sequence[Any]) -> tuple[Any, ...]:
    """As many as there can be at a table, so that one compiled table does for any number of players."""
    return (*things, *[things[0]] * (10 - len(things)))


def _minds(agents: Sequence[Agent], game: AnyGame) -> list[NDArray[np.float64]]:
    minds = []
    for agent in agents:
        with blamed(agent, "to say what is in its mind"):
            mind = np.ascontiguousarray(agent.mind(game), dtype=np.float64)
        if mind.ndim != 1:
            raise AgentFailure(f"{agent.name} has a mind of shape {mind.shape}: it must be a row of numbers")
        minds.append(mind)
    return minds


def _signatures(game: AnyGame, agents: int) -> tuple[Any, Any, Any]:
    """The types of a policy, of a lesson and of a compiled table for this game."""
    from numba import typeof, types

    seen = game.raw(game.view(game.start(), 0))
    numbers, words = types.Array(types.float64, 1, "C"), types.Array(types.uint64, 1, "C")
    policy = types.int64(typeof(seen), numbers, words)
    lesson = types.void(typeof(seen), types.float64, numbers)
    table = types.boolean(
        types.Array(types.int64, 1, "C"),
        types.UniTuple(types.FunctionType(policy), agents),
        types.UniTuple(types.FunctionType(lesson), agents),
        types.UniTuple(numbers, agents),
        types.Array(types.int64, 1, "C"),
        words,
        types.Array(types.uint64, 2, "C"),
        numbers,
    )
    return policy, lesson, table


@kernel
def _run(
    play_out: Any,
    policies: Any,
    lessons: Any,
    minds: Any,
    setups: Any,
    orders: Any,
    dealer_parent: Any,
    agent_parents: Any,
    first: int,
    totals: Any,
) -> int:
    """Play the deals; −1, or the number of the deal in which an agent broke the rules."""
    agents = agent_parents.shape[0]
    dealer, words = np.empty(4, np.uint64), np.empty((agents, 4), np.uint64)
    payoffs = np.empty(orders.shape[1])
    for deal in range(totals.shape[0]):
        fork(dealer_parent, first + deal, dealer)
        for agent in range(agents):
            fork(agent_parents[agent], first + deal, words[agent])
        order = orders[deal % orders.shape[0]]
        if not play_out(setups[deal % orders.shape[0]], policies, lessons, minds, order, dealer, words, payoffs):
            return deal
        for seat in range(order.size):
            totals[deal, order[seat]] += payoffs[seat]
    return -1
