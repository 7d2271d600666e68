"""Naïve abstract reinforcement learning: the value of every abstraction of a line, learned from games for its points.

On-policy Monte Carlo (Neller, Messinger and Yang 2015): a game is played greedily by the values so far, except that
with probability ε a card goes anywhere; then every abstraction that any line passed through moves its mean towards what
that line scored in the end. ε falls by the factor δ with each game. With `sizes`, the distribution of the lines' sizes
learns the mean difference between the final score and what the lines promised.

An abstraction that was never met is worth what the line scores so far. Two learners start each round from the same
values and play games of their own, and their means are joined, so that the result does not depend on the number of
cores; rounds grow with what is known.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache, rng
from fifthstreet.agents.squares import lines as lines_module
from fifthstreet.agents.squares.lines import (
    FACTS,
    LEFT,
    PATTERN,
    SIZE,
    SIZES,
    WEIGHT,
    best_cell,
    category_of_line,
    deal,
    draw,
    gains,
    no_cards,
    number_of,
    place,
    play_on,
    put,
    sizes_of,
    stage_of,
    value_of,
)
from fifthstreet.games.poker_squares import CELLS, LINES, SIDE
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order
from fifthstreet.rng import below, uniform

DECAY = 0.999975  # δ
LEARNERS = 2
LESSONS = 300_000  # games, unless told otherwise; more of them do not always play better

Array = NDArray[Any]


class Evaluation(NamedTuple):
    """What lines are worth by abstraction, and corrections by the distribution of their sizes, or none."""

    values: NDArray[np.float32]
    sizes: NDArray[np.float32]


@kernel
def any_cell(grid: Any, free: int, words: Any) -> int:
    """One of the free cells of a grid."""
    pick, cell = below(words, free), 0
    while grid[cell] >= 0 or pick > 0:
        pick -= grid[cell] < 0
        cell += 1
    return cell


@kernel
def place_next(
    played: int,
    deck: Any,
    explored: float,
    grid: Any,
    lines: Any,
    left: Any,
    points: Any,
    values: Any,
    sizes: Any,
    gain: Any,
    numbers: Any,
    words: Any,
) -> bool:
    """Draw a card and put it where it adds most, or anywhere: whether that; and the numbers of the lines after it."""
    card = draw(deck, played, len(deck), words)
    deal(lines, left, card)
    anywhere = uniform(words) < explored
    if anywhere:
        cell = any_cell(grid, CELLS - played, words)
    else:
        gains(played, card, lines, left, points, values, gain)
        cell = best_cell(grid, lines, gain, sizes, words[:0])
    grid[cell] = card
    place(lines, cell, card, left)
    number_lines(played + 1, lines, left, numbers)
    return anywhere


@kernel
def number_lines(played: int, lines: Any, left: Any, numbers: Any) -> None:
    """Write down the number of each line's abstraction, −1 for a full line."""
    for i in range(LINES):
        full = lines[i, SIZE] == SIDE
        numbers[i] = -1 if full else number_of(stage_of(played, i), lines[i], left)


@kernel
def learn(
    points: Any,
    values: Any,
    counts: Any,
    sizes: Any,
    size_counts: Any,
    games: int,
    explored: float,
    words: Any,
) -> None:
    lines, left = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64)
    passed, promised = np.zeros((CELLS, LINES), np.int64), np.zeros(CELLS)
    distribution = np.zeros(CELLS, np.int64)
    grid, deck, gain = np.zeros(CELLS, np.int64), np.arange(52), np.zeros(LINES)
    scores = np.zeros(LINES)
    for _ in range(games):
        no_cards(lines, left, False)
        grid[:] = -1
        for played in range(CELLS):
            now = passed[played]
            place_next(played, deck, explored, grid, lines, left, points, values, sizes, gain, now, words)
            if sizes.size > 0:
                distribution[played] = sizes_of(lines)
                promised[played] = value_of(played + 1, lines, left, points, values, sizes[:0])
        total = 0.0
        for i in range(LINES):
            scores[i] = points[category_of_line(lines[i])]
            total += scores[i]
        for played in range(CELLS):
            for i in range(LINES):
                number = passed[played, i]
                if number >= 0:
                    counts[number] += 1
                    values[number] += (scores[i] - values[number]) / counts[number]
            if sizes.size > 0:
                number = distribution[played]
                size_counts[number] += 1
                sizes[number] += (total - promised[played] - sizes[number]) / size_counts[number]
        explored *= DECAY**LEARNERS  # the others play too


