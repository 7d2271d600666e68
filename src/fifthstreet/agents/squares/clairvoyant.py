"""What a player who knew all 25 cards would score: a ceiling for every player of Poker Squares.

Simulated annealing: two cards of a full grid change places, always if that scores as much or more, else with a
probability that falls as the grid cools. Several grids are cooled for each deal, and the best is kept, so what is found
is a lower bound of the true ceiling; more `steps` show how near it is.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.squares.lines import FACTS, LEFT, category_of_line, put
from fifthstreet.games.poker_squares import CELLS, LINES, SIDE, cell_of
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order
from fifthstreet.rng import below, seeded, uniform

STARTS, HOT, COLD = 8, 0.3, 0.005  # grids a deal; temperatures, as parts of the widest difference of two hands


@kernel
def line_score(grid: Any, i: int, points: Any, line: Any, left: Any) -> float:
    line[:] = 0
    for j in range(SIDE):
        put(line, grid[cell_of(i, j)], left)
    return points[category_of_line(line)]


@kernel
def anneal(cards: Any, points: Any, steps: int, words: Any) -> float:
    """The best score found for these cards."""
    line, left = np.zeros(FACTS, np.int64), np.zeros(LEFT, np.int64)
    scores, new, most = np.empty(LINES), np.empty(4), -1e9
    width = max(1.0, points.max() - points.min())
    cooling = (COLD / HOT) ** (1.0 / steps)
    for _ in range(STARTS):
        grid = cards[:CELLS].copy()
        for i in range(CELLS - 1):
            other = i + below(words, CELLS - i)
            grid[i], grid[other] = grid[other], grid[i]
        total, heat = 0.0, HOT * width
        for i in range(LINES):
            scores[i] = line_score(grid, i, points, line, left)
            total += scores[i]
        for _ in range(steps):
            a, b = below(words, CELLS), below(words, CELLS - 1)
            b += b >= a
            grid[a], grid[b] = grid[b], grid[a]
            touched = (a // SIDE, b // SIDE, SIDE + a % SIDE, SIDE + b % SIDE)
            gain = 0.0
            for k in range(4):
                i = touched[k]
                new[k] = line_score(grid, i, points, line, left)
                if k % 2 == 0 or i != touched[k - 1]:
                    gain += new[k] - scores[i]
            if gain >= 0 or uniform(words) < np.exp(gain / heat):
                for k in range(4):
                    scores[touched[k]] = new[k]
                total += gain
                most = max(most, total)
            else:
                grid[a], grid[b] = grid[b], grid[a]
            heat *= cooling
        most = max(most, total)
    return most


def ceilings(points: tuple[int, ...], deals: Any, steps: int = 100_000, seed: int = 0) -> NDArray[np.float64]:
    """The best score found for each deal, each a row of 25 cards or more."""
    given = np.array(points, np.float64)

    def solve(number: int) -> float:
        return anneal(np.array(deals[number], np.int64), given, steps, seeded(seed, "clairvoyant", number))

    return np.array(list(in_order(solve, range(len(deals)))))
