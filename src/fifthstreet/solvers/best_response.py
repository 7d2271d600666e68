"""How much a perfect opponent wins against a strategy, and how: exact, from the whole tree."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError
from fifthstreet.games.game import OVER
from fifthstreet.kernel import kernel
from fifthstreet.solvers.tree import Floats, Numbers, Tree


class Order(NamedTuple):
    """For one player, the nodes in the order in which a best response is found: from its last decisions to its first.

    A node's level is how many decisions the player has made before it. Nodes of a level are in reverse order, so that
    children come before their parents, and an information set is decided when its level is done.
    """

    nodes: Numbers
    level_end: Numbers  # by level, from the last: where it ends in `nodes`
    sets: Numbers  # the player's information sets, from the last level
    set_end: Numbers  # by level, from the last: where it ends in `sets`


def order_of(tree: Tree, seat: int) -> Order:
    """The order for a player; an InputError if the player forgets decisions of its own."""
    levels = np.zeros(tree.nodes, np.int32)
    _levels(tree, seat, levels)
    own = np.flatnonzero(tree.owner == seat).astype(np.int32)
    of_set = levels[tree.node]
    decides = tree.actor == seat
    if (levels[decides] != of_set[tree.information_set[decides]]).any():
        raise InputError("a player of this game forgets its own decisions, so there is no exact best response")
    last = int(levels.max(initial=0))
    by_node = np.lexsort((-np.arange(tree.nodes), -levels)).astype(np.int32)
    by_set = own[np.argsort(-of_set[own], kind="stable")]
    down = np.arange(last, -1, -1)
    level_end = np.searchsorted(-levels[by_node], -down, side="right").astype(np.int32)
    set_end = np.searchsorted(-of_set[by_set], -down, side="right").astype(np.int32)
    return Order(by_node, level_end, by_set.astype(np.int32), set_end)


@kernel
def _levels(tree: Tree, seat: int, levels: Numbers) -> None:
    for node in range(1, tree.parent.size):
        parent = tree.parent[node]
        levels[node] = levels[parent] + (tree.actor[parent] == seat)


class Scratch(NamedTuple):
    """Memory for a best response."""

    reach: Floats  # by node: the probability that chance and the opponent play there
    value: Floats  # by node: the player's payoff, times that probability
    worth: Floats  # by place in a strategy: the same for each action
    best: Numbers  # by information set: the best action

    @classmethod
    def of(cls, tree: Tree) -> "Scratch":
        by_set = np.zeros(tree.information_sets, np.int32)
        return cls(np.zeros(tree.nodes), np.zeros(tree.nodes), np.zeros(len(tree.action)), by_set)


@kernel(allocates=False)
def respond(tree: Tree, seat: int, strategy: Floats, order: Order, scratch: Scratch) -> float:
    """What the best response of a seat to a strategy wins; it is written to scratch.best."""
    reach, value, worth, best = scratch.reach, scratch.value, scratch.worth, scratch.best
    sign = 1.0 if seat == 0 else -1.0
    reach[0] = 1.0
    for node in range(1, tree.parent.size):
        parent = tree.parent[node]
        probability = tree.chance[node]
        if tree.edge[node] >= 0 and tree.actor[parent] != seat:
            probability = strategy[tree.edge[node]]
        reach[node] = reach[parent] * probability
    for node in range(tree.parent.size):
        value[node] = sign * reach[node] * tree.payoff[node] if tree.actor[node] == OVER else 0.0
    worth[:] = 0.0
    i, j = 0, 0
    for level in range(order.level_end.size):
        while j < order.set_end[level]:  # the information sets of this level: their worth is known from the level below
            number = order.sets[j]
            chosen = tree.start[number]
            for place in range(tree.start[number] + 1, tree.start[number + 1]):
                if worth[place] > worth[chosen]:
                    chosen = place
            best[number] = chosen - tree.start[number]
            j += 1
        while i < order.level_end[level]:
            node = order.nodes[i]
            if tree.actor[node] == seat:
                number = tree.information_set[node]
                value[node] = value[tree.child[tree.children[node] + best[number]]]
            parent = tree.parent[node]
            if parent >= 0:
                if tree.actor[parent] == seat:
                    worth[tree.edge[node]] += value[node]
                else:
                    value[parent] += value[node]
            i += 1
    return value[0]


@kernel(allocates=False)
def play_out(tree: Tree, strategy: Floats, value: Floats) -> float:
    """What the first seat wins if both play the strategy."""
    for node in range(tree.parent.size):
        value[node] = tree.payoff[node] if tree.actor[node] == OVER else 0.0
    for node in range(tree.parent.size - 1, 0, -1):
        probability = strategy[tree.edge[node]] if tree.edge[node] >= 0 else tree.chance[node]
        value[tree.parent[node]] += probability * value[node]
    return value[0]


class Judge:
    """Values and best responses of strategies in one game."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.orders = order_of(tree, 0), order_of(tree, 1)
        self._scratch = Scratch.of(tree)

    def value(self, strategy: Floats) -> float:
        """What the first seat wins if both play the strategy."""
        return play_out(self.tree, strategy, self._scratch.value)

    def best_response(self, seat: int, strategy: Floats) -> tuple[float, NDArray[np.int32]]:
        """What a perfect player wins in this seat against the strategy, and its choice in each information set."""
        won = respond(self.tree, seat, strategy, self.orders[seat], self._scratch)
        return won, self._scratch.best.copy()

    def worth(self) -> Floats:
        """What each action of the last best response was worth, times the probability to get there."""
        return self._scratch.worth.copy()

    def exploitability(self, strategy: Floats) -> float:
        """The mean of what a perfect opponent wins more than the strategy itself does, over both seats.

        In a zero-sum game it is half the sum of what the two best responses win.
        """
        return sum(self.best_response(seat, strategy)[0] for seat in (0, 1)) / 2
