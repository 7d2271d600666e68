"""What a player who knew all 25 cards would score: a ceiling for every player of Poker Squares.

Simulated annealing: two cards of a full grid change places, always if that scores as much or more, otherwise with a
probability that falls as the grid cools. Several grids are cooled for each deal and the best is kept, so the result is
a lower bound of the true ceiling; more `steps` show how near it is.
"""

from collections.abc import Sequence

import numpy as np

from fifthstreet.agents.squares import lines
from fifthstreet.agents.squares.lines import Floats, Numbers, Position
from fifthstreet.games.poker_squares import CELLS, LINES, SIDE, cell_of
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order
from fifthstreet.rng import RngState, below, pick_some, seeded, uniform

STARTS = 8  # grids for each deal
HOT, COLD = 0.3, 0.005  # first and last temperature, as parts of the widest difference of two hands; set by hand


@kernel
def line_score(position: Position, grid: Numbers, i: int) -> float:
    """The points of row or column `i` of a full grid; `position` is memory to work in."""
    line = position.lines[i]
    lines.clear_line(line)
    for j in range(SIDE):
        lines.put(position, line, grid[cell_of(i, j)])
    return lines.score_of(position, line)


@kernel(changes="position")
def anneal(position: Position, cards: Numbers, steps: int, rng: RngState) -> float:
    """The best score found for these cards with the points of `position`, in which it works."""
    scores, new, most = np.empty(LINES), np.empty(4), -1e9
    low, high = position.points[0], position.points[0]
    for points in position.points:
        low, high = min(low, points), max(high, points)
    width = max(1.0, high - low)
    cooling = (COLD / HOT) ** (1.0 / steps)
    for _ in range(STARTS):
        grid = cards[:CELLS].copy()
        pick_some(rng, grid, CELLS, CELLS - 1)
        total, heat = 0.0, HOT * width
        for i in range(LINES):
            scores[i] = line_score(position, grid, i)
            total += scores[i]
        for _ in range(steps):
            a, b = below(rng, CELLS), below(rng, CELLS - 1)
            b += b >= a
            grid[a], grid[b] = grid[b], grid[a]
            touched = (a // SIDE, b // SIDE, SIDE + a % SIDE, SIDE + b % SIDE)
            gain = 0.0
            for k in range(4):
                i = touched[k]
                new[k] = line_score(position, grid, i)
                if k % 2 == 0 or i != touched[k - 1]:
                    gain += new[k] - scores[i]
            if gain >= 0 or uniform(rng) < np.exp(gain / heat):
                for k in range(4):
                    scores[touched[k]] = new[k]
                total += gain
                most = max(most, total)
            else:
                grid[a], grid[b] = grid[b], grid[a]
            heat *= cooling
        most = max(most, total)
    return most


def ceilings(points: tuple[int, ...], deals: Sequence[Sequence[int]], steps: int = 100_000, seed: int = 0) -> Floats:
    """The best score found for each deal, each a row of 25 cards or more."""

    def solve(number: int) -> float:
        cards, rng = np.array(deals[number], np.int64), seeded(seed, "clairvoyant", number)
        return anneal(lines.empty_grid(points), cards, steps, rng)

    return np.array(list(in_order(solve, range(len(deals)))))
