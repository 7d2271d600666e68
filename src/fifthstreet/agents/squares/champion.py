"""A player of Poker Squares: cards sampled and placed by learned values, and the last four cells by counting.

It prepares for a point system by learning what lines are worth to the whole grid (`temporal`); then a network learns
what such values of single lines leave out (`crossings`). In the game every cell is tried with the same sampled cards:
five are placed greedily by the values of the lines, and the network says what the grid is worth then. (Placed by the
network itself, cards would end up where it errs most in their favour: that is slower, and plays no better.) Its word on
the grid as it is counts as some more samples, since few samples say less. After each part of them the worse half of the
cells is dropped. Empty rows are alike, and so are empty columns, so that only the first of them is tried. With four
free cells or fewer, every order of the cards to come is counted.

Time a game is turned into a number of simulated placements by a speed that is measured once in a process, so that a
policy needs no clock; `plies` sets the number for a card itself, and makes results repeatable. With none, the card goes
where the network's word is highest.
"""

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache, rng
from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.squares import crossings, narl, temporal
from fifthstreet.agents.squares.crossings import WIDTH, correction, promised, rooms
from fifthstreet.agents.squares.greedy import by_cell, points_of, refuse_lessons
from fifthstreet.agents.squares.lines import (
    ABSTRACTIONS,
    FACTS,
    LEFT,
    alike,
    category_of_line,
    category_with,
    draw_some,
    place,
    play_on,
    read_grid,
    undealt,
    value_of,
)
from fifthstreet.errors import InputError, whole
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.games.poker_squares import CELLS, GRID, LINES, NEXT, PLACED, POINTS, SIDE, PokerSquares
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order

# In the mind, two numbers in each place: the values of lines by which sampled cards are placed, those which the network
# goes with, and its weights. Before them, how many placements to simulate for a card.
PLIES, PLACING, PROMISED, NETWORK = 0, 1, 1 + ABSTRACTIONS // 2, 1 + ABSTRACTIONS
PRIOR = 30.0  # samples that the network's word at once is worth
NEAR = 5  # cards placed before the network's word
COUNTED = 4  # free cells from which on everything is counted
TRIED = CELLS - COUNTED - 1  # cards for which others are sampled: not the first, and not when all is counted
LESSONS = 250_000  # games that the network learns from, unless told otherwise
LINE_LESSONS = 16  # games that lines learn from before, for each of these
LUCKY = 40  # of those, for each that lines learn from without luck
TRIALS = 30_000  # games by which both are compared, at the most


@kernel
def spread(lines: Any, view: Any, means: Any) -> None:
    """Give every free cell what was found for the first that is like it."""
    for cell in range(CELLS):
        if view[GRID + cell] < 0:
            means[cell] = means[alike(lines, cell)]


@kernel
def placing_in(mind: Any) -> Any:
    return mind[PLACING:PROMISED].view(np.float32)


@kernel
def promised_in(mind: Any) -> Any:
    return mind[PROMISED:NETWORK].view(np.float32)


@kernel
def network_in(mind: Any) -> Any:
    return mind[NETWORK:].view(np.float32).reshape((-1, WIDTH))


@kernel
def at_once(view: Any, values: Any, weights: Any, out: Any) -> int:
    """What the grid promises with the drawn card in each free cell by the network's word, and the best of them."""
    lines, left = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64)
    read_grid(view, True, lines, left)
    points, grid = view[POINTS:PLACED], view[GRID:].copy()
    best = promised(view[PLACED], view[NEXT], grid, lines, left, points, values, weights, rooms(), out)
    spread(lines, view, out)
    return best


@kernel
def rollouts(view: Any, plies: float, placing: Any, values: Any, weights: Any, words: Any, means: Any) -> int:
    """Play on with sampled cards; the mean score that is then promised by cell, and the best."""
    lines, left = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64)
    read_grid(view, True, lines, left)
    new_lines, new_left, grid = lines.copy(), left.copy(), np.empty(CELLS, np.int64)
    cards, played, points = np.empty(52, np.int64), view[PLACED], view[POINTS:PLACED]
    count, room, promise = undealt(view, cards), rooms(), np.empty(CELLS)
    end, none = min(played + 1 + NEAR, CELLS), placing[:0]
    drawn = end - played - 1
    at_once(view, values, weights, promise)
    cells, scores, alive = np.empty(CELLS, np.int64), np.empty(CELLS), 0
    for cell in range(CELLS):
        if view[GRID + cell] < 0 and alike(lines, cell) == cell:
            cells[alive], scores[alive] = cell, PRIOR * promise[cell]
            alive += 1
    if alive == 1:  # the first card, or the last: there is nothing to try
        means[cells[0]] = promise[cells[0]]
        spread(lines, view, means)
        return cells[0]
    stages, games, left_over = 1, PRIOR, alive
    while left_over > 2:
        left_over = (left_over + 1) // 2
        stages += 1
    for stage in range(stages):
        some = max(1, int(plies / max(1, drawn) / stages / alive))
        for _ in range(some):
            draw_some(cards, count, drawn, words)
            for i in range(alive):
                new_lines[:], new_left[:], grid[:] = lines, left, view[GRID:]
                grid[cells[i]] = view[NEXT]
                place(new_lines, cells[i], view[NEXT], new_left)
                play_on(grid, new_lines, new_left, cards, played + 1, end, points, placing, none, words[:0])
                scores[i] += value_of(end, new_lines, new_left, points, values, none)
                if end < CELLS:
                    scores[i] += correction(end, grid, new_lines, new_left, weights, room)
        games += some
        for i in range(alive):
            means[cells[i]] = scores[i] / games
        keep = (alive + 1) // 2 if stage < stages - 1 else 1
        while alive > keep:
            worst = 0
            for i in range(1, alive):
                if scores[i] < scores[worst]:
                    worst = i
            alive -= 1
            for i in range(worst, alive):
                cells[i], scores[i] = cells[i + 1], scores[i + 1]
    spread(lines, view, means)
    return cells[0]