@kernel
def greedy_games(points: Any, values: Any, sizes: Any, fine: bool, decks: Any, scores: Any) -> None:
    """The score of greedy play on each of these orders of cards."""
    lines, left, grid = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.zeros(CELLS, np.int64)
    nothing = np.empty(0, np.uint64)
    for game in range(decks.shape[0]):
        no_cards(lines, left, fine)
        grid[:] = -1
        play_on(grid, lines, left, decks[game], 0, CELLS, points, values, sizes, nothing)
        scores[game] = value_of(CELLS, lines, left, points, values, sizes[:0])


@functools.lru_cache(maxsize=16)
def by_score(points: tuple[int, ...]) -> Evaluation:
    """What every line scores so far, as an evaluation."""
    # A pattern says how many cards there are of each rank, so any hand of the pattern will do.
    by_pattern = np.full(lines_module.PATTERNS, float(points[0]))
    left = np.zeros(LEFT, np.int64)
    for counts in ((), (1,), (1, 1), (2,), (1, 1, 1), (2, 1), (3,), (1, 1, 1, 1), (2, 1, 1), (2, 2), (3, 1), (4,)):
        line = np.zeros(FACTS, np.int64)
        for rank, count in enumerate(counts):
            for suit in range(count):
                put(line, 4 * rank + suit, left)
        for total in _totals(counts):
            by_pattern[PATTERN[total]] = points[category_of_line(line)]
    whole = np.broadcast_to(by_pattern[:, None], (2 * (CELLS + 1), len(by_pattern), lines_module.REST))
    return Evaluation(np.ascontiguousarray(whole.reshape(-1), np.float32), np.zeros(0, np.float32))


def _totals(counts: tuple[int, ...]) -> set[int]:
    """The sums of weights of these counts by rank, whatever is undealt of each."""
    found = {0}
    for count in counts:
        found = {total + int(WEIGHT[8 * count + undealt]) for total in found for undealt in range(5 - count)}
    return found


@functools.lru_cache(maxsize=32)
def learned(points: tuple[int, ...], explored: float, sizes: bool, lessons: int, seed: int = 0) -> Evaluation:
    """The evaluation after this many games, learned once and kept."""
    name = "-".join(map(str, ("squares", *points, explored, int(sizes), lessons, seed)))

    def compute() -> dict[str, Array]:
        cache.announce(f"learning Poker Squares for {' '.join(map(str, points))} from {lessons:,} games, once")
        fresh = learned_anew(points, explored, sizes, lessons, seed)
        return {"values": fresh.values, "sizes": fresh.sizes}

    found = cache.arrays(__file__, name, compute)
    return Evaluation(found["values"], found["sizes"])


def _round(
    points: Array,
    means: list[Array],
    counts: list[Array],
    games: int,
    explored: float,
    base: rng.RngState,
    number: int,
    learner: int,
) -> tuple[list[Array], list[Array]]:
    """What one learner makes of its share of a round's games: its own means and counts."""
    words = np.empty(4, np.uint64)
    rng.fork(base, LEARNERS * number + learner, words)
    own, seen = [part.copy() for part in means], [part.copy() for part in counts]
    learn(points, own[0], seen[0], own[1], seen[1], (games + learner) // LEARNERS, explored, words)
    return own, seen


def learned_anew(points: tuple[int, ...], explored: float, sizes: bool, lessons: int, seed: int) -> Evaluation:
    """The evaluation after so many games."""
    means: list[Array] = [by_score(points).values.copy(), np.zeros(SIZES if sizes else 0, np.float32)]
    counts: list[Array] = [np.zeros(len(part), np.int32) for part in means]
    base, done, number = rng.seeded(seed, "narl"), 0, 0
    given = np.array(points, np.float64)
    while done < lessons:
        games = min(max(4_000, done // 2), lessons - done)
        begun = functools.partial(_round, given, means, counts, games, explored * DECAY**done, base, number)
        results = list(in_order(begun, range(LEARNERS)))
        for part in range(2):
            total = sum(seen[part] for _, seen in results) - (LEARNERS - 1) * counts[part]
            weighted = sum(own[part].astype(float) * seen[part] for own, seen in results)
            weighted -= (LEARNERS - 1) * means[part].astype(float) * counts[part]
            means[part] = np.where(total > 0, weighted / np.maximum(total, 1), means[part]).astype(np.float32)
            counts[part] = total
        done, number = done + games, number + 1
    return Evaluation(means[0], means[1])
