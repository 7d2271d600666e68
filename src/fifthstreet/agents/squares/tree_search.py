"""Monte Carlo tree search with chance nodes, the second of the searches that the paper leaves to future work.

"Significance of Each Design Component" names "the application of a Monte Carlo Tree Search algorithm (Browne et al.
2012)" and no details. This is UCT: the tree alternates between placements and cards. A simulation goes down by UCB1,
with cards drawn at random; the first grid and card that it has not met before become a node; from there cards are
placed greedily until as many have come as in the paper's Monte Carlo players, and the evaluation judges the grid. All
simulations end after the same number of cards, because the sum of learned values falls as the grid fills up.

Every cell of a node starts with the evaluation's opinion, which counts as some simulations: without it all cells would
have to be tried at every node, and few nodes are met that often. UCB1's term is multiplied by the standard deviation of
what simulations found, so that it does not depend on the point system, as the paper's factor of 20 does.
"""

import math
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.squares import lines
from fifthstreet.agents.squares.greedy import corrections_of, expected_scores, scores_by_cell, values_of
from fifthstreet.agents.squares.lines import WHOLE, Floats, Position, Values
from fifthstreet.agents.squares.searches import GreedyMonteCarlo, Plan, Scratch, new_scratch, plan_of
from fifthstreet.games.game import Mind
from fifthstreet.games.poker_squares import CELLS, SquaresView
from fifthstreet.kernel import kernel
from fifthstreet.record import copy_bytes
from fifthstreet.rng import RngState, pick_some

OPINION = 8.0  # simulations that the evaluation's opinion of a cell counts for; set by hand, as `term` below

Ints = NDArray[np.int32]


class Tree(NamedTuple):
    """Nodes: a grid and a card to place; the first is the root. What is known of the cells has a column for each."""

    opinions: Floats  # what the evaluation says, −∞ for cells that are full or like an earlier one
    sums: Floats  # what simulations found, added up
    visits: Ints
    children: Ints  # the first node that follows the placement, −1 if there is none
    siblings: Ints  # by node: another that follows the same placement with another card, or −1
    cards: Ints  # by node: its card


@kernel
def new_tree(nodes: int) -> Tree:
    by_cell = (nodes, CELLS)
    return Tree(
        np.full(by_cell, -np.inf),
        np.zeros(by_cell),
        np.zeros(by_cell, np.int32),
        np.full(by_cell, -1, np.int32),
        np.full(nodes, -1, np.int32),
        np.zeros(nodes, np.int32),
    )


@kernel(changes="position")
def grow(tree: Tree, node: int, position: Position, card: int, values: Values, sizes: Values) -> None:
    """Make a new node of a grid and its dealt card."""
    tree.cards[node] = card
    opinions = tree.opinions[node]
    lines.gains(position, card, values)
    scores_by_cell(position, values, sizes, opinions)
    for cell in range(CELLS):
        if position.grid[cell] < 0 and lines.alike(position, cell) != cell:
            opinions[cell] = -np.inf


@kernel
def most_promising(tree: Tree, node: int, factor: float) -> int:
    """The cell that UCB1 chooses, with its term multiplied by this factor."""
    best, most, tries = -1, -np.inf, 1
    for cell in range(CELLS):
        tries += tree.visits[node, cell]
    for cell in range(CELLS):
        if tree.opinions[node, cell] == -np.inf:
            continue
        weight = OPINION + tree.visits[node, cell]
        hope = mean_of(tree, node, cell) + factor * math.sqrt(2 * math.log(tries) / weight)
        if best < 0 or hope > most:
            best, most = cell, hope
    return best


@kernel
def mean_of(tree: Tree, node: int, cell: int) -> float:
    """The mean of what simulations found for a cell, and the evaluation's opinion of it."""
    total = OPINION * tree.opinions[node, cell] + tree.sums[node, cell]
    return total / (OPINION + tree.visits[node, cell])


@kernel
def child_with(tree: Tree, node: int, cell: int, card: int) -> int:
    """The node after this placement and card, −1 if there is none yet."""
    child = tree.children[node, cell]
    while child >= 0 and tree.cards[child] != card:
        child = tree.siblings[child]
    return int(child)


@kernel
def tree_search(
    view: SquaresView, plan: Plan, values: Values, sizes: Values, scratch: Scratch, rng: RngState, means: Floats
) -> int:
    """Fill `means` with the mean value of each free cell, and return the one that was tried most often."""
    position, new, left = scratch.now[0], scratch.then[0], CELLS - view.placed
    lines.read_grid(view, False, position)
    cards = np.empty(52, np.int64)
    count = lines.undealt_cards(position, cards)
    tree = new_tree(2 + int(plan.plies / min(left, plan.depth + 1)))
    nodes, used = 1, 0
    grow(tree, 0, position, view.next_card, values, sizes)
    passed, end = np.zeros((CELLS, 2), np.int64), min(view.placed + 1 + plan.depth, CELLS)
    games, centre, squares = 0, 0.0, 0.0  # of all simulations: their number, mean, and squared distances from it
    while used < plan.plies and nodes < len(tree.cards):
        copy_bytes(position, new, WHOLE)
        pick_some(rng, cards, count, left - 1)
        node, card, steps = 0, view.next_card, 0
        factor = plan.term * math.sqrt(squares / games) if games > 0 else 0.0
        while True:
            cell = most_promising(tree, node, factor)
            passed[steps, 0], passed[steps, 1] = node, cell
            lines.place(new, cell, card)
            steps += 1
            if new.played == CELLS:
                break
            card = cards[steps - 1]
            lines.deal(new, card)
            child = child_with(tree, node, cell, card)
            if child < 0:
                grow(tree, nodes, new, card, values, sizes)
                tree.siblings[nodes], tree.children[node, cell] = tree.children[node, cell], nodes
                nodes += 1
                lines.place(new, lines.best_cell(new, sizes, rng), card)
                lines.play_on(new, cards[steps:], max(end, new.played), values, sizes, rng)
                break
            node = child
        found = lines.value_of(new, new.played, values, sizes)
        used += new.played - view.placed
        games += 1
        change = found - centre
        centre += change / games
        squares += change * (found - centre)
        for step in range(steps):
            tree.visits[passed[step, 0], passed[step, 1]] += 1
            tree.sums[passed[step, 0], passed[step, 1]] += found
    best = -1
    for cell in range(CELLS):
        if position.grid[cell] < 0:
            first = lines.alike(position, cell)
            means[cell] = mean_of(tree, 0, first)
            if best < 0 or tree.visits[0, first] > tree.visits[0, best]:
                best = first
    return best


@kernel
def by_tree(view: SquaresView, mind: Mind, rng: RngState) -> int:
    values, sizes, plan = values_of(mind), corrections_of(mind), plan_of(mind, view.placed)
    if plan.plies == 0:
        return expected_scores(view, values, sizes, lines.new_position(), np.empty(CELLS))
    return tree_search(view, plan, values, sizes, new_scratch(), rng, np.empty(CELLS))


class TreeSearch(GreedyMonteCarlo):
    """Searches a tree of placements and cards, deepest where it promises most, and plays on greedily to a depth."""

    name: ClassVar[str] = "mcts"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Significance of Each Design Component"
    plays = by_tree
    term: ClassVar[float] = 2.0

    def _simulate(
        self, view: SquaresView, plan: Plan, values: Values, sizes: Values, rng: RngState, means: Floats
    ) -> int:
        return tree_search(view, plan, values, sizes, new_scratch(), rng, means)