@kernel
def one_left(lines: Any, cell: int, cards: Any, count: int, points: Any) -> float:
    """The mean final score when one of these cards goes into the last cell."""
    row, column, total, others = cell // SIDE, SIDE + cell % SIDE, 0, 0
    for i in range(count):
        total += points[category_with(lines[row], cards[i])] + points[category_with(lines[column], cards[i])]
    for i in range(LINES):
        if i != row and i != column:
            others += points[category_of_line(lines[i])]
    return others + total / count


@kernel
def swap_out(cards: Any, i: int, last: int) -> int:
    """Put one of the cards behind the others."""
    cards[i], cards[last] = cards[last], cards[i]
    return cards[last]


@kernel
def two_left(lines: Any, left: Any, first: int, second: int, cards: Any, count: int, points: Any, room: Any) -> float:
    """The mean final score of best play with two free cells."""
    total = 0.0
    for i in range(count):
        card = swap_out(cards, i, count - 1)
        room[:] = lines
        place(room, first, card, left)
        best = one_left(room, second, cards, count - 1, points)
        room[:] = lines
        place(room, second, card, left)
        total += max(best, one_left(room, first, cards, count - 1, points))
        swap_out(cards, i, count - 1)
    return total / count


@kernel
def three_left(lines: Any, left: Any, cells: Any, skip: int, cards: Any, count: int, points: Any, rooms: Any) -> float:
    """The mean final score of best play with three free cells: these, but for one."""
    total = 0.0
    for i in range(count):
        card = swap_out(cards, i, count - 1)
        best = -np.inf
        for a in range(4):
            if a == skip:
                continue
            b = 0 if skip != 0 and a != 0 else 1 if skip != 1 and a != 1 else 2
            c = 6 - skip - a - b
            rooms[1][:] = lines
            place(rooms[1], cells[a], card, left)
            best = max(best, two_left(rooms[1], left, cells[b], cells[c], cards, count - 1, points, rooms[2]))
        total += best
        swap_out(cards, i, count - 1)
    return total / count


@kernel
def counted(view: Any, means: Any) -> int:
    """The expected final score by cell under best play, with four free cells or fewer, and the best."""
    lines, left = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64)
    read_grid(view, False, lines, left)
    cards, points, rooms = np.empty(52, np.int64), view[POINTS:PLACED], np.zeros((3, LINES, FACTS), np.int64)
    count, free, cells = undealt(view, cards), 0, np.empty(CELLS, np.int64)
    for cell in range(CELLS):
        if view[GRID + cell] < 0:
            cells[free] = cell
            free += 1
    best = cells[0]
    for a in range(free):
        new = rooms[0]
        new[:] = lines
        place(new, cells[a], view[NEXT], left)
        if free == 1:
            value = value_of(CELLS, new, left, points, np.empty(0, np.float32), np.empty(0, np.float32))
        elif free == 2:
            value = one_left(new, cells[1 - a], cards, count, points)
        elif free == 3:
            value = two_left(new, left, cells[(a + 1) % 3], cells[(a + 2) % 3], cards, count, points, rooms[2])
        else:
            value = three_left(new, left, cells, a, cards, count, points, rooms)
        means[cells[a]] = value
        if value > means[best]:
            best = cells[a]
    return best


@kernel
def counted_further(view: Any, means: Any) -> int:
    """The same with one free cell more: what players lose there can be told exactly, but it takes half a second."""
    data, cards, then, best = view.copy(), np.empty(52, np.int64), np.empty(CELLS), -1
    count = undealt(view, cards)
    data[PLACED] += 1
    for cell in range(CELLS):
        if view[GRID + cell] >= 0:
            continue
        data[GRID + cell], total = view[NEXT], 0.0
        for i in range(count):
            data[NEXT] = cards[i]
            total += then[counted(data, then)]
        data[GRID + cell], means[cell] = -1, total / count
        if best < 0 or means[cell] > means[best]:
            best = cell
    return best


@kernel
def champion(view: Any, mind: Any, words: Any) -> int:
    if mind[PLIES] == 0:
        return at_once(view, promised_in(mind), network_in(mind), np.empty(CELLS))
    if view[PLACED] >= CELLS - COUNTED:
        return counted(view, np.empty(CELLS))
    placing, values, weights = placing_in(mind), promised_in(mind), network_in(mind)
    return rollouts(view, mind[PLIES], placing, values, weights, words, np.empty(CELLS))


