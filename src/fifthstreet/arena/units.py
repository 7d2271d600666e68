"""Units of work: some deals in a row, each from every seating, compiled where every agent is, in Python otherwise.

Both ways deal the same cards and give the same payoffs to the last chip. Fresh agents play the unit from each seating,
so that nobody who learns meets a deal twice, and units can be played in any order by anyone.
"""

import bisect
import copy
import json
import math
from collections.abc import Callable, Sequence
from itertools import cycle, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, AgentFailure, mind_of, read_only
from fifthstreet.arena.cuts import setting_up
from fifthstreet.arena.failure import blamed, blamed_on_rules, errors_in_kernels, kernel_failure, secrets_refused
from fifthstreet.arena.limits import Limit
from fifthstreet.arena.play import Record, played
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.variance import Reduction
from fifthstreet.errors import InputError, quoted
from fifthstreet.games import table
from fifthstreet.games.game import AnyGame, Lesson, Mind, Policy, Rules
from fifthstreet.kernel import Kernel
from fifthstreet.naming import parameters
from fifthstreet.record import PLAIN_PYTHON, numba_type

Seating = tuple[AnyGame, NDArray[np.int64]]
"""A game, and the agent in each of its seats."""

_MOST_ORDERS = math.factorial(7)
_NOTHING = np.zeros(0, np.float32)


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
        raise AgentFailure(f"{agent.name} has the policy {quoted(policy)}, which is not a kernel")
    return policy


def _lesson(agent: Agent, game: AnyGame) -> Lesson:
    with blamed(agent, "to give its lesson"):
        lesson = agent.lesson(game) or table.no_lesson
    if not isinstance(lesson, Kernel):
        raise AgentFailure(f"{agent.name} has the lesson {quoted(lesson)}, which is not a kernel")
    return lesson


