"""The five searches of the paper, each over any evaluation.

Two simulate: every free cell is tried, the next cards are placed greedily (of equal cells one at random) until the
depth is reached, and the grid is evaluated; the best mean wins. `greedy-monte-carlo` tries all cells equally often,
`ucb` by UCB1 with its term times 20. They share out `time` over the game evenly, or by a Gaussian curve with mean `b`
and deviation `c`; the first card, for which all cells are alike, and the last get none. Three average over what may
come next, and take the time that they take: `expectimax` over all cards, `chance-sampled` over up to 38 of them,
`action-sampled` over up to 40, and only for the 20 cells that the evaluation puts first.

Time is turned into a number of simulated placements by a speed that is measured once in a process, so that a policy
needs no clock; `plies` sets the number for a whole game itself, and makes results repeatable.
"""

import functools
import math
import time
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.squares.greedy import (
    Name,
    by_cell,
    corrections_of,
    evaluation,
    mind_of,
    points_of,
    promises,
    refuse_evaluation,
    refuse_lessons,
    values_of,
)
from fifthstreet.agents.squares.lines import (
    FACTS,
    LEFT,
    best_cell,
    deal,
    draw_some,
    gains,
    place,
    play_on,
    read_grid,
    sizes_of,
    sizes_with,
    undealt,
    value_of,
)
from fifthstreet.agents.squares.narl import LESSONS
from fifthstreet.errors import InputError, whole
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.games.poker_squares import CELLS, GRID, LINES, NEXT, PLACED, POINTS, SIDE, PokerSquares
from fifthstreet.kernel import kernel
from fifthstreet.rng import stream

# Parameters in the mind of a simulating player: depth, what UCB1's term is multiplied by or 0 for the uniform one, and
# from the third on how many placements to simulate for each card. In that of an averaging one: cards, cells.
DEPTH, TERM, SHARES = 0, 1, 2
CARDS, ACTIONS = 0, 1


@kernel
def simulations(
    view: Any, depth: int, term: float, plies: float, values: Any, sizes: Any, words: Any, means: Any
) -> int:
    """The mean value of each free cell after simulated placements, and the best."""
    lines, left = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64)
    read_grid(view, False, lines, left)
    new_lines, new_left, grid = lines.copy(), left.copy(), np.empty(CELLS, np.int64)
    cards, played, points = np.empty(52, np.int64), view[PLACED], view[POINTS:PLACED]
    count, end = undealt(view, cards), min(played + 1 + depth, CELLS)
    cells, free = np.empty(CELLS, np.int64), 0
    for cell in range(CELLS):
        if view[GRID + cell] < 0:
            cells[free] = cell
            free += 1
    sums, tries = np.zeros(free), np.zeros(free, np.int64)
    wanted = max(free, int(plies / max(1, end - played - 1)))
    for number in range(wanted):
        pick = number % free
        if term > 0 and number >= free:
            most = 0.0
            for i in range(free):
                hope = sums[i] / tries[i] + term * math.sqrt(2 * math.log(number) / tries[i])
                if i == 0 or hope > most:
                    pick, most = i, hope
        new_lines[:], new_left[:], grid[:] = lines, left, view[GRID:]
        cell = cells[pick]
        grid[cell] = view[NEXT]
        place(new_lines, cell, view[NEXT], new_left)
        draw_some(cards, count, end - played - 1, words)
        play_on(grid, new_lines, new_left, cards, played + 1, end, points, values, sizes, words)
        sums[pick] += value_of(end, new_lines, new_left, points, values, sizes)
        tries[pick] += 1
    best = 0
    for i in range(free):
        means[cells[i]] = sums[i] / tries[i]
        if sums[i] / tries[i] > sums[best] / tries[best]:
            best = i
    return cells[best]