@dataclass
class SquaresChampion(Agent):
    """Tries every cell with sampled cards, by what it learned for the point system; counts the last cells."""

    name: ClassVar[str] = "champion"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)

    time: float = 1.0
    plies: int | None = None
    lessons: int = LESSONS

    def __post_init__(self) -> None:
        if not 0 <= self.time <= 3600:
            raise InputError(f"time={self.time!r}: seconds a game, from 0 to 3600")
        if self.plies is not None:
            self.plies = whole(self.plies, "plies", least=0, most=10**12)
        self.lessons = refuse_lessons(self.lessons)

    def decide(self, turn: Turn) -> Decision:
        data, mind, words, means = turn.view.data, turn.mind, turn.rng.state, np.full(CELLS, np.nan)
        placing, values, weights = placing_in(mind), promised_in(mind), network_in(mind)
        if mind[PLIES] == 0:
            best, how = at_once(data, values, weights, means), "promises"
        elif data[PLACED] >= CELLS - COUNTED:
            best, how = counted(data, means), "is worth, with best play to the end,"
        else:
            best = rollouts(data, mind[PLIES], placing, values, weights, words, means)
            how = "promises, with more cards placed,"
        reason = f"{turn.game.label(turn.view, best)} {how} {means[best]:.1f} points"
        return Decision(best, by_cell(means), reason, {"score": float(means[best])})

    def policy(self, game: AnyGame) -> Policy | None:
        return champion

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        found, plies = prepared(points_of(game), self.lessons), self.plies
        if plies is None:
            plies = int(self.time * _plies_a_second(points_of(game), self.lessons) / TRIED)
        parts = (found.placing, found.values, found.network.reshape(-1))
        return np.concatenate([[plies], *(part.view(np.float64) for part in parts)])


class Prepared(NamedTuple):
    """What was learned for a point system."""

    placing: NDArray[np.float32]  # values of lines that stand alone
    values: NDArray[np.float32]  # values of lines that go with the network
    network: NDArray[np.float32]


@functools.lru_cache(maxsize=16)
def prepared(points: tuple[int, ...], lessons: int) -> Prepared:
    """Values of lines, and the network with its own values if that plays better than lines alone; learned once."""
    name = "-".join(map(str, ("squares-champion", *points, lessons)))

    def compute() -> dict[str, Any]:
        cache.announce(f"preparing for Poker Squares with {' '.join(map(str, points))}, once")
        games, trials = LINE_LESSONS * lessons, min(TRIALS, lessons)
        placing = temporal.self_taught(points, games, -(-games // LUCKY))
        alone = greedy_scores(points, placing, trials)
        values, network = crossings.self_taught(points, placing, float(alone.std()), lessons)
        if not network_scores(points, values, network, trials).mean() > alone.mean():  # nor if it is no number
            values, network = placing, np.zeros_like(network)
        return {"placing": placing, "values": values, "network": network}

    return Prepared(**cache.arrays(__file__, name, compute))


def greedy_scores(points: tuple[int, ...], values: NDArray[np.float32], trials: int) -> NDArray[np.float64]:
    """The scores of greedy play by lines alone."""
    none = np.zeros(0, np.float32)

    def play(given: NDArray[np.float64], decks: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
        narl.greedy_games(given, values, none, True, decks, scores)

    return _scores(points, play, trials)


def network_scores(
    points: tuple[int, ...], values: NDArray[np.float32], network: NDArray[np.float32], trials: int
) -> NDArray[np.float64]:
    """The scores of play by the network's word, with the same cards."""

    def play(given: NDArray[np.float64], decks: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
        crossings.greedy_games(given, values, network, decks, scores)

    return _scores(points, play, trials)


def _scores(points: tuple[int, ...], play: Callable[..., None], trials: int) -> NDArray[np.float64]:
    scores, given = np.empty(trials), np.array(points, np.float64)
    decks = np.random.default_rng(0).permuted(np.tile(np.arange(52), (trials, 1)), axis=1)
    halves = [slice(0, trials // 2), slice(trials // 2, trials)]
    list(in_order(lambda part: play(given, decks[part], scores[part]), halves))
    return scores


@functools.cache
def _plies_a_second(points: tuple[int, ...], lessons: int) -> float:
    """How many placements one core simulates in a second of a game, measured once in a process."""
    plies, stages = 20_000, (3, 7, 11, 15, 19)
    stream, found = rng.stream(0, "speed"), prepared(points, lessons)
    grids = []
    for placed in stages:
        data = PokerSquares(system=" ".join(map(str, points))).start().data
        for i in range(placed):
            data[GRID + 6 * i % CELLS] = 2 * i
        data[NEXT], data[PLACED] = 51, placed
        grids.append(data)
    fastest = np.inf
    for _ in range(4):  # the first compiles
        begin = time.thread_time()
        for data in grids:
            rollouts(data, plies, *found, stream.state, np.empty(CELLS))
        fastest = min(fastest, time.thread_time() - begin)
    return len(stages) * plies / fastest
