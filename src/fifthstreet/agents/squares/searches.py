"""The five searches of the paper, each over any evaluation.

Two simulate: every free cell is tried, the next cards are placed greedily (of equal cells one at random) until the
depth is reached, and the grid is evaluated; the best mean wins. `greedy-monte-carlo` tries all cells equally often,
`ucb` by UCB1 with its term times 20. They share out `time` over the game evenly, or by a Gaussian curve with mean `b`
and deviation `c`; the first card, for which all cells are alike, and the last get none. Three average over the next
card, without a time limit: `expectimax` over all cards, `chance-sampled` over up to 38 of them, `action-sampled` over
up to 40, and only for the 20 cells that the evaluation puts first.

Time, the processor time of one core, is turned into a number of simulated placements by a speed that is measured once
in a process, so that a policy needs no clock; `plies` gives the number for a whole game instead, and makes results
repeatable. The paper gives every player 30 seconds a game, here it is 0.3.
"""

import functools
import math
import time
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from fifthstreet.agents.agent import Decision, Turn
from fifthstreet.agents.squares import greedy, lines
from fifthstreet.agents.squares.greedy import Evaluating, corrections_of, expected_scores, values_of
from fifthstreet.agents.squares.lines import WHOLE, Floats, Positions, Values
from fifthstreet.agents.squares.narl import by_score
from fifthstreet.errors import InputError, whole
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.point_systems import AMERICAN
from fifthstreet.games.poker_squares import CELLS, SIDE, Cell, SquaresView
from fifthstreet.kernel import kernel
from fifthstreet.record import copy_bytes
from fifthstreet.rng import RngState, pick_some, stream

# Parameters in the mind of a simulating player: depth, the factor of UCB1's term, and from the third on how many
# placements to simulate for each card. In that of an averaging one: the most cards and cells.
DEPTH, TERM, SHARES = 0, 1, 2
CARDS, ACTIONS = 0, 1


class Plan(NamedTuple):
    """How a simulating player searches."""

    depth: int  # cards placed after the next one
    term: float  # what UCB1's term is multiplied by, 0 to try all cells equally often
    plies: float  # placements to simulate


class Scratch(NamedTuple):
    """Memory to work in: the position as it is, and another to try things in."""

    now: Positions
    then: Positions


@kernel
def new_scratch() -> Scratch:
    return Scratch(lines.new_position(), lines.new_position())


@kernel
def simulations(
    view: SquaresView, plan: Plan, values: Values, sizes: Values, scratch: Scratch, rng: RngState, means: Floats
) -> int:
    """Fill `means` with the mean value of each free cell over simulated placements; return the best cell."""
    position, new = scratch.now[0], scratch.then[0]
    lines.read_grid(view, False, position)
    cards, played = np.empty(52, np.int64), view.placed
    count, end = lines.undealt_cards(position, cards), min(played + 1 + plan.depth, CELLS)
    cells, free = np.empty(CELLS, np.int64), 0
    for cell in range(CELLS):
        if view.grid[cell] < 0:
            cells[free] = cell
            free += 1
    sums, tries = np.zeros(free), np.zeros(free, np.int64)
    wanted = max(free, int(plan.plies / max(1, end - played - 1)))
    for number in range(wanted):
        pick = number % free
        if plan.term > 0 and number >= free:
            most = 0.0
            for i in range(free):
                hope = sums[i] / tries[i] + plan.term * math.sqrt(2 * math.log(number) / tries[i])
                if i == 0 or hope > most:
                    pick, most = i, hope
        copy_bytes(position, new, WHOLE)
        lines.place(new, cells[pick], view.next_card)
        pick_some(rng, cards, count, end - played - 1)
        lines.play_on(new, cards, end, values, sizes, rng)
        sums[pick] += lines.value_of(new, end, values, sizes)
        tries[pick] += 1
    best = 0
    for i in range(free):
        means[cells[i]] = sums[i] / tries[i]
        if sums[i] / tries[i] > sums[best] / tries[best]:
            best = i
    return int(cells[best])