@kernel
def averages(view: Any, most_cards: int, most_cells: int, values: Any, sizes: Any, words: Any, means: Any) -> int:
    """The mean over the next card of what the grid promises when that is placed best, and the best cell."""
    played, points = view[PLACED], view[POINTS:PLACED]
    promise = np.full(CELLS, np.nan)
    best = promises(view, values, sizes, promise)
    if played == CELLS - 1:
        means[best] = promise[best]
        return best
    lines, left, gain = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.zeros(LINES)
    read_grid(view, False, lines, left)
    new_lines, new_left, grid = lines.copy(), left.copy(), view[GRID:].copy()
    cards = np.empty(52, np.int64)
    count = undealt(view, cards)
    tried = min(count, most_cards)
    best = -1
    for _ in range(min(CELLS - played, most_cells)):
        cell = -1
        for other in range(CELLS):
            if view[GRID + other] < 0 and not np.isnan(promise[other]) and (cell < 0 or promise[other] > promise[cell]):
                cell = other
        promise[cell] = np.nan
        if tried < count:
            draw_some(cards, count, tried, words)
        grid[cell], total = view[NEXT], 0.0
        for i in range(tried):
            new_lines[:], new_left[:] = lines, left
            place(new_lines, cell, view[NEXT], new_left)
            deal(new_lines, new_left, cards[i])
            gains(played + 1, cards[i], new_lines, new_left, points, values, gain)
            then = best_cell(grid, new_lines, gain, sizes, words[:0])
            total += value_of(played + 2, new_lines, new_left, points, values, sizes[:0])
            total += gain[then // SIDE] + gain[SIDE + then % SIDE]
            if sizes.size > 0:
                total += sizes[sizes_with(sizes_of(new_lines), new_lines, then // SIDE, then % SIDE)]
        grid[cell] = -1
        means[cell] = total / tried
        if best < 0 or means[cell] > means[best]:
            best = cell
    return best


@kernel
def by_simulation(view: Any, mind: Any, words: Any) -> int:
    values, sizes, plies = values_of(mind), corrections_of(mind), mind[SHARES + view[PLACED]]
    if plies == 0:
        return promises(view, values, sizes, np.empty(CELLS))
    return simulations(view, int(mind[DEPTH]), mind[TERM], plies, values, sizes, words, np.empty(CELLS))


@kernel
def by_average(view: Any, mind: Any, words: Any) -> int:
    cards, cells = int(mind[CARDS]), int(mind[ACTIONS])
    return averages(view, cards, cells, values_of(mind), corrections_of(mind), words, np.empty(CELLS))


@functools.cache
def plies_a_second() -> float:
    """How many placements one core simulates in a second, measured once in a process."""
    from fifthstreet.agents.squares.narl import by_score

    game = PokerSquares()
    rng, found = stream(0, "speed"), by_score(game.points)
    data = game.start().data
    data[NEXT], best, plies = 0, 0.0, 50_000
    for _ in range(4):  # the first compiles
        begin = time.perf_counter()
        simulations(data, 5, 0.0, plies, found.values, found.sizes, rng.state, np.empty(CELLS))
        best = max(best, plies / (time.perf_counter() - begin))
    return best


def shares(management: Literal["uniform", "gaussian"], b: float, c: float) -> NDArray[np.float64]:
    """The part of a game's time for each card."""
    cards = np.arange(1, CELLS + 1)
    found = np.zeros(CELLS)
    if management == "gaussian":
        found = -(((cards - b) / c) ** 2) / 2
    found = np.exp(found - found[1:-1].max())  # however narrow the curve is, some card has the most
    found[[0, -1]] = 0
    return np.asarray(found / found.sum())


class _Search(Agent):
    evaluation: Name
    lessons: int

    def __post_init__(self) -> None:
        self.lessons = refuse_lessons(self.lessons)
        refuse_evaluation(self.evaluation)

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        return mind_of(evaluation(self.evaluation, points_of(game), self.lessons), *self._parameters())

    @abstractmethod
    def _parameters(self) -> tuple[float, ...]:
        """What the kernel is told, at the head of the mind."""

    def decide(self, turn: Turn) -> Decision:
        means = np.full(CELLS, np.nan)
        best = self._search(turn, means)
        where = turn.game.label(turn.view, best)
        return Decision(best, by_cell(means), f"{where} leads to {means[best]:.1f} points", {"score": means[best]})

    @abstractmethod
    def _search(self, turn: Turn, means: NDArray[np.float64]) -> int:
        """The best cell, and what was found for each."""


@dataclass
class GreedyMonteCarlo(_Search):
    """Tries every cell equally often and plays on greedily to a depth."""

    name: ClassVar[str] = "greedy-monte-carlo"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Search Algorithms"
    term: ClassVar[float] = 0.0

    evaluation: Name = "narl"
    lessons: int = LESSONS
    time: float = 0.3
    plies: int | None = None
    depth: int = 5
    management: Literal["uniform", "gaussian"] = "uniform"
    b: float = 8.0
    c: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.time <= 3600:
            raise InputError(f"time={self.time!r}: seconds a game, from 0 to 3600")
        if self.plies is not None:
            self.plies = whole(self.plies, "plies", least=0, most=10**12)
        self.depth = whole(self.depth, "depth", least=0, most=CELLS)
        if not abs(self.b) <= 1000:
            raise InputError(f"b={self.b!r}: the mean is a number of cards")
        if not 0.01 <= self.c <= 1000:
            raise InputError(f"c={self.c!r}: the deviation is a number of cards from 0.01 to 1000")

    def _parameters(self) -> tuple[float, ...]:
        plies = self.time * plies_a_second() if self.plies is None else self.plies
        return (self.depth, self.term, *plies * shares(self.management, self.b, self.c))

    def _search(self, turn: Turn, means: NDArray[np.float64]) -> int:
        data, mind = turn.view.data, turn.mind
        values, sizes, plies = values_of(mind), corrections_of(mind), mind[SHARES + data[PLACED]]
        if plies == 0:
            return promises(data, values, sizes, means)
        return simulations(data, self.depth, self.term, plies, values, sizes, turn.rng.state, means)

    def policy(self, game: AnyGame) -> Policy | None:
        return by_simulation


@dataclass
class Ucb(GreedyMonteCarlo):
    """The same, but tries the cells that look best more often."""

    name: ClassVar[str] = "ucb"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    term: ClassVar[float] = 20.0


@dataclass
class Expectimax(_Search):
    """Averages over every next card, placed best."""

    name: ClassVar[str] = "expectimax"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Search Algorithms"

    evaluation: Name = "narl"
    lessons: int = LESSONS

    def _parameters(self) -> tuple[float, ...]:
        return (52, CELLS)

    def _search(self, turn: Turn, means: NDArray[np.float64]) -> int:
        cards, cells = (int(given) for given in self._parameters())
        values, sizes = values_of(turn.mind), corrections_of(turn.mind)
        return averages(turn.view.data, cards, cells, values, sizes, turn.rng.state, means)

    def policy(self, game: AnyGame) -> Policy | None:
        return by_average


@dataclass
class ChanceSampled(Expectimax):
    """Averages over some of the cards that may come next."""

    name: ClassVar[str] = "chance-sampled"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)

    cards: int = 38

    def __post_init__(self) -> None:
        super().__post_init__()
        self.cards = whole(self.cards, "cards", least=1, most=52)

    def _parameters(self) -> tuple[float, ...]:
        return (self.cards, CELLS)


@dataclass
class ActionSampled(ChanceSampled):
    """The same for the cells that the evaluation puts first."""

    name: ClassVar[str] = "action-sampled"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)

    cards: int = 40
    cells: int = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        self.cells = whole(self.cells, "cells", least=1, most=CELLS)

    def _parameters(self) -> tuple[float, ...]:
        return (self.cards, self.cells)
