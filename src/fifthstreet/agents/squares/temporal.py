"""What lines are worth to the whole grid, by temporal differences; and rounds of learners for all who learn so.

`narl` holds for each abstraction the mean of what such lines scored in the end. But a line also takes cards and cells
that others would have had. Here the values of a grid's lines add up to what the grid promises; when a later grid
promises more or less, or the game ends so, all of them move by the same small step, so that each comes to hold what it
is worth to the grid. So learned, the English system is played for 52.6 points after a million games, where the best of
24 evaluations by `narl` made 50.2 (20,000 deals). They begin with the score so far.

Later, when there is little left to find and much noise, they learn without luck: a grid is drawn towards the mean of
what all next cards promise, and from then on towards what the games show beyond that. Each such game takes ten times as
long and tells more than fifty others: in the American system 100,000 of them add 0.2 points to what four million gave.

Two learners start each round from the same values, play games of their own, and what they have learned is averaged, so
that the result does not depend on the number of cores. Steps grow shorter from round to round. (Twice the rate would
be too much at first: lines that are alike share a value, and one step then moves the grid beyond its aim and back.)
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache, rng
from fifthstreet.agents.squares.foresight import foresee, foresights
from fifthstreet.agents.squares.lines import FACTS, LEFT, no_cards, value_by
from fifthstreet.agents.squares.narl import LEARNERS, by_score, place_next
from fifthstreet.games.poker_squares import CELLS, LINES
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order

_F = np.float32
TRACE, EXPLORED = 0.8, 0.01
RATE, LAST = 0.03, 0.01  # of the values, and what part of all rates is left at the end
UNIT, UNIT_WITHOUT_LUCK = 20_000, 5_000  # games of a learner in a round

Learned = tuple[NDArray[np.float32], ...]


@kernel
def move(values: Any, numbers: Any, step: float) -> None:
    """Let all lines of a grid be worth so much more."""
    for i in range(LINES):
        if numbers[i] >= 0:
            values[numbers[i]] += _F(step)


@kernel
def learn(points: Any, values: Any, games: int, pace: float, words: Any) -> None:
    lines, left, grid = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.zeros(CELLS, np.int64)
    deck, gain, none = np.arange(52), np.zeros(LINES), np.zeros(0, _F)
    passed, promise = np.zeros((CELLS, LINES), np.int64), np.zeros(CELLS)
    for _ in range(games):
        no_cards(lines, left, True)
        grid[:] = -1
        for played in range(CELLS):
            now = passed[played]
            place_next(played, deck, EXPLORED, grid, lines, left, points, values, none, gain, now, words)
            promise[played] = value_by(now, lines, points, values)
        aim = promise[CELLS - 1]
        for played in range(CELLS - 2, -1, -1):
            move(values, passed[played], pace * RATE * (aim - promise[played]))
            aim = TRACE * aim + (1 - TRACE) * promise[played]


@kernel
def learn_without_luck(points: Any, values: Any, games: int, pace: float, words: Any) -> None:
    lines, left, grid = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.zeros(CELLS, np.int64)
    deck, gain, none = np.arange(52), np.zeros(LINES), np.zeros(0, _F)
    passed, promise = np.zeros((CELLS, LINES), np.int64), np.zeros(CELLS)
    hope, anywhere, room, by_card = np.zeros(CELLS), np.zeros(CELLS, np.bool_), foresights(), np.zeros(52)
    for _ in range(games):
        no_cards(lines, left, True)
        grid[:] = -1
        for played in range(CELLS):
            now = passed[played]
            hope[played] = foresee(played, grid, lines, left, points, values, room, by_card)
            anywhere[played] = place_next(
                played, deck, EXPLORED, grid, lines, left, points, values, none, gain, now, words
            )
            promise[played] = value_by(now, lines, points, values)
        error = 0.0
        for played in range(CELLS - 2, -1, -1):
            error = missed(hope[played + 1], anywhere[played + 1], error, promise[played])
            move(values, passed[played], pace * RATE * error)


@kernel
def missed(hope: float, anywhere: bool, later: float, promise: float) -> float:
    """How much more than promised there was: what the next card gave hope for, and what was missed later.

    What comes after a card that was put anywhere says nothing of the grid before it.
    """
    return hope - promise if anywhere else hope + TRACE * later - promise


def self_taught(points: tuple[int, ...], games: int, without_luck: int, seed: int = 0) -> NDArray[np.float32]:
    """The values of lines, by fine abstractions, after so many games, and then so many without luck."""
    given, start = np.array(points, np.float64), (by_score(points).values,)
    begun = in_rounds(functools.partial(learn, given), start, games, UNIT, "lines", seed)
    learner = functools.partial(learn_without_luck, given)
    return in_rounds(learner, begun, without_luck, UNIT_WITHOUT_LUCK, "lines without luck", seed)[0]


def in_rounds(learner: Callable[..., None], start: Learned, games: int, unit: int, what: str, seed: int) -> Learned:
    """What learners, called with arrays to change, games, pace and words, make of the start in so many games."""
    found, base, steps = start, rng.seeded(seed, what), -(-games // (LEARNERS * unit))
    size = min(unit, -(-games // LEARNERS))
    for step in range(steps):
        pace = LAST + (1 - LAST) * (1 - step / steps)
        work = functools.partial(_learner, learner, found, size, pace, base)
        results = in_order(work, range(step * LEARNERS, (step + 1) * LEARNERS))
        found = tuple(np.mean(parts, axis=0, dtype=np.float32) for parts in zip(*results, strict=True))
        if steps >= 4 and (step + 1) * 4 // steps > step * 4 // steps:
            cache.announce(f"learning Poker Squares, {what}, once: {100 * (step + 1) // steps} %")
    return found


def _learner(
    learner: Callable[..., None], start: Learned, games: int, pace: float, base: rng.RngState, number: int
) -> Learned:
    words = np.empty(4, np.uint64)
    rng.fork(base, number, words)
    own = tuple(part.copy() for part in start)
    learner(*own, games, pace, words)
    return own
