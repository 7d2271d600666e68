"""What is the same at every table, written once: factories that turn the rules of a game into loops.

Each factory takes rule kernels and returns a kernel closed over them, compiled for that game.
"""

from typing import Any, Final, NamedTuple, NewType

import numpy as np
from numpy.typing import NDArray

from fifthstreet.kernel import Kernel, factory, kernel
from fifthstreet.record import copy_bytes
from fifthstreet.rng import RngState, below, below_32, fork

Seat = NewType("Seat", int)
CHANCE: Final = Seat(-1)
OVER: Final = -2  # what a kernel answers to "who acts?" when the game has ended

Mind = NDArray[np.float64]
"""An agent's parameters and memory, one row of numbers."""

Policy = Kernel[[Any, Mind, RngState], int]
"""A compiled agent: from a view, its parameters and memory, and its random numbers to an action."""

Lesson = Kernel[[Any, float, Mind], None]
"""How a compiled agent learns from a finished game: from its last view and its payoff into its memory."""

Adjustment = Kernel[[Any, NDArray[np.float32], NDArray[np.float64]], None]
"""Changes the payoffs of a finished state, e.g. by what was luck: state, what it knows of the game, payoffs."""


@kernel
def two_choices(table: Any) -> int:
    """The number of choices where it is always two, like pass and bet."""
    return 2


@kernel
def numbered(table: Any, i: int) -> int:
    """The i-th choice where choices are numbered from 0 and all are always allowed."""
    return i


@kernel
def no_lesson(view: Any, payoff: float, mind: Any) -> None:
    """For agents that learn nothing."""


@kernel(allocates=False)
def no_adjustment(state: Any, knowledge: Any, payoffs: Any) -> None:
    """For payoffs as the rules give them."""


@factory
def uniform_policy(choice_count: Any, choice: Any) -> Policy:
    """The policy that takes every legal action with the same probability."""

    @kernel
    def any_choice(view: Any, mind: Any, rng: Any) -> int:
        return choice(view, below(rng, choice_count(view)))

    return any_choice


@factory
def listed(to_act: Any, chance_count: Any, chance: Any, choice_count: Any, choice: Any) -> Kernel[..., bool]:
    """Whether an action is legal, for games with few choices: it is one of those listed."""

    @kernel
    def allowed(state: Any, action: int) -> bool:
        seat, found = to_act(state), False
        if seat == CHANCE:
            for i in range(chance_count(state)):
                found |= chance(state, i) == action
        elif seat != OVER:
            for i in range(choice_count(state)):
                found |= choice(state, i) == action
        return found

    return allowed


@factory
def checked_step(allowed: Any, apply: Any, size: int) -> Kernel[..., bool]:
    """Fill `out` with the state that follows from an action; False if the action is not legal."""

    @kernel(changes="out")
    def step(state: Any, action: int, out: Any) -> bool:
        if not allowed(state, action):
            return False
        copy_bytes(state, out, size)
        apply(out, action)
        return True

    return step


@factory
def chance_dealer(to_act: Any, chance_count: Any, chance: Any, apply: Any, size: int) -> Kernel[..., int]:
    """Fill `out` with the state after chance has acted until a seat must; write what it chose to `actions`.

    Returns how many choices it made, at most as many as there is room for.
    """

    @kernel(changes="out")
    def deal(state: Any, rng: Any, out: Any, actions: Any) -> int:
        copy_bytes(state, out, size)
        count = 0
        while count < actions.size and to_act(out) == CHANCE:
            actions[count] = chance(out, below_32(rng, chance_count(out)))
            apply(out, actions[count])
            count += 1
        return count

    return deal


class Players(NamedTuple):
    """The agents at a compiled table, in tuples of one length so that one loop serves any number of them."""

    policies: Any  # kernels as pointers
    lessons: Any
    minds: Any  # parameters and memories, one row each
    rngs: RngState  # the parent of each agent's random numbers


class Scratch(NamedTuple):
    """Memory that a compiled loop works in, since kernels do not make records."""

    states: Any  # arrays with one record
    views: Any
    dealer: RngState
    rngs: RngState
    payoffs: NDArray[np.float64]
    learning: NDArray[np.int64]  # 1 for each agent that learns from a deal


@kernel
def decide(players: Any, agent: int, view: Any, rngs: Any) -> int:
    return players.policies[agent](view, players.minds[agent], rngs[agent])


@kernel
def learn(players: Any, agent: int, view: Any, payoff: float) -> None:
    players.lessons[agent](view, payoff, players.minds[agent])


class Brains(NamedTuple):
    """How a loop asks and teaches the agents: kernels on `players`, whatever that is, and the number of an agent."""

    decide: Kernel[..., int]
    learn: Kernel[..., None]


BY_POINTER = Brains(decide, learn)  # for `Players`


@factory
def deal_player(
    to_act: Any,
    chance_count: Any,
    chance: Any,
    allowed: Any,
    apply: Any,
    observe: Any,
    payoffs: Any,
    start_size: int,
    decide: Any,
    learn: Any,
) -> Kernel[..., bool]:
    """The loop that plays one deal among compiled agents; `arena.play` is its readable twin.

    `start_size` is how many bytes of a starting state have to be copied.
    """

    @kernel(allocates=False)
    def play_deal(start: Any, order: Any, players: Any, scratch: Any) -> bool:
        """Play a deal from this start; agent order[i] sits in seat i. False if an agent chose an illegal action."""
        state, view = scratch.states[0], scratch.views[0]
        copy_bytes(start, state, start_size)
        seat = to_act(state)
        while seat != OVER:
            if seat == CHANCE:
                apply(state, chance(state, below_32(scratch.dealer, chance_count(state))))
            else:
                agent = order[seat]
                observe(state, seat, view)
                action = decide(players, agent, view, scratch.rngs)
                if not allowed(state, action):
                    return False
                apply(state, action)
            seat = to_act(state)
        payoffs(state, scratch.payoffs)
        for seat in range(order.size):
            agent = order[seat]
            if scratch.learning[agent]:
                observe(state, seat, view)
                learn(players, agent, view, scratch.payoffs[seat])
        return True

    return play_deal


@factory
def deal_loop(play_deal: Any, adjust: Any) -> Kernel[..., int]:
    """The loop that plays many deals, from one seating after the other."""

    @kernel(allocates=adjust.allocates)
    def play_deals(
        starts: Any, orders: Any, players: Any, dealer: Any, knowledge: Any, first: int, totals: Any, scratch: Any
    ) -> int:
        """Play a deal for each row of `totals` and add each agent's payoff there.

        Deal after deal takes the next seating, a row of `starts` and `orders`. Returns −1, or the row in which an agent
        chose an illegal action.
        """
        for deal in range(totals.shape[0]):
            fork(dealer, first + deal, scratch.dealer)
            for agent in range(totals.shape[1]):
                fork(players.rngs[agent], first + deal, scratch.rngs[agent])
            seating = deal % orders.shape[0]
            order = orders[seating]
            if not play_deal(starts[seating], order, players, scratch):
                return deal
            adjust(scratch.states[0], knowledge, scratch.payoffs)
            for seat in range(order.size):
                totals[deal, order[seat]] += scratch.payoffs[seat]
        return -1

    return play_deals
