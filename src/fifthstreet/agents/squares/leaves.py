"""Greedy Monte Carlo at the leaves of expectimax, the first of the two searches that the paper leaves to future work.

"Significance of Each Design Component" closes with "a hybrid of the two approaches, e.g. greedy Monte Carlo estimation
at expectimax depth 2". Here expectimax of depth 2 ranks the cells by the evaluation. The best of them are then tried
with the same sampled cards. The first of these cards is where expectimax averages over all: every undealt card takes
its turn, and is placed where the evaluation is highest. From there on greedy Monte Carlo plays to its depth, and the
grid that it reaches is evaluated. The paper leaves open who chooses the second placement: the evaluation does, because
the maximum of several means of few simulations would be their luck.
"""

from typing import ClassVar

import numpy as np

from fifthstreet.agents.squares import lines
from fifthstreet.agents.squares.greedy import corrections_of, expected_scores, values_of
from fifthstreet.agents.squares.lines import WHOLE, Floats, Values
from fifthstreet.agents.squares.searches import (
    Breadth,
    GreedyMonteCarlo,
    Plan,
    Scratch,
    averages,
    new_scratch,
    plan_of,
)
from fifthstreet.games.game import Mind
from fifthstreet.games.poker_squares import CELLS, SquaresView
from fifthstreet.kernel import kernel
from fifthstreet.record import copy_bytes
from fifthstreet.rng import RngState, pick, pick_some

TRIED = 6  # cells that Monte Carlo looks at, those first that expectimax puts first; set by hand


@kernel
def leaves(
    view: SquaresView, plan: Plan, values: Values, sizes: Values, scratch: Scratch, rng: RngState, means: Floats
) -> int:
    """Fill `means` with the mean value of each cell tried, NaN for the others; return the best cell."""
    averaged, played = np.full(CELLS, np.nan), view.placed
    best = averages(view, Breadth(52, CELLS), values, sizes, scratch, rng, averaged)
    means[:] = averaged
    if played + 2 >= CELLS:  # expectimax sees the end of the game
        return best
    position, new = scratch.now[0], scratch.then[0]
    lines.read_grid(view, False, position)
    cells, tried = np.empty(TRIED, np.int64), 0
    means[:] = np.nan
    while tried < TRIED:
        cell = -1
        for other in range(CELLS):
            if not np.isnan(averaged[other]) and (cell < 0 or averaged[other] > averaged[cell]):
                cell = other
        if cell < 0:
            break
        averaged[cell] = np.nan
        if lines.alike(position, cell) == cell:
            cells[tried] = cell
            tried += 1
    cards, firsts = np.empty(52, np.int64), np.empty(52, np.int64)
    count, end = lines.undealt_cards(position, cards), min(played + 2 + plan.depth, CELLS)
    lines.undealt_cards(position, firsts)
    drawn = end - played - 1
    sums, games = np.zeros(TRIED), max(1, int(plan.plies / (tried * drawn)))
    for number in range(games):
        first = pick(rng, firsts, number % count, count)
        pick_some(rng, cards, count, drawn)
        for i in range(count):
            if cards[i] == first:
                cards[i], cards[0] = cards[0], first
        for i in range(tried):
            copy_bytes(position, new, WHOLE)
            lines.place(new, cells[i], view.next_card)
            lines.play_on(new, cards, end, values, sizes, rng)
            sums[i] += lines.value_of(new, end, values, sizes)
    first_best = 0
    for i in range(tried):
        means[cells[i]] = sums[i] / games
        if sums[i] > sums[first_best]:
            first_best = i
    return int(cells[first_best])


@kernel
def by_leaves(view: SquaresView, mind: Mind, rng: RngState) -> int:
    values, sizes, plan = values_of(mind), corrections_of(mind), plan_of(mind, view.placed)
    if plan.plies == 0:
        return expected_scores(view, values, sizes, lines.new_position(), np.empty(CELLS))
    return leaves(view, plan, values, sizes, new_scratch(), rng, np.empty(CELLS))


class ExpectimaxMonteCarlo(GreedyMonteCarlo):
    """Tries the cells that expectimax puts first with every next card, and plays on greedily to a depth."""

    name: ClassVar[str] = "expectimax-monte-carlo"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Significance of Each Design Component"
    plays = by_leaves

    def _simulate(
        self, view: SquaresView, plan: Plan, values: Values, sizes: Values, rng: RngState, means: Floats
    ) -> int:
        return leaves(view, plan, values, sizes, new_scratch(), rng, means)