class Breadth(NamedTuple):
    """How much an averaging player looks at."""

    cards: int  # next cards, at most
    cells: int  # cells, at most, those first that the evaluation puts first


@kernel
def averages(
    view: SquaresView, breadth: Breadth, values: Values, sizes: Values, scratch: Scratch, rng: RngState, means: Floats
) -> int:
    """Fill `means` with the expected score of each cell tried, a mean over next cards placed best; return the best."""
    position, new, played = scratch.now[0], scratch.then[0], view.placed
    expected = np.full(CELLS, np.nan)
    best = expected_scores(view, values, sizes, scratch.now, expected)
    if played == CELLS - 1:
        means[best] = expected[best]
        return best
    cards = np.empty(52, np.int64)
    count = lines.undealt_cards(position, cards)
    tried = min(count, breadth.cards)
    best = -1
    for _ in range(min(CELLS - played, breadth.cells)):
        cell = -1
        for other in range(CELLS):
            if not np.isnan(expected[other]) and (cell < 0 or expected[other] > expected[cell]):
                cell = other
        expected[cell] = np.nan
        if tried < count:
            pick_some(rng, cards, count, tried)
        total = 0.0
        for i in range(tried):
            copy_bytes(position, new, WHOLE)
            lines.place(new, cell, view.next_card)
            lines.deal(new, cards[i])
            lines.gains(new, cards[i], values)
            then = lines.best_cell(new, sizes, rng[:0])
            total += lines.value_of(new, played + 2, values, sizes[:0])
            total += new.gain[then // SIDE] + new.gain[SIDE + then % SIDE]
            if sizes.size > 0:
                total += sizes[lines.sizes_with(new, lines.sizes_of(new), then // SIDE, then % SIDE)]
        means[cell] = total / tried
        if best < 0 or means[cell] > means[best]:
            best = cell
    return best


@kernel
def plan_of(mind: Mind, placed: int) -> Plan:
    """What a simulating player does for its next card."""
    return Plan(int(mind[DEPTH]), mind[TERM], mind[SHARES + placed])


@kernel
def by_simulation(view: SquaresView, mind: Mind, rng: RngState) -> int:
    values, sizes, plan = values_of(mind), corrections_of(mind), plan_of(mind, view.placed)
    if plan.plies == 0:
        return expected_scores(view, values, sizes, lines.new_position(), np.empty(CELLS))
    return simulations(view, plan, values, sizes, new_scratch(), rng, np.empty(CELLS))


@kernel
def by_average(view: SquaresView, mind: Mind, rng: RngState) -> int:
    values, sizes, breadth = values_of(mind), corrections_of(mind), Breadth(int(mind[CARDS]), int(mind[ACTIONS]))
    return averages(view, breadth, values, sizes, new_scratch(), rng, np.empty(CELLS))


@functools.cache
def plies_a_second() -> float:
    """How many placements one core simulates in a second, measured once in a process."""
    view, plan = SquaresView.filled(AMERICAN, {}, 0), Plan(5, 0.0, 50_000.0)
    rng, (values, sizes), best = stream(0, "speed").state, by_score(AMERICAN), 0.0
    for _ in range(4):  # the first compiles
        begin = time.thread_time()
        simulations(view, plan, values, sizes, new_scratch(), rng, np.empty(CELLS))
        best = max(best, plan.plies / max(time.thread_time() - begin, 1e-9))
    return best


def shares(management: Literal["uniform", "gaussian"], b: float, c: float) -> Floats:
    """The share of a game's time for each card."""
    cards = np.arange(1, CELLS + 1)
    found = np.zeros(CELLS)
    if management == "gaussian":
        found = -(((cards - b) / c) ** 2) / 2
    found = np.exp(found - found[1:-1].max())  # however narrow the curve is, some card has the most
    found[[0, -1]] = 0
    return np.asarray(found / found.sum())


@dataclass
class Search(Evaluating):
    """A player who searches with one of the paper's evaluations."""

    def mind(self, game: AnyGame) -> Mind:
        return self.mind_with(game, *self._parameters())

    @abstractmethod
    def _parameters(self) -> tuple[float, ...]:
        """The parameters of the kernel, at the head of the mind."""

    def decide(self, turn: Turn[SquaresView]) -> Decision:
        means = np.full(CELLS, np.nan)
        best = self._search(turn, means)
        score = float(means[best])
        return Decision(best, greedy.by_cell(means), f"{Cell(best)} averages {score:.1f} points", {"score": score})

    @abstractmethod
    def _search(self, turn: Turn[SquaresView], means: Floats) -> int:
        """Fill `means` with what was found for each cell; return the best cell."""


@dataclass
class GreedyMonteCarlo(Search):
    """Tries every cell equally often and plays on greedily to a depth."""

    name: ClassVar[str] = "greedy-monte-carlo"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Search Algorithms"
    plays = by_simulation
    term: ClassVar[float] = 0.0

    time: float = 0.3
    plies: int | None = None
    depth: int = 5
    management: Literal["uniform", "gaussian"] = "uniform"
    b: float = 8.0
    c: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.plies = greedy.refuse_effort(self.time, self.plies)
        self.depth = whole(self.depth, "depth", least=0, most=CELLS)
        if not abs(self.b) <= 1000:
            raise InputError(f"b={self.b!r}: the mean is a number of cards")
        if not 0.01 <= self.c <= 1000:
            raise InputError(f"c={self.c!r}: the deviation is a number of cards from 0.01 to 1000")

    def effort(self, game: AnyGame) -> str:
        return f"{int(self.time * plies_a_second()):,} placements a game" if self.plies is None else ""

    def _parameters(self) -> tuple[float, ...]:
        plies = self.time * plies_a_second() if self.plies is None else self.plies
        return (self.depth, self.term, *plies * shares(self.management, self.b, self.c))

    def _search(self, turn: Turn[SquaresView], means: Floats) -> int:
        view, mind = turn.view, turn.mind
        values, sizes, plan = values_of(mind), corrections_of(mind), plan_of(mind, view.placed)
        if plan.plies == 0:
            return expected_scores(view, values, sizes, lines.new_position(), means)
        return self._simulate(view, plan, values, sizes, turn.rng.state, means)

    def _simulate(
        self, view: SquaresView, plan: Plan, values: Values, sizes: Values, rng: RngState, means: Floats
    ) -> int:
        """Fill `means` from simulated placements; return the best cell."""
        return simulations(view, plan, values, sizes, new_scratch(), rng, means)


class Ucb(GreedyMonteCarlo):
    """Tries the cells that look best more often, and plays on greedily to a depth."""

    name: ClassVar[str] = "ucb"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    term: ClassVar[float] = 20.0


@dataclass
class Expectimax(Search):
    """Averages over every next card, placed where it is best."""

    name: ClassVar[str] = "expectimax"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Search Algorithms"
    plays = by_average

    def _parameters(self) -> tuple[float, ...]:
        return (52, CELLS)

    def _search(self, turn: Turn[SquaresView], means: Floats) -> int:
        breadth = Breadth(*(int(given) for given in self._parameters()))
        values, sizes = values_of(turn.mind), corrections_of(turn.mind)
        return averages(turn.view, breadth, values, sizes, new_scratch(), turn.rng.state, means)


@dataclass
class ChanceSampled(Expectimax):
    """Averages over a sample of the next cards."""

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
    """Averages over a sample of the next cards, for the cells that the evaluation puts first."""

    name: ClassVar[str] = "action-sampled"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)

    cards: int = 40
    cells: int = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        self.cells = whole(self.cells, "cells", least=1, most=CELLS)

    def _parameters(self) -> tuple[float, ...]:
        return (self.cards, self.cells)
