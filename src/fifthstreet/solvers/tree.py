"""A game for two as a tree in flat arrays, made from its rules alone.

Nodes are numbered in the order in which a walk reaches them, so a parent comes before its children: one loop forwards
carries probabilities down the tree, one loop backwards carries values up. The strategies of both players together are
one row of probabilities, a stretch of it for each information set.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError
from fifthstreet.games.game import CHANCE, OVER, AnyGame, Rules
from fifthstreet.kernel import Kernel, factory, kernel
from fifthstreet.record import Record, bytes_of, copy_bytes, records
from fifthstreet.rng import stream
from fifthstreet.solvers.information import Bytes, InformationSets, number_of

MOST_NODES = 20_000_000
MOST_MOVES = 512  # from the start to the end of a game, chance included

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]


class Tree(NamedTuple):
    """Every history of a game."""

    # by node
    parent: Numbers  # −1 for the root
    actor: NDArray[np.int8]  # the seat that acts, CHANCE or OVER
    edge: Numbers  # where the probability of the action that leads here stands in a strategy; −1 after chance
    chance: Floats  # the probability of the choice of chance that leads here, 1 after a player's action
    payoff: Floats  # what the first seat wins, where the game is over
    information_set: Numbers  # −1 where no player acts
    children: Numbers  # where the node's children begin in `child`
    child: Numbers  # (nodes,) the children of each node, in the order of its choices
    # by information set
    owner: NDArray[np.int8]  # the seat
    start: Numbers  # (information sets + 1,) where its actions begin in a strategy
    node: Numbers  # one of its nodes
    # by place in a strategy
    action: NDArray[np.int64]

    @property
    def nodes(self) -> int:
        return len(self.parent)

    @property
    def information_sets(self) -> int:
        return len(self.owner)


@dataclass(frozen=True)
class Views(Sequence[Any]):
    """Views by number, made from their bytes when they are asked for."""

    rows: Bytes
    kind: type[Record]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: Any) -> Any:
        return self.kind(self.rows[number].tobytes())


class Expanded(NamedTuple):
    """A tree, and the view that each of its information sets is."""

    tree: Tree
    views: Sequence[Any]


def expand(game: AnyGame, most_nodes: int = MOST_NODES) -> Expanded:
    """The whole tree of a game; an InputError if it is not a zero-sum game for two, or too large."""
    if game.seats != 2:
        raise InputError(f"{game.name} has {game.seats} seats, and only games for two players can be solved")
    walked = _walk_compiled(game, game.rules, most_nodes) if game.rules else _walk_in_python(game, most_nodes)
    tree = _joined(walked)
    if not np.isfinite(tree.payoff[tree.actor == OVER]).all():
        raise _not_zero_sum(game)
    return Expanded(tree, walked.views)


def estimated_size(game: AnyGame, games: int = 200) -> float:
    """About how many positions a game has, from random games (Knuth, 1975): the mean sum of products of choices.

    An InputError if one of these games does not end, or is not zero-sum.
    """
    rng, total = stream(0, "tree size"), 0.0
    for _ in range(games):
        state, weight, moves = game.start(), 1.0, 0
        total += weight
        while game.to_act(state) is not None and moves < MOST_MOVES:
            choices = game.choices(state)
            weight *= len(choices)
            total += weight
            state, moves = game.after(state, choices[rng.below(len(choices))]), moves + 1
        if game.to_act(state) is not None:
            raise _too_long(game)
        if not abs(sum(game.payoffs(state))) < 1e-9:
            raise _not_zero_sum(game)
    return total / games


class TooLarge(InputError):
    """A game has too many positions to be solved exactly."""


def _not_zero_sum(game: AnyGame) -> InputError:
    return InputError(f"{game.name} is not zero-sum: what the two players win does not add up to 0")


def _too_large(game: AnyGame, most_nodes: int) -> TooLarge:
    size = estimated_size(game)
    words = f"{size:,.0f}" if size < 1e9 else f"10^{math.log10(size):.0f}"
    return TooLarge(
        f"{game.name} has about {words} positions, and at most {most_nodes:,} can be solved exactly: give it smaller "
        "parameters, or use a method that samples"
    )


def _too_long(game: AnyGame) -> InputError:
    return InputError(
        f"a game of {game.name} can have more than {MOST_MOVES} moves, or never ends: it cannot be solved"
    )


class Walk(NamedTuple):
    """What a walk through a tree writes down."""

    # by node
    parent: Numbers
    actor: NDArray[np.int8]
    step: Numbers  # which of its parent's choices leads here
    chance: Floats
    payoff: Floats  # nan where the payoffs do not add up to 0
    information_set: Numbers
    children: Numbers
    # by place in `child`
    child: Numbers
    action: NDArray[np.int64]
    # by information set
    node: Numbers
    choices: Numbers  # how many actions it has

    @classmethod
    def of_size(cls, nodes: int) -> "Walk":
        def numbers() -> Numbers:
            return np.zeros(nodes, np.int32)

        floats, actions = np.zeros(nodes), np.zeros(nodes, np.int64)
        by_node = numbers() - 1, np.zeros(nodes, np.int8), numbers(), floats + 1, floats, numbers() - 1, numbers()
        return cls(*by_node, numbers(), actions, numbers(), numbers())


class Walked(NamedTuple):
    walk: Walk  # with room for more than there is
    nodes: int
    views: Sequence[Any]


def _joined(walked: Walked) -> Tree:
    walk, nodes, sets = walked.walk, walked.nodes, len(walked.views)
    parent, actor, number = walk.parent[:nodes], walk.actor[:nodes], walk.information_set[:nodes]
    start = np.concatenate([[0], walk.choices[:sets].cumsum()]).astype(np.int32)
    edge = np.where(actor[parent] >= 0, start[number[parent]] + walk.step[:nodes], -1).astype(np.int32)
    edge[0] = -1
    place = np.arange(start[-1]) - np.repeat(start[:-1], walk.choices[:sets])
    action = walk.action[np.repeat(walk.children[walk.node[:sets]], walk.choices[:sets]) + place]
    return Tree(
        parent,
        actor,
        edge,
        walk.chance[:nodes],
        walk.payoff[:nodes],
        number,
        walk.children[:nodes],
        walk.child[: max(nodes - 1, 0)],
        actor[walk.node[:sets]],
        start,
        walk.node[:sets],
        action,
    )


# With compiled rules.


@factory
def walker(
    to_act: Any,
    chance_count: Any,
    chance: Any,
    choice_count: Any,
    choice: Any,
    apply: Any,
    observe: Any,
    payoffs: Any,
    state_size: int,
) -> Kernel[..., int]:
    """A walk through the whole tree of a game.

    It returns the number of nodes, TOO_MANY if there is no room for all, or TOO_LONG if a game has too many moves.
    """

    @kernel(allocates=False)
    def walk(states: Any, views: Any, view_bytes: Any, pay: Any, path: Any, out: Any, known: Any) -> int:
        """Fill `out`. `states` are the positions from the root to where the walk is, the first of them the start.

        path[depth] is the node there, the number of its choices, and how many of them were walked.
        """
        nodes, used, depth, new = 0, 0, 0, True
        while depth >= 0:
            state = states[depth]
            if new:
                if nodes == out.parent.size:
                    return TOO_MANY
                node, actor, count = nodes, to_act(state), 0
                nodes += 1
                out.actor[node], out.children[node] = actor, used
                if depth > 0:
                    parent, step = path[depth - 1, 0], path[depth - 1, 2] - 1
                    out.parent[node], out.step[node] = parent, step
                    out.child[out.children[parent] + step] = node
                    if out.actor[parent] == CHANCE:
                        out.chance[node] = 1.0 / path[depth - 1, 1]
                if actor == OVER:
                    payoffs(state, pay)
                    out.payoff[node] = pay[0] if abs(pay[0] + pay[1]) < 1e-9 else np.nan
                elif actor == CHANCE:
                    count = chance_count(state)
                else:
                    count = choice_count(state)
                    view_bytes[:] = 0  # what a view leaves out must not differ
                    observe(state, actor, views[0])
                    number = number_of(view_bytes, known)
                    if number < 0:
                        return TOO_MANY
                    out.information_set[node], out.node[number], out.choices[number] = number, node, count
                used += count
                if used > out.child.size:
                    return TOO_MANY
                path[depth, 0], path[depth, 1], path[depth, 2] = node, count, 0
            node, step = path[depth, 0], path[depth, 2]
            new = step < path[depth, 1]
            if not new:
                depth -= 1
                continue
            if depth + 1 == len(states):
                return TOO_LONG
            action = chance(state, step) if out.actor[node] == CHANCE else choice(state, step)
            out.action[out.children[node] + step] = action
            copy_bytes(state, states[depth + 1], state_size)
            apply(states[depth + 1], action)
            path[depth, 2] = step + 1
            depth += 1
        return nodes

    return walk


TOO_MANY, TOO_LONG = -1, -2
_FIRST_SIZE = 1 << 16
_MOST_VIEW_BYTES = 2**31
_FAR_TOO_LARGE = 100  # a tree that is estimated to be this many times too large is not walked at all


def _walk_compiled(game: AnyGame, rules: Rules, most_nodes: int) -> Walked:
    listing = rules.to_act, rules.chance_count, rules.chance, rules.choice_count, rules.choice
    walk = walker(*listing, rules.apply, rules.observe, rules.payoffs, rules.state.size)
    states, views = records(rules.state, MOST_MOVES, game.start()), records(rules.view, 1)
    path, first = np.zeros((MOST_MOVES, 3), np.int64), min(_FIRST_SIZE, most_nodes)
    size = first
    while True:
        sets = min(size, _MOST_VIEW_BYTES // rules.view.size)
        out, known = Walk.of_size(size), InformationSets.for_most(sets, rules.view.size)
        nodes = walk(states, views, bytes_of(views), np.zeros(2), path, out, known)
        if nodes == TOO_LONG:
            raise _too_long(game)
        if nodes != TOO_MANY:
            return Walked(out, nodes, Views(known.views[: known.used[0]], rules.view))
        if size == most_nodes or sets < size:
            raise _too_large(game, most_nodes)
        if size == first and estimated_size(game) > _FAR_TOO_LARGE * most_nodes:
            raise _too_large(game, most_nodes)
        size = min(8 * size, most_nodes)


# The same in plain Python: for games without compiled rules, and to check the walk above.


def _walk_in_python(game: AnyGame, most_nodes: int) -> Walked:
    numbers: dict[Any, int] = {}
    out, used = Walk.of_size(min(_FIRST_SIZE, most_nodes)), 0
    waiting = [(game.start(), -1, 0, 1.0, 0)]  # the position, its parent, the step, its chance, the moves so far
    nodes = 0
    while waiting:
        state, parent, step, chance, moves = waiting.pop()
        if moves == MOST_MOVES:
            raise _too_long(game)
        if nodes == len(out.parent):
            if nodes == most_nodes:
                raise _too_large(game, most_nodes)
            out = Walk(*(np.concatenate([old, new]) for old, new in zip(out, Walk.of_size(nodes), strict=True)))
        node, actor = nodes, game.to_act(state)
        nodes += 1
        out.parent[node], out.step[node], out.chance[node], out.children[node] = parent, step, chance, used
        out.actor[node] = OVER if actor is None else actor
        if parent >= 0:
            out.child[out.children[parent] + step] = node
        if actor is None:
            first, second = game.payoffs(state)
            out.payoff[node] = first if abs(first + second) < 1e-9 else np.nan
            continue
        choices = list(game.choices(state))
        if actor != CHANCE:
            number = out.information_set[node] = numbers.setdefault(game.view(state, actor), len(numbers))
            out.node[number], out.choices[number] = node, len(choices)
        if used + len(choices) > most_nodes:
            raise _too_large(game, most_nodes)
        while used + len(choices) > len(out.child):
            out = Walk(*(np.concatenate([old, new]) for old, new in zip(out, Walk.of_size(nodes), strict=True)))
        out.action[used : used + len(choices)] = choices
        used += len(choices)
        chance = 1 / len(choices) if actor == CHANCE else 1.0
        for step in reversed(range(len(choices))):
            waiting.append((game.after(state, choices[step]), node, step, chance, moves + 1))
    return Walked(out, nodes, tuple(numbers))