class Players:
    """Fresh copies of agents, each with a mind of its own, that play deal after deal of one game."""

    def __init__(
        self,
        game: AnyGame,
        agents: Sequence[Agent],
        compiled: bool,
        reduction: Reduction | None = None,
        limit: Limit | None = None,
    ) -> None:
        self.agents = [_fresh(agent) for agent in agents]
        self.reduction, self.limit = reduction, limit
        self.game, self.minds = game, [_mind(agent, game) for agent in self.agents]
        self.compiled = compiled
        self.records: list[tuple[int, Record]] | None = None  # if this is a list, each deal is added: number and record
        self.again = False  # whether this is to find out which deal failed
        self._pointers: tuple[Any, Any] | None = None
        self._loop: Callable[..., int] | None = None

    def play(self, seatings: Sequence[Seating], seeds: Seeds, first: int, totals: NDArray[np.float64]) -> None:
        """Play a deal for every row of `totals`, from one seating after the other, and add what everyone won."""
        if self.compiled:
            self._play_compiled(seatings, seeds, first, totals)
        else:
            self._play_in_python(seatings, seeds, first, totals)

    def warm_up(self, seatings: Sequence[Seating], seeds: Seeds, number: int) -> None:
        """Play the practice hands that agents ask for; `number` keeps the deals of different tables apart."""
        hands = max(agent.warm_up for agent in self.agents)
        if hands:
            self.play(seatings, seeds.apart("warm-up"), number * hands, np.zeros((hands, len(self.agents))))

    def _play_compiled(
        self, seatings: Sequence[Seating], seeds: Seeds, first: int, totals: NDArray[np.float64]
    ) -> None:
        rules = self.game.rules
        assert rules is not None
        starts = np.frombuffer(bytearray().join(game.start().data for game, _ in seatings), rules.state.dtype)
        orders = np.array([order for _, order in seatings])
        players = table.Players(*self._kernels(rules), self._padded([*map(read_only, self.minds)]), seeds.agents)
        adjust, knowledge = (self.reduction or (table.no_adjustment, _NOTHING))[:2]
        given = starts, orders, players, seeds.dealer, knowledge, first, totals, self._scratch(rules)
        if self._loop is None:
            self._loop = rules.deal_loop(adjust).entry(*given)
        minds = [mind.copy() if agent.learns else mind for agent, mind in zip(self.agents, self.minds, strict=True)]
        with blamed_on_rules(self.game), errors_in_kernels() as errors:
            failed = self._loop(*given)
        for error in errors:
            found, says_where = kernel_failure(self.agents, error)
            if not says_where and not self.again:
                self._play_again_what_fails(seatings, seeds, first, len(totals), minds)
            raise found from error
        if failed >= 0:  # the same deals in Python say who did what
            again = Players(self.game, self.agents, compiled=False)
            again.play(seatings, seeds, first, totals[: failed + 1].copy())
            names = " or ".join(agent.name for agent in self.agents)
            raise AgentFailure(f"the compiled policy of {names} chose what is not allowed in deal {first + failed}")

    def _play_again_what_fails(
        self, seatings: Sequence[Seating], seeds: Seeds, first: int, deals: int, minds: list[NDArray[np.float64]]
    ) -> None:
        """Play the first deal in which a kernel fails again in Python, which names the line. `minds` as they were."""

        def players() -> Players:
            made = Players(self.game, self.agents, compiled=True)
            made.minds, made.again = [mind.copy() for mind in minds], True
            return made

        def fails(deals: int) -> bool:
            try:
                players().play(seatings, seeds, first, np.zeros((deals, len(self.agents))))
            except AgentFailure:
                return True
            return False

        good = bisect.bisect_left(range(1, deals), True, key=fails)  # deals before it
        again = players()
        again.play(seatings, seeds, first, np.zeros((good, len(self.agents))))
        again.compiled, turn = False, good % len(seatings)
        again.play([*seatings[turn:], *seatings[:turn]], seeds, first + good, np.zeros((1, len(self.agents))))

    def _kernels(self, rules: Rules) -> tuple[Any, Any]:
        """The policies and lessons of the agents as pointers, which compiled loops can be given."""
        if self._pointers is None:
            # The loop itself writes to no mind; who may is settled by the types that each kernel is compiled for.
            (policy_type, lesson_type), (may_write, teaches) = _signatures(rules, False), _signatures(rules, True)
            policies, lessons = [], []
            for agent in self.agents:
                policy, lesson = _policy(agent, self.game), _lesson(agent, self.game)
                assert policy is not None
                with secrets_refused(agent):
                    policies.append(policy.pointer(may_write if agent.learns else policy_type, policy_type))
                lessons.append(lesson.pointer(teaches, lesson_type))
            self._pointers = self._padded(policies), self._padded(lessons)
        return self._pointers

    def _padded(self, things: Sequence[Any]) -> tuple[Any, ...]:
        """Ten of these, so that one compiled loop serves any number of players; two where there are always two."""
        always_two = self.game.seats == 2 and "seats" not in parameters(type(self.game))
        return (*things, *[things[0]] * ((2 if always_two else 10) - len(things)))

    def _scratch(self, rules: Rules) -> table.Scratch:
        return table.Scratch(
            np.zeros(1, rules.state.dtype),
            np.zeros(1, rules.view.dtype),
            np.empty(4, np.uint64),
            np.empty((len(self.agents), 4), np.uint64),
            np.empty(self.game.seats),
            np.array([mind.size > 0 for mind in self.minds], np.int64),
        )

    def _play_in_python(
        self, seatings: Sequence[Seating], seeds: Seeds, first: int, totals: NDArray[np.float64]
    ) -> None:
        dealer, streams = seeds.for_deal(first)
        for deal, (game, order) in zip(range(len(totals)), cycle(seatings)):
            seeds.restart(first + deal, dealer, streams)
            agents, rngs, minds = ([things[i] for i in order] for things in (self.agents, streams, self.minds))
            record, end = played(game, agents, dealer, rngs, minds, self.limit)
            totals[deal, order] += self.reduction.payoffs(end, record.payoffs) if self.reduction else record.payoffs
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
    reduction: Reduction | None = None,
    limit: Limit | None = None,
) -> NDArray[np.float64]:
    """Each agent's payoff in each deal, the mean over the seatings in which it played.

    The record of every game is added to `records`, if that is a list: deal, seating, JSON. With a `reduction`, payoffs
    are without luck.
    """
    totals = np.zeros((deals, len(agents)))
    for seating, order in enumerate(orders):
        with setting_up():
            players = Players(game, agents, compiled, reduction, limit)
            players.warm_up([(game, np.roll(order, shift)) for shift in range(order.size)], seeds, first)
        players.records = [] if records is not None else None
        players.play([(game, order)], seeds, first, totals)
        if records is not None:
            records += [(deal, seating, json.dumps(record.to_dict())) for deal, record in players.records or ()]
    return totals * (len(agents) / orders.size)


def _fresh(agent: Agent) -> Agent:
    with blamed(agent, "to be copied for a unit"):
        made = copy.deepcopy(agent)
        if type(made) is not type(agent):
            raise AgentFailure(f"{agent.name} was copied as {quoted(made)}")
        return made


def _mind(agent: Agent, game: AnyGame) -> Mind:
    with blamed(agent, "to set up its mind"):
        return mind_of(agent, game)


def _signatures(rules: Rules, writes: bool) -> tuple[Any, Any]:
    """The types of a policy and of a lesson for this game, which may or may not write to a mind."""
    from numba import types

    view = numba_type(rules.view)
    mind, rng = types.Array(types.float64, 1, "C", readonly=not writes), types.Array(types.uint64, 1, "C")
    return types.int64(view, mind, rng), types.void(view, types.float64, mind)
