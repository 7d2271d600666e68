"""Units of work: some deals in a row, each from every seating, compiled where every agent is, in Python otherwise.

Both ways deal the same cards and give the same payoffs to the last chip. Agents start a unit afresh, so what they learn
lasts for one unit, and units can be played in any order by anyone.
"""

import copy
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent
from fifthstreet.arena.play import play
from fifthstreet.arena.seeds import Seeds
from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame
from fifthstreet.kernel import PLAIN_PYTHON, kernel
from fifthstreet.rng import fork


def seatings(seats: int, agents: int, every_order: bool = False) -> NDArray[np.int64]:
    """Which agent sits where, a row for each time that a deal is played.

    Every agent sits once in every seat, the order around the table staying the same; with `every_order`, all orders are
    played. In a game for one, every agent plays alone.
    """
    if seats == 1:
        return np.arange(agents).reshape(-1, 1)
    if every_order:
        return np.array(list(permutations(range(agents))))
    return np.array([np.roll(np.arange(agents), shift) for shift in range(agents)])


def is_compiled(game: AnyGame, agents: Sequence[Agent]) -> bool:
    """Whether all of these agents are kernels here, so that the unit runs without Python."""
    return not PLAIN_PYTHON and game.rules is not None and all(agent.policy(game) for agent in agents)


def play_unit(
    game: AnyGame,
    agents: Sequence[Agent],
    orders: NDArray[np.int64],
    seeds: Seeds,
    first: int,
    deals: int,
    compiled: bool,
) -> NDArray[np.float64]:
    """Each agent's payoff in each deal, the mean over the seatings in which it played."""
    agents = [copy.deepcopy(agent) for agent in agents]
    run = _play_compiled if compiled else _play_in_python
    return run(game, agents, orders, seeds, first, deals) * (len(agents) / orders.size)


def _play_in_python(
    game: AnyGame,
    agents: Sequence[Agent],
    orders: NDArray[np.int64],
    seeds: Seeds,
    first: int,
    deals: int,
) -> NDArray[np.float64]:
    totals = np.zeros((deals, len(agents)))
    for deal in range(deals):
        for order in orders:
            dealer, streams = seeds.for_deal(first + deal)
            record = play(game, [agents[i] for i in order], dealer, [streams[i] for i in order])
            totals[deal, order] += record.payoffs
    return totals


def _play_compiled(
    game: AnyGame,
    agents: Sequence[Agent],
    orders: NDArray[np.int64],
    seeds: Seeds,
    first: int,
    deals: int,
) -> NDArray[np.float64]:
    minds = tuple(agent.mind() for agent in agents)
    found = [agent.policy(game) for agent in agents]
    if game.rules is None or None in found:
        raise AssertionError("a compiled unit needs compiled rules and agents")
    policy_type, table_type = _signatures(game, len(agents))
    policies = tuple(policy.pointer(policy_type) for policy in found if policy)
    table = game.rules.play_out.pointer(table_type)
    totals = np.zeros((deals, len(agents)))
    failed = _run(table, game.setup(), policies, minds, orders, seeds.dealer, seeds.agents, first, deals, totals)
    if failed >= 0:  # the same deal in Python says who did what
        fresh = [copy.deepcopy(agent) for agent in agents]
        _play_in_python(game, fresh, orders, seeds, first, failed + 1)
        raise InputError(f"an agent chose what is not allowed in deal {first + failed}")
    return totals


def _signatures(game: AnyGame, agents: int) -> tuple[Any, Any]:
    """The types of a policy and of a compiled table for this game."""
    from numba import typeof, types

    numbers, words = types.Array(types.float64, 1, "C"), types.Array(types.uint64, 1, "C")
    policy = types.int64(typeof(game.view(game.start(), 0)), numbers, words)
    table = types.boolean(
        types.Array(types.int64, 1, "C"),
        types.UniTuple(types.FunctionType(policy), agents),
        types.UniTuple(numbers, agents),
        types.Array(types.int64, 1, "C"),
        words,
        types.Array(types.uint64, 2, "C"),
        numbers,
    )
    return policy, table


@kernel
def _run(
    play_out: Any,
    setup: Any,
    policies: Any,
    minds: Any,
    orders: Any,
    dealer_parent: Any,
    agent_parents: Any,
    first: int,
    deals: int,
    totals: Any,
) -> int:
    """Play the deals; −1, or the number of the deal in which an agent broke the rules."""
    agents = agent_parents.shape[0]
    dealer, words = np.empty(4, np.uint64), np.empty((agents, 4), np.uint64)
    payoffs = np.empty(orders.shape[1])
    for deal in range(deals):
        for row in range(orders.shape[0]):
            fork(dealer_parent, first + deal, dealer)
            for agent in range(agents):
                fork(agent_parents[agent], first + deal, words[agent])
            if not play_out(setup, policies, minds, orders[row], dealer, words, payoffs):
                return deal
            for seat in range(orders.shape[1]):
                totals[deal, orders[row, seat]] += payoffs[seat]
    return -1
