"""What lines are worth to the whole grid, by temporal differences; and rounds of learners for everything learned so.

`narl` holds for each abstraction the mean of what such lines scored in the end. But a line also takes cards and cells
that others would have had. Here the expected score of a grid is the sum of its lines' values; when a later grid, or the
end of the game, has a higher or lower one, all of them move by the same small step, so that each comes to hold what it
is worth to the grid. Learned in this way, the English system is played for 52.6 points after a million games, where the
best of 24 evaluations by `narl` made 50.2 (20,000 deals). Values start from the score so far.

Later, when there is little left to find and much noise, they learn without luck: a grid is drawn towards the mean of
the expected scores over all next cards, and from then on towards what the games show beyond that. Each such game takes
ten times as long and teaches more than fifty others: in the American system 100,000 of them add 0.2 points to what four
million gave.

Two learners start each round from the same values, play games of their own, and what they have learned is averaged, so
that the result does not depend on the number of cores. Steps grow shorter from round to round.
"""

import functools
from collections.abc import Callable, Sequence

import numpy as np

from fifthstreet import rng
from fifthstreet.agents.squares import foresight, lines
from fifthstreet.agents.squares.foresight import foresee
from fifthstreet.agents.squares.lines import Numbers, Position, Values
from fifthstreet.agents.squares.narl import LEARNERS, by_score, place_next
from fifthstreet.games.poker_squares import CELLS, LINES
from fifthstreet.kernel import kernel
from fifthstreet.learned.steps import State, in_steps
from fifthstreet.parallel import in_order
from fifthstreet.rng import RngState

_F = np.float32

# Set by hand; no search over them is recorded. Twice the rate without luck was unstable in the first rounds: lines that
# are alike share a value, so that one step can take the grid beyond its aim and back.
TRACE = 0.8  # λ: how much a grid learns from those after the next
EXPLORED = 0.01  # the share of cards placed in a random cell
RATE = 0.03  # the length of a step
LAST = 0.01  # the part of all rates that is left at the end
UNIT, UNIT_WITHOUT_LUCK = 20_000, 5_000  # games of a learner in a round

Learned = tuple[Values, ...]
Learner = Callable[..., None]


@kernel
def move(values: Values, numbers: Numbers, step: float) -> None:
    """Add a step to the value of each line of a grid that is not full."""
    for i in range(LINES):
        if numbers[i] >= 0:
            values[numbers[i]] += _F(step)


@kernel(changes="position")
def learn(position: Position, values: Values, games: int, pace: float, rng: RngState) -> None:
    """Play this many games and learn from each; `pace` is the part of the rates that is left."""
    deck, none = np.arange(52), np.zeros(0, _F)
    passed, expected = np.zeros((CELLS, LINES), np.int64), np.zeros(CELLS)
    for _ in range(games):
        lines.clear(position, True)
        for played in range(CELLS):
            place_next(position, deck, EXPLORED, values, none, passed[played], rng)
            expected[played] = lines.value_by(position, passed[played], values)
        aim = expected[CELLS - 1]
        for played in range(CELLS - 2, -1, -1):
            move(values, passed[played], pace * RATE * (aim - expected[played]))
            aim = TRACE * aim + (1 - TRACE) * expected[played]


@kernel(changes="position")
def learn_without_luck(position: Position, values: Values, games: int, pace: float, rng: RngState) -> None:
    """The same without the luck of the cards."""
    deck, none = np.arange(52), np.zeros(0, _F)
    passed, expected = np.zeros((CELLS, LINES), np.int64), np.zeros(CELLS)
    hope, anywhere = np.zeros(CELLS), np.zeros(CELLS, np.bool_)
    scratch, by_card = foresight.new_scratch(), np.zeros(52)
    for _ in range(games):
        lines.clear(position, True)
        for played in range(CELLS):
            hope[played] = foresee(position, values, scratch, by_card)
            anywhere[played] = place_next(position, deck, EXPLORED, values, none, passed[played], rng)
            expected[played] = lines.value_by(position, passed[played], values)
        error = 0.0
        for played in range(CELLS - 2, -1, -1):
            error = missed(hope[played + 1], anywhere[played + 1], error, expected[played])
            move(values, passed[played], pace * RATE * error)


@kernel
def missed(hope: float, anywhere: bool, later: float, expected: float) -> float:
    """By how much the expected score of a grid was too low: what the next card gave hope for, and what came later.

    What follows a card that was placed at random says nothing about the grid before it.
    """
    return hope - expected if anywhere else hope + TRACE * later - expected


def self_taught(points: tuple[int, ...], games: int, without_luck: int, seed: int = 0) -> Values:
    """The values of lines, by fine abstractions, after this many games and then `without_luck` more without luck."""
    begun = in_rounds(learn, points, (by_score(points).values,), games, UNIT, "lines", seed)
    return in_rounds(learn_without_luck, points, begun, without_luck, UNIT_WITHOUT_LUCK, "lines without luck", seed)[0]


def in_rounds(
    learner: Learner, points: Sequence[float], start: Learned, games: int, unit: int, what: str, seed: int
) -> Learned:
    """The arrays that learners make of `start` in this many games, `unit` of them a round and learner.

    A learner is called with a position to play in, the arrays to change, games, pace and random state.
    """
    base, steps = rng.seeded(seed, what), -(-games // (LEARNERS * unit))
    size = min(unit, -(-games // LEARNERS))

    def step(number: int, state: State) -> State:
        pace = LAST + (1 - LAST) * (1 - number / steps)
        work = functools.partial(_learner, learner, points, tuple(state.values()), size, pace, base)
        results = in_order(work, range(number * LEARNERS, (number + 1) * LEARNERS))
        parts = zip(state, zip(*results, strict=True), strict=True)
        return {name: np.asarray(np.mean(part, axis=0, dtype=np.float32)) for name, part in parts}

    begun = {str(number): part for number, part in enumerate(start)}
    return tuple(in_steps(f"learning Poker Squares, {what}", steps, lambda: begun, step).values())


def _learner(
    learner: Learner, points: Sequence[float], start: Learned, games: int, pace: float, base: RngState, number: int
) -> Learned:
    """What one learner makes of `start` in its games of a round."""
    own_rng = np.empty(4, np.uint64)
    rng.fork(base, number, own_rng)
    own = tuple(part.copy() for part in start)
    learner(lines.empty_grid(points), *own, games, pace, own_rng)
    return own
